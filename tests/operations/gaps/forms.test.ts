// Each reading of the gaps about unusual requests: null, unknown parameters, long lists, odd addresses, forbidden and invalid ones, and texts.
import { expect } from 'chai';
import { noQuery } from '../../../server/engine/request/request.js';
import { runStages } from '../../../server/engine/request/stages/run-stages.js';
import { locate } from '../../../server/operations/address.js';
import { endpoints } from '../../../server/operations/catalog/bindings.js';
import { defaultReadings, layReadings, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { ask, smallTeam } from '../../support/worlds/ask.js';
import { expectRefused, messageOf, teamWith } from '../../support/worlds/judge.js';
import { validQuestions } from '../../support/worlds/valid.js';

const nobody = { group: 'customers', users: [] };
const inPage = { query: { spaceKey: 'ds', pageTitle: 'Welcome' } };

describe('gap null-field', () => {
  it('null-field=400: null is refused at its name', () => {
    expectRefused(ask('groups.add-users', { json: { group: 'customers', users: null } }), {
      status: 400,
      code: 'body-shape',
      message: '/users must be a list, not null.',
      gaps: { 'null-field': '400' },
    });
  });

  it('null-field=absent: null counts as a missing field', () => {
    const absent = { 'null-field': 'absent' } as const;
    const json = { users: null, groups: ['customers'], filters: [10500] };
    expect(ask('ppf.push', { json, readings: absent }).reply).to.deep.equal({ success: true, messages: [] });
    const left = ask('groups.add-users', { json: { group: 'customers', users: null }, readings: absent });
    expect(left.refused).to.equal('missing-list');
    const { groups, ...rest } = json;
    expect(groups).to.have.length(1);
    expect(ask('ppf.push', { json: rest, readings: absent }).refused).to.equal('ppf-no-recipient');
  });
});

describe('gap field-type', () => {
  const push = (json: unknown, reading: 'scalars' | 'all') =>
    ask('ppf.push', { json, readings: { 'field-type': reading } });
  const replace = (json: unknown, reading: 'scalars' | 'all') =>
    ask('spaces.replace-in-page', { ...inPage, json, readings: { 'field-type': reading } });

  it('field-type=400: values of another type are refused at their names', () => {
    expectRefused(ask('ppf.push', { json: { users: 'alice', groups: [7], filters: ['10500'] } }), {
      status: 400,
      code: 'body-shape',
      message:
        '/users must be a list, not the text "alice".\n/groups/0 must be text, not the number 7.\n/filters/0 must be a whole number, not the text "10500".',
      gaps: { 'field-type': '400' },
    });
  });

  it('field-type=scalars: numbers and booleans count as text, digits as a number', () => {
    const { reply, gaps, form } = push({ users: ['alice', 7, true], filters: ['10500'] }, 'scalars');
    expect(reply).to.deep.equal({
      success: false,
      messages: ['Could not find user with name 7', 'Could not find user with name true'],
    });
    expect([form.favourites.alice?.filters, gaps['field-type']]).to.deep.equal([[10500], 'scalars']);
    expect(replace([{ oldText: 'wiki', newText: 1 }], 'scalars').form.pages['65601']?.body).to.equal(
      '<p>Hello, 1.</p>',
    );
    for (const filters of ['10500', ['ten'], ['1e3'], [' 1'], [10500.5], [true], ['']])
      expect(push({ users: ['alice'], filters }, 'scalars').refused, `${filters}`).to.equal('body-shape');
    for (const users of ['alice', [null], [['alice']], [{}], {}])
      expect(push({ users, filters: [10500] }, 'scalars').refused, JSON.stringify(users)).to.equal('body-shape');
  });

  it('field-type=all: a single value counts as a list of one', () => {
    const { reply, form } = push({ users: 'alice', groups: 7, filters: '10500', dashboards: 11000 }, 'all');
    expect(reply).to.deep.equal({ success: false, messages: ['Could not find group with name 7'] });
    expect(form.favourites.alice).to.deep.include({ filters: [10500], dashboards: [11000] });
    const params = { pageId: '65601' };
    const json = { users: [], groups: 'customers', group: 'jira-core-users' };
    const add = ask('permissions.view-add', {
      params,
      json: { ...json, users: 'alice' },
      readings: { 'field-type': 'all' },
    });
    expect(add.form.pages['65601']?.view).to.deep.equal({ users: ['alice'], groups: ['customers'] });
    expect(ask('permissions.all-remove', { params, json, readings: { 'field-type': 'all' } }).status).to.equal(200);
    for (const users of [{}, ['a', ['b']], [[]]])
      expect(push({ users, filters: [10500] }, 'all').refused, JSON.stringify(users)).to.equal('body-shape');
    expect(replace({ oldText: 'wiki', newText: 'x' }, 'all').refused).to.equal('body-shape');
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

describe('gap unknown-parameter', () => {
  const question = { query: { spaceKey: 'GEMINI', spaceName: 'Gemini', colour: 'red' } };

  it('unknown-parameter=ignore: it is ignored', () => {
    const asked = ask('spaces.is-unique', question);
    expect([asked.reply, asked.gaps['unknown-parameter']]).to.deep.equal([true, 'ignore']);
  });

  it('unknown-parameter=400: it is refused by name, on any operation, except for expand', () => {
    const readings = { 'unknown-parameter': '400' } as const;
    expectRefused(ask('spaces.is-unique', { ...question, readings }), {
      status: 400,
      code: 'unknown-parameter',
      message: 'The query has "colour"; expected spaceKey, spaceName.',
      gaps: { 'unknown-parameter': '400' },
    });
    const twice = { ...(question.query as object), size: '1' };
    const several = ask('spaces.is-unique', { ...question, query: twice, readings });
    expect(messageOf(several)).to.equal('The query has "colour", "size"; expected spaceKey, spaceName.');
    const push = { ...validQuestions['ppf.push'], readings };
    expect(ask('ppf.push', { ...push, query: { page: '2' } }).refused).to.equal('unknown-parameter');
    expect(ask('ppf.push', { ...push, query: { expand: 'a' } }).status).to.equal(200);
  });
});

describe('gap query-boolean', () => {
  const perhaps = (readings: SomeReadings) => {
    const query = { ...(validQuestions['spaces.copy'].query as object), removeAdminPermissions: 'perhaps' };
    return ask('spaces.copy', { query, readings });
  };

  it('query-boolean=strict: a value other than true and false is refused', () => {
    expectRefused(perhaps({}), {
      status: 400,
      code: 'query-shape',
      message: 'removeAdminPermissions is "perhaps": it must be true or false.',
      gaps: { 'query-boolean': 'strict' },
    });
    const query = {
      ...(validQuestions['spaces.copy'].query as object),
      removeAdminPermissions: 'a',
      keepPagesMetadata: 'b',
    };
    expect(ask('spaces.copy', { query, readings: { 'wiki-error-body': 'messages' } }).reply).to.deep.equal({
      messages: [
        'removeAdminPermissions is "a": it must be true or false.',
        'keepPagesMetadata is "b": it must be true or false.',
      ],
    });
  });

  it('query-boolean=lenient: it is false', () => {
    const asked = perhaps({ 'query-boolean': 'lenient' });
    expect(asked.status).to.equal(200);
    expect(asked.rules).not.to.include('spaces.copy-remove-admin');
  });
});

describe('gap list-limit', () => {
  const long = { group: 'customers', users: Array.from({ length: 1001 }, () => 'alice') };

  it('list-limit=none: a list of any length is accepted', () => {
    const asked = ask('groups.add-users', { json: long });
    expect([asked.status, asked.gaps['list-limit']]).to.deep.equal([200, 'none']);
  });

  it('list-limit=1000: a longer list is refused, one of that length is not, and only the refusal names the gap', () => {
    const readings = { 'list-limit': '1000' } as const;
    expectRefused(ask('groups.add-users', { json: long, readings }), {
      status: 400,
      code: 'list-limit',
      message: 'The list /users has 1001 elements; expected at most 1000.',
      gaps: { 'list-limit': '1000' },
    });
    const asked = ask('groups.add-users', { json: { ...long, users: long.users.slice(1) }, readings });
    expect([asked.status, asked.gaps['list-limit']]).to.deep.equal([200, undefined]);
    const pairs = Array.from({ length: 1001 }, () => ({ oldText: 'x', newText: 'y' }));
    expectRefused(ask('spaces.replace-in-page', { ...inPage, json: pairs, readings }), {
      status: 400,
      code: 'list-limit',
      message: 'The list has 1001 elements; expected at most 1000.',
      gaps: { 'list-limit': '1000' },
    });
  });
});

describe('gap old-text-empty', () => {
  const json = [
    { oldText: '', newText: 'x' },
    { oldText: 'wiki', newText: 'intranet' },
  ];

  it('old-text-empty=400: it is refused at its place', () => {
    expectRefused(ask('spaces.replace-in-page', { ...inPage, json }), {
      status: 400,
      code: 'old-text-empty',
      message: '/0/oldText is empty: name the text to replace.',
      gaps: { 'old-text-empty': '400' },
    });
  });

  it('old-text-empty=400: each of several is reported', () => {
    const { message } = ask('spaces.replace-in-page', { ...inPage, json: [...json, json[0]] }).reply as {
      message: string;
    };
    expect(message).to.equal(
      '/0/oldText is empty: name the text to replace; /2/oldText is empty: name the text to replace.',
    );
  });

  it('old-text-empty=ignored: its element replaces nothing, the others do', () => {
    const readings = { 'old-text-empty': 'ignored', 'replace-not-found': '404' } as const;
    const asked = ask('spaces.replace-in-page', { ...inPage, json, readings });
    expect(asked.form.pages['65601']?.body).to.equal('<p>Hello, intranet.</p>');
    const missing = [...json, { oldText: 'nowhere', newText: '' }];
    expect(ask('spaces.replace-in-page', { ...inPage, json: missing, readings }).reply).to.deep.include({
      message: '/2/oldText "nowhere" occurs neither in the body nor in the title.',
    });
  });
});

describe('gap replace-permission', () => {
  const page = (lists: object) => teamWith({ pages: { '65601': { space: 'ds', title: 'Welcome', ...lists } } });
  const carols = { users: ['carol'], groups: [] };
  const team = { users: [], groups: ['jira-core-users'] };
  const replace = (on: ReturnType<typeof page>, as: string | null, readings: SomeReadings = {}) =>
    ask('spaces.replace-in-page', { ...inPage, on, as, json: [], readings });

  it('replace-permission=ignored: restrictions do not count', () => {
    const asked = replace(page({ edit: carols }), 'alice');
    expect([asked.status, asked.gaps['replace-permission']]).to.deep.equal([200, 'ignored']);
    expect(replace(page({ edit: carols }), 'carol').gaps).not.to.have.property('replace-permission');
  });

  it('replace-permission=enforced: a page that only others may edit or view counts as missing', () => {
    const enforced = { 'replace-permission': 'enforced' } as const;
    for (const [lists, as, status] of [
      [{ edit: carols }, 'alice', 404],
      [{ edit: carols }, 'admin', 404],
      [{ edit: carols }, null, 404],
      [{ edit: carols }, 'carol', 200],
      [{ edit: team }, 'alice', 200],
      [{ view: carols }, 'alice', 404],
      [{ view: carols }, 'admin', 200],
    ] as const)
      expect(replace(page(lists), as, enforced).status, `${JSON.stringify(lists)} ${as}`).to.equal(status);
  });
});

describe('gap replace-permission, with a status of its own', () => {
  const page = (lists: object) => teamWith({ pages: { '65601': { space: 'ds', title: 'Welcome', ...lists } } });
  const carols = { users: ['carol'], groups: [] };
  const readings = { 'replace-permission': '403' } as const;

  it('replace-permission=403: a visible page that only others may edit is refused with 403', () => {
    const on = page({ edit: carols });
    expectRefused(ask('spaces.replace-in-page', { ...inPage, on, as: 'alice', json: [], readings }), {
      status: 403,
      code: 'page-not-editable',
      message: 'You are not allowed to edit the page "Welcome".',
      gaps: { ...readings, 'wiki-auth': 'open' },
      on,
    });
    expect(ask('spaces.replace-in-page', { ...inPage, on, as: 'carol', json: [], readings }).status).to.equal(200);
  });

  it('replace-permission=403: a hidden page counts as missing', () => {
    const on = page({ edit: carols, view: carols });
    const asked = ask('spaces.replace-in-page', { ...inPage, on, as: 'alice', json: [], readings });
    expect([asked.status, asked.refused]).to.deep.equal([404, 'unknown-page']);
  });
});

describe('gap page-title-case', () => {
  const on = teamWith({
    pages: {
      '65601': { space: 'ds', title: 'Welcome' },
      '65602': { space: 'ds', title: 'Guide' },
    },
  });
  const become = (newText: string, readings: SomeReadings) =>
    ask('spaces.replace-in-page', { ...inPage, on, json: [{ oldText: 'Welcome', newText }], readings });

  it('page-title-case=exact: the title of another page in another case is free', () => {
    const asked = become('GUIDE', { 'page-title-case': 'exact' });
    expect(asked.form.pages['65601']?.title).to.equal('GUIDE');
    expect(asked.gaps).to.include({ 'page-title-case': 'exact' });
  });

  it('page-title-case=ignored: it is taken, as replace-title-clash decides', () => {
    const ignored = { 'page-title-case': 'ignored' } as const;
    expectRefused(become('GUIDE', ignored), {
      status: 409,
      code: 'replace-title-clash',
      message: 'The space "ds" has another page with the title "GUIDE".',
      gaps: { ...ignored, 'replace-title-clash': '409' },
      on,
    });
    expect(become('GUIDE', { ...ignored, 'replace-title-clash': 'allow' }).status).to.equal(200);
    const own = become('WELCOME', ignored);
    expect([own.form.pages['65601']?.title, own.gaps['page-title-case']]).to.deep.equal(['WELCOME', undefined]);
  });
});

describe('gap repeated-parameter', () => {
  const repeated = (readings: SomeReadings, keys = ['free', 'ds']) =>
    ask('spaces.is-unique', { query: `spaceKey=${keys[0]}&spaceKey=${keys[1]}&spaceName=Other`, readings });

  it('repeated-parameter=first: the first value counts', () => {
    expect([repeated({}).reply, repeated({}).gaps['repeated-parameter']]).to.deep.equal([true, 'first']);
  });

  it('repeated-parameter=last: the last value counts', () => {
    expect(repeated({ 'repeated-parameter': 'last' }).reply).to.equal(false);
  });

  it('repeated-parameter=400: it is refused, even with the same value', () => {
    for (const keys of [
      ['free', 'ds'],
      ['ds', 'ds'],
    ])
      expectRefused(repeated({ 'repeated-parameter': '400' }, keys), {
        status: 400,
        code: 'repeated-parameter',
        message: 'The query has "spaceKey" several times: send it once.',
        gaps: { 'repeated-parameter': '400' },
      });
  });
});

describe('gap sidebar-link-form', () => {
  const link = (label: string, url: string, reading: 'any' | 'checked') =>
    ask('spaces.add-sidebar-link', {
      json: { spaceKey: 'ds', label, url },
      readings: { 'sidebar-link-form': reading },
    });
  const odd = [
    ['', 'https://example.com/'],
    [' ', '/docs'],
    ['Docs', ''],
    ['Docs', 'no URL'],
    ['Docs', 'javascript:alert(1)'],
    ['Docs', 'https://'],
  ] as const;

  it('sidebar-link-form=any: any label and URL is added', () => {
    for (const [label, url] of odd) {
      const asked = link(label, url, 'any');
      expect([asked.status, asked.gaps['sidebar-link-form']], url).to.deep.equal([200, 'any']);
    }
  });

  it('sidebar-link-form=checked: an empty label and a URL of another form are refused', () => {
    for (const [label, url] of odd) expect(link(label, url, 'checked').refused, url).to.equal('sidebar-link-form');
    expectRefused(link('Docs', 'javascript:alert(1)', 'checked'), {
      status: 400,
      code: 'sidebar-link-form',
      message: '/url is "javascript:alert(1)": send a URL of http or https, or a path that begins with a slash.',
      gaps: { 'sidebar-link-form': 'checked' },
    });
    for (const url of ['https://example.com', 'HTTP://a/b?c', '/', '/display/ds'])
      expect(link('Docs', url, 'checked').status, url).to.equal(200);
  });
});

describe('gap replaced-title', () => {
  const become = (newText: string, readings: SomeReadings = {}) =>
    ask('spaces.replace-in-page', { ...inPage, json: [{ oldText: 'Welcome', newText }], readings });

  it('replaced-title=400: an empty title and a long one are refused', () => {
    for (const [text, length] of [['', 0] as const, ['x'.repeat(256), 256] as const])
      expectRefused(become(text), {
        status: 400,
        code: 'replaced-title',
        message: `The title would have ${length} characters: expected 1 to 255.`,
        gaps: { 'replaced-title': '400' },
      });
    expect(become('x'.repeat(255)).status).to.equal(200);
  });

  it('replaced-title=allow: both are accepted', () => {
    expect(become('', { 'replaced-title': 'allow' }).form.pages['65601']?.title).to.equal('');
  });
});

describe('gap page-title-shared', () => {
  const two = teamWith({
    pages: {
      '65601': { space: 'ds', title: 'Welcome', body: 'one' },
      '65602': { space: 'ds', title: 'Welcome', body: 'one' },
    },
  });
  const question = { ...inPage, on: two, json: [{ oldText: 'one', newText: 'two' }] };

  it('page-title-shared=first: the first page is meant', () => {
    const { pages } = ask('spaces.replace-in-page', question).form;
    expect([pages['65601']?.body, pages['65602']?.body]).to.deep.equal(['two', 'one']);
  });

  it('page-title-shared=409: the request is refused', () => {
    const asked = ask('spaces.replace-in-page', { ...question, readings: { 'page-title-shared': '409' } });
    expect([asked.refused, asked.facts]).to.deep.equal(['page-title-shared', []]);
  });
});

describe('gap target-title-taken', () => {
  const copy = (readings: SomeReadings) => {
    const query = { ...(validQuestions['spaces.copy'].query as object), targetSpaceTitle: 'Template Space' };
    return ask('spaces.copy', { query, readings });
  };

  it('target-title-taken=allow: two spaces have the title', () => {
    expect(copy({}).status).to.equal(200);
  });

  it('target-title-taken=409: it is refused', () => {
    expectRefused(copy({ 'target-title-taken': '409' }), {
      status: 409,
      code: 'target-title-taken',
      message: 'There is a space with the title "Template Space" already.',
      gaps: { 'target-title-taken': '409' },
    });
  });
});

describe('gap wiki-check-order', () => {
  const neither = { as: null, json: { group: 5, users: [] } };

  it('wiki-check-order=access-first: answers that it is not permitted', () => {
    const asked = ask('groups.add-users', { ...neither, readings: { 'wiki-auth': 'admin' } });
    expect([asked.status, asked.gaps['wiki-check-order']]).to.deep.equal([401, 'access-first']);
  });

  it('wiki-check-order=validation-first: answers that it is invalid, but not that a user is unknown', () => {
    const readings = { 'wiki-auth': 'admin', 'wiki-check-order': 'validation-first' } as const;
    const asked = ask('groups.add-users', { ...neither, readings });
    expect([asked.status, asked.refused]).to.deep.equal([400, 'body-shape']);
    expect(asked.gaps).to.include({ 'wiki-check-order': 'validation-first' }).and.not.have.property('wiki-auth');
    const unknown = { as: null, json: { group: 'customers', users: ['bob'] }, readings };
    expect(ask('groups.add-users', unknown).status).to.equal(401);
    expect(ask('groups.add-users', { as: null, json: nobody, readings }).status).to.equal(401);
  });
});

describe('gaps version-segment and trailing-slash', () => {
  function push(path: string, readings: SomeReadings) {
    const address = locate(path);
    const endpoint = endpoints.find(other => other.family === address?.family && other.path === address.rest);
    return runStages(
      {
        method: 'POST',
        url: path,
        address,
        endpoint,
        params: {},
        query: noQuery,
        credentials: { kind: 'basic', user: 'admin', password: 'admin' },
        contentType: 'application/json',
        body: { kind: 'json', value: { users: ['alice'], filters: [10500] }, text: '' },
      },
      { world: smallTeam, readings: layReadings(defaultReadings, readings), now: '2026-01-05T09:00:00Z' },
    );
  }
  const cases = [
    ['version-segment', '/rest/cwx-ppf/1.0/push', 'latest', 'any', 'version-not-served'],
    ['trailing-slash', '/rest/cwx-ppf/latest/push/', '404', 'accept', 'slash-not-served'],
  ] as const;
  for (const [gap, path, not, served, code] of cases) {
    it(`${gap}=${not}: ${path} does not exist, and the nearest path is named`, () => {
      const refused = push(path, {});
      expect([refused.response.status, refused.refused]).to.deep.equal([404, code]);
      expect(refused.response.body).to.include('the nearest path is /rest/cwx-ppf/latest/push.');
      expect(refused.gaps).to.include({ [gap]: not });
    });

    it(`${gap}=${served}: ${path} is served`, () => {
      const done = push(path, { [gap]: served });
      expect([done.response.status, done.operation]).to.deep.equal([200, 'ppf.push']);
    });
  }
});

describe('gaps error-text and ppf-message-text', () => {
  const unknown = { json: { group: 'customers', users: ['bob'] } };

  it('error-text=detailed: the message names the error', () => {
    expect(ask('groups.add-users', unknown).reply).to.deep.include({ message: 'There is no user named "bob".' });
  });

  it('error-text=other: every text differs, status and shape stay, and an empty body has no text', () => {
    const other = { 'error-text': 'other' } as const;
    expect(ask('groups.add-users', { ...unknown, readings: other }).reply).to.deep.equal({
      statusCode: 404,
      message: 'Request refused: there is no such user.',
      reason: 'Not Found',
    });
    const both = ask('ppf.push', { json: {}, readings: other }).reply as { errorMessages: string[] };
    expect(both.errorMessages).to.have.length(2);
    expect(both.errorMessages[0]).to.match(/^Request refused: /);
    expect(ask('ppf.push', { json: {}, readings: { ...other, 'ppf-error-body': 'empty' } }).reply).to.equal(undefined);
  });

  it('ppf-message-text=vendor, ppf-message-text=other: other words for the same message', () => {
    const json = { users: ['bob', 'alice', 'carol'], filters: [1, 10600] };
    const messagesUnder = (text: 'vendor' | 'other') =>
      ask('ppf.push', { json, readings: { 'ppf-message-text': text, 'ppf-no-change': 'message' } }).reply;
    expect(messagesUnder('vendor')).to.deep.equal({
      success: false,
      messages: [
        'Could not find user with name bob',
        'Could not find filter with id 1',
        'Filter with id 10600 is a favourite already of user with name carol',
      ],
    });
    expect(messagesUnder('other')).to.deep.equal({
      success: false,
      messages: ['No such user: bob', 'No such filter: 1', 'Nothing to do for carol: Filter 10600'],
    });
  });
});
