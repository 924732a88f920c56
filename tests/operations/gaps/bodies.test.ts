// Each reading of the gaps about bodies: fields that are missing, null, unknown or of another type, long lists. The content type: tests/http/bad-input/content-type.test.ts.
import { expect } from 'chai';
import { ask } from '../../support/worlds/ask.js';
import { ppfIds, validQuestions, withBody } from '../../support/worlds/valid.js';
import { accepts, refuses } from './gap-tests.js';

type Fields = Readonly<Record<string, unknown>>;
const withFields = withBody.filter(id => !id.startsWith('ppf.') && !Array.isArray(validQuestions[id].json));
const inPage = validQuestions['spaces.replace-in-page'];
const welcome = { params: { pageId: '65601' } };
const added = { type: 'group-member-added', group: 'customers', user: 'alice' } as const;

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));
}

describe('gaps missing-field and missing-list', () => {
  for (const id of withFields) {
    const { json, ...bodiless } = validQuestions[id];
    const fields = json as Fields;
    for (const [name, value] of Object.entries(fields)) {
      const gap = Array.isArray(value) ? 'missing-list' : 'missing-field';
      const missing = { ...bodiless, json: without(fields, name) };
      refuses({ [gap]: '400' }, id, {
        ...missing,
        code: gap,
        message: new RegExp(`^Missing field "${name}"\\.`),
      });

      it(`${gap}=empty: ${id} without ${name} takes it as empty`, () => {
        const asked = ask(id, { ...missing, readings: { [gap]: 'empty' } });
        const sent = ask(id, { ...bodiless, json: { ...fields, [name]: Array.isArray(value) ? [] : '' } });
        expect(asked.response).to.deep.equal(sent.response);
        expect(asked.facts).to.deep.equal(sent.facts);
      });
    }

    const kinds = Object.values(fields).map(value => (Array.isArray(value) ? 'missing-list' : 'missing-field'));
    const isLists = !kinds.includes('missing-field');
    refuses(Object.fromEntries(kinds.map(gap => [gap, '400'])), id, {
      ...bodiless,
      code: isLists ? 'lists-absent' : 'body-absent',
      message: /^The body is missing: send a JSON object with ".+" as application\/json\.$/,
    });

    it(`missing-field=empty, missing-list=empty: ${id} treats a missing body as {}`, () => {
      const question = { ...bodiless, readings: { 'missing-field': 'empty', 'missing-list': 'empty' } } as const;
      expect(ask(id, question).response).to.deep.equal(ask(id, { ...question, json: {} }).response);
    });
  }

  const empty = { 'missing-list': 'empty' } as const;
  accepts(empty, 'permissions.edit-add', { ...welcome, json: { users: ['alice'] } }, [
    { type: 'page-permission-added', page: '65601', permission: 'edit', users: ['alice'], groups: [] },
  ]);
  accepts(empty, 'permissions.all-remove', welcome, []);
  accepts(empty, 'groups.set-users', { json: { group: 'team-members' } }, [
    { type: 'group-members-set', group: 'team-members', users: [] },
  ]);

  const { json: _, ...noList } = inPage;
  accepts({ 'missing-field': 'empty' }, 'spaces.replace-in-page', noList, []);
  it('missing-field=empty: an element without newText removes text, and one without oldText is refused', () => {
    const replace = (json: unknown) =>
      ask('spaces.replace-in-page', { ...inPage, json, readings: { 'missing-field': 'empty' } });
    expect(replace([{ oldText: 'Hello, ' }]).form.pages['65601']?.body).to.equal('<p>wiki.</p>');
    expect(replace([{ newText: 'x' }]).refused).to.equal('old-text-empty');
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
  const odd = { ...whole, x: 1 };
  const lacks = { oldText: 'a' };

  refuses({ 'missing-list': '400', 'field-type': '400' }, 'permissions.all-remove', {
    ...welcome,
    json: { group: 'customers' },
    message: 'Missing field "users"; /group must be a list, not "customers".',
    gaps: { 'all-group-field': 'groups-or-group', 'field-type': '400', 'missing-list': '400' },
  });
  refuses({ 'missing-field': '400' }, 'spaces.replace-in-page', {
    ...inPage,
    json: [whole, lacks, { newText: 7 }, whole, {}, 'text'],
    message: [
      'Missing field "newText" in /1',
      'missing field "oldText" in /2',
      'missing fields "oldText" and "newText" in /4',
      '/2/newText must be a string, not 7',
      '/5 must be an object, not "text".',
    ].join('; '),
    gaps: { 'field-type': '400', 'missing-field': '400' },
  });
  refuses({ 'missing-field': '400' }, 'spaces.replace-in-page', {
    ...inPage,
    json: Array(900).fill(lacks),
    message: `${[0, 1, 2, 3, 4].map(i => `${i === 0 ? 'M' : 'm'}issing field "newText" in /${i}; `).join('')}and 895 more.`,
  });
  const both = { 'unknown-field': '400', 'missing-field': '400' } as const;
  refuses(both, 'spaces.replace-in-page', {
    ...inPage,
    json: [odd, lacks],
    code: 'unknown-field',
    message: 'Unknown field "x" in /0: expected oldText or newText; missing field "newText" in /1.',
  });
  refuses(both, 'spaces.replace-in-page', {
    ...inPage,
    json: [lacks, odd],
    code: 'missing-field',
    message: 'Missing field "newText" in /0; unknown field "x" in /1: expected oldText or newText.',
  });

  it('are one message each under wiki-error-body=messages', () => {
    const asked = ask('permissions.all-remove', {
      ...welcome,
      json: { group: 'customers' },
      readings: { 'wiki-error-body': 'messages' },
    });
    expect(asked.reply).to.have.property('messages').with.lengthOf(2);
  });
});

describe('gap all-group-field', () => {
  refuses({ 'all-group-field': 'groups-or-group' }, 'permissions.all-remove', {
    ...welcome,
    json: { users: [], group: 'customers' },
    status: 400,
    code: 'body-shape',
    message: '/group must be a list, not "customers".',
    gaps: { 'all-group-field': 'groups-or-group', 'field-type': '400' },
  });
});

describe('gaps unknown-field and ppf-unknown-field', () => {
  for (const id of withBody) {
    const valid = validQuestions[id];
    const gap = id.startsWith('ppf.') ? 'ppf-unknown-field' : 'unknown-field';
    const more = (field: Fields) =>
      Array.isArray(valid.json) ? [{ ...valid.json[0], ...field }] : { ...(valid.json as Fields), ...field };

    it(`${gap}=ignore: ${id} ignores an unknown field`, () => {
      const asked = ask(id, { ...valid, json: more({ colour: 'red', Users: [] }) });
      const plain = ask(id, valid);
      expect(asked.response).to.deep.equal(plain.response);
      expect(asked.facts).to.deep.equal(plain.facts);
      expect(asked.gaps).to.deep.equal({ [gap]: 'ignore', ...plain.gaps });
    });

    refuses({ [gap]: '400' }, id, {
      ...valid,
      json: more({ colour: 'red' }),
      message: /^Unknown field "colour"( in \/0)?: expected /,
    });
  }
});

describe('gap null-field', () => {
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
    message: 'Missing field "users".',
    gaps: { 'null-field': 'absent', 'missing-list': '400' },
  });

  it('null-field=absent: the other list of push is enough', () => {
    const push = (json: object) => ask('ppf.push', { json, readings: { 'null-field': 'absent' } });
    expect(push({ users: null, groups: ['customers'], filters: [10500] }).reply).to.have.property('success', true);
    expect(push({ users: null, filters: [10500] }).refused).to.equal('ppf-no-recipient');
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

  const pushed = { type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice'] } as const;
  const scalars = { 'field-type': 'scalars' } as const;
  accepts(scalars, 'ppf.push', { json: { users: ['alice', 7, true], filters: ['10500'] } }, [pushed], {
    success: false,
    messages: ['Could not find user with name 7', 'Could not find user with name true'],
  });

  it('field-type=scalars: a number replaces text', () => {
    const asked = ask('spaces.replace-in-page', {
      ...inPage,
      json: [{ oldText: 'wiki', newText: 1 }],
      readings: scalars,
    });
    expect(asked.form.pages['65601']?.body).to.equal('<p>Hello, 1.</p>');
  });

  const all = { 'field-type': 'all' } as const;
  accepts(
    all,
    'ppf.push',
    { json: { users: 'alice', groups: 7, filters: '10500', dashboards: 11000 } },
    [pushed, { ...pushed, item: 'dashboards', ids: [11000] }],
    {
      success: false,
      messages: ['Could not find group with name 7'],
    },
  );
  accepts(all, 'permissions.view-add', { ...welcome, json: { users: 'alice', groups: 'customers' } }, [
    { type: 'page-permission-added', page: '65601', permission: 'view', users: ['alice'], groups: ['customers'] },
  ]);
  accepts(
    all,
    'permissions.all-remove',
    { ...welcome, json: { users: [], groups: 'customers', group: 'team-members' } },
    [],
  );

  const filters = [10500];
  const refused: Readonly<Record<'scalars' | 'all', readonly object[]>> = {
    scalars: [
      ...['10500', ['ten'], ['1e3'], [' 1'], [10500.5], [true], ['']].map(filters => ({ users: ['alice'], filters })),
      ...['alice', [null], [['alice']], [{}], {}].map(users => ({ users, filters })),
    ],
    all: [{}, ['a', ['b']], [[]]].map(users => ({ users, filters })),
  };
  for (const reading of ['scalars', 'all'] as const)
    for (const json of refused[reading])
      it(`field-type=${reading}: ${JSON.stringify(json)} is refused (400)`, () => {
        expect(ask('ppf.push', { json, readings: { 'field-type': reading } }).refused).to.equal('body-shape');
      });

  it('field-type=all: an object is not a list of replacements', () => {
    const asked = ask('spaces.replace-in-page', { ...inPage, json: { oldText: 'wiki', newText: 'x' }, readings: all });
    expect(asked.refused).to.equal('body-shape');
  });

  it('field-type=all: numbers become the text that was sent, and long ids keep their digits', () => {
    const text =
      '{"users": 1.50, "groups": [9007199254740993], "filters": 9007199254740993, "dashboards": "9007199254740995"}';
    const body = { kind: 'json', value: JSON.parse(text), text } as const;
    expect(ask('ppf.push', { body, readings: all }).reply).to.deep.include({
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
  const users = Array.from({ length: 1001 }, () => 'alice');
  const members = { json: { group: 'customers', users } };
  accepts({ 'list-limit': 'none' }, 'groups.add-users', members, [added]);
  accepts({ 'list-limit': '1000' }, 'groups.add-users', { json: { group: 'customers', users: users.slice(1) } }, [
    added,
  ]);
  refuses({ 'list-limit': '1000' }, 'groups.add-users', {
    ...members,
    status: 400,
    message: 'The list /users has 1001 elements; expected at most 1000.',
  });
  const pairs = users.map(oldText => ({ oldText, newText: 'y' }));
  refuses({ 'list-limit': '1000' }, 'spaces.replace-in-page', {
    ...inPage,
    json: pairs,
    status: 400,
    message: 'The list has 1001 elements; expected at most 1000.',
  });
});

describe('gap sidebar-link-form', () => {
  const link = (label: string, url: string) => ({ json: { spaceKey: 'ds', label, url } });
  const checked = { 'sidebar-link-form': 'checked' } as const;
  for (const [label, url] of [
    ['', 'https://example.com/'],
    [' ', '/docs'],
    ['Docs', ''],
    ['Docs', 'no URL'],
    ['Docs', 'javascript:alert(1)'],
    ['Docs', 'https://'],
  ] as const) {
    accepts({ 'sidebar-link-form': 'any' }, 'spaces.add-sidebar-link', link(label, url), [
      { type: 'sidebar-link-added', space: 'ds', label, url },
    ]);
    refuses(checked, 'spaces.add-sidebar-link', {
      ...link(label, url),
      status: 400,
      code: 'sidebar-link-form',
      message:
        label.trim() === ''
          ? /^\/label is /
          : `/url is "${url}": send a URL of http or https, or a path that begins with a slash.`,
    });
  }
  for (const url of ['https://example.com', 'HTTP://a/b?c', '/', '/display/ds'])
    accepts(checked, 'spaces.add-sidebar-link', link('Docs', url), [
      { type: 'sidebar-link-added', space: 'ds', label: 'Docs', url },
    ]);
});
