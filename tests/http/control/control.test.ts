// What the table of the control API (tests/control) does not cover: the effect of flags, and the entries of a bounded journal.
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { send, sendJson, serving } from '../../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const PUSH = '/rest/cwx-ppf/latest/push';

describe('the control API with --control off', () => {
  it('is missing except for its health', async () => {
    const closed = await serving('small-team', { control: 'off' });
    expect((await send(`${closed.url}/_fake/v1/sandboxes`)).status).to.equal(404);
    expect((await send(`${closed.url}/_fake/health`)).status).to.equal(200);
    await closed.stop();
  });
});

describe('the journal of a sandbox', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  const join = (user: string) => sendJson(`${server.url}/~a${ADD}`, 'POST', { group: 'customers', users: [user] });

  it('has the requests and answers, their changes, and their anomalies', async () => {
    await join('alice');
    await join('bob');
    await send(
      `${server.url}/~a/rest/cwxapiextension/latest/spaces/isUnique?spaceKey=ds&spaceKey=x&spaceName=y&depth=3&expand=space,body.view`,
      { method: 'POST' },
    );
    const { entries } = (await send(`${server.url}/_fake/v1/sandboxes/a/journal`)).json as {
      entries: Array<Record<string, unknown>>;
    };
    expect(entries.map(({ id }) => id)).to.deep.equal([1, 2, 3]);
    expect(entries[0]).to.deep.include({
      operation: 'groups.add-users',
      request: { contentType: 'application/json', body: '{"group":"customers","users":["alice"]}' },
      facts: [{ type: 'group-member-added', group: 'customers', user: 'alice' }],
      gaps: { 'context-path': 'any', 'wiki-prefix': 'any', 'wiki-auth': 'open', 'wiki-success': 'object' },
      version: 1,
    });
    expect(entries[2]).to.deep.include({
      id: 3,
      caller: 'anonymous',
      unknownQuery: ['depth'],
      repeatedQuery: ['spaceKey'],
      expand: ['space', 'body.view'],
      answer: { status: 200, body: 'false' },
    });
  });
});

describe('sandboxes over HTTP', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());
  const url = (path: string) => `${server.url}/_fake/v1/sandboxes${path}`;

  it('are created when their world is changed, as by an operation', async () => {
    const { status } = await sendJson(url('/new/world'), 'PATCH', { licence: { ppf: 'expired' } });
    expect(status).to.equal(204);
    const { json } = await send(url('/new/world'));
    expect((json as { licence: object }).licence).to.deep.equal({ ppf: 'expired' });
    const missing = await serving('small-team', { sandboxes: 'explicit' });
    const refused = await sendJson(`${missing.url}/_fake/v1/sandboxes/new/world`, 'PATCH', {});
    expect(refused.status).to.equal(404);
    await missing.stop();
  });

  it('are not created by a request with If-Match: *', async () => {
    const asked = { headers: { 'If-Match': '*' } };
    for (const path of ['/gone/journal', '/gone/world', '/gone/events']) {
      const { status, json } = await send(url(path), asked);
      expect([status, (json as { detail: string }).detail]).to.deep.equal([404, 'There is no sandbox "gone".']);
    }
    expect((await send(url('/gone'))).status).to.equal(404);
    await send(url('/gone/journal'));
    expect((await send(url('/gone/journal'), asked)).status).to.equal(200);
  });

  it('are refused with all errors at once', async () => {
    const readings = { 'wiki-auht': 'admin', 'unknown-user': '7' };
    const creation = { scenario: 'unlicenced', readings, clock: '2026-13-05T09:00:00Z' };
    const { status, json } = await sendJson(url(''), 'POST', creation);
    expect(status).to.equal(400);
    const { title, detail, problems } = json as { title: string; detail: string; problems: unknown[] };
    expect(title).to.equal('The sandbox cannot be created');
    for (const named of ['wiki-auth', 'no reading "7"', '/clock', '"unlicensed"']) expect(detail).to.include(named);
    expect(problems).to.have.length(4);
  });

  it('cannot be named . or ..', async () => {
    for (const name of ['.', '..']) expect((await sendJson(url(''), 'POST', { name })).status).to.equal(400);
  });
});

describe('a journal of one entry', () => {
  let server: Running;
  before(async () => {
    server = await serving('small-team', { journal: '1' });
  });
  after(() => server.stop());

  const push = (sandbox: string) => send(`${server.url}/~${sandbox}${PUSH}`, { method: 'POST' });

  it('keeps the last one, and counts the others', async () => {
    for (let i = 0; i < 3; i += 1) await push('counted');
    const { entries, evicted } = (await send(`${server.url}/_fake/v1/sandboxes/counted/journal`)).json as {
      entries: Array<{ id: number }>;
      evicted: number;
    };
    expect([entries.map(({ id }) => id), evicted]).to.deep.equal([[3], 2]);
  });

  it('names the kept entries if one was discarded', async () => {
    for (let i = 0; i < 2; i += 1) await push('explained');
    const { status, json } = await sendJson(`${server.url}/_fake/v1/sandboxes/explained/explain`, 'POST', { entry: 1 });
    expect([status, (json as { detail: string }).detail]).to.deep.equal([
      410,
      'Entry 1 was discarded: only 2 is kept.',
    ]);
  });

  it('counts requests that named no sandbox among the discarded too', async () => {
    await push('job');
    for (let i = 0; i < 3; i += 1) await send(server.url + PUSH, { method: 'POST' });
    const { json } = await send(`${server.url}/_fake/v1/sandboxes/default/journal?limit=1`);
    expect((json as { leaks: object }).leaks).to.deep.equal({ count: 3, entries: [3] });
  });
});
