// The gaps about names: unknown users, groups, pages and spaces, names in another case, and requests that change nothing.
import { expect } from 'chai';
import { evolve, type Fact } from '../../../server/domain/facts.js';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { type Asked, ask, type Question } from '../../support/worlds/ask.js';
import { expectDone, teamWith } from '../../support/worlds/judge.js';
import { validQuestions } from '../../support/worlds/valid.js';
import { accepts, refuses } from './gap-tests.js';

const ofGroups = ['groups.add-users', 'groups.remove-users', 'groups.set-users'] as const;
const params = { pageId: '65601' };
const lists = { users: ['alice'], groups: ['customers'] };
const on = teamWith({ pages: { '65601': { space: 'ds', title: 'Welcome', edit: lists, view: lists } } });
const json = [{ oldText: 'a', newText: 'b' }];
const copy = (more: object) => ({ query: { ...(validQuestions['spaces.copy'].query as object), ...more } });
const named = (group: string, ...users: string[]) => ({ json: { group, users } });
const member = { type: 'group-member-added', group: 'customers', user: 'alice' } as const;

describe('an unknown name', () => {
  const [user, group] = [named('customers', 'bob', 'alice'), named('teem', 'alice')];
  for (const status of ['404', '400', '403'] as const) {
    refuses({ 'unknown-user': status }, ofGroups, { ...user, message: /"bob"/ });
    refuses({ 'unknown-user': status }, 'permissions.edit-remove', { on, params, json: { ...lists, users: ['bob'] } });
    refuses({ 'unknown-user': status }, 'spaces.copy', { ...copy({ targetSpaceAdmin: 'bob' }), message: /"bob"/ });
    refuses({ 'unknown-group': status }, ofGroups, { ...group, message: /"teem"/ });
    refuses({ 'unknown-group': status }, 'permissions.view-add', { on, params, json: { ...lists, groups: ['teem'] } });
    refuses({ 'unknown-page': status }, 'permissions.all-remove', { params: { pageId: '99' }, json: lists });
    refuses({ 'unknown-page': status }, 'spaces.replace-in-page', {
      query: { spaceKey: 'ds', pageTitle: 'welcome' },
      json,
      message: /"welcome".*"ds"/,
    });
    for (const [id, question] of [
      ['spaces.copy', copy({ sourceSpaceKey: 'DS', targetSpaceKey: 'tmpl' })],
      ['spaces.add-sidebar-link', { json: { spaceKey: 'DS', label: 'a', url: '/a' } }],
      ['spaces.replace-in-page', { query: { spaceKey: 'DS', pageTitle: 'None' }, json }],
    ] as const)
      refuses({ 'unknown-space': status }, id, {
        ...question,
        gaps: { 'name-case': 'exact', 'unknown-space': status },
      });
  }

  it('of a group is refused before the users are looked at', () => {
    for (const id of ofGroups) expect(ask(id, named('teem', 'bob')).refused).to.equal('unknown-group');
  });

  const home = { params: { pageId: 'home' }, json: lists };
  const withHome = teamWith({ pages: { home: { space: 'ds', title: 'Home' } } });
  refuses({ 'page-id-format': 'digits', 'unknown-page': '400' }, 'permissions.edit-add', {
    ...home,
    on: withHome,
    status: 404,
    message: /"home"/,
    gaps: { 'page-id-format': 'digits' },
  });
  accepts({ 'page-id-format': 'any' }, 'permissions.edit-add', { ...home, on: withHome }, [
    { type: 'page-permission-added', page: 'home', permission: 'edit', ...lists },
  ]);
});

