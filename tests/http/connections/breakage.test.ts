// The effect of each fault on a keep-alive connection: the bytes, the end of the connection, and the next request.
import { expect } from 'chai';
import type { Fault } from '../../../server/engine/faults/fault.js';
import type { Running } from '../../../server/process/start.js';
import { RawConnection, requestBytes, responsesIn } from '../../support/wire/raw-connection.js';
import { entriesIn, send, sendJson, serving, worldIn } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const HOUR = 3_600_000;
const PUSH = '/rest/cwx-ppf/latest/push';
const whole = '{"success":true,"messages":[]}';
const refused = '{"errorMessages":["Injected fault."],"errors":{}}';
const garbled = '{"success":true\u00ef\u00bf\u00bd{'; // as bytes
const pushing = JSON.stringify({ users: ['alice'], filters: [10500], dashboards: [11000] });
const both = { filters: [10500], dashboards: [11000] };
const nothing = { filters: [], dashboards: [] };
const isWhole = (received: string) => {
  const end = received.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(received)?.[1] ?? '0';
  return end !== -1 && received.length >= end + 4 + Number(length);
};

let server: Running;
const beginning = () => {
  beforeEach(async () => {
    server = await serving();
  });
  afterEach(() => server.stop());
};
const arm = async (...faults: Fault[]) => {
  const armed = await sendJson(`${server.url}/_fake/v1/sandboxes/default/faults`, 'PUT', { faults });
  expect(armed.status, armed.text).to.equal(200);
};
const favourites = async () => (await worldIn(server)).favourites.alice;
const counts = async () => {
  const { json } = await send(`${server.url}/_fake/v1/sandboxes/default/faults`);
  return (json as { faults: ReadonlyArray<{ matched: number; fired: number }> }).faults.map(({ matched, fired }) => [
    matched,
    fired,
  ]);
};
const entries = () => entriesIn(server);
const push = requestBytes('POST', PUSH, pushing);

describe('an effect on a connection', () => {
  beginning();

  interface Case {
    readonly effect: Fault['effect'];
    readonly phase?: 'after';
    readonly line?: string;
    readonly headers?: Readonly<Record<string, string | undefined>>;
    readonly body?: string;
    /** Whether the connection ends with it. */
    readonly ends?: true;
    /** What Alice has afterwards. */
    readonly world?: object;
  }
  const OK = 'HTTP/1.1 200 OK';
  const BUSY = 'HTTP/1.1 503 Service Unavailable';
  const json = 'application/json;charset=UTF-8';
  const cases: readonly Case[] = [
    { effect: { headers: { 'X-A': 'b', 'content-TYPE': 'text/x' } }, line: OK, body: whole, world: both, headers: { 'x-a': 'b', 'content-type': 'text/x' } },
    { effect: { dribble: { bytes: 4, every: 1 } }, line: OK, body: whole, world: both, headers: { 'content-length': '30' } },
    { effect: { status: 500 }, line: 'HTTP/1.1 500 Internal Server Error', body: refused, headers: { 'content-type': json, 'retry-after': undefined } },
    { effect: { status: 500 }, phase: 'after', line: 'HTTP/1.1 500 Internal Server Error', body: refused, world: both },
    { effect: { status: 200 }, line: OK, body: whole, headers: { 'x-fake-rules': '' } },
    { effect: { status: 401 }, line: 'HTTP/1.1 401 Unauthorized', body: refused, headers: { 'www-authenticate': 'Basic realm="cwx-fake", charset="UTF-8"' } },
    { effect: { status: 204 }, line: 'HTTP/1.1 204 No Content', body: '', headers: { 'content-length': undefined, 'transfer-encoding': undefined } },
    { effect: { retryAfter: 7 }, line: BUSY, body: refused, headers: { 'retry-after': '7' } },
    { effect: { body: 'Oops' }, line: OK, body: 'Oops', headers: { 'content-type': 'text/plain; charset=utf-8' } },
    { effect: { status: 502, body: '<h1>Bad</h1>', headers: { 'Content-Type': 'text/html' } }, line: 'HTTP/1.1 502 Bad Gateway', body: '<h1>Bad</h1>', headers: { 'content-type': 'text/html' } },
    { effect: { body: { success: 'perhaps' } }, line: OK, body: '{"success":"perhaps"}', headers: { 'content-type': json } },
    { effect: { garble: true }, line: OK, body: garbled, headers: { 'content-length': '19', 'content-type': json } },
    { effect: { partial: { succeed: 1 } }, line: OK, body: '{"success":false,"messages":["Could not push dashboard with id 11000"]}', world: { filters: [10500], dashboards: [] } },
    { effect: { partial: { succeed: 0 } }, line: OK, body: '{"success":false,"messages":["Could not push filter with id 10500","Could not push dashboard with id 11000"]}' },
    { effect: { hangUp: true }, ends: true },
    { effect: { hangUp: true }, phase: 'after', ends: true, world: both },
    { effect: { truncateAt: 5 }, line: OK, body: '{"suc', ends: true, headers: { 'content-length': '30', 'x-fake-rules': '' } },
    { effect: { truncateAt: 5 }, phase: 'after', line: OK, body: '{"suc', ends: true, world: both },
    { effect: { truncateAt: 7, dribble: { bytes: 3, every: 1 }, status: 503, headers: { 'X-A': 'b' } }, line: BUSY, body: refused.slice(0, 7), ends: true, headers: { 'x-a': 'b' } },
    { effect: { dribble: { bytes: 100, every: HOUR } }, line: OK, body: whole, world: both },
  ]; // biome-ignore format: a table
  for (const { effect, phase, line, headers = {}, body = '', ends = false, world = nothing } of cases) {
    it(`${JSON.stringify(effect)}${phase === undefined ? '' : ', after'}`, async () => {
      await arm({ operation: 'ppf.push', effect, times: 1, ...(phase !== undefined && { phase }) });
      const connection = await RawConnection.to(server.url);
      connection.write(push);
      const received = ends ? await connection.untilClosed() : await connection.until(isWhole);
      const [response, ...more] = responsesIn(received);
      expect(more).to.deep.equal([]);
      expect(response?.line).to.equal(line);
      expect(response?.body ?? '').to.equal(body);
      for (const [name, value] of Object.entries(headers)) expect(response?.headers[name], name).to.equal(value);
      const name = `1 ${Object.keys(effect).join(' ')}`;
      if (line !== undefined) expect(response?.headers['x-fake-fault']).to.equal(name);
      expect(await favourites()).to.deep.equal(world);
      expect(await counts()).to.deep.equal([[1, 1]]);
      const [entry] = await entries();
      expect(entry?.fault).to.equal(name);
      expect(entry?.facts.length === 0, 'facts exactly where something changed').to.equal(world === nothing);
      const next = ends ? await RawConnection.to(server.url) : connection;
      next.forget();
      next.write(push);
      const [after] = responsesIn(await next.until(isWhole));
      expect(after).to.deep.include({ line: OK, body: whole });
      expect(after?.headers).not.to.have.property('x-fake-fault');
      expect(next.isClosed).to.equal(false);
      expect(await favourites()).to.deep.equal(both);
      expect(await counts()).to.deep.equal([[2, 1]]);
      next.close();
    });
  }
});

