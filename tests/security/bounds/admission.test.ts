// What is in flight is counted, heavy work waits its turn, a waiting response keeps few bytes, and a full server refuses growth.
import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { RawConnection, requestBytes } from '../../support/wire/raw-connection.js';
import { entriesIn, send, sendJson, serving } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';
import { Deaf } from '../asking.js';

const DEFAULT = '/_fake/v1/sandboxes/default';
const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const MIB = 1024 * 1024;

describe('admission', () => {
  let server: Running;
  const deaf = new Deaf();
  afterEach(async () => {
    deaf.end();
    await server.stop();
  });
  const patch = (pages: object, sandbox = 'default') =>
    sendJson(`${server.url}/_fake/v1/sandboxes/${sandbox}/world`, 'PATCH', { pages });
  const writePages = async (count: number, body: string, space = 'ds', sandbox?: string) => {
    const pages = Array.from({ length: count }, (_, i) => [70_000 + i, { space, title: `T${i}`, body }]);
    expect((await patch(Object.fromEntries(pages), sandbox)).status).to.equal(204);
  };
  const createMany = (text: string) => sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: 'many', text });
  const used = async () =>
    ((await send(`${server.url}/_fake/health`)).json as { memory: { used: number } }).memory.used;

  it('counts the pieces of a body that arrives', async () => {
    server = await serving();
    const head = `POST ${ADD} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    await deaf.to(server.url, head + '1\r\n \r\n'.repeat(5_000));
    await until(() => server.admission.bodies > 8_000);
    deaf.end();
    await until(() => server.admission.bodies === 0);
  });

  const DELAYED = { delay: 3_600_000 };
  const read = requestBytes('GET', '/rest/api/content/70000?expand=body.storage,body.view');
  const wide = requestBytes('POST', ADD, `{"group":"customers","x":[${'[],'.repeat(49_000)}[]]}`); // 2 MB parsed
  for (const [what, request, effect] of [
    ['bytes of a response that a fault holds', read, { hold: 'there' }],
    ['parsed body while its response is delayed', wide, DELAYED],
    ['parsed body on an idle connection', wide, undefined],
  ] as const)
    it(`keeps no ${what}`, async () => {
      server = await serving(undefined, { journal: '1' });
      await writePages(1, 'x'.repeat(1_000_000));
      const faults = effect === undefined ? [] : [{ path: /(\/rest\/[^? ]*)/.exec(request)?.[1], effect }];
      expect((await sendJson(`${server.url}${DEFAULT}/faults`, 'PUT', { faults })).status).to.equal(200);
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void; // what the flag adds
      collect();
      const before = memoryUsage().heapUsed;
      for (let i = 0; i < 10; i += 1) await deaf.to(server.url, request);
      await until(async () => (await entriesIn(server)).at(-1)?.id === 10);
      collect();
      expect((memoryUsage().heapUsed - before) / 10, 'bytes for each of them').to.be.below(500_000);
    });

  it('lets 34 large requests in, two at a time, and refuses more with 503', async () => {
    server = await serving();
    const request = requestBytes('POST', ADD, `{"group":"customers","x":"${'x'.repeat(70_000)}"}`);
    const senders = await Promise.all(Array.from({ length: 60 }, () => RawConnection.to(server.url)));
    for (const sender of senders) sender.write(request.slice(0, -1));
    await until(() => server.admission.bodies > 60 * 70_000);
    for (const sender of senders) sender.write(request.slice(-1));
    const responses = await Promise.all(senders.map(sender => sender.until(text => text !== '')));
    for (const sender of senders) sender.close();
    const refused = responses.filter(text => text.startsWith('HTTP/1.1 503'));
    expect(responses.filter(text => text.startsWith('HTTP/1.1 400'))).to.have.lengthOf(60 - refused.length);
    expect(refused).to.have.length.within(1, 60 - 34);
    for (const text of refused) expect(text).to.include('\r\nRetry-After: 1\r\n').and.include('large requests');
  });

  it('lets no slow reader of a world hold up other heavy work', async () => {
    server = await serving(undefined, { 'max-memory': '512', 'max-body': '20000000' });
    await createMany('generate: { users: 6000, spaces: 1 }');
    await writePages(12, 'x'.repeat(1_000_000), 'space1', 'many');
    const path = '/_fake/v1/sandboxes/many/world';
    for (let i = 0; i < 2; i += 1) await deaf.to(server.url, requestBytes('GET', path));
    await until(() => server.admission.responses > 0);
    expect((await send(server.url + path)).status).to.equal(200);
    expect(server.admission.responses, 'the others still wait').to.be.above(0);
  });

  it('ends a page of results early instead of failing for its size', async () => {
    server = await serving(undefined, { 'max-body': '20000000' });
    await writePages(12, '\u0001'.repeat(170_000));
    const path = '/rest/api/space/ds/content/page?expand=body.storage,body.view&limit=200';
    const { status, json } = await send(server.url + path);
    const { size, _links } = json as { size: number; _links: { next?: string } };
    expect({ status, size }).to.deep.equal({ status: 200, size: 7 });
    expect(_links.next).to.equal('/rest/api/space/ds/content/page?expand=body.storage%2Cbody.view&start=7&limit=200');
  });

  it('refuses growth beyond --max-memory with 507, in the form of each API, and performs the rest', async () => {
    server = await serving('small-team', { 'max-memory': '16' });
    const write = (id: number, body: string) => patch({ [id]: { space: 'ds', title: String(id), body } });
    for (let id = 70_000; (await used()) < 16 * MIB; id += 1)
      expect((await write(id, 'a'.repeat(1_000_000))).status).to.equal(204);
    const { version } = (await send(server.url + DEFAULT)).json as { version: number };
    const says = /^the sandboxes of this server use 1[67](?:\.\d)? MiB, but --max-memory allows 16 MiB/;
    const patched = (await write(60_000, 'b')).json as Record<string, unknown>;
    expect(patched).to.include({ status: 507, title: 'Insufficient Storage' });
    expect(patched.detail).to.match(says);
    const copy =
      '/rest/cwxapiextension/latest/spaces/copySpace?sourceSpaceKey=tmpl&targetSpaceKey=NEW&targetSpaceTitle=N&targetSpaceAdmin=alice&removeAdminPermissions=false&keepPagesMetadata=true';
    const copied = (await sendJson(server.url + copy, 'POST', undefined, 'admin')).json as Record<string, unknown>;
    expect(copied).to.include({ statusCode: 507, reason: 'Insufficient Storage' });
    expect(copied.message).to.match(says);
    expect((await send(server.url + DEFAULT)).json).to.include({ version });
    const join = { group: 'customers', users: ['alice'] };
    expect((await sendJson(server.url + ADD, 'POST', join)).status).to.equal(200);
  });

  it('refuses bodies with 503 while too many are arriving, and accepts them again afterwards', async () => {
    server = await serving('small-team', { 'max-memory': '16' });
    const head = `POST ${ADD} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n`;
    const senders = await Promise.all(Array.from({ length: 6 }, () => RawConnection.to(server.url)));
    for (const sender of senders) sender.write(`${head}${' '.repeat(900_000)}`);
    const first = await Promise.race(senders.map(sender => sender.until(text => text !== '')));
    expect(first).to.match(/^HTTP\/1\.1 503 .*\r\nRetry-After: 1\r\n.*too many request bodies.*--max-memory/s);
    for (const sender of senders) sender.close();
    const body = { group: 'customers', users: ['alice'] };
    await until(async () => (await sendJson(server.url + ADD, 'POST', body)).status === 200);
  });
});
