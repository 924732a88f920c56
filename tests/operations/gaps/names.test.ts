// The gaps about names: what refusals name, the facts of skipped and created names, and names in another case. Their effects under every
// reading: scenarios/gaps and tests/model.
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
  refuses({ 'unknown-user': '404' }, ofGroups, { ...named('customers', 'bob', 'alice'), message: /"bob"/ });
  refuses({ 'unknown-user': '400' }, 'permissions.edit-remove', { on, params, json: { ...lists, users: ['bob'] } });
  refuses({ 'unknown-user': '403' }, 'spaces.copy', { ...copy({ targetSpaceAdmin: 'bob' }), message: /"bob"/ });
  refuses({ 'unknown-group': '404' }, ofGroups, { ...named('teem', 'bob'), message: /"teem"/ }); // looked at before users
  refuses({ 'unknown-group': '400' }, 'permissions.view-add', { on, params, json: { ...lists, groups: ['teem'] } });
  refuses({ 'unknown-page': '404' }, 'permissions.all-remove', { params: { pageId: '99' }, json: lists });
  refuses({ 'unknown-page': '400' }, 'spaces.replace-in-page', {
    query: { spaceKey: 'ds', pageTitle: 'welcome' },
    json,
    message: /"welcome".*"ds"/,
  });
  for (const [id, question] of [
    ['spaces.copy', copy({ sourceSpaceKey: 'DS', targetSpaceKey: 'tmpl' })],
    ['spaces.add-sidebar-link', { json: { spaceKey: 'DS', label: 'a', url: '/a' } }],
    ['spaces.replace-in-page', { query: { spaceKey: 'DS', pageTitle: 'None' }, json }],
  ] as const)
    refuses({ 'unknown-space': '403' }, id, { ...question, gaps: { 'name-case': 'exact', 'unknown-space': '403' } });

  const home = {
    params: { pageId: 'home' },
    json: lists,
    on: teamWith({ pages: { home: { space: 'ds', title: 'H' } } }),
  };
  refuses({ 'page-id-format': 'digits', 'unknown-page': '400' }, 'permissions.edit-add', {
    ...home,
    status: 404,
    message: /"home"/,
    gaps: { 'page-id-format': 'digits' },
  });
  accepts({ 'page-id-format': 'any' }, 'permissions.edit-add', home, [
    { type: 'page-permission-added', page: 'home', permission: 'edit', ...lists },
  ]);
});

