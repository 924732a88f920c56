// The limits on size and depth of a body, and that every client receives the refusal of a larger one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { curlBare } from '../../support/processes/curl.js';
import { entriesIn, serving } from '../../support/wire/server.js';
import { ask, freshSandbox, pathOf, type Refusal, refuses } from './wire.js';

const LIMIT = 1_048_576;
const tooLarge: Refusal = { status: 413, code: 'body-too-large', message: `The body is larger than ${LIMIT} bytes.` };
const RESPONSE = JSON.stringify({ statusCode: 413, message: tooLarge.message, reason: 'Payload Too Large' });
/** A valid body of this many bytes: it adds alice to the customers. */
function joining(bytes: number): Buffer {
  const body = Buffer.alloc(bytes, ' ');
  body.write('{"group":"customers","users":["alice"]');
  body.write('}', bytes - 1);
  return body;
}

describe('large bodies', () => {
  let server: Running;
  let folder: string;
  before(async () => {
    server = await serving();
    folder = mkdtempSync(join(tmpdir(), 'cwx-fake-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await server.stop();
  });

  for (const framing of ['length', 'chunked'] as const)
    it(`of 1 MiB are read, and of more refused (${framing})`, async () => {
      const sandbox = await freshSandbox(server);
      expect(await ask(server, sandbox, { framing, body: joining(LIMIT) })).to.include({ status: 200, text: '{}' });
      for (const size of [LIMIT + 1, 20 * LIMIT]) {
        const got = await refuses(server, { framing, body: joining(size) }, tooLarge, sandbox);
        expect(got.headers.get('connection')).to.equal('close');
      }
    });

  it('are measured in bytes, not characters', async () => {
    const body = (euros: number) => JSON.stringify({ group: '€'.repeat(euros), users: [] });
    const most = Math.floor((LIMIT - Buffer.byteLength(body(0))) / 3);
    await refuses(server, { body: body(most) }, { status: 404, code: 'unknown-group', message: /"€{77}\.{3}"/ });
    await refuses(server, { body: body(most + 1) }, tooLarge);
  });

  it('are refused with 413 before their content type or JSON is checked', async () => {
    const headers = { 'content-type': 'text/plain', 'x-fake-reading': 'content-type=415' };
    await refuses(server, { headers, body: 'x'.repeat(LIMIT + 1) }, tooLarge);
  });

  it('are not recorded in the journal', async () => {
    const sandbox = await freshSandbox(server);
    await ask(server, sandbox, { body: joining(LIMIT + 1) });
    const { body, unread } = (await entriesIn(server, sandbox)).at(-1)?.request ?? {};
    expect([body, unread]).to.deep.equal([undefined, { kind: 'too-large', limit: LIMIT }]);
  });

  it('are refused for a client that keeps its connections, which then gets its next response', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const post = (body: Buffer) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'content-length': body.length };
        const request = httpRequest(
          server.url + pathOf('groups.add-users'),
          { method: 'POST', agent, headers },
          response => {
            response.resume().once('end', () => resolve(response.statusCode));
          },
        );
        request.once('error', reject).end(body);
      });
    const statuses: (number | undefined)[] = [];
    for (const size of [64, LIMIT + 1, 64, 3 * LIMIT, 64]) statuses.push(await post(joining(size)));
    expect(statuses).to.deep.equal([200, 413, 200, 413, 200]);
    agent.destroy();
  });

  for (const [what, size, flags] of [
    ['as it comes', 20 * LIMIT, []],
    ['in chunks, without waiting', 2 * LIMIT, ['-H', 'Transfer-Encoding: chunked', '-H', 'Expect:']],
  ] as const) {
    it(`are refused visibly for curl: ${what}`, async () => {
      const file = join(folder, 'body.json');
      writeFileSync(file, joining(size));
      const url = server.url + pathOf('groups.add-users');
      const written = ['-H', 'Content-Type: application/json', '-w', '\n%{http_code}', '--data-binary', `@${file}`];
      const { stdout } = await curlBare(['-sS', '--max-time', '20', ...flags, ...written, url]);
      expect(stdout).to.equal(`${RESPONSE}\n413`);
    });
  }
});
