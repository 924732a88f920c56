// The journal over HTTP, by fetch and by curl: its filters, verify, explain, and the requests that named no sandbox.
import { expect } from 'chai';
import { misfits } from '../../server/engine/request/validate.js';
import { controlEndpoints } from '../../server/http/control/endpoints.js';
import type { Running } from '../../server/start.js';
import { curlBare } from '../support/curl.js';
import { send, sendJson, serving } from '../support/server.js';

const push = { users: ['alice'], filters: [10500] };

interface Problem {
  readonly title: string;
  readonly detail: string;
  readonly problems?: readonly object[];
}

describe('the journal over HTTP', () => {
  let server: Running;
  beforeEach(async () => {
    server = await serving();
  });
  afterEach(() => server.stop());

  const control = (path: string) => `${server.url}/_fake/v1/sandboxes/${path}`;
  const ask = (sandbox: string, body: unknown = push, as = 'admin') =>
    sendJson(`${server.url}/~${sandbox}/rest/cwx-ppf/latest/push`, 'POST', body, as);
  const ids = async (query: string) => {
    const { json } = await send(control(`job/journal?${query}`));
    return (json as { entries: { id: number }[] }).entries.map(({ id }) => id);
  };
  const problemOf = ({ json }: { json: unknown }) => json as Problem;
  /** What an endpoint answers fits what its document says. */
  const fits = (id: string, status: number, json: unknown) => {
    const schema = controlEndpoints.find(endpoint => endpoint.id === id)?.replies[status]?.schema;
    expect(misfits(schema ?? expect.fail(`${id} has no schema of ${status}`), json)).to.deep.equal([]);
  };

  describe('is filtered', () => {
    beforeEach(async () => {
      await ask('job');
      await ask('job', push, 'carol');
      await sendJson(`${server.url}/~job/rest/cwx-ppf/latest/Push`, 'POST', push);
      await sendJson(control('job/faults'), 'PUT', {
        faults: [{ operation: 'ppf.push', times: 1, effect: { status: 503 } }],
      });
      await ask('job');
      await send(`${server.url}/~job/rest/cwx-ppf/latest/push`, { method: 'OPTIONS' });
    });
    for (const [query, found] of [
      ['', [1, 2, 3, 4, 5]],
      ['caller=admin', [1, 4]],
      ['caller=carol', [2]],
      ['caller=nobody', []],
      ['fault=true', [4]],
      ['fault=false', [1, 2, 3, 5]],
      ['unmatched=true', [3]],
      ['unmatched=false', [1, 2, 4, 5]],
      ['limit=2', [4, 5]],
      ['limit=100', [1, 2, 3, 4, 5]],
      ['since=1&limit=1&fault=false', [5]],
      ['caller=admin&status=503', [4]],
    ] as const) {
      it(`by ${query === '' ? 'nothing' : query}`, async () => {
        expect(await ids(query)).to.deep.equal(found);
      });
    }
    for (const query of ['fault=yes', 'unmatched=1', 'limit=0', 'limit=a', 'limit=-1']) {
      it(`and not by ${query}`, async () => {
        const { status, json } = await send(control(`job/journal?${query}`));
        expect([status, problemOf({ json }).title]).to.deep.equal([400, 'The query does not fit']);
      });
    }
    it('and is as its document says', async () => {
      const { json } = await send(control('job/journal'));
      fits('read-journal', 200, json);
      expect((json as { entries: object[] }).entries[2]).to.include({ nearest: '/~job/rest/cwx-ppf/latest/push' });
      expect(json).not.to.have.property('leaks');
    });
  });

  describe('is verified', () => {
    const verify = (wish: unknown, sandbox = 'job') => sendJson(control(`${sandbox}/journal/verify`), 'POST', wish);

    it('with 200, the count and the entries where it was asked so', async () => {
      await ask('job');
      await ask('job');
      const { status, json } = await verify({
        operation: 'ppf.push',
        caller: 'admin',
        body: push,
        times: { exactly: 2 },
      });
      expect([status, json]).to.deep.equal([200, { count: 2, entries: [1, 2] }]);
      fits('verify-journal', 200, json);
      expect((await verify({ inOrder: [{ status: 200 }, { status: 200 }] })).status).to.equal(200);
      expect((await send(control('job/journal/verify'), { method: 'POST' })).status).to.equal(200);
    });

    it('with 417, the nearest entries and how they differ where it was not', async () => {
      await ask('job', { users: ['carol'], filters: [10500] });
      const answer = await verify({ operation: 'ppf.push', body: push });
      expect(answer.status).to.equal(417);
      expect(answer.headers.get('content-type')).to.equal('application/problem+json');
      expect(answer.json).to.deep.equal({
        status: 417,
        title: 'It was not asked so',
        detail:
          'ppf.push with the body {"users":["alice"],"filters":[10500]} was asked never, and should have been asked at least once.\n' +
          'Entry 1, POST /rest/cwx-ppf/latest/push: /body/users/0 is "carol", not "alice".',
        count: 0,
        entries: [],
        wanted: { operation: 'ppf.push', body: push },
        nearest: [
          {
            entry: 1,
            asked: 'POST /rest/cwx-ppf/latest/push',
            differences: [{ at: '/body/users/0', expected: 'alice', found: 'carol', says: 'is "carol", not "alice"' }],
          },
        ],
      });
    });

    it('with 400 where nothing could be so, with the nearest names', async () => {
      await ask('job');
      const impossible = await verify({ times: { exactly: 1, atLeast: 1 } });
      expect([impossible.status, problemOf(impossible).title]).to.deep.equal([400, 'There can be no such requests']);
      expect(problemOf(impossible).detail).to.equal('/times takes exactly alone, or atLeast and atMost');
      expect(problemOf(await verify({ operation: 'ppf.psh' })).detail).to.contain('did you mean "ppf.push"?');
      expect(problemOf(await verify({ caller: 'alcie' })).detail).to.contain('did you mean "alice"?');
      expect(problemOf(await verify({ tmes: {} })).detail).to.contain('did you mean "times"?');
      expect((await verify([])).status).to.equal(400);
      expect((await verify({ body: { $match: '(a+)+$' } })).status).to.equal(417);
    });

    it('with 404 in a sandbox that there is not', async () => {
      expect((await verify({}, 'nowhere')).status).to.equal(404);
    });

    it('by curl', async () => {
      await ask('job');
      const wish = JSON.stringify({ operation: 'ppf.push', times: { atLeast: 2 } });
      const args = ['-s', '-w', '\n%{http_code}', '-H', 'Content-Type: application/json'];
      const { stdout } = await curlBare([...args, '-d', wish, control('job/journal/verify')]);
      const [body = '', status] = stdout.split(/\n(?=\d+$)/);
      expect(status).to.equal('417');
      expect(JSON.parse(body)).to.deep.include({
        count: 1,
        entries: [1],
        detail: 'ppf.push was asked once, and should have been asked at least 2 times.\nEntry 1 is as wished.',
      });
    });
  });

  describe('is explained', () => {
    const explain = (body: unknown, sandbox = 'job') => sendJson(control(`${sandbox}/explain`), 'POST', body);

    it('with each rule and gap, and what the other readings would give', async () => {
      await ask('job', push, 'carol');
      const { status, json } = await explain({ entry: 1 });
      expect(status).to.equal(200);
      fits('explain-entry', 200, json);
      const { rules, gaps } = json as { rules: { rule: string }[]; gaps: { gap: string }[] };
      expect(rules.map(({ rule }) => rule)).to.include('ppf.admin-only');
      expect(gaps.map(({ gap }) => gap)).to.include('ppf-error-body');
    });

    it('with what it would be under readings, and touches nothing', async () => {
      await ask('job');
      const before = (await send(control('job'))).json as { version: number };
      const { json } = await explain({ entry: 1, readings: { 'ppf-effect': 'record-only' } });
      fits('explain-entry', 200, json);
      expect(
        (json as { under: { differs: object[] } }).under.differs.map(one => (one as { at: string }).at),
      ).to.deep.equal(['/facts']);
      const after = (await send(control('job'))).json as { version: number; journal: { entries: number } };
      expect([after.version, after.journal.entries]).to.deep.equal([before.version, 1]);
    });

    it('with 404, 410 or 400 where it cannot be', async () => {
      const small = await serving('small-team', { journal: '1' });
      const at = `${small.url}/_fake/v1/sandboxes/default/explain`;
      for (let i = 0; i < 2; i += 1) await send(`${small.url}/rest/cwx-ppf/latest/push`, { method: 'POST' });
      const letGo = await sendJson(at, 'POST', { entry: 1 });
      expect([letGo.status, problemOf(letGo).detail]).to.deep.equal([410, 'Entry 1 has been let go: only 2 is kept.']);
      expect((await sendJson(at, 'POST', { entry: 3 })).status).to.equal(404);
      const unknown = await sendJson(at, 'POST', { entry: 2, readings: { 'unknown-usr': '404' } });
      expect([unknown.status, problemOf(unknown).detail]).to.deep.equal([
        400,
        'There is no gap "unknown-usr" (did you mean "unknown-user"?).',
      ]);
      for (const body of [{}, { entry: 'a' }, { entry: 2, reading: {} }, { entry: 2, readings: { a: 1 } }])
        expect((await sendJson(at, 'POST', body)).status).to.equal(400);
      expect((await explain({ entry: 1 }, 'nowhere')).status).to.equal(404);
      await small.stop();
    });

    it('by curl', async () => {
      await ask('job', { users: ['alice', 'bob'], filters: [10500] });
      const asked = JSON.stringify({ entry: 1, readings: { 'ppf-partial': 'all-or-nothing' } });
      const { stdout } = await curlBare([
        '-s',
        '-H',
        'Content-Type: application/json',
        '-d',
        asked,
        control('job/explain'),
      ]);
      expect(JSON.parse(stdout).under).to.deep.include({ facts: [] });
    });
  });

  describe('of default tells of requests that named no sandbox', () => {
    const leaks = async () => ((await send(control('default/journal'))).json as { leaks: unknown }).leaks;
    const unnamed = () => sendJson(`${server.url}/rest/cwx-ppf/latest/push`, 'POST', push, 'admin');

    it('while another sandbox was in use, and of no others', async () => {
      await unnamed();
      expect(await leaks()).to.deep.equal({ count: 0, entries: [] });
      await ask('job');
      await unnamed();
      await sendJson(`${server.url}/rest/cwx-ppf/latest/push`, 'POST', push, 'admin', { 'x-fake-sandbox': 'default' });
      await ask('default');
      await send(`${server.url}/nowhere`);
      expect(await leaks()).to.deep.equal({ count: 2, entries: [2, 5] });
      await send(control('job'), { method: 'DELETE' });
      await unnamed();
      expect(await leaks()).to.deep.equal({ count: 2, entries: [2, 5] });
      fits('read-journal', 200, (await send(control('default/journal'))).json);
    });

    it('until it is cleared or reset', async () => {
      await ask('job');
      await unnamed();
      await send(control('default/journal'), { method: 'DELETE' });
      expect(await leaks()).to.deep.equal({ count: 0, entries: [] });
      await unnamed();
      expect(await leaks()).to.deep.equal({ count: 1, entries: [2] });
      await send(control('default/reset'), { method: 'POST' });
      expect(await leaks()).to.deep.equal({ count: 0, entries: [] });
    });

    it('by curl, those that were let go too', async () => {
      const small = await serving('small-team', { journal: '1' });
      await send(`${small.url}/~job/rest/cwx-ppf/latest/push`, { method: 'POST' });
      for (let i = 0; i < 3; i += 1) await curlBare(['-s', '-X', 'POST', `${small.url}/rest/cwx-ppf/latest/push`]);
      const { stdout } = await curlBare(['-s', `${small.url}/_fake/v1/sandboxes/default/journal?limit=1`]);
      expect(JSON.parse(stdout).leaks).to.deep.equal({ count: 3, entries: [3] });
      await small.stop();
    });
  });
});