describe('a skipped name', () => {
  const skip = { 'unknown-user': 'skip', 'unknown-group': 'skip' } as const;
  accepts(skip, 'groups.add-users', named('customers', 'bob', 'alice'), [member]);
  accepts(skip, 'groups.set-users', named('teem', 'alice'), []);
  accepts(skip, 'groups.remove-users', named('jira-core-users', 'bob', 'alice'), [
    { type: 'group-member-removed', group: 'jira-core-users', user: 'alice' },
  ]);
  accepts(skip, 'permissions.edit-remove', { on, params, json: { users: ['alice', 'bob'], groups: ['teem'] } }, [
    { type: 'page-permission-removed', page: '65601', permission: 'edit', users: ['alice'], groups: [] },
  ]);
  for (const empty of ['clears', '400'] as const)
    accepts({ ...skip, 'set-users-empty': empty }, 'groups.set-users', named('team-members', 'bob'), []);
  refuses({ 'no-change': '409', 'unknown-user': 'skip' }, ofGroups, {
    ...named('team-members', 'bob'),
    message: /"team-members"/,
  });
  refuses({ 'no-change': '409', 'unknown-group': 'skip' }, ofGroups, { ...named('teem', 'alice'), message: /"teem"/ });

  it('unknown-user=skip: spaces.copy picks the default admin', () => {
    const asked = ask('spaces.copy', { ...copy({ targetSpaceAdmin: 'bob' }), readings: skip });
    expect(asked.rules).to.include('spaces.copy-default-admin');
    expect(asked.form.spaces.APOLLO?.admins).to.deep.equal(['admin']);
  });

  const readings = { 'unknown-user': 'message', 'unknown-group': 'message' } as const;
  const both = ['There is no group named "teem".', 'There are no users named "bob", "dan".'];
  const added: Fact = {
    type: 'page-permission-added',
    page: '65601',
    permission: 'edit',
    users: ['alice'],
    groups: [],
  };
  const users = ['bob', 'alice', 'dan'];
  const cases: ReadonlyArray<readonly [OperationId, Question, Fact[], messages: string[]]> = [
    ['groups.add-users', named('customers', ...users), [member], both.slice(1)],
    ['groups.set-users', named('teem', ...users), [], both],
    ['permissions.edit-add', { params, json: { users, groups: ['teem'] } }, [added], both],
    ['permissions.edit-remove', { params, json: { users: [], groups: ['teem'] } }, [], both.slice(0, 1)],
  ];
  for (const [id, question, facts, messages] of cases)
    it(`unknown-user=message, unknown-group=message: ${id} applies the rest and names the skipped`, () => {
      expectDone(ask(id, { ...question, readings }), facts, { success: false, messages });
    });

  it('unknown-user=message: the response is the same under any copy-success, and no-change=409 comes before', () => {
    const question = { ...copy({ targetSpaceAdmin: 'bob' }), readings: { ...readings, 'copy-success': 'space' } };
    expect(ask('spaces.copy', question as Question).reply).to.deep.equal({
      success: false,
      messages: ['There is no user named "bob".'],
    });
    const strict = { ...named('customers', 'bob'), readings: { ...readings, 'no-change': '409' } } as const;
    expect(ask('groups.add-users', strict).refused).to.equal('no-change');
  });
});

describe('a created name', () => {
  const creating = { 'unknown-group': 'create' } as const;
  const teem: Fact = { type: 'group-created', group: 'teem' };
  accepts({ ...creating, 'no-change': '409' }, 'groups.add-users', named('teem', 'alice'), [
    teem,
    { ...member, group: 'teem' },
  ]);
  accepts(creating, 'groups.set-users', named('teem', 'alice'), [
    teem,
    { type: 'group-members-set', group: 'teem', users: ['alice'] },
  ]);
  accepts(creating, 'groups.remove-users', named('teem', 'alice'), []);
  accepts(creating, 'permissions.edit-add', { params, json: { users: [], groups: ['teem'] } }, [
    teem,
    { type: 'page-permission-added', page: '65601', permission: 'edit', users: [], groups: ['teem'] },
  ]);
  accepts(creating, 'permissions.all-remove', { on, params, json: { users: [], groups: ['teem'] } }, []);
  refuses(creating, 'groups.add-users', {
    ...named('teem', 'bob'),
    status: 404,
    code: 'unknown-user',
    gaps: { ...creating, 'unknown-user': '404' },
  });

  const readings = { 'unknown-user': 'create' } as const;
  const bob = { type: 'user-created', user: 'bob' } as const;
  const question = { ...named('customers', 'anonymous', 'bob', 'alice'), readings };

  it('unknown-user=create: what adds a user creates it, but not anonymous', () => {
    const set = { type: 'group-members-set', group: 'customers', users: ['bob', 'alice'] } as const;
    expectDone(ask('groups.set-users', question), [bob, set]);
    const page = ask('permissions.view-add', { params, json: { users: ['bob'], groups: [] }, readings });
    expect(page.facts).to.have.lengthOf(2).and.deep.include(bob);
    const [created, copied] = ask('spaces.copy', { ...copy({ targetSpaceAdmin: 'bob' }), readings }).facts;
    expect([created, copied]).to.have.nested.property('[1].admins').that.includes('bob');
    expect(created).to.deep.equal(bob);
  });

  it('unknown-user=create: what removes a user skips it, as does a group that is skipped', () => {
    expectDone(ask('groups.remove-users', question), []);
    const skipped = { ...named('teem', 'bob'), readings: { ...readings, 'unknown-group': 'skip' } } as const;
    expectDone(ask('groups.add-users', skipped), []);
  });

  it('unknown-user=create: the user exists from then on', () => {
    const made = evolve(teamWith({}), bob);
    expect(made.users.get('bob')).to.deep.equal({ displayName: 'bob', admin: false });
    expectDone(ask('groups.add-users', { on: made, ...named('customers', 'bob') }), [{ ...member, user: 'bob' }]);
  });
});

