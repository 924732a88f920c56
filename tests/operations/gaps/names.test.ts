// Each reading of the gap name-case, wherever a user, a group or a space is named; and of auth-scheme.
import { expect } from 'chai';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { type Asked, ask, type Question } from '../../support/worlds/ask.js';
import { teamWith } from '../../support/worlds/judge.js';
import { accepts, refuses } from './gap-tests.js';

const ignored = { 'name-case': 'ignored' } as const;
const page = { params: { pageId: '65601' } };
const restricted = teamWith({
  pages: { '65601': { space: 'ds', title: 'Welcome', edit: { users: ['carol'], groups: [] } } },
});

describe('gap name-case', () => {
  const asked: ReadonlyArray<readonly [Parameters<typeof ask>[0], Question, exact: Partial<Asked>, Partial<Asked>]> = [
    [
      'groups.add-users',
      { json: { group: 'Customers', users: ['ALICE', 'alice'] } },
      { refused: 'unknown-group' },
      { facts: [{ type: 'group-member-added', group: 'customers', user: 'alice' }] },
    ],
    [
      'permissions.edit-remove',
      { ...page, on: restricted, json: { users: ['Carol'], groups: ['CUSTOMERS'] } },
      { refused: 'unknown-user' },
      { facts: [{ type: 'page-permission-removed', page: '65601', permission: 'edit', users: ['carol'], groups: [] }] },
    ],
    [
      'spaces.add-sidebar-link',
      { json: { spaceKey: 'DS', label: 'a', url: '/a' } },
      { refused: 'unknown-space' },
      { facts: [{ type: 'sidebar-link-added', space: 'ds', label: 'a', url: '/a' }] },
    ],
    ['spaces.is-unique', { query: { spaceKey: 'DS', spaceName: 'Free' } }, { reply: true }, { reply: false }],
    [
      'spaces.replace-in-page',
      { query: { spaceKey: 'DS', pageTitle: 'Welcome' }, json: [] },
      { refused: 'unknown-space' },
      { status: 200 },
    ],
    [
      'ppf.push',
      { json: { users: ['Alice'], filters: [10500] } },
      { reply: { success: false, messages: ['Could not find user with name Alice'] } },
      { facts: [{ type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice'] }] },
    ],
    [
      'ppf.push',
      { json: { groups: ['Jira-Core-Users'], filters: [10500] } },
      { reply: { success: false, messages: ['Could not find group with name Jira-Core-Users'] } },
      { facts: [{ type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice', 'carol'] }] },
    ],
  ];
  for (const [id, question, exact, other] of asked) {
    it(`name-case=exact, name-case=ignored: ${id} with ${JSON.stringify(question.json ?? question.query)}`, () => {
      const found = ask(id, question);
      expect(found).to.deep.include(exact);
      expect(found.gaps['name-case']).to.equal('exact');
      expect(ask(id, { ...question, readings: ignored })).to.deep.include(other);
    });
  }

  it('name-case=ignored: an exact match comes before one in another case, and of several the first counts', () => {
    const on = teamWith({ groups: { Customers: [], CUSTOMERS: [] } });
    const groupOf = (group: string) => {
      const [fact] = ask('groups.add-users', { on, json: { group, users: ['alice'] }, readings: ignored }).facts;
      return fact?.type === 'group-member-added' ? fact.group : undefined;
    };
    expect(['customers', 'Customers', 'CustomerS'].map(groupOf)).to.deep.equal(['customers', 'Customers', 'CUSTOMERS']);
  });

  it('name-case=exact, name-case=ignored: new names of one request that differ in case only', () => {
    const twice = { ...page, json: { groups: ['New', 'customers', 'NEW', 'New'], users: [] } };
    const creating = (readings: SomeReadings) =>
      ask('permissions.edit-add', { ...twice, readings: { 'unknown-group': 'create', ...readings } });
    const created = (...groups: string[]) => groups.map(group => ({ type: 'group-created', group }));
    const added = (...groups: string[]) => ({
      type: 'page-permission-added',
      page: '65601',
      permission: 'edit',
      users: [],
      groups,
    });
    const exact = creating({});
    expect(exact.facts).to.deep.equal([...created('New', 'NEW'), added('New', 'customers', 'NEW')]);
    expect(exact.gaps['name-case']).to.equal('exact');
    const other = creating(ignored);
    expect(other.facts).to.deep.equal([...created('New'), added('New', 'customers')]);
    expect(other.gaps['name-case']).to.equal('ignored');
    expect(other.form.pages['65601']?.edit.groups).to.deep.equal(['New', 'customers']);
    expect(creating({ ...ignored, 'unknown-group': 'skip' }).gaps).not.to.have.property('name-case');
  });

  it('name-case=exact, name-case=ignored: a message of push and pull for each unknown name', () => {
    const json = { users: ['bob', 'Bob'], groups: ['nobodies', 'Nobodies', 'NOBODIES'], filters: [10500] };
    for (const id of ['ppf.push', 'ppf.pull'] as const) {
      const messages = (...names: string[]) => ({
        success: false,
        messages: names.map(name => `Could not find ${/^b/i.test(name) ? 'user' : 'group'} with name ${name}`),
      });
      const exact = ask(id, { json });
      expect(exact.reply).to.deep.equal(messages('bob', 'Bob', 'nobodies', 'Nobodies', 'NOBODIES'));
      expect(exact.gaps['name-case']).to.equal('exact');
      const other = ask(id, { json, readings: ignored });
      expect(other.reply).to.deep.equal(messages('bob', 'nobodies'));
      expect(other.gaps['name-case']).to.equal('ignored');
    }
  });

  it('name-case=ignored: applies to the keys of spaces, and not to their names', () => {
    const query = (targetSpaceKey: string, targetSpaceTitle: string) => ({
      sourceSpaceKey: 'TMPL',
      targetSpaceKey,
      targetSpaceTitle,
      targetSpaceAdmin: 'Admin',
      removeAdminPermissions: 'false',
      keepPagesMetadata: 'true',
    });
    const copy = (key: string, title: string, readings: SomeReadings = ignored) =>
      ask('spaces.copy', { query: query(key, title), readings });
    expect(copy('APOLLO', 'Apollo', {}).refused).to.equal('unknown-space');
    expect(copy('DS', 'Apollo').refused).to.equal('target-space-exists');
    expect(copy('APOLLO', 'TEMPLATE space').form.spaces).to.have.property('APOLLO');
    const taken = { ...ignored, 'target-title-taken': '409' } as const;
    expect(copy('APOLLO', 'TEMPLATE space', taken).status).to.equal(200);
    expect(copy('APOLLO', 'Template Space', taken).status).to.equal(409);
    const isFree = (spaceKey: string, spaceName: string, readings: SomeReadings = ignored) =>
      ask('spaces.is-unique', { query: { spaceKey, spaceName }, readings }).reply;
    expect(isFree('free', 'TEMPLATE SPACE')).to.equal(true);
    expect(isFree('TMPL', 'free')).to.equal(false);
    expect(isFree('TMPL', 'Template Space', { ...ignored, 'is-unique-match': 'both' })).to.equal(false);
    expect(isFree('TMPL', 'TEMPLATE SPACE', { ...ignored, 'is-unique-match': 'both' })).to.equal(true);
  });
});

describe('gap auth-scheme', () => {
  const token = { kind: 'bearer', token: 'admin-token' } as const;
  const push = { credentials: token, json: { users: ['alice'], filters: [10500] } };
  const basic = { 'auth-scheme': 'basic' } as const;

  it('auth-scheme=all: a token identifies the caller', () => {
    const asked = ask('ppf.push', push);
    expect(asked.status).to.equal(200);
    expect(asked.caller).to.deep.equal({ kind: 'user', name: 'admin' });
  });

  for (const credentials of [token, { ...token, token: 'none' }])
    refuses({ 'ppf-anonymous': '403', 'auth-scheme': 'basic' }, 'ppf.push', {
      ...push,
      credentials,
      message: /no credentials/,
    });

  const add = { credentials: { ...token, token: 'none' }, json: { group: 'customers', users: ['alice'] } };
  accepts(basic, 'groups.add-users', add, [{ type: 'group-member-added', group: 'customers', user: 'alice' }]);

  it('auth-scheme: also applies to the cookie of a log-in', () => {
    const on = teamWith({});
    const cookie = { on, credentials: { kind: 'proved', user: 'admin', scheme: 'cookie' } as const, json: push.json };
    expect(ask('ppf.push', cookie).status).to.equal(200);
    expect(ask('ppf.push', { ...cookie, readings: basic }).refused).to.equal('ppf-anonymous');
  });
});
