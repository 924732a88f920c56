// The control API: sandboxes, worlds, readings, journals, and what it tells whoever asks it wrongly.
import { expect } from 'chai';
import type { Running } from '../../server/start.js';
import { type Answered, send, sendJson, sendRaw, serving } from '../support/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';

interface Problem {
  readonly title: string;
  readonly detail: string;
  readonly problems?: ReadonlyArray<{ readonly pointer: string; readonly message: string }>;
}

describe('the control API', () => {
  let server: Running;
  let control: string;
  beforeEach(async () => {
    server = await serving();
    control = `${server.url}/_fake/v1`;
  });
  afterEach(() => server.stop());

  const get = (path: string) => send(control + path);
  const call = (method: string, path: string, body?: unknown): Promise<Answered> =>
    body === undefined ? send(control + path, { method }) : sendJson(control + path, method, body);
  const join = (sandbox: string, user: string) =>
    sendJson(`${server.url}/~${sandbox}${ADD}`, 'POST', { group: 'customers', users: [user] });
  const customers = async (sandbox: string) =>
    ((await get(`/sandboxes/${sandbox}/world`)).json as { groups: Record<string, string[]> }).groups.customers;
  const problemOf = ({ json }: Answered) => json as Problem;

  it('says that it serves', async () => {
    const { status, json } = await send(`${server.url}/_fake/health`);
    expect(status).to.equal(200);
    expect(json).to.include({ status: 'ok', scenario: 'small-team', store: 'memory' });
    expect(json)
      .to.have.property('version')
      .that.matches(/^\d+\.\d+\.\d+/);
    expect(json).to.have.property('uptime').that.is.a('number');
  });

  it('lists scenarios by name, with title and about', async () => {
    const { json } = await get('/scenarios');
    const { scenarios } = json as { scenarios: Array<{ name: string; title: string; about: string }> };
    expect(scenarios.map(({ name }) => name)).to.include.members(['small-team', 'unlicensed']);
    expect(scenarios.find(({ name }) => name === 'unlicensed')).to.include({ title: 'The add-on is not licensed' });
  });

  it('makes a sandbox of a scenario with readings, clock and time to live', async () => {
    const made = await call('POST', '/sandboxes', {
      name: 'job-7',
      scenario: 'unlicensed',
      readings: { 'unknown-user': '400' },
      clock: '2026-02-03T04:05:06Z',
      ttl: 60,
    });
    expect(made.status).to.equal(201);
    expect(made.json).to.include({
      name: 'job-7',
      scenario: 'unlicensed',
      version: 0,
      now: '2026-02-03T04:05:06Z',
      url: '/~job-7',
    });
    expect((made.json as { readings: object }).readings).to.include({ 'unknown-user': '400' });
    expect(((await get('/sandboxes/job-7/world')).json as { licence: object }).licence).to.deep.equal({
      ppf: 'expired',
    });
  });

  it('gives a sandbox a name that has none', async () => {
    const first = (await call('POST', '/sandboxes')).json as { name: string };
    const second = (await call('POST', '/sandboxes', {})).json as { name: string };
    expect(first.name).to.match(/^sandbox-[0-9a-f]{8}$/);
    expect(second.name).not.to.equal(first.name);
  });

  it('makes no second sandbox of a name, but replaces it with PUT', async () => {
    await call('POST', '/sandboxes', { name: 'a' });
    await join('a', 'alice');
    const refused = await call('POST', '/sandboxes', { name: 'a' });
    expect(refused.status).to.equal(409);
    expect(problemOf(refused).detail).to.equal(
      'There is a sandbox "a" already: drop it first, or PUT it to replace it.',
    );
    expect(await customers('a')).to.deep.equal(['alice']);
    expect((await call('PUT', '/sandboxes/a', {})).status).to.equal(201);
    expect(await customers('a')).to.deep.equal([]);
  });

  it('replaces nothing when what should take the place does not load', async () => {
    await join('a', 'alice');
    const refused = await call('PUT', '/sandboxes/a', { scenario: 'unlicenced' });
    expect(refused.status).to.equal(400);
    expect(problemOf(refused).detail).to.contain('"unlicensed"');
    expect(await customers('a')).to.deep.equal(['alice']);
  });

  it('describes, lists and drops', async () => {
    await join('a', 'alice');
    expect((await get('/sandboxes/a')).json)
      .to.include({ name: 'a', version: 1 })
      .and.to.have.nested.property('journal.entries', 1);
    const { sandboxes } = (await get('/sandboxes')).json as { sandboxes: Array<{ name: string }> };
    expect(sandboxes.map(({ name }) => name)).to.have.members(['default', 'a']);
    expect((await call('DELETE', '/sandboxes/a')).status).to.equal(204);
    const gone = await get('/sandboxes/a');
    expect(gone.status).to.equal(404);
    expect(gone.headers.get('content-type')).to.equal('application/problem+json');
  });

  it('names the nearest sandbox to one that is not there', async () => {
    await join('nightly', 'alice');
    expect(problemOf(await get('/sandboxes/nihgtly')).detail).to.equal(
      'There is no sandbox "nihgtly" (did you mean "nightly"?).',
    );
  });

  it('resets world, readings, clock, ids and journal at once', async () => {
    await join('a', 'alice');
    await call('PUT', '/sandboxes/a/readings', { 'unknown-user': '400' });
    expect((await call('POST', '/sandboxes/a/reset')).status).to.equal(204);
    expect(await customers('a')).to.deep.equal([]);
    expect((await get('/sandboxes/a/readings')).json).to.have.property('unknown-user', '404');
    expect((await get('/sandboxes/a/journal')).json).to.deep.equal({ entries: [], evicted: 0 });
  });

  it('forks', async () => {
    await join('a', 'alice');
    expect((await call('POST', '/sandboxes/a/fork', { name: 'b' })).json).to.include({ name: 'b', version: 0 });
    await join('b', 'carol');
    expect(await customers('a')).to.deep.equal(['alice']);
    expect(await customers('b')).to.deep.equal(['alice', 'carol']);
    expect((await call('POST', '/sandboxes/a/fork', { name: 'b' })).status).to.equal(409);
    expect((await call('POST', '/sandboxes/none/fork', {})).status).to.equal(404);
  });

  it('patches a world, and the operations see it', async () => {
    const patch = {
      users: { bob: { displayName: 'Bob' } },
      groups: { customers: ['bob'] },
      licence: { ppf: 'none' },
      pages: { '65701': null },
    };
    expect((await call('PATCH', '/sandboxes/default/world', patch)).status).to.equal(204);
    const world = (await get('/sandboxes/default/world')).json as Record<string, Record<string, unknown>>;
    expect(world.users?.bob).to.deep.equal({ displayName: 'Bob', admin: false });
    expect(world.groups?.customers).to.deep.equal(['bob']);
    expect(Object.keys(world.pages ?? {})).to.deep.equal(['65601']);
    const push = await sendJson(
      `${server.url}/rest/cwx-ppf/latest/push`,
      'POST',
      { users: ['bob'], filters: [10500] },
      'admin',
    );
    expect(push.headers.get('x-fake-rules')).to.equal('ppf.licensed-only');
  });

  it('patches all or nothing, and tells everything that is wrong with what would come out', async () => {
    const before = (await get('/sandboxes/default/world')).json;
    const refused = await call('PATCH', '/sandboxes/default/world', {
      users: { bob: {} },
      groups: { customers: ['bob', 'alise'] },
      spaces: { ds: { naem: 'x' } },
    });
    expect(refused.status).to.equal(422);
    const { problems = [] } = problemOf(refused);
    expect(problems.map(({ pointer }) => pointer)).to.have.members(['/groups/customers/1', '/spaces/ds/naem']);
    expect(problemOf(refused).detail).to.contain('"alice"').and.to.contain('"name"');
    expect((await get('/sandboxes/default/world')).json).to.deep.equal(before);
  });

  it('takes nothing away that is still named elsewhere', async () => {
    const refused = await call('PATCH', '/sandboxes/default/world', { users: { alice: null } });
    expect(refused.status).to.equal(422);
    expect(problemOf(refused).detail).to.contain('/groups/jira-core-users/0');
  });

  it('chooses readings, in place of those chosen before', async () => {
    await call('PUT', '/sandboxes/default/readings', { 'unknown-user': '400' });
    const { json } = await call('PUT', '/sandboxes/default/readings', { 'wiki-auth': 'admin' });
    expect(json).to.include({ 'unknown-user': '404', 'wiki-auth': 'admin' });
    expect((await sendJson(server.url + ADD, 'POST', {})).status).to.equal(401);
    const refused = await call('PUT', '/sandboxes/default/readings', { 'wiki-auth': 'admins' });
    expect(refused.status).to.equal(400);
    expect(problemOf(refused).detail).to.equal(
      'wiki-auth has no reading "admins" (did you mean "admin"?): it takes open, authenticated, admin.',
    );
  });

  it('tells the journal, filtered, and clears it', async () => {
    await join('a', 'alice');
    await join('a', 'bob');
    await send(
      `${server.url}/~a/rest/cwxapiextension/latest/spaces/isUnique?spaceKey=ds&spaceKey=x&spaceName=y&depth=3&expand=space,body.view`,
      { method: 'POST' },
    );
    const entries = async (filter = '') =>
      ((await get(`/sandboxes/a/journal${filter}`)).json as { entries: Array<Record<string, unknown>> }).entries;
    expect((await entries()).map(({ id }) => id)).to.deep.equal([1, 2, 3]);
    expect((await entries('?status=404')).map(({ id }) => id)).to.deep.equal([2]);
    expect((await entries('?rule=groups.add-users')).map(({ id }) => id)).to.deep.equal([1]);
    expect((await entries('?gap=unknown-user')).map(({ id }) => id)).to.deep.equal([2]);
    expect((await entries('?operation=spaces.is-unique&since=1'))[0]).to.deep.include({
      id: 3,
      caller: 'anonymous',
      unknownQuery: ['depth'],
      repeatedQuery: ['spaceKey'],
      expand: ['space', 'body.view'],
      answer: { status: 200, body: 'false' },
    });
    expect((await entries())[0]).to.deep.include({
      operation: 'groups.add-users',
      request: { contentType: 'application/json', body: '{"group":"customers","users":["alice"]}' },
      facts: [{ type: 'group-member-added', group: 'customers', user: 'alice' }],
      gaps: { 'wiki-auth': 'open', 'wiki-success': 'object' },
      version: 1,
    });
    expect((await call('DELETE', '/sandboxes/a/journal')).status).to.equal(204);
    expect(await entries()).to.deep.equal([]);
  });

  it('bounds the journal', async () => {
    const small = await serving('small-team', { journal: '2' });
    for (const user of ['alice', 'carol', 'admin'])
      await sendJson(small.url + ADD, 'POST', { group: 'customers', users: [user] });
    const { entries, evicted } = (await send(`${small.url}/_fake/v1/sandboxes/default/journal`)).json as {
      entries: Array<{ id: number }>;
      evicted: number;
    };
    expect(entries.map(({ id }) => id)).to.deep.equal([2, 3]);
    expect(evicted).to.equal(1);
    await small.stop();
  });

  it('says which query parameters and fields there are when one is wrong', async () => {
    expect(problemOf(await get('/sandboxes/default/journal?operatoin=x')).detail).to.equal(
      'There is no query parameter "operatoin" (did you mean "operation"?); there are operation, status, rule, gap, caller, fault, unmatched, since, limit.',
    );
    expect(problemOf(await get('/sandboxes/default/journal?operation=groups.add-user')).detail).to.contain(
      '"groups.add-users"',
    );
    expect(problemOf(await get('/sandboxes/default/journal?status=ok')).detail).to.equal(
      'status must be a whole number, and it is the text "ok".',
    );
    expect(problemOf(await call('POST', '/sandboxes', { naem: 'a' })).detail).to.equal(
      'The body has an unknown field "naem" (did you mean "name"?).',
    );
    expect(problemOf(await call('POST', '/sandboxes', { name: 'a b' })).detail).to.contain(
      '/name must be a name of 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen',
    );
    expect(
      problemOf(
        await send(`${control}/sandboxes`, {
          method: 'POST',
          body: '{',
          headers: { 'content-type': 'application/json' },
        }),
      ).title,
    ).to.equal('The body is not JSON');
  });

  it('answers 404 and 405 with what there is', async () => {
    const unknown = await get('/sandbox');
    expect(unknown.status).to.equal(404);
    expect(problemOf(unknown).detail).to.contain('"/_fake/v1/sandboxes"');
    const wrong = await call('PATCH', '/sandboxes');
    expect([wrong.status, wrong.headers.get('allow')]).to.deep.equal([405, 'HEAD, GET, POST']);
  });

  it('answers methods of which nobody has heard here like any other that is not served', async () => {
    for (const method of ['TRACE', 'PROPFIND', 'MKCALENDAR']) {
      const line = (path: string) =>
        `${method} /_fake/v1${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      const wrong = await sendRaw(server.url, line('/sandboxes'));
      expect(wrong).to.match(/^HTTP\/1\.1 405 /);
      expect(wrong).to.include('\r\nAllow: HEAD, GET, POST\r\n').and.to.include(`${method} is not served at`);
      expect(await sendRaw(server.url, line('/sandbox'))).to.match(/^HTTP\/1\.1 404 /);
    }
  });

  for (const name of ['__proto__', 'constructor', 'toString']) {
    it(`takes ${name} as a name like any other`, async () => {
      expect((await call('POST', '/sandboxes', { name })).status).to.equal(201);
      expect(
        (
          await send(`${control}/sandboxes/${name}/world`, {
            method: 'PATCH',
            headers: { 'content-type': 'application/json' },
            body: `{"users":{"${name}":{}},"groups":{"${name}":["${name}"]}}`,
          })
        ).status,
      ).to.equal(204);
      const { text } = await get(`/sandboxes/${name}/world`);
      expect(text).to.contain(`"${name}":["${name}"]`);
      expect(
        (await sendJson(`${server.url}/~${name}${ADD}`, 'POST', { group: name, users: ['alice'] })).status,
      ).to.equal(200);
    });
  }

  it('is not there with --control off, but for its health', async () => {
    const closed = await serving('small-team', { control: 'off' });
    expect((await send(`${closed.url}/_fake/v1/sandboxes`)).status).to.equal(404);
    expect((await send(`${closed.url}/_fake/health`)).status).to.equal(200);
    await closed.stop();
  });
});
