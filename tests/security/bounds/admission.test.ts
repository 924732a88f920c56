// What is in flight is counted, heavy work waits its turn, and a response has a bounded size.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { requestBytes } from '../../support/wire/raw-connection.js';
import { send, sendJson, serving } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const WORLD = '/_fake/v1/sandboxes/default/world';
const ADD = '/rest/cwxapiextension/latest/groups/add-users';

describe('admission', () => {
  let server: Running;
  let sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets = [];
    await server.stop();
  });
  /** A connection that reads nothing until it is resumed. */
  async function deaf(bytes = ''): Promise<Socket> {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause();
    socket.on('error', () => {}); // its end may be a reset
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  }
  const entries = async () => {
    const { json } = await send(`${server.url}/_fake/v1/sandboxes/default`);
    return (json as { journal: { entries: number } }).journal.entries;
  };
  const version = async () =>
    ((await send(`${server.url}/_fake/v1/sandboxes/default`)).json as { version: number }).version;
  /** Enough of them for reading the world to be heavy. */
  const writeUsers = async () => {
    for (const kind of ['a', 'b']) {
      const users = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`user-${kind}${i}`, {}]));
      expect((await sendJson(server.url + WORLD, 'PATCH', { users })).status).to.equal(204);
    }
  };
  const writePages = async (count: number, body: string, space = 'ds') => {
    for (let i = 0; i < count; i += 1) {
      const pages = { [String(70_000 + i)]: { space, title: `T${i}`, body } };
      expect((await sendJson(server.url + WORLD, 'PATCH', { pages })).status).to.equal(204);
    }
  };

  it('counts the pieces of a body that arrives', async () => {
    server = await serving();
    const head = `POST ${ADD} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    await deaf(head + '1\r\n \r\n'.repeat(5_000));
    await until(() => server.admission.bodies > 8_000);
    for (const socket of sockets) socket.destroy();
    await until(() => server.admission.bodies === 0);
  });

  for (const [when, faults] of [
    ['while its response is delayed', [{ path: ADD, effect: { delay: 3_600_000 } }]],
    ['on an idle connection', []],
  ] as const)
    it(`keeps no parsed body ${when}`, async () => {
      server = await serving();
      const put = await sendJson(`${server.url}/_fake/v1/sandboxes/default/faults`, 'PUT', { faults });
      expect(put.status).to.equal(200);
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void; // what the flag adds
      collect();
      const before = memoryUsage().heapUsed;
      const body = `{"group":"customers","x":[${'[],'.repeat(49_000)}[]]}`; // 147 kB, 2 MB parsed
      for (let i = 0; i < 10; i += 1) await deaf(requestBytes('POST', ADD, body));
      await until(async () => (await entries()) === 10);
      collect();
      expect((memoryUsage().heapUsed - before) / 10, 'bytes for each of them').to.be.below(1_000_000);
    });

  it('keeps no bytes of a large response that a fault holds', async () => {
    server = await serving(undefined, { journal: '1' });
    await writePages(1, 'x'.repeat(1_000_000));
    const path = '/rest/api/content/70000';
    const faults = [
      { path, effect: { hold: 'there' } },
      { path, effect: { delay: 3_600_000 } },
    ];
    for (const fault of faults) {
      const put = await sendJson(`${server.url}/_fake/v1/sandboxes/default/faults`, 'PUT', { faults: [fault] });
      expect(put.status).to.equal(200);
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void; // what the flag adds
      collect();
      const before = memoryUsage().heapUsed;
      const begun = await version();
      for (let i = 0; i < 20; i += 1) await deaf(requestBytes('GET', `${path}?expand=body.storage,body.view`));
      await until(async () => (await version()) === begun + 20); // each counts its fault
      collect();
      expect((memoryUsage().heapUsed - before) / 20, 'bytes for each of them').to.be.below(300_000);
    }
  });

  it('lets 34 large requests in, two at a time, and refuses more with 503', async () => {
    server = await serving();
    await writeUsers();
    const request = requestBytes('GET', WORLD);
    const senders: Socket[] = [];
    for (let i = 0; i < 60; i += 1) senders.push(await deaf(request.slice(0, -1)));
    const received = senders.map(sender => once(sender.setEncoding('latin1').resume(), 'data'));
    for (const sender of senders) sender.write(request.slice(-1));
    const responses = (await Promise.all(received)).map(([text]) => String(text));
    const refused = responses.filter(text => text.startsWith('HTTP/1.1 503'));
    expect(responses.filter(text => text.startsWith('HTTP/1.1 200'))).to.have.lengthOf(60 - refused.length);
    expect(refused).to.have.length.within(1, 60 - 34);
    for (const text of refused)
      expect(text).to.include('\r\nRetry-After: 1\r\n').and.include('too many large requests are waiting');
    for (const sender of senders) sender.destroy();
    await until(async () => (await send(server.url + WORLD)).status === 200);
  });

  const text = 'x'.repeat(1_000_000);
  const sendTexts = async () => {
    for (let i = 0; i < 12; i += 1)
      expect((await sendJson(server.url + ADD, 'POST', { group: 'customers', x: text })).status).to.equal(400);
  };
  for (const [path, scenario, fill] of [
    ['world', undefined, () => writeUsers().then(() => writePages(12, text))],
    ['diff?from=0', 'large', () => writePages(12, text, 'space1')],
    ['recording', undefined, sendTexts],
    ['journal', undefined, sendTexts],
  ] as const)
    it(`lets no reader of /${path} hold up other heavy work`, async () => {
      server = await serving(scenario, { 'max-memory': '512' }); // a difference has 24 MB
      await fill();
      const url = `/_fake/v1/sandboxes/default/${path}`;
      for (let i = 0; i < 2; i += 1) await deaf(`GET ${url} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await until(() => server.admission.responses > 0);
      expect((await send(server.url + url)).status).to.equal(200);
      expect(server.admission.responses, 'the others still wait').to.be.above(0);
    });

  it('ends a page of results early instead of failing for its size', async () => {
    server = await serving();
    await writePages(12, '\u0001'.repeat(170_000));
    const { status, json } = await send(
      `${server.url}/rest/api/space/ds/content/page?expand=body.storage,body.view&limit=200`,
    );
    const { size, _links } = json as { size: number; _links: { next?: string } };
    expect({ status, size }).to.deep.equal({ status: 200, size: 7 });
    expect(_links.next).to.equal('/rest/api/space/ds/content/page?expand=body.storage%2Cbody.view&start=7&limit=200');
  });

  it('refuses a patch of more than 5,000 records with its size alone', async () => {
    server = await serving();
    const pages = Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [String(80_000 + i), {}]));
    const { status, json } = await sendJson(server.url + WORLD, 'PATCH', { pages });
    expect(status).to.equal(422);
    expect((json as { detail: string }).detail).to.equal(
      '/pages has 5001 records, but this fake accepts at most 5000. Send fewer at a time.',
    );
  });
});
