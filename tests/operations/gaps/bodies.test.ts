// The gaps about bodies, beyond their stories in scenarios/gaps: what a missing or mistyped field stands for, and how several errors are reported.
import { expect } from 'chai';
import { ask } from '../../support/worlds/ask.js';
import { ppfIds, validQuestions } from '../../support/worlds/valid.js';
import { accepts, refuses } from './gap-tests.js';

const inPage = validQuestions['spaces.replace-in-page'];
const welcome = { params: { pageId: '65601' } };
const added = { type: 'group-member-added', group: 'customers', user: 'alice' } as const;

describe('gaps missing-field and missing-list', () => {
  const [link, members, nothing] = ['spaces.add-sidebar-link', 'groups.add-users', {}] as const;
  const group = { group: 'customers' };
  refuses({ 'missing-field': '400' }, link, {
    json: { label: 'x', url: '/x' },
    message: /^Missing field "spaceKey"\./,
  });
  refuses({ 'missing-list': '400' }, members, { json: group, message: /^Missing field "users"\./ });
  refuses({ 'missing-field': '400' }, link, {
    code: 'body-absent',
    message: /^The body is missing: send a JSON object /,
  });
  refuses({ 'missing-list': '400' }, 'permissions.edit-add', { ...welcome, code: 'lists-absent' });
  it('missing-field=empty, missing-list=empty: a missing body is {}', () => {
    const readings = { 'missing-field': 'empty', 'missing-list': 'empty' } as const;
    for (const id of [link, members])
      expect(ask(id, { readings }).response).to.deep.equal(ask(id, { readings, json: nothing }).response);
  });

  it('missing-field=empty: an element without newText removes text, and one without oldText is refused', () => {
    const replace = (json: unknown) =>
      ask('spaces.replace-in-page', { ...inPage, json, readings: { 'missing-field': 'empty' } });
    expect(replace([{ oldText: 'Hello, ' }]).form.pages['65601']?.body).to.equal('<p>wiki.</p>');
    expect(replace([{ newText: 'x' }]).refused).to.equal('old-text-empty');
    expect(replace(undefined).status).to.equal(200);
  });

  it('missing-field: does not affect push and pull, as the document says what they need', () => {
    for (const id of ppfIds) {
      const asked = ask(id, { json: { users: ['alice'] }, readings: { 'missing-field': 'empty' } });
      expect(asked.refused).to.equal('ppf-no-item');
    }
  });
});

describe('several errors of a body', () => {
  const whole = { oldText: 'a', newText: 'b' };
  const lacks = { oldText: 'a' };
  refuses({ 'missing-list': '400', 'field-type': '400' }, 'permissions.all-remove', {
    ...welcome,
    json: { group: 'customers' },
    message: 'Missing field "users"; /group must be a list, not "customers".',
    gaps: { 'all-group-field': 'groups-or-group', 'field-type': '400', 'missing-list': '400' },
  });
  const unknown = { ...whole, x: 1 };
  for (const [readings, json, message] of [
    [
      { 'missing-field': '400' },
      [whole, lacks, { newText: 7 }, whole, {}, 'text'],
      /"newText" in \/1; .*"oldText" in \/2; .*"oldText" and "newText" in \/4; \/2\/newText .*; \/5 must be an object/,
    ],
    [{ 'missing-field': '400' }, Array(900).fill(lacks), /^Missing field "newText" in \/0; .* in \/4; and 895 more\.$/],
    [{ 'unknown-field': '400', 'missing-field': '400' }, [unknown, lacks], /"x" in \/0: .*; missing .* in \/1\.$/],
  ] as const) {
    const gaps = json.length === 6 ? { 'field-type': '400', ...readings } : readings;
    refuses(readings, 'spaces.replace-in-page', { ...inPage, json, message, gaps });
  }

  it('are one message each under wiki-error-body=messages', () => {
    const readings = { 'wiki-error-body': 'messages' } as const;
    const asked = ask('permissions.all-remove', { ...welcome, json: { group: 'customers' }, readings });
    expect(asked.reply).to.have.property('messages').with.lengthOf(2);
  });
});

