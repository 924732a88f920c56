// What an entry shows beyond the recorded data: the path that was meant, unread fields, names in another case.
import { expect } from 'chai';
import { viewEntry } from '../../../server/engine/look-back/entry-view.js';
import type { EntryView, Sandbox } from '../../../server/index.js';
import { adding, opened, sessionWith, toggling } from '../../support/worlds/sessions.js';
import { useFake } from '../../support/worlds/use-fake.js';

describe('the hints of an entry', () => {
  const fake = useFake();
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = fake.sandbox();
  });

  const groups = '/rest/cwxapiextension/latest/groups/add-users';
  const ask = async (path: string, body?: unknown, more: { method?: string; as?: string; headers?: object } = {}) => {
    const { method = 'POST', as = 'admin', headers = {} } = more;
    const authorization = as === '' ? {} : { Authorization: `Basic ${btoa(`${as}:${as}`)}` };
    await sandbox.fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...authorization, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return last();
  };
  const last = async (): Promise<EntryView> =>
    (await sandbox.journal({ limit: 1 }))[0] ?? expect.fail('the journal is empty');

  it('are empty for a request that follows the document', async () => {
    const entry = await ask(groups, { group: 'customers', users: ['alice'] });
    expect(entry).not.to.have.any.keys('nearest', 'ignoredFields', 'caseMismatches');
    expect(entry).to.deep.include({ endpoint: '/groups/add-users', caller: 'admin', before: 0, version: 1 });
    expect(entry.params).to.equal(undefined);
  });

  it("include where the request led, with the path's parameters", async () => {
    const entry = await ask('/rest/cwxapiextension/latest/permissions/all/a%2Fb', undefined, { method: 'DELETE' });
    expect({ endpoint: entry.endpoint, params: entry.params }).to.deep.equal({
      endpoint: '/permissions/all/{pageId}',
      params: { pageId: 'a/b' },
    });
  });

  it('include the path nearest to an unknown one', async () => {
    for (const [wrong, meant, there] of [
      ['/rest/cwx-ppf/latest/Push', '/rest/cwx-ppf/latest/push'],
      ['/rest/cwx-ppf/latest/push/', '/rest/cwx-ppf/latest/push', '/push'],
      ['/rest/cwx-ppf/1.0/push', '/rest/cwx-ppf/latest/push', '/push'],
      ['/rest/cwxapiextension/latest/group/add-users', groups],
      ['/rest/apis/content', undefined],
    ] as const) {
      const { nearest, endpoint } = await ask(wrong, {});
      expect({ nearest, endpoint }).to.deep.equal({ nearest: meant && `/~${sandbox.name}${meant}`, endpoint: there });
    }
  });

  it('include each unread field of the body', async () => {
    const { ignoredFields } = await ask(groups, { group: 'customers', users: [], 'a/b': 1, notify: true });
    expect(ignoredFields).to.deep.equal(['/a~1b', '/notify']);
    const replace = '/rest/cwxapiextension/latest/spaces/replaceInPage?spaceKey=tmpl&pageTitle=Template+Home';
    const pairs = [
      { oldText: 'NAME', newText: 'X' },
      { oldText: 'X', newText: 'Y', all: true },
    ];
    expect((await ask(replace, pairs)).ignoredFields).to.deep.equal(['/1/all']);
  });

  it('exclude fields that were refused or that a reading uses', async () => {
    const odd = { group: 'customers', users: [], notify: true };
    const refused = await ask(groups, odd, { headers: { 'X-Fake-Reading': 'unknown-field=400' } });
    expect([refused.response.status, refused.ignoredFields]).to.deep.equal([400, undefined]);
    const all = '/rest/cwxapiextension/latest/permissions/all/65601';
    const alias = { users: ['alice'], group: ['customers'] };
    expect((await ask(all, alias, { method: 'DELETE' })).ignoredFields).to.equal(undefined);
    const headers = { 'X-Fake-Reading': 'all-group-field=groups-only' };
    expect((await ask(all, alias, { method: 'DELETE', headers })).ignoredFields).to.deep.equal(['/group']);
  });

  it('include the whole body if the operation reads none', async () => {
    const free = '/rest/cwxapiextension/latest/spaces/isUnique?spaceKey=new&spaceName=New';
    expect((await ask(free, { spaceKey: 'new' })).ignoredFields).to.deep.equal(['']);
    expect((await ask(free, {})).ignoredFields).to.equal(undefined);
    expect((await ask(free)).ignoredFields).to.equal(undefined);
  });

  it('include each name that exists in another case, with the existing one', async () => {
    const { caseMismatches } = await ask(groups, { group: 'Team-Members', users: ['alice', 'CAROL', 'nobody'] });
    expect(caseMismatches).to.deep.equal([
      { at: '/body/group', sent: 'Team-Members', known: 'team-members' },
      { at: '/body/users/1', sent: 'CAROL', known: 'carol' },
    ]);
    const keys = 'sourceSpaceKey=TMPL&targetSpaceKey=neu&targetSpaceTitle=New&targetSpaceAdmin=Alice';
    const copying = `${keys}&removeAdminPermissions=false&keepPagesMetadata=false`;
    expect((await ask(`/rest/cwxapiextension/latest/spaces/copySpace?${copying}`)).caseMismatches).to.deep.equal([
      { at: '/query/sourceSpaceKey', sent: 'TMPL', known: 'tmpl' },
      { at: '/query/targetSpaceAdmin', sent: 'Alice', known: 'alice' },
    ]);
  });

  it('are bounded', async () => {
    const users = Array.from({ length: 50 }, () => 'ALICE');
    const more = Object.fromEntries(users.map((_, i) => [`f${i}`, i]));
    const { caseMismatches, ignoredFields } = await ask(groups, { group: 'customers', users, ...more });
    expect(caseMismatches).to.have.length(20);
    expect(ignoredFields).to.have.length(20);
  });

  it('include the user of rejected credentials and the reason, without the credentials', async () => {
    expect(await ask('/nowhere', {}, { as: 'alice' })).to.deep.include({ ignoredCaller: 'alice', caller: undefined });
    const sent = { Authorization: `Basic ${btoa('carol:sesame-opens')}` };
    const wrong = await ask('/rest/cwx-ppf/latest/push', {}, { as: '', headers: sent });
    expect({ status: wrong.response.status, caller: wrong.caller }).to.deep.equal({ status: 401, caller: undefined });
    expect(wrong.credentialsProblem).to.contain('"carol"');
    const token = await ask('/nowhere', {}, { as: '', headers: { Authorization: 'Bearer open-sesame' } });
    expect(token.credentialsProblem).to.contain('token');
    expect(JSON.stringify([wrong, token])).not.to.match(/sesame/);
  });

  it('omit names in another case if the version was discarded', async () => {
    const session = sessionWith();
    await session.respond('a', adding('ALICE', 'customers'));
    const live = await opened(session, 'a');
    const [entry = expect.fail('there is an entry')] = live.journal.entries();
    expect(viewEntry(entry, live).caseMismatches).to.have.lengthOf(1);
    for (let i = 0; i < 1100; i += 1) await session.respond('a', toggling(i));
    expect(live.history.from).to.be.above(0);
    expect(viewEntry(entry, live)).not.to.have.property('caseMismatches');
  });
});
