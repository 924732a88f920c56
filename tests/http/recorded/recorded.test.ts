// Every byte of the server's responses to a table of raw requests, compared with a recording.
// `RECORD=1 npx mocha tests/http/recorded/recorded.test.ts` records anew.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { FlagValues } from '../../../server/settings/settings.js';
import { sendRaw, serving } from '../../support/wire/server.js';
import { fewRequests, type Recorded, recordedRequests } from './requests.js';

const file = new URL('responses.json', import.meta.url);
const isRecording = process.env.RECORD === '1';

interface Table {
  readonly title: string;
  readonly flags: FlagValues;
  readonly requests: readonly Recorded[];
}
const usual = { 'max-body': '4096' };
const tables: readonly Table[] = [
  { title: 'the usual flags', flags: usual, requests: recordedRequests() },
  { title: '--no-explain', flags: { 'no-explain': true }, requests: fewRequests() },
  { title: '--sandboxes explicit', flags: { sandboxes: 'explicit' }, requests: fewRequests() },
  { title: '--control off', flags: { control: 'off' }, requests: fewRequests() },
];

describe('the recorded responses', () => {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  const responses: Record<string, string> = {};

  for (const { title, flags, requests } of tables) {
    it(`match those of ${requests.length} raw requests with ${title}`, async () => {
      const server = await serving('standing', { ...flags, scenarios: 'tests/http/recorded' });
      try {
        for (const { name, bytes } of requests)
          responses[`${title}: ${name}`] = steady(await sendRaw(server.url, bytes));
      } finally {
        await server.stop();
      }
      const names = Object.keys(responses).filter(name => name.startsWith(`${title}: `));
      expect(names).to.have.length(requests.length);
      if (!isRecording) for (const name of names) expect(responses[name], name).to.equal(known[name]);
    });
  }

  it('cover the whole table', () => {
    if (isRecording) writeFileSync(file, `${JSON.stringify(responses, null, 2)}\n`);
    else expect(Object.keys(responses)).to.deep.equal(Object.keys(known));
  });
});

/** Without values that differ each time: the date, generated names, and idle times. */
function steady(response: string): string {
  return response
    .replace(/^Date: .*\r\n/gm, '')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/Content-Length: \d+(?=[\s\S]*"idle":)/, 'Content-Length: <length>')
    .replace(/"idle":[\d.]+/g, '"idle":<idle>')
    .replace(/cwx-fake \d+\.\d+\.\d+/g, 'cwx-fake <version>');
}