describe('gaps unknown-field, ppf-unknown-field and null-field', () => {
  const colour = { colour: 'red' };
  refuses({ 'unknown-field': '400' }, 'groups.add-users', {
    json: { group: 'customers', users: ['alice'], ...colour },
    message: /^Unknown field "colour": expected /,
  });
  const push = { users: ['alice'], filters: [10500] };
  refuses({ 'ppf-unknown-field': '400' }, 'ppf.push', { json: { ...push, ...colour } });

  const members = { json: { group: 'customers', users: null } };
  refuses({ 'null-field': '400' }, 'groups.add-users', {
    ...members,
    code: 'body-shape',
    message: '/users must be a list, not null.',
  });
  refuses({ 'null-field': 'absent' }, 'groups.add-users', {
    ...members,
    status: 400,
    code: 'missing-list',
    gaps: { 'null-field': 'absent', 'missing-list': '400' },
  });
});

describe('gap field-type', () => {
  refuses({ 'field-type': '400' }, 'ppf.push', {
    json: { users: 'alice', groups: [7], filters: ['10500'] },
    code: 'body-shape',
    message: [
      '/users must be a list, not "alice".',
      '/groups/0 must be a string, not 7.',
      '/filters/0 must be a whole number, not "10500".',
    ].join('\n'),
  });

  accepts(
    { 'field-type': 'all' },
    'ppf.push',
    { json: { users: 'alice', groups: 7, filters: '10500' } },
    [{ type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice'] }],
    { success: false, messages: ['Could not find group with name 7'] },
  );

  const filters = [10500];
  const refused = {
    scalars: [
      ...['10500', ['ten'], ['1e3'], [' 1'], [10500.5], [true], ['']].map(filters => ({ users: ['alice'], filters })),
      ...['alice', [null], [['alice']], [{}], {}].map(users => ({ users, filters })),
    ],
    all: [{}, ['a', ['b']], [[]]].map(users => ({ users, filters })),
  } as const;
  it('field-type=scalars, field-type=all: what neither is nor becomes a list of names or ids is refused', () => {
    for (const reading of ['scalars', 'all'] as const)
      for (const json of refused[reading])
        expect(ask('ppf.push', { json, readings: { 'field-type': reading } }).refused).to.equal('body-shape');
  });

  it('field-type=all: an object is not a list of replacements', () => {
    const json = { oldText: 'wiki', newText: 'x' };
    const asked = ask('spaces.replace-in-page', { ...inPage, json, readings: { 'field-type': 'all' } });
    expect(asked.refused).to.equal('body-shape');
  });

  it('field-type=all: numbers become the text that was sent, and long ids keep their digits', () => {
    const text =
      '{"users": 1.50, "groups": [9007199254740993], "filters": 9007199254740993, "dashboards": "9007199254740995"}';
    const body = { kind: 'json', value: JSON.parse(text), text } as const;
    expect(ask('ppf.push', { body, readings: { 'field-type': 'all' } }).reply).to.deep.include({
      messages: [
        'Could not find user with name 1.50',
        'Could not find group with name 9007199254740993',
        'Could not find filter with id 9007199254740993',
        'Could not find dashboard with id 9007199254740995',
      ],
    });
  });
});

describe('gap list-limit', () => {
  const users = Array<string>(1001).fill('alice');
  const sending = (users: readonly string[]) => ({ json: { group: 'customers', users } });
  accepts({ 'list-limit': '1000' }, 'groups.add-users', sending(users.slice(1)), [added]);
  for (const [id, question] of [
    ['groups.add-users', { ...sending(users), message: /\/users.*1001.*1000/ }],
    ['spaces.replace-in-page', { ...inPage, json: users.map(oldText => ({ oldText, newText: 'y' })) }],
  ] as const)
    refuses({ 'list-limit': '1000' }, id, { ...question, status: 400 });
});

describe('gap sidebar-link-form', () => {
  const link = (label: string, url: string) => ({ json: { spaceKey: 'ds', label, url } });
  const checked = { 'sidebar-link-form': 'checked' } as const;
  for (const label of ['', ' '])
    refuses(checked, 'spaces.add-sidebar-link', { ...link(label, '/docs'), status: 400, message: /^\/label is / });
  for (const url of ['', 'no URL', 'javascript:alert(1)', 'https://'])
    refuses(checked, 'spaces.add-sidebar-link', { ...link('Docs', url), status: 400, message: /^\/url is / });
  for (const url of ['https://example.com', 'HTTP://a/b?c', '/', '/display/ds'])
    accepts(checked, 'spaces.add-sidebar-link', link('Docs', url), [
      { type: 'sidebar-link-added', space: 'ds', label: 'Docs', url },
    ]);
});
