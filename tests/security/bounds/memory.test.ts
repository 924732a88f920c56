// A server out of memory: which request it refuses, how, and that it goes on.
import { connect } from 'node:net';
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { send, sendJson, serving } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const WORLD = '/_fake/v1/sandboxes/default/world';
const REPLACE = '/rest/cwxapiextension/latest/spaces/replaceInPage?spaceKey=ds&pageTitle=large';

interface Health {
  readonly memory: { readonly used: number; readonly limit: number };
}

describe('a server out of memory', function () {
  this.timeout(60_000);
  let server: Running;
  beforeEach(async () => {
    server = await serving('small-team', { 'max-sandbox': '2', 'max-memory': '16' });
  });
  afterEach(() => server.stop());

  const write = (body: string, id = '70000') =>
    sendJson(`${server.url}${WORLD}`, 'PATCH', {
      pages: { [id]: { space: 'ds', title: id === '70000' ? 'large' : id, body } },
    });
  const health = async () => (await send(`${server.url}/_fake/health`)).json as Health;

  it('refuses a patch with 507 that names the flag, and leaves the world unchanged', async () => {
    expect((await write('a'.repeat(1_000_000))).status).to.equal(204);
    expect((await write('b'.repeat(1_000_000), '70001')).status).to.equal(204);
    const refused = await write('c'.repeat(1_000_000), '70002');
    expect(refused.status).to.equal(507);
    expect(refused.json).to.deep.equal({
      status: 507,
      title: 'Insufficient Storage',
      detail:
        'the sandbox default would need 2.9 MiB, but --max-sandbox allows only 2 MiB: reset it, or drop its snapshots.',
    });
    const { pages } = (await send(`${server.url}${WORLD}`)).json as { pages: object };
    expect(Object.keys(pages)).to.include.members(['70000', '70001']).and.not.include('70002');
  });

  it('refuses an operation with 507 in the form of its API, and performs the next one', async () => {
    for (const id of ['70000', '70001', '70002', '70003'])
      expect((await write('a'.repeat(500_000), id)).status).to.equal(204);
    const grown = await sendJson(
      `${server.url}${REPLACE}`,
      'POST',
      [{ oldText: 'a'.repeat(1000), newText: 'a'.repeat(2050) }],
      'admin',
    );
    expect(grown.status).to.equal(507);
    const { statusCode, reason, message } = grown.json as Record<string, unknown>;
    expect({ statusCode, reason }).to.deep.equal({ statusCode: 507, reason: 'Insufficient Storage' });
    expect(message).to.match(/^the sandbox default would need 2\.4 MiB, but --max-sandbox allows only 2 MiB/);
    const next = await sendJson(
      `${server.url}${REPLACE}`,
      'POST',
      [{ oldText: 'a'.repeat(1000), newText: 'b' }],
      'admin',
    );
    expect(next.status).to.equal(200);
  });

  it('accepts a page of 1,048,576 characters, and no longer one', async () => {
    const large = await serving('small-team', { 'max-body': '20000000' });
    try {
      const body = 'a'.repeat(1024 * 1024);
      const write = (text: string) =>
        sendJson(`${large.url}${WORLD}`, 'PATCH', { pages: { '70000': { space: 'ds', title: 'large', body: text } } });
      expect((await write(body)).status).to.equal(204);
      const refused = await write(`${body}a`);
      expect(refused.status).to.equal(422);
      expect(refused.text).to.include('/pages/70000/body must have at most 1048576 characters');
    } finally {
      await large.stop();
    }
  });

  it('refuses bodies with 503 while too many are arriving, and accepts them again afterwards', async () => {
    const { port } = new URL(server.url);
    const path = '/rest/cwxapiextension/latest/groups/add-users';
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`;
    const senders = Array.from({ length: 6 }, () => connect(Number(port), '127.0.0.1'));
    const refused = senders.map(
      sender => new Promise<string>(resolve => sender.once('data', resolve).setEncoding('utf8')),
    );
    for (const sender of senders) sender.write(`${head}${' '.repeat(900_000)}`);
    const first = await Promise.race(refused);
    expect(first)
      .to.match(/^HTTP\/1\.1 503 /)
      .and.match(/\r\nRetry-After: 1\r\n/);
    expect(first).to.include('too many request bodies are arriving at once (--max-memory).');
    for (const sender of senders) sender.destroy();
    await until(
      async () =>
        (await sendJson(`${server.url}${path}`, 'POST', { group: 'customers', users: ['alice'] })).status === 200,
    );
  });

  it('drops the sandboxes idle for longest, and reports the used memory in its health', async () => {
    const body = { group: 'customers', users: ['x'.repeat(1_000_000)] };
    for (let i = 0; i < 40; i += 1) {
      const path = `/~job-${i}/rest/cwxapiextension/latest/groups/add-users`;
      const { status } = await sendJson(`${server.url}${path}`, 'POST', body);
      expect(status).to.equal(404);
    }
    const { memory } = await health();
    expect(memory.limit).to.equal(16 * 1024 * 1024);
    expect(memory.used).to.be.within(12_000_000, memory.limit);
    const { sandboxes } = (await send(`${server.url}/_fake/v1/sandboxes`)).json as {
      sandboxes: { name: string }[];
    };
    const names = sandboxes.map(({ name }) => name);
    expect(names).to.include.members(['default', 'job-39']).and.not.include('job-0');
    expect(names.length).to.be.within(4, 16);
  });
});
