// Two thousand bad requests of every kind, mixed at random from a seed, over kept connections: all are answered, none with a 5xx,
// and the world stays as it was.
import { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bytesOf, freshSandbox, type Got, pathOf, type Sent, worldOf } from '../../../http/bad-input/wire.js';
import { basic, entriesIn, send, useServer } from '../../../support/wire/server.js';
import { operationIds, validQuestions, withBody } from '../../../support/worlds/valid.js';
import { KeptLine } from './kept-line.js';

const SEED = 20261121;
const REQUESTS = 2000;
const LINES = 8;

type Pick = <T>(from: readonly T[]) => T;
/** Random choices, repeatable by seed (mulberry32). */
function picker(seed: number): Pick {
  let state = seed;
  return from => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const chosen = from[((mixed ^ (mixed >>> 14)) >>> 0) % from.length];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  };
}

const framings = ['length', 'chunked'] as const;
const methods = ['GET', 'PATCH', 'TRACE', 'PROPFIND', 'OPTIONS', 'QUERY', 'HEAD', 'LOCK', 'M-SEARCH'] as const;
const bodies: readonly (string | Buffer)[] = [
  '',
  'null',
  '5',
  '"x"',
  'true',
  '{',
  '[',
  '{"a":1,}',
  '\ufeff',
  '\ufeff{',
  '{"__proto__":{"group":"customers"}}',
  '[[[[]]]]',
  '[null]',
  '[{"oldText":""}]',
  '{"group":5,"users":{}}',
  '{"users":["bob"]}',
  '{"groups":[5],"users":[]}',
  '{"users":["alice"],"filters":["10500"]}',
  '{"users":["alice"],"dashboards":[1e400]}',
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0x78, 0xff]),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  '['.repeat(10_000),
  `{"group":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
];
const types = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  ';;;',
  'application/json; charset=utf-16',
];
const packings: ReadonlyArray<readonly [string, (body: Buffer) => Buffer]> = [
  ['gzip', body => body],
  ['deflate', body => body],
  ['br', body => body],
  ['zstd', body => body],
  ['gzip', body => gzipSync(body).subarray(0, -3)],
  ['deflate', body => deflateSync(Buffer.concat([body, Buffer.alloc(2_000_000, ' ')]))],
];
const credentials = ['Basic', 'Basic x', 'Bearer', 'Bearer x', 'Magic', '', basic('bob', 'bob'), basic('admin', 'x')];
const readings = ['x', 'constructor=1', 'unknown-user=x', '=', 'ppf-effect=', `${'x'.repeat(3000)}=1`];
const names = ['bob', '', '__proto__', 'a\r\nb: c', '\ud800', '\u0000', 'x'.repeat(10_000), '😀', 'Customers'];
const spoilPath: ReadonlyArray<(path: string) => string> = [
  path => path.toUpperCase(),
  path => `${path.split('?', 1)[0]}/`,
  path => `/a/b${path}`,
  path => path.replace('latest', '1.0'),
  path => path.replace('/latest/', '//latest/'),
  path => `${path.split('?', 1)[0]}%zz`,
  path => `/${path}`,
  () => '/%ff',
  () => `/${'x/'.repeat(3000)}`,
  () => 'http://[::1/x',
  path => path.replace('cwx', '%63wx'),
  () => '*',
];
const spoilQuery = [
  '',
  'spaceKey',
  'spaceKey=%zz',
  'x=1&x=2',
  'targetSpaceKey=a%20b',
  'removeAdminPermissions=maybe',
  '%00=%00',
  'spaceKey[]=ds',
  '&&&=',
];
const malformed = [
  'G\r\n\r\n',
  'POST / HTTP/9.9\r\n\r\n',
  `post / HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
];

