// Explaining a response: repeated it is the same, under other readings it is theirs, and explaining changes nothing.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { explain } from '../../../server/engine/look-back/explain.js';
import { journaledRequest } from '../../../server/engine/look-back/replay-entry.js';
import { HistoryError } from '../../../server/engine/sandbox/history.js';
import { rules } from '../../../server/operations/catalog/catalog.js';
import { gapSpec } from '../../../server/operations/gaps/gaps.js';
import { failure } from '../../support/worlds/failure.js';
import { adding, opened, sessionWith, toggling } from '../../support/worlds/sessions.js';
import { useFake } from '../../support/worlds/use-fake.js';

describe('an explanation', () => {
  const fake = useFake();

  it('lists each rule that applied, with its text and place, and each gap with all of its readings', async () => {
    const sandbox = fake.sandbox();
    await sandbox.client('admin').groups.addUsers({ body: { group: 'customers', users: ['bob'] } });
    const explained = await sandbox.explain(1);
    expect(explained).to.deep.include({
      entry: 1,
      operation: 'groups.add-users',
      caller: 'admin',
      refused: 'unknown-user',
      facts: [],
    });
    const [entry] = await sandbox.journal();
    expect(explained.response).to.deep.equal({ status: 404, body: JSON.parse(entry?.response?.body ?? '') });
    const { says = '', source = '' } = rules['groups.body'] ?? {};
    expect(explained.rules).to.deep.include({ rule: 'groups.body', says, source, statements: ['2-4', '4.2-1'] });
    const gap = explained.gaps.find(one => one.gap === 'unknown-user') ?? expect.fail('the gap decided');
    expect(gap).to.include({
      asks: gapSpec('unknown-user').asks,
      reading: '404',
      means: 'the request is refused with 404',
    });
    expect(gap.others?.map(({ reading, status, same }) => [reading, status, same])).to.deep.equal([
      ['400', 400, false],
      ['403', 403, false],
      ['skip', 200, false],
      ['message', 200, false],
      ['create', 200, false],
    ]);
    expect(gap.others?.[2]?.says).to.equal('200 {}');
    expect(explained).not.to.have.property('under');
  });

  it('marks a reading that changes the facts only', async () => {
    const sandbox = fake.sandbox();
    await sandbox.client('admin').ppf.push({ body: { users: ['alice'], filters: [10500] } });
    const [gap] = (await sandbox.explain(1)).gaps;
    expect(gap?.others?.map(({ reading, same, says }) => [reading, same, says])).to.deep.equal([
      ['pushed-only', true, 'the same response'],
      ['record-only', false, 'the same response, but nothing changes'],
    ]);
  });

  it('shows the response under other readings than those of the request, and each place where it differs', async () => {
    const sandbox = fake.sandbox();
    const asked = {
      body: { group: 'customers', users: ['bob', 'alice'] },
      readings: { 'unknown-user': '400' },
    } as const;
    expect((await sandbox.client('admin').groups.addUsers(asked)).status).to.equal(400);
    expect((await sandbox.explain(1)).gaps.find(({ gap }) => gap === 'unknown-user')?.reading).to.equal('400');
    const { under } = await sandbox.explain(1, { 'unknown-user': 'skip', 'wiki-success': 'no-content' });
    expect(under?.response).to.deep.equal({ status: 204 });
    expect(under?.readings).to.deep.equal({ 'unknown-user': 'skip', 'wiki-success': 'no-content' });
    expect(under?.facts).to.deep.equal([{ type: 'group-member-added', group: 'customers', user: 'alice' }]);
    expect(under?.rules.map(({ rule }) => rule)).to.include('groups.add-users');
    expect(under?.gaps.map(({ gap, reading }) => [gap, reading])).to.deep.include(['unknown-user', 'skip']);
    expect(under?.differences.map(({ at }) => at)).to.deep.equal(['/status', '/body', '/facts']);
    expect([await sandbox.version(), (await sandbox.journal()).length]).to.deep.equal([0, 1]);
  });

  it('knows the caller, although no secret was stored', async () => {
    const sandbox = fake.sandbox();
    const push = '/rest/cwx-ppf/latest/push';
    const init = { method: 'POST', headers: { Authorization: `Basic ${btoa('carol:carol')}` } };
    await sandbox.fetch(push, init);
    expect((await sandbox.explain(1, { 'ppf-check-order': '400-first' })).under?.response.status).to.equal(400);
    await sandbox.fetch(push, { ...init, headers: { Authorization: `Basic ${btoa('carol:wrong')}` } });
    expect((await sandbox.explain(2, { 'bad-credentials': '403' })).under?.response.status).to.equal(403);
    const bare = `/cwxapiextension/latest/groups/add-users`;
    const body = JSON.stringify({ group: 'customers', users: ['alice'] });
    const asAdmin = { Authorization: `Basic ${btoa('admin:admin')}`, 'Content-Type': 'application/json' };
    await sandbox.readings.set({ 'wiki-prefix': 'rest', 'wiki-auth': 'admin' });
    expect((await sandbox.fetch(bare, { method: 'POST', headers: asAdmin, body })).status).to.equal(404);
    const [, , entry] = await sandbox.journal();
    expect([entry?.caller, entry?.ignoredCaller]).to.deep.equal([undefined, 'admin']);
    expect((await sandbox.explain(3, { 'wiki-prefix': 'any' })).under?.response.status).to.equal(200);
  });

  it('applies a token under another reading of auth-scheme, or ignores it', async () => {
    const sandbox = fake.sandbox('token');
    const headers = { Authorization: 'Bearer admin-token', 'Content-Type': 'application/json' };
    const body = JSON.stringify({ users: ['alice'], filters: [10500] });
    const push = () => sandbox.fetch('/rest/cwx-ppf/latest/push', { method: 'POST', headers, body });
    await sandbox.readings.set({ 'auth-scheme': 'basic' });
    expect((await push()).status).to.equal(403);
    expect((await sandbox.explain(1, { 'auth-scheme': 'all' })).under?.response.status).to.equal(200);
    await sandbox.readings.set({});
    expect((await push()).status).to.equal(200);
    expect((await sandbox.explain(2, { 'auth-scheme': 'basic' })).under?.response.status).to.equal(403);
    const callers = (await sandbox.journal()).map(({ caller, ignoredCaller }) => [caller, ignoredCaller]);
    expect(callers).to.deep.equal([
      ['anonymous', 'admin'],
      ['admin', undefined],
    ]);
  });

  it('uses the world of that time, and the faults armed then', async () => {
    const sandbox = fake.sandbox();
    const client = sandbox.client('admin');
    await client.groups.addUsers({ body: { group: 'customers', users: ['alice'] } });
    await sandbox.faults.set([{ operation: 'groups.add-users', times: 1, effect: { status: 503 } }]);
    await client.groups.addUsers({ body: { group: 'customers', users: ['alice'] } });
    await sandbox.patch({ groups: { customers: null } });
    expect((await sandbox.explain(1, { 'no-change': '409' })).under?.response.status).to.equal(200);
    const broken = await sandbox.explain(2, { 'no-change': '409' });
    expect(broken.fault).to.equal('1 status');
    expect(broken.under?.fault).to.equal('1 status');
    expect(broken.under?.response.status).to.equal(503);
  });

  it('is missing for an entry that never existed or was discarded', async () => {
    const session = sessionWith({ journal: { entries: 2, bytes: 1024 * 1024 } });
    const empty = await opened(session, 'a');
    const refused = (entry: number) => failure(explain(empty, entry), HistoryError);
    expect(await refused(1)).to.include({ code: 'unknown' });
    for (let i = 0; i < 3; i += 1) await session.respond('a', toggling(i));
    expect(await refused(1)).to.include({
      code: 'let-go',
      message: 'Entry 1 was discarded: the journal contains entries 2 to 3.',
    });
    for (const entry of [0, 4]) expect(await refused(entry)).to.include({ code: 'unknown' });
    expect((await explain(empty, 3)).operation).to.equal('groups.add-users');
  });
});

describe('the request of an entry', () => {
  it('is the one received, except its secrets', async () => {
    const session = sessionWith();
    const request = { ...adding('alice'), credentials: { kind: 'basic', user: 'admin', password: 'admin' } } as const;
    await session.respond('a', request);
    const sandbox = await opened(session, 'a');
    const [entry] = sandbox.journal.entries();
    if (entry === undefined) expect.fail('there is an entry');
    expect(journaledRequest(entry)).to.deep.equal({
      ...request,
      credentials: { kind: 'proved', user: 'admin' },
      readings: undefined,
    });
    expect(formOf(sandbox.state.world).groups['team-members']).to.include('alice');
  });
});
