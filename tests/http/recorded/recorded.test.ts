// Every byte of the server's responses to a table of raw requests, compared with a recording.
// `RECORD=1 npx mocha tests/http/recorded/recorded.test.ts` records anew.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect } from 'chai';
import type { FlagValues } from '../../../server/settings/settings.js';
import { listening, sendRaw, serving } from '../../support/wire/server.js';
import { add, addInSandbox, frontPage, type Recorded, unknownPath, usualRequests } from './requests.js';

const file = new URL('responses.json', import.meta.url);
const isRecording = process.env.RECORD === '1';

describe('the recorded responses', () => {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  const responses: Record<string, string> = {};

  /** Compares the responses of a server with these flags. */
  async function compare(title: string, flags: FlagValues, requests: readonly Recorded[]): Promise<void> {
    const server = await serving('standing', { ...flags, scenarios: 'tests/http/recorded' });
    const seen: Record<string, string> = {};
    try {
      for (const { name, bytes } of requests) seen[`${title}: ${name}`] = steady(await sendRaw(server.url, bytes));
    } finally {
      await server.stop();
    }
    expect(Object.keys(seen)).to.have.length(requests.length);
    Object.assign(responses, seen);
    if (!isRecording) for (const [name, response] of Object.entries(seen)) expect(response, name).to.equal(known[name]);
  }

  const tables: ReadonlyArray<readonly [title: string, flags: FlagValues, requests: readonly Recorded[]]> = [
    ['the usual flags', { 'max-body': '4096' }, usualRequests],
    ['--no-explain', { 'no-explain': true }, [add]],
    ['--sandboxes explicit', { sandboxes: 'explicit' }, [addInSandbox]],
    ['--control off', { control: 'off' }, [frontPage]],
  ];
  for (const [title, flags, requests] of tables) it(`match with ${title}`, () => compare(title, flags, requests));

  it('match with --fallback, for a response in chunks', async () => {
    const other = createServer((_, res) => {
      res.writeHead(203, { 'Content-Type': 'text/plain', 'X-Fake-Rules': 'its own', 'X-Own': 'kept' });
      res.end('in one chunk');
    });
    const fallback = await listening(other);
    await compare('--fallback', { fallback }, [unknownPath]).finally(() => other.close());
  });

  it('cover the whole table', () => {
    if (isRecording) writeFileSync(file, `${JSON.stringify(responses, null, 2)}\n`);
    else expect(Object.keys(responses)).to.deep.equal(Object.keys(known));
  });
});

/** Without values that differ each time or with each build: the date, generated names, idle times, ETags. */
function steady(response: string): string {
  return response
    .replace(/^Date: .*\r\n/gm, '')
    .replace(/^ETag: "[\w-]{22}"/gm, 'ETag: "<hash>"')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/Content-Length: \d+(?=[\s\S]*"idle":)/, 'Content-Length: <length>')
    .replace(/"idle":[\d.]+/g, '"idle":<idle>')
    .replace(/cwx-fake \d+\.\d+\.\d+/g, 'cwx-fake <version>');
}
