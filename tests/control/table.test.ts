// Every action by HTTP, by the library in this process and by the library over HTTP: the same response and the same effect, read back
// through another interface; and invalid requests, which get the same error everywhere and change nothing.
import { expect } from 'chai';
import type { Action } from '../../server/control/actions/action.js';
import { actions } from '../../server/control/actions.js';
import { schemaErrors } from '../../server/engine/request/validate.js';
import { connectFake, type Fake, FakeError, startFake } from '../../server/index.js';
import { FakeSandbox } from '../../server/library/sandbox/sandbox.js';
import { send, sendJson, sendRaw } from '../support/wire/server.js';
import { drive, driveWrongly, naming, prepared, withName } from './driving.js';
import { type ApiResponse, plain, seenByLibrary, seenOverHttp } from './interfaces.js';
import { CLOCK, livedIn } from './lived-in.js';
import type { Bad, Case, Row } from './row.js';
import { rows, streaming } from './rows.js';

const BELOW = '/_fake/v1';

describe('the table of the control API', () => {
  const all = [...rows, ...streaming];

  it('has a row for each endpoint, and no other', () => {
    const endpoints = actions.map(({ id, method, path }) => [id, `${method} ${BELOW}${path}`]);
    const health = ['health', 'GET /_fake/health'];
    expect(all.map(({ id, endpoint }) => [id, endpoint])).to.have.deep.members([health, ...endpoints]);
  });

  it('has a case for each row', () => {
    for (const { id, cases } of rows) expect(cases, id).not.to.deep.equal([]);
  });

  describe('through every interface', () => {
    let fake: Fake;
    let connected: Fake;
    before(async () => {
      fake = await startFake();
      await fake.sandbox('default', { clock: CLOCK }).describe(); // so that it reads the same twice
      connected = await connectFake(fake.url);
    });
    after(async () => {
      await connected?.stop();
      await fake?.stop();
    });
    const sent = naming('sent');
    const programmed = naming('libr');
    const wired = naming('wire');

    it('accepts no other method', async () => {
      const served = all.map(({ endpoint }) => endpoint.split(' '));
      for (const path of new Set(served.map(([, own]) => own))) {
        const methods = served.filter(([, own]) => own === path).map(([method]) => method);
        const url = fake.url + path?.replace('{s}', 'default').replace('{name}', 'before');
        const method = ['PATCH', 'PUT', 'DELETE'].find(other => !methods.includes(other)) ?? '';
        const { status, headers, json } = await send(url, { method });
        const allowed = (headers.get('allow') ?? '').split(', ').filter(name => name !== 'HEAD');
        expect(status, `${method} ${path}`).to.equal(405);
        expect(allowed, `${method} ${path}`).to.have.members(methods);
        expect(at(json, 'detail')).to.contain(`${method} is not allowed at`);
      }
    });

    it('suggests the nearest address for an unknown one', async () => {
      const { status, json } = await send(`${fake.url}/_fake/v1/sandbox`);
      expect(status).to.equal(404);
      expect(at(json, 'detail')).to.include('"/_fake/v1/sandboxes"');
    });

    it('answers unknown methods like any other that is not served', async () => {
      const asked = (path: string) =>
        sendRaw(fake.url, `PROPFIND /_fake/v1${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      const wrong = await asked('/sandboxes');
      expect(wrong).to.match(/^HTTP\/1\.1 405 /);
      expect(wrong).to.include('\r\nAllow: HEAD, GET, POST\r\n').and.to.include('PROPFIND is not allowed at');
      expect(await asked('/sandbox')).to.match(/^HTTP\/1\.1 404 /);
    });

    it('generates a different name for each sandbox without one', async () => {
      const make = async (body?: object) =>
        at((await sendJson(`${fake.url}/_fake/v1/sandboxes`, 'POST', body)).json, 'name');
      const [first, second] = [await make(), await make({})];
      expect(first).to.match(/^sandbox-[0-9a-f]{8}$/);
      expect(second)
        .to.match(/^sandbox-/)
        .and.not.to.equal(first);
    });

    for (const row of rows) {
      describe(row.endpoint, () => {
        for (const one of row.cases)
          it(one.what, () => comparing({ fake, connected }, row, one, [sent(), programmed(), wired()]));
        it('reports invalid requests, and changes nothing', () => refusing({ fake, connected }, row, sent()));
      });
    }
  });
});

interface Fakes {
  readonly fake: Fake;
  /** Connected to that one over HTTP. */
  readonly connected: Fake;
}

/** Runs a case through each interface in a sandbox of its own, the first of a row through the library over HTTP too, whose sandboxes are all read through another. */
async function comparing({ fake, connected }: Fakes, row: Row, one: Case, names: readonly string[]): Promise<void> {
  const [sent = '', programmed = '', wired = ''] = names;
  await prepared(fake, sent, one);
  const before = one.after === undefined && (await stateOf(fake, sent, seenByLibrary));
  const response = await drive(fake, row, sent, one);
  expect(response.status, response.text).to.equal(one.status ?? 200);
  expect(misfitsOf(row, response), 'what its document says of the response').to.deep.equal([]);
  const overHttp = plain(response.json ?? (response.text === '' ? null : response.text), sent);
  check(one.tells, overHttp);

  const left = await stateOf(fake, sent, seenByLibrary);
  const apis = [[fake, programmed] as const, [connected, wired] as const];
  const isFirst = one === row.cases[0];
  for (const [api, name] of isFirst ? apis : apis.slice(0, 1)) {
    await prepared(fake, name, one);
    const byLibrary = plain(await one.library(api.sandbox(name), api), name);
    check(one.tells, byLibrary);
    same(byLibrary, overHttp, one.varies);
    if (isFirst) same(left, await stateOf(fake, name, seenOverHttp), one.varies);
  }
  if (one.after === 'gone') expect(left).to.equal(null);
  else if (one.after === undefined) same(left, before, one.varies);
  else for (const [place, value] of Object.entries(one.after)) expect(at(left, place), place).to.deep.equal(value);
  for (const name of names) for (const own of [name, `${name}-fork`]) await fake.sandbox(own).drop(); // each is listed for every state
}

/** The differences between a response and the endpoint's description. */
function misfitsOf({ id }: Row, { status, contentType, text, json }: ApiResponse): readonly unknown[] {
  const replies = actions.find(endpoint => endpoint.id === id)?.replies;
  if (replies === undefined) return []; // health, which is none
  const reply = replies.find(one => one.status === status);
  if (reply === undefined) return [`there is no response ${status}`];
  if (status >= 400) return contentType === 'application/problem+json' ? [] : [contentType];
  const { body: schema, contentType: type = 'application/json' } = reply;
  if (schema === undefined) return text === '' ? [] : [text];
  const isOfType = contentType.startsWith(type.split(';')[0] ?? '');
  return isOfType ? schemaErrors(schema, json ?? text) : [contentType];
}

function check(tells: unknown, response: unknown): void {
  if (typeof tells === 'function') tells(response);
  else expect(response).to.deep.equal(tells ?? null);
}

function same(one: unknown, other: unknown, varies: RegExp | undefined): void {
  if (varies === undefined) expect(one).to.deep.equal(other);
  else expect(inOrder(one).replaceAll(varies, '')).to.equal(inOrder(other).replaceAll(varies, ''));
}

/** As JSON with its keys in one order. */
function inOrder(value: unknown): string {
  const sorted = (_: string, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return JSON.stringify(value, sorted);
}

/** The whole state of a sandbox through an interface, and of its fork. */
async function stateOf(fake: Fake, name: string, seen: typeof seenOverHttp): Promise<unknown> {
  const own = await seen(fake, name);
  const forked = await seen(fake, `${name}-fork`);
  return plain(own && { ...own, ...(forked && { '-fork': forked }) }, name);
}

/**
 * The value at a place such as `world.groups.customers` or `snapshots.snapshots[0].name`; the part before the first dot is the
 * endpoint.
 */
function at(state: unknown, place: string): unknown {
  return place
    .replace(/\[(\d+)\]/g, '.$1')
    .split('.')
    .reduce((value: unknown, key) => (value as Record<string, unknown> | undefined)?.[key], state); // JSON
}

/** Sends every invalid request of a row. */
async function refusing({ fake, connected }: Fakes, row: Row, name: string): Promise<void> {
  await livedIn(fake, name);
  const everything = async () => {
    const names = (await fake.sandboxes()).map(sandbox => sandbox.name).sort();
    return plain([names, await seenOverHttp(fake, name), await seenOverHttp(fake, 'default')], name);
  };
  const before = await everything();
  const own = row.bad ?? [];
  for (const bad of [...own, ...usual(row, name)]) {
    const { contentType, json, text, ...response } = await driveWrongly(fake, row, name, bad);
    const { status = 400 } = bad;
    const problem = plain(json, name);
    expect(response.status, `${bad.what}: ${text}`).to.equal(status);
    expect(contentType).to.equal('application/problem+json');
    expect(problem, bad.what).to.deep.include({ status });
    expect(at(problem, 'detail'), bad.what).to.contain(bad.says);
    expect(at(problem, 'title'), bad.what).to.match(/\w/);
    if (bad.pointers !== undefined)
      expect((at(problem, 'problems') as { pointer: string }[]).map(({ pointer }) => pointer)).to.have.members(
        bad.pointers,
      );
    for (const api of bad.onlyOverHttp ? [connected] : own.includes(bad) ? [fake, connected] : [fake])
      await refusingProgram(api, row, name, bad, json);
  }
  expect(await everything(), 'what there is afterwards').to.deep.equal(before); // each change would have left a version
}

/** The library reports the same error for the same invalid input; it cannot send all of them. */
async function refusingProgram(fake: Fake, { id }: Row, name: string, bad: Bad, problem: unknown): Promise<void> {
  const action = actions.find(other => other.id === id);
  const sandbox = fake.sandbox(name);
  if (action === undefined || !(sandbox instanceof FakeSandbox) || !canBeSent(action, bad)) return;
  const { s = name, ...params } = { name: 'before', ...bad.params };
  const query = Object.fromEntries(new URLSearchParams(bad.query));
  const body = bad.body === undefined ? undefined : withName(bad.body, name);
  const input = { sandbox: decodeURIComponent(s), params: decoded(params), query, body };
  const error = await sandbox.port.invoke(action, input).then(
    () => expect.fail(`${id}: ${bad.what} is taken`),
    (thrown: unknown) => thrown,
  );
  expect(error, bad.what).to.be.instanceOf(FakeError);
  const { status, problems, message } = error as FakeError;
  expect(status, bad.what).to.equal(at(problem, 'status'));
  expect(message.split(':\n')[0], bad.what).to.equal(at(problem, 'title'));
  for (const { message: says } of problems) expect(at(problem, 'detail'), bad.what).to.contain(says);
}

function decoded(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([key, value]) => [key, decodeURIComponent(value)]));
}

/** Whether the library can send this: JSON, and each parameter once. */
function canBeSent({ body }: Action, bad: Bad): boolean {
  const isDue = body !== undefined && body.isOptional !== true;
  const names = [...new URLSearchParams(bad.query)].map(([name]) => name);
  const isPlainQuery = new Set(names).size === names.length && !(bad.query ?? '').includes('%ff');
  return (
    bad.raw === undefined &&
    isPlainQuery &&
    (body === undefined ? bad.body === undefined : !isDue || bad.body !== undefined)
  );
}

/** The invalid requests of any endpoint of its shape. */
function usual({ id, endpoint }: Row, name: string): readonly Bad[] {
  const action = actions.find(other => other.id === id);
  if (action === undefined) return [];
  const { body, anyQuery, method } = action;
  const isReading = method === 'GET' ? id !== 'events.read' : id === 'journal.verify' || id === 'journal.explain';
  const near = name.replace('-', '');
  const needed = needs(body);
  const list: Bad[] = [];
  if (endpoint.includes('{s}'))
    list.push({ what: 'an invalid sandbox name', params: { s: 'a%20b' }, says: '"a b" is not a valid sandbox name' });
  if (endpoint.includes('{s}') && (isReading || id === 'sandboxes.drop')) {
    const says = `Unknown sandbox "${near}" (did you mean "S"?)`;
    list.push({ what: 'an unknown sandbox', params: { s: near }, body: needed, status: 404, says });
  }
  if (!anyQuery)
    list.push(
      { what: 'an unknown parameter', query: 'zzz=1', body: needed, says: '"zzz"' },
      {
        what: 'a query that does not decode',
        query: '%ff=1',
        body: needed,
        says: 'is not valid percent-encoded UTF-8',
      },
    );
  if (body === undefined)
    list.push(
      { what: 'a body for an action without one', body: { zzz: 1 }, says: 'This action takes no body.' },
      { what: 'a body that is not JSON, for an action without a body', raw: '{', says: 'This action takes no body.' },
    );
  else
    list.push(
      { what: 'a body that is not JSON', raw: '{"a":', says: 'JSON' },
      { what: 'a body that is not UTF-8', raw: Buffer.from([0x22, 0xff, 0x22]), says: 'It is not-utf8: send JSON.' },
      { what: 'a list', body: [], says: 'The body must be an object, not an empty list.' },
      { what: 'nothing at all', raw: 'null', says: 'The body must be an object, not null.' },
    );
  const unknown: Bad = { what: 'an unknown field', body: { ...Object(needed), zzz: 1 }, says: '"zzz"' };
  if (id === 'world.patch') list.push({ ...unknown, status: 422 });
  else if (body !== undefined && id !== 'provider-states.change') list.push(unknown); // Pact's verifiers send fields of their own
  if (body !== undefined && !body.isOptional) list.push({ what: 'no body', says: 'It is absent: send JSON.' });
  return list;
}

/** A valid body, for errors elsewhere. */
function needs(body: Action['body']): unknown {
  const bodies: readonly unknown[] = rows.flatMap(({ id, cases }) =>
    actions.some(endpoint => endpoint.id === id && endpoint.body === body) ? cases.map(one => one.body) : [],
  );
  return body === undefined ? undefined : (bodies.find(one => one !== undefined) ?? {});
}
