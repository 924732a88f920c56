// A server out of memory: which request it refuses, how, and that it goes on.
import { connect } from 'node:net';
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { send, sendJson, serving } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const WORLD = '/_fake/v1/sandboxes/default/world';
const COPY = '/rest/cwxapiextension/latest/spaces/copySpace?sourceSpaceKey=tmpl';

interface Health {
  readonly memory: { readonly used: number; readonly limit: number };
}

describe('a server out of memory', () => {
  let server: Running;
  beforeEach(async () => {
    server = await serving('small-team', { 'max-memory': '16' });
  });
  afterEach(() => server.stop());

  const write = (body: string, id: string) =>
    sendJson(`${server.url}${WORLD}`, 'PATCH', { pages: { [id]: { space: 'ds', title: id, body } } });
  const health = async () => (await send(`${server.url}/_fake/health`)).json as Health;
  const copy = (target: string) =>
    send(
      `${server.url}${COPY}&targetSpaceKey=${target}&targetSpaceTitle=${target}&targetSpaceAdmin=alice&removeAdminPermissions=false&keepPagesMetadata=true`,
      { method: 'POST', headers: { authorization: `Basic ${btoa('admin:admin')}` } },
    );

  it('refuses growth with 507 that names the flag, in the form of each API, and performs the rest', async () => {
    for (let id = 70_000; (await health()).memory.used < 16 * 1024 * 1024; id += 1)
      expect((await write('a'.repeat(1_000_000), String(id))).status).to.equal(204);
    const { version } = (await send(`${server.url}/_fake/v1/sandboxes/default`)).json as { version: number };
    const says =
      /^the sandboxes of this server use 1[67](?:\.\d)? MiB, but --max-memory allows 16 MiB: reset or drop some\.?$/;
    const patch = (await write('b', '60000')).json as Record<string, unknown>;
    expect(patch).to.include({ status: 507, title: 'Insufficient Storage' });
    expect(patch.detail).to.match(says);
    const copied = (await copy('NEW')).json as Record<string, unknown>;
    expect(copied).to.include({ statusCode: 507, reason: 'Insufficient Storage' });
    expect(copied.message).to.match(says);
    expect((await send(`${server.url}/_fake/v1/sandboxes/default`)).json).to.include({ version });
    const join = { group: 'customers', users: ['alice'] };
    const added = `${server.url}/rest/cwxapiextension/latest/groups/add-users`;
    expect((await sendJson(added, 'POST', join)).status).to.equal(200);
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
    expect(names.length).to.be.within(4, 17);
  });
});