/** Ways to spoil a request, each of which alone prevents any effect. */
const spoilers: ReadonlyArray<(pick: Pick) => Sent> = [
  pick => ({ id: pick(withBody), body: pick(bodies), headers: { 'content-type': pick(types) } }),
  pick => {
    const [encoding, pack] = pick(packings);
    return {
      id: pick(withBody),
      body: pack(Buffer.from(pick(bodies) as string)),
      headers: { 'content-encoding': encoding },
    };
  },
  pick => ({ id: pick(operationIds), headers: { authorization: pick(credentials) }, body: pick(bodies) }),
  pick => ({ id: pick(operationIds), method: pick(methods) }),
  pick => ({ id: pick(operationIds), headers: { 'x-fake-reading': pick(readings) } }),
  pick => {
    const id = pick(operationIds);
    return { id, path: pick(spoilPath)(pathOf(id)), body: pick(bodies) };
  },
  pick => ({ id: pick(['spaces.copy', 'spaces.replace-in-page']), query: pick(spoilQuery) }),
  pick => ({
    id: pick(['groups.add-users', 'groups.set-users']),
    body: JSON.stringify({ group: pick(['customers', pick(names)]), users: [pick(names), 'alice'] }),
  }),
  pick => ({
    id: pick(['permissions.edit-add', 'permissions.view-add']),
    body: JSON.stringify({ groups: [pick(names)], users: [] }),
  }),
  pick => ({
    id: pick(['ppf.push', 'ppf.pull']),
    body: JSON.stringify({ users: [pick(names)], groups: [pick(names)], filters: [pick([-1, 1, 10500])] }),
  }),
  pick => ({ id: pick(withBody), body: Buffer.alloc(pick([1_048_577, 1_500_000]), ' ') }),
  pick => ({
    id: pick(withBody),
    framing: 'none',
    body: '',
    headers: { 'content-type': pick([null, 'application/json']) },
  }),
];

describe('a storm of bad requests', function () {
  this.timeout(120_000);
  const server = useServer();

  it(`is answered, each of ${REQUESTS}, without a 5xx and without an effect (seed ${SEED})`, async () => {
    const pick = picker(SEED);
    const sandbox = await freshSandbox(server);
    const before = await worldOf(server, sandbox);
    const requests = Array.from({ length: REQUESTS }, (_, i) => {
      if (i % 40 === 39) return { bytes: Buffer.from(pick(malformed)), isHead: false };
      const sent: Sent = { framing: pick(framings), ...pick(spoilers)(pick) };
      return { bytes: bytesOf(sent, sandbox, 'keep-alive'), isHead: sent.method === 'HEAD' };
    });
    const lines = Array.from({ length: LINES }, () => new KeptLine(server.url));
    const responses: { readonly got: Got; readonly bytes: Buffer }[] = [];
    await Promise.all(
      lines.map(async (line, n) => {
        for (const { bytes, isHead } of requests.filter((_, i) => i % LINES === n))
          responses.push({ bytes, got: await line.ask(bytes, isHead) });
      }),
    );
    expect(responses).to.have.length(REQUESTS);
    const odd = responses.filter(
      ({ got: { status, headers } }) => !(status >= 400 && status < 500) && !isHarmless(status, headers),
    );
    expect(odd.map(({ bytes, got }) => [bytes.toString('latin1').slice(0, 300), got.status, got.text])).to.deep.equal(
      [],
    );
    const silent = responses.filter(
      ({ got: { message, headers } }) =>
        headers.has('x-fake-operation') && message === '' && headers.get('content-length') !== '0',
    );
    expect(
      silent.filter(({ got }) => got.status !== 200).map(({ bytes }) => bytes.toString('latin1').slice(0, 300)),
    ).to.deep.equal([]);
    expect(await worldOf(server, sandbox)).to.equal(before);
    expect((await send(`${server.url}/_fake/health`)).json).to.include({ status: 'ok' });
    expect(lines.reduce((sum, { connections }) => sum + connections, 0)).to.be.below(REQUESTS / 4);
    for (const line of lines) line.end();
    await expectWritten(sandbox, responses.filter(({ got }) => got.headers.get('x-fake-sandbox') === sandbox).length);
  });

  /** Valid responses without an effect: OPTIONS with Allow, and a push that reports each unknown name. */
  function isHarmless(status: number, headers: Got['headers']): boolean {
    return status === 204
      ? headers.has('allow')
      : status === 200 && /^(ppf\.|spaces\.is-unique)/.test(headers.get('x-fake-operation') ?? '');
  }

  async function expectWritten(sandbox: string, count: number): Promise<void> {
    const entries = await entriesIn(server, sandbox);
    expect(entries.at(-1)?.id).to.equal(count);
    for (const { facts } of entries) expect(facts).to.deep.equal([]);
  }

  it('covers every operation', () => {
    const pick = picker(SEED);
    const drawn = new Set(Array.from({ length: REQUESTS }, () => pick(spoilers)(pick).id));
    for (const id of Object.keys(validQuestions)) expect([...drawn]).to.include(id);
  });
});