describe('gap name-case', () => {
  const ignored = { 'name-case': 'ignored' } as const;
  const carols = teamWith({ pages: { '65601': { space: 'ds', title: 'Welcome', edit: { users: ['carol'] } } } });
  const favourite = { type: 'favourite-added', item: 'filters', ids: [10500] } as const;
  const failed = (...messages: string[]) => ({ reply: { success: false, messages } });
  const asked: ReadonlyArray<readonly [OperationId, Question, exact: Partial<Asked>, Partial<Asked>]> = [
    ['groups.add-users', named('Customers', 'ALICE', 'alice'), { refused: 'unknown-group' }, { facts: [member] }],
    [
      'permissions.edit-remove',
      { params, on: carols, json: { users: ['Carol'], groups: ['CUSTOMERS'] } },
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
      { json: { users: ['Alice'], groups: ['Jira-Core-Users'], filters: [10500] } },
      failed('Could not find user with name Alice', 'Could not find group with name Jira-Core-Users'),
      { facts: [{ ...favourite, users: ['alice', 'carol'] }] },
    ],
  ];
  for (const [id, question, exact, other] of asked)
    it(`name-case=exact, name-case=ignored: ${id} with ${JSON.stringify(question.json ?? question.query)}`, () => {
      const found = ask(id, question);
      expect(found).to.deep.include(exact);
      expect(found.gaps['name-case']).to.equal('exact');
      expect(ask(id, { ...question, readings: ignored })).to.deep.include(other);
    });

  it('name-case=ignored: an exact match comes before one in another case, and of several the first counts', () => {
    const on = teamWith({ groups: { Customers: [], CUSTOMERS: [] } });
    const groupOf = (group: string) =>
      ask('groups.add-users', { on, ...named(group, 'alice'), readings: ignored }).facts.map(
        fact => Object(fact).group,
      );
    expect(['customers', 'Customers', 'CustomerS'].flatMap(groupOf)).to.deep.equal([
      'customers',
      'Customers',
      'CUSTOMERS',
    ]);
  });

  it('name-case=exact, name-case=ignored: new names of one request that differ in case only', () => {
    const twice = { params, json: { groups: ['New', 'customers', 'NEW', 'New'], users: [] } };
    const made = (readings: SomeReadings) =>
      ask('permissions.edit-add', { ...twice, readings: { 'unknown-group': 'create', ...readings } });
    const facts = (created: string[], groups: string[]) => [
      ...created.map(group => ({ type: 'group-created', group })),
      { type: 'page-permission-added', page: '65601', permission: 'edit', users: [], groups },
    ];
    const [exact, other] = [made({}), made(ignored)];
    expect(exact.facts).to.deep.equal(facts(['New', 'NEW'], ['New', 'customers', 'NEW']));
    expect(exact.gaps['name-case']).to.equal('exact');
    expect(other.facts).to.deep.equal(facts(['New'], ['New', 'customers']));
    expect(other.gaps['name-case']).to.equal('ignored');
    expect(made({ ...ignored, 'unknown-group': 'skip' }).gaps).not.to.have.property('name-case');
  });

  it('name-case=exact, name-case=ignored: a message of push and pull for each unknown name', () => {
    const json = { users: ['bob', 'Bob'], groups: ['nobodies', 'NOBODIES'], filters: [10500] };
    const messages = (...names: string[]) =>
      failed(...names.map(name => `Could not find ${/^b/i.test(name) ? 'user' : 'group'} with name ${name}`)).reply;
    for (const id of ['ppf.push', 'ppf.pull'] as const) {
      expect(ask(id, { json }).reply).to.deep.equal(messages('bob', 'Bob', 'nobodies', 'NOBODIES'));
      expect(ask(id, { json, readings: ignored }).reply).to.deep.equal(messages('bob', 'nobodies'));
    }
  });

  it('name-case=ignored: applies to the keys of spaces, and not to their names', () => {
    const copied = (targetSpaceKey: string, targetSpaceTitle: string, readings: SomeReadings = ignored) =>
      ask('spaces.copy', { ...copy({ sourceSpaceKey: 'TMPL', targetSpaceKey, targetSpaceTitle }), readings });
    expect(copied('APOLLO', 'Apollo', {}).refused).to.equal('unknown-space');
    expect(copied('DS', 'Apollo').refused).to.equal('target-space-exists');
    const taken = { ...ignored, 'target-title-taken': '409' } as const;
    expect(copied('APOLLO', 'TEMPLATE space', taken).status).to.equal(200);
    expect(copied('APOLLO', 'Template Space', taken).status).to.equal(409);
    const isFree = (spaceKey: string, spaceName: string, readings: SomeReadings = ignored) =>
      ask('spaces.is-unique', { query: { spaceKey, spaceName }, readings }).reply;
    expect(isFree('free', 'TEMPLATE SPACE')).to.equal(true);
    expect(isFree('TMPL', 'free')).to.equal(false);
    expect(isFree('TMPL', 'Template Space', { ...ignored, 'is-unique-match': 'both' })).to.equal(false);
    expect(isFree('TMPL', 'TEMPLATE SPACE', { ...ignored, 'is-unique-match': 'both' })).to.equal(true);
  });
});