describe('faults on one connection', () => {
  beginning();

  const pipelined: ReadonlyArray<
    readonly [what: string, nth: number, effect: Fault['effect'], came: readonly string[]]
  > = [
    ['a hang-up after a whole response leaves that one whole', 2, { hangUp: true }, [whole]],
    ['a hang-up leaves nothing of what was asked behind it', 1, { hangUp: true }, []],
    ['a cut leaves nothing of what was asked behind it', 1, { truncateAt: 3 }, [whole.slice(0, 3)]],
    ['a late response keeps its place', 1, { delay: 20, status: 500 }, [refused, whole]],
    ['a response in pieces waits for its place', 2, { dribble: { bytes: 7, every: 2 } }, [whole, whole]],
  ];
  for (const [what, nth, effect, came] of pipelined) {
    it(`apply to pipelined requests: ${what}`, async () => {
      await arm({ operation: 'ppf.push', when: { nth }, effect });
      const connection = await RawConnection.to(server.url);
      const last = requestBytes('POST', PUSH, pushing, ['Connection: close']);
      connection.write(`${push}${last}`);
      expect(responsesIn(await connection.untilClosed()).map(({ body }) => body)).to.deep.equal(came);
    });
  }

  for (const effect of [{ truncateAt: 3 }, { dribble: { bytes: 3, every: 1 } }, { garble: true }] as const) {
    it(`answer HEAD without a body: ${JSON.stringify(effect)}`, async () => {
      await arm({ path: PUSH, effect });
      const connection = await RawConnection.to(server.url);
      connection.write(requestBytes('HEAD', PUSH));
      const head = await connection.until(received => received.endsWith('\r\n\r\n'));
      connection.forget();
      connection.write(requestBytes('OPTIONS', PUSH));
      await connection.until(received => received.endsWith('\r\n\r\n'));
      expect(head).to.match(/^HTTP\/1\.1 405 .*\r\n\r\n$/s);
      expect(connection.received).to.match(/^HTTP\/1\.1 204 /);
      connection.close();
    });
  }

  it('leave other connections alone', async () => {
    await arm({ operation: 'ppf.push', times: 1, effect: { delay: HOUR } });
    const late = await RawConnection.to(server.url);
    late.write(push);
    await until(async () => (await entries()).length === 1);
    expect(await favourites(), 'it is applied when it comes, and only its response is late').to.deep.equal(both);
    const other = await RawConnection.to(server.url);
    other.write(push);
    expect(responsesIn(await other.until(isWhole)).map(({ body }) => body)).to.deep.equal([whole]);
    expect(late).to.include({ received: '', isClosed: false });
    late.close();
    other.close();
  });
});

describe('a server that stops', () => {
  beginning();

  it('does not wait for incomplete requests or silent connections', async () => {
    await arm({ operation: 'ppf.push', effect: { delay: HOUR } });
    const [silent, delayed, halfBody, halfHead] = await Promise.all(
      [1, 2, 3, 4].map(() => RawConnection.to(server.url)),
    );
    delayed?.write(push + push.slice(0, -5));
    halfBody?.write(push.slice(0, -5));
    halfHead?.write(push.slice(0, 30));
    await until(async () => (await entries()).length === 1);
    await server.stop();
    const responses = await Promise.all([silent, delayed, halfBody, halfHead].map(line => line?.untilClosed()));
    expect(responses.map(text => text?.split('\r\n')[0])).to.deep.equal(['', 'HTTP/1.1 200 OK', '', '']);
  });
});