describe('a skipped name', () => {
  const skip = { 'unknown-user': 'skip', 'unknown-group': 'skip' } as const;
  accepts({ ...skip, 'set-users-empty': '400' }, 'groups.set-users', named('team-members', 'bob'), []);
  refuses({ 'no-change': '409', 'unknown-user': 'skip' }, ofGroups, {
    ...named('team-members', 'bob'),
    message: /"team-members"/,
  });
  refuses({ 'no-change': '409', 'unknown-group': 'skip' }, ofGroups, { ...named('teem', 'alice'), message: /"teem"/ });

  it('unknown-user=skip: spaces.copy picks the default admin', () => {
    const asked = ask('spaces.copy', { ...copy({ targetSpaceAdmin: 'bob' }), readings: skip });
    expect(asked.rules).to.include('spaces.copy-default-admin');
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
  it('unknown-user=message, unknown-group=message: the rest is applied, and the skipped are named', () => {
    for (const [id, question, facts, messages] of cases)
      expectDone(ask(id, { ...question, readings }), facts, { success: false, messages });
    const question = { ...copy({ targetSpaceAdmin: 'bob' }), readings: { ...readings, 'copy-success': 'space' } };
    expect(ask('spaces.copy', question as Question).reply).to.have.property('success', false);
    const strict = { ...named('customers', 'bob'), readings: { ...readings, 'no-change': '409' } } as const;
    expect(ask('groups.add-users', strict).refused).to.equal('no-change');
  });
});

describe('a created name', () => {
  const creating = { 'unknown-group': 'create' } as const;
  const teem: Fact = { type: 'group-created', group: 'teem' };
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

  it('unknown-user=create: what adds a user creates it, but not anonymous; what removes one skips it', () => {
    const question = { ...named('customers', 'anonymous', 'bob', 'alice'), readings };
    const set = { type: 'group-members-set', group: 'customers', users: ['bob', 'alice'] } as const;
    expectDone(ask('groups.set-users', question), [bob, set]);
    expectDone(ask('groups.remove-users', question), []);
    const skipped = { ...named('teem', 'bob'), readings: { ...readings, 'unknown-group': 'skip' } } as const;
    expectDone(ask('groups.add-users', skipped), []);
    const [created, copied] = ask('spaces.copy', { ...copy({ targetSpaceAdmin: 'bob' }), readings }).facts;
    expect([created, copied]).to.have.nested.property('[1].admins').that.includes('bob');
    expect(created).to.deep.equal(bob);
    const made = evolve(teamWith({}), bob);
    expect(made.users.get('bob')).to.deep.equal({ displayName: 'bob', admin: false });
  });
});

describe('gap name-case', () => {
  const ignored = { 'name-case': 'ignored' } as const;
  const favourite = { type: 'favourite-added', item: 'filters', ids: [10500] } as const;
  const asked: ReadonlyArray<readonly [OperationId, Question, exact: Partial<Asked>, Partial<Asked>]> = [
    ['groups.add-users', named('Customers', 'ALICE', 'alice'), { refused: 'unknown-group' }, { facts: [member] }],
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
      { facts: [] },
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
    for (const [sent, group] of Object.entries({
      customers: 'customers',
      Customers: 'Customers',
      CustomerS: 'CUSTOMERS',
    }))
      expect(ask('groups.add-users', { on, ...named(sent, 'alice'), readings: ignored }).facts).to.deep.equal([
        { ...member, group },
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
    expect(other.facts).to.deep.equal(facts(['New'], ['New', 'customers']));
    expect([exact.gaps['name-case'], other.gaps['name-case']]).to.deep.equal(['exact', 'ignored']);
    expect(made({ ...ignored, 'unknown-group': 'skip' }).gaps).not.to.have.property('name-case');
  });

  it('name-case=ignored: applies to the keys of spaces, and not to their names', () => {
    const copied = (targetSpaceKey: string, targetSpaceTitle: string) =>
      ask('spaces.copy', {
        ...copy({ sourceSpaceKey: 'TMPL', targetSpaceKey, targetSpaceTitle }),
        readings: { ...ignored, 'target-title-taken': '409' },
      });
    expect(copied('DS', 'Apollo').refused).to.equal('target-space-exists');
    expect(copied('APOLLO', 'TEMPLATE space').status).to.equal(200);
    expect(copied('APOLLO', 'Template Space').status).to.equal(409);
  });
});

describe('a request that changes nothing', () => {
  const group = 'jira-core-users';
  const nobody = { params, json: { users: [], groups: [] } };
  for (const [id, question, message] of [
    ['groups.add-users', named(group, 'alice', 'carol'), /"jira-core-users"/],
    ['groups.remove-users', named(group, 'admin'), /"jira-core-users"/],
    ['groups.set-users', named(group, 'carol', 'alice'), /"jira-core-users"/],
    ['permissions.edit-add', { on, params, json: lists }, /"65601"/],
    ['permissions.all-remove', { on, params, json: { users: ['carol'], groups: ['team-members'] } }, /"65601"/],
  ] as const) {
    accepts({ 'no-change': 'ok' }, id, question, []);
    refuses({ 'no-change': '409' }, id, { ...question, message });
  }
  const strict = { 'no-change': '409' } as const;
  accepts({ 'empty-lists': 'ok', ...strict, 'set-users-empty': '400' }, 'groups.add-users', named(group), []);
  accepts({ 'empty-lists': 'ok', ...strict }, 'permissions.view-remove', nobody, []);
  refuses({ 'empty-lists': '400' }, 'groups.remove-users', named(group));
  refuses({ 'empty-lists': '400' }, 'permissions.view-remove', nobody);
  accepts({ 'set-users-empty': 'clears', ...strict }, 'groups.set-users', named('customers'), []);
  refuses({ 'set-users-empty': '400' }, 'groups.set-users', named(group));

  it('all-remove-empty=like-others, all-remove-empty=everyone: two empty lists change nothing, or remove everyone', () => {
    const page = {
      space: 'ds',
      title: 'Welcome',
      view: { users: ['carol', 'alice'] },
      edit: { groups: ['customers'] },
    };
    const readings = { 'all-remove-empty': 'everyone', 'empty-lists': '400' } as const;
    const all = (more: Question) => ask('permissions.all-remove', { ...nobody, readings, ...more });
    expect(all({ on, readings: {} }).gaps).to.include({ 'all-remove-empty': 'like-others' });
    expect(all({ readings: { 'empty-lists': '400' } }).refused).to.equal('empty-lists');
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