describe('a request that changes nothing', () => {
  const group = 'jira-core-users';
  const nobody = { params, json: { users: [], groups: [] } };
  const lack = { on, params, json: { users: ['carol'], groups: ['team-members'] } };
  for (const [id, question, message] of [
    ['groups.add-users', named(group, 'alice', 'carol'), /"jira-core-users"/],
    ['groups.remove-users', named(group, 'admin'), /"jira-core-users"/],
    ['groups.set-users', named(group, 'carol', 'alice'), /"jira-core-users"/],
    ['permissions.edit-add', { on, params, json: lists }, /"65601"/],
    ['permissions.all-remove', lack, /"65601"/],
  ] as const) {
    accepts({ 'no-change': 'ok' }, id, question, []);
    refuses({ 'no-change': '409' }, id, { ...question, message });
  }
  const strict = { 'no-change': '409' } as const;
  accepts(strict, 'groups.remove-users', named(group, 'carol', 'demouser2'), [
    { type: 'group-member-removed', group, user: 'carol' },
  ]);
  for (const permission of ['edit', 'view'] as const) {
    const { world } = ask(`permissions.${permission}-add`, { params, json: lists });
    accepts(strict, 'permissions.all-remove', { on: world, params, json: lists }, [
      { type: 'page-permission-removed', page: '65601', permission, ...lists },
    ]);
  }

  for (const [id, question] of [
    ['groups.add-users', named(group)],
    ['groups.remove-users', named(group)],
    ['permissions.view-remove', nobody],
  ] as const) {
    accepts({ 'empty-lists': 'ok', ...strict, 'set-users-empty': '400' }, id, question, []);
    refuses({ 'empty-lists': '400' }, id, question);
  }
  const cleared: Fact = { type: 'group-members-set', group, users: [] };
  accepts({ 'set-users-empty': 'clears' }, 'groups.set-users', named(group), [cleared]);
  accepts({ 'set-users-empty': 'clears', ...strict }, 'groups.set-users', named('customers'), []);
  refuses({ 'set-users-empty': '400' }, 'groups.set-users', named(group));

  it('all-remove-empty=like-others: two empty lists change nothing, or are refused', () => {
    const asked = ask('permissions.all-remove', { ...nobody, on });
    expectDone(asked, []);
    expect(asked.gaps).to.include({ 'all-remove-empty': 'like-others' });
    const refused = ask('permissions.all-remove', { ...nobody, readings: { 'empty-lists': '400' } });
    expect(refused.refused).to.equal('empty-lists');
  });

  it('all-remove-empty=everyone: two empty lists remove everyone from both permissions', () => {
    const view = { users: ['carol', 'alice'] };
    const page = { space: 'ds', title: 'Welcome', view, edit: { groups: ['customers'] } };
    const readings = { 'all-remove-empty': 'everyone', 'empty-lists': '400' } as const;
    const all = (more: Question) => ask('permissions.all-remove', { ...nobody, readings, ...more });
    const removed = { type: 'page-permission-removed', page: '65601' } as const;
    expectDone(all({ on: teamWith({ pages: { '65601': page } }) }), [
      { ...removed, permission: 'edit', users: [], groups: ['customers'] },
      { ...removed, permission: 'view', users: ['alice', 'carol'], groups: [] },
    ]);
    expectDone(all({}), []);
    expect(all({ params: { pageId: 'x' } }).refused).to.equal('page-id-format');
    expect(ask('permissions.edit-remove', { ...nobody, readings }).refused).to.equal('empty-lists');
  });
});
