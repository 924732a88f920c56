// Each reading of the gaps about the contents of a request: fields, parameters, content type, expand.
import { expect } from 'chai';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import { ask, type Question } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, messageOf, teamWith } from '../../support/worlds/judge.js';
import { operationIds, ppfIds, validQuestions, withBody } from '../../support/worlds/valid.js';

type Fields = Record<string, unknown>;
const bodies = withBody.filter(id => !Array.isArray(validQuestions[id].json));
const wikiBodies = bodies.filter(id => !id.startsWith('ppf.'));

function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));
}

const whollyEmpty = { 'missing-field': 'empty', 'missing-list': 'empty' } as const;

describe('gaps missing-field and missing-list', () => {
  for (const id of wikiBodies) {
    const fields = validQuestions[id].json as Fields;
    for (const name of Object.keys(fields)) {
      const gap = Array.isArray(fields[name]) ? 'missing-list' : 'missing-field';
      it(`${gap}=400: ${id} without ${name} is refused`, () => {
        expectRefused(ask(id, { ...validQuestions[id], json: without(fields, name) }), {
          status: 400,
          code: gap,
          message: new RegExp(`^The body lacks "${name}"; expected `),
          gaps: { [gap]: '400' },
        });
      });

      it(`${gap}=empty: ${id} without ${name} takes it as empty`, () => {
        const missing = ask(id, {
          ...validQuestions[id],
          json: without(fields, name),
          readings: { [gap]: 'empty' },
        });
        const empty = Array.isArray(fields[name]) ? [] : '';
        const sent = ask(id, { ...validQuestions[id], json: { ...fields, [name]: empty } });
        expect(missing.response).to.deep.equal(sent.response);
        expect(missing.facts).to.deep.equal(sent.facts);
        expect(missing.gaps).to.deep.equal({ [gap]: 'empty', ...sent.gaps });
      });
    }

    it(`missing-field=400, missing-list=400: ${id} without a body is refused`, () => {
      const { json: _, ...rest } = validQuestions[id];
      const isList = Object.values(fields).every(Array.isArray);
      const hasLists = Object.values(fields).some(Array.isArray);
      expectRefused(ask(id, rest), {
        status: 400,
        code: isList ? 'lists-absent' : 'body-absent',
        message: /^There is no body with ".+": send one as application\/json\.$/,
        gaps: { ...(!isList && { 'missing-field': '400' }), ...(hasLists && { 'missing-list': '400' }) },
      });
    });

    it(`missing-field=empty, missing-list=empty: ${id} treats a missing body as {}`, () => {
      const { json: _, ...rest } = validQuestions[id];
      expect(ask(id, { ...rest, readings: whollyEmpty }).response).to.deep.equal(
        ask(id, { ...rest, json: {}, readings: whollyEmpty }).response,
      );
    });
  }

  it('missing-list=400: a missing list does not hide what else is wrong, at the name that was sent', () => {
    const question = { params: { pageId: '65601' }, json: { group: 'customers' } };
    const asked = ask('permissions.all-remove', question);
    expectRefused(asked, {
      status: 400,
      code: 'missing-list',
      message: /^The body lacks "users"; expected groups, users; \/group must be a list, not the text "customers"\.$/,
    });
    const messages = ask('permissions.all-remove', { ...question, readings: { 'wiki-error-body': 'messages' } }).reply;
    expect((messages as { messages: string[] }).messages).to.have.length(2);
  });

  const inPage = validQuestions['spaces.replace-in-page'];
  const ofElements = (json: unknown, readings = {}) => ask('spaces.replace-in-page', { ...inPage, json, readings });

  it('missing-field=400: all errors of a list are reported, each at its place', () => {
    const whole = { oldText: 'a', newText: 'b' };
    const json = [whole, { oldText: 'a' }, { newText: 7 }, whole, {}, 'text'];
    expectRefused(ofElements(json), {
      status: 400,
      code: 'missing-field',
      message: new RegExp(
        [
          '^/1 lacks "newText"; expected oldText, newText',
          '/2 lacks "oldText"; expected oldText, newText',
          '/4 lacks "oldText", "newText"; expected oldText, newText',
          '/2/newText must be text, not the number 7',
          '/5 must be an object, not the text "text"\\.$',
        ].join('; '),
      ),
    });
    const messages = ofElements(json, { 'wiki-error-body': 'messages' }).reply;
    expect((messages as { messages: string[] }).messages).to.have.length(5);
  });

  it('missing-field=400: of more than five errors of a list, five are reported and the others counted', () => {
    const { message } = ofElements(Array(2_000).fill({ oldText: 'a' })).reply as { message: string };
    const each = [0, 1, 2, 3, 4].map(i => `/${i} lacks "newText"; expected oldText, newText`);
    expect(message).to.equal(`${each.join('; ')}; and 1995 more.`);
  });

  it('unknown-field=400: the first wrong element decides the refusal, and all are reported', () => {
    const odd = { oldText: 'a', newText: 'b', x: 1 };
    const readings = { 'unknown-field': '400' };
    expectRefused(ofElements([odd, { oldText: 'a' }], readings), {
      status: 400,
      code: 'unknown-field',
      message: '/0 has "x"; expected oldText, newText; /1 lacks "newText"; expected oldText, newText.',
    });
    expectRefused(ofElements([{ oldText: 'a' }, odd], readings), {
      status: 400,
      code: 'missing-field',
      message: '/0 lacks "newText"; expected oldText, newText; /1 has "x"; expected oldText, newText.',
    });
  });

  it('missing-list=empty: permissions with one list alone', () => {
    const question = { params: { pageId: '65601' }, readings: { 'missing-list': 'empty' } } as const;
    const asked = ask('permissions.edit-add', { ...question, json: { users: ['alice'] } });
    expect(asked.form.pages['65601']?.edit).to.deep.equal({ users: ['alice'], groups: [] });
    expectDone(ask('permissions.edit-add', { ...question, json: {} }), []);
    expectDone(ask('permissions.all-remove', { ...question }), []);
  });

  it('missing-list=empty: set-users without users leaves the group empty', () => {
    const readings = { 'missing-list': 'empty' } as const;
    const asked = ask('groups.set-users', { json: { group: 'team-members' }, readings });
    expect(asked.form.groups['team-members']).to.deep.equal([]);
    expect(asked.gaps).to.include({ 'missing-list': 'empty', 'set-users-empty': 'clears' });
  });

  for (const id of ['spaces.copy', 'spaces.is-unique', 'spaces.replace-in-page'] as const) {
    const query = validQuestions[id].query as Record<string, string>;
    for (const name of Object.keys(query)) {
      const left = without(query, name) as Record<string, string>;
      it(`missing-parameter=400: ${id} without the parameter ${name} is refused`, () => {
        expectRefused(ask(id, { ...validQuestions[id], query: left }), {
          status: 400,
          code: 'missing-parameter',
          message: `The query lacks ${name}; expected ${Object.keys(query).join(', ')}.`,
          gaps: { 'missing-parameter': '400' },
        });
      });

      it(`missing-parameter=empty: ${id} without the parameter ${name} takes it as empty, or as false`, () => {
        const readings = { 'missing-parameter': 'empty' } as const;
        const missing = ask(id, { ...validQuestions[id], query: left, readings });
        const empty = name === 'removeAdminPermissions' || name === 'keepPagesMetadata' ? 'false' : '';
        const sent = ask(id, { ...validQuestions[id], query: { ...query, [name]: empty } });
        expect(missing.response).to.deep.equal(sent.response);
        expect(missing.facts).to.deep.equal(sent.facts);
        expect(missing.gaps).to.include({ 'missing-parameter': 'empty' });
      });
    }
  }

  it('missing-parameter=copy-options: only targetSpaceAdmin and the booleans of a copy may be left out', () => {
    const readings = { 'missing-parameter': 'copy-options' } as const;
    for (const id of ['spaces.copy', 'spaces.is-unique', 'spaces.replace-in-page'] as const) {
      const query = validQuestions[id].query as Record<string, string>;
      for (const name of Object.keys(query)) {
        const left = without(query, name) as Record<string, string>;
        const asked = ask(id, { ...validQuestions[id], query: left, readings });
        const isOption = ['targetSpaceAdmin', 'removeAdminPermissions', 'keepPagesMetadata'].includes(name);
        expect(asked.refused, name).to.equal(isOption ? undefined : 'missing-parameter');
      }
    }
    const asked = ask('spaces.copy', { query: { sourceSpaceKey: 'tmpl' }, readings });
    expect(asked.reply).to.deep.include({
      message: `The query lacks targetSpaceKey, targetSpaceTitle; expected ${Object.keys(validQuestions['spaces.copy'].query ?? {}).join(', ')}.`,
    });
  });

  it('missing-field=empty: replacing without a list replaces nothing, and an element without newText removes text', () => {
    const readings = { 'missing-field': 'empty' } as const;
    const { query } = validQuestions['spaces.replace-in-page'];
    const id = 'spaces.replace-in-page';
    expectDone(ask(id, { ...(query && { query }), readings }), []);
    const json = [{ oldText: 'Hello, ' }];
    expect(ask(id, { ...(query && { query }), json, readings }).form.pages['65601']?.body).to.equal('<p>wiki.</p>');
    expect(ask(id, { ...(query && { query }), json: [{ newText: 'x' }], readings }).refused).to.equal('old-text-empty');
  });

  it('missing-field: does not affect push and pull, as the document says what they need', () => {
    for (const id of ppfIds) {
      for (const reading of ['400', 'empty'] as const) {
        const asked = ask(id, { json: { users: ['alice'] }, readings: { 'missing-field': reading } });
        expect(asked.refused).to.equal('ppf-no-item');
        expect(asked.gaps).not.to.have.property('missing-field');
      }
    }
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

    it(`${gap}=400: ${id} refuses it by name and place`, () => {
      const asked = ask(id, { ...valid, json: more({ colour: 'red' }), readings: { [gap]: '400' } });
      expectRefused(asked, {
        status: 400,
        code: gap,
        message: /^(The body|\/0) has "colour"; expected /,
        gaps: { [gap]: '400' },
      });
    });

    it(`${gap}: is not named if ${id} knows every field`, () => {
      expect(ask(id, { ...valid, readings: { [gap]: '400' } }).status).to.equal(200);
    });
  }
});

describe('gap content-type', () => {
  const others = [
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'json',
    'application/vnd.api+json',
  ];
  for (const id of withBody) {
    it(`content-type=lenient: ${id} reads JSON under any content type`, () => {
      for (const contentType of others) {
        const asked = ask(id, { ...validQuestions[id], contentType });
        expect(asked.status).to.equal(200);
        expect(asked.gaps).to.include({ 'content-type': 'lenient' });
      }
    });

    it(`content-type=415: ${id} refuses JSON under another content type`, () => {
      for (const contentType of others) {
        const asked = ask(id, { ...validQuestions[id], contentType, readings: { 'content-type': '415' } });
        const called = contentType === '' ? 'no content type' : `the content type ${JSON.stringify(contentType)}`;
        expectRefused(asked, {
          status: 415,
          code: 'body-content-type',
          message: `The body has ${called}: send application/json.`,
          gaps: { 'content-type': '415' },
        });
      }
    });
  }

  it('content-type: is not named for any of the JSON types, nor if no body is read', () => {
    const names = ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"'];
    for (const contentType of names) {
      const asked = ask('ppf.push', {
        ...validQuestions['ppf.push'],
        contentType,
        readings: { 'content-type': '415' },
      });
      expect(asked.status).to.equal(200);
      expect(asked.gaps).not.to.have.property('content-type');
    }
    const copy = ask('spaces.copy', {
      ...validQuestions['spaces.copy'],
      contentType: '',
      readings: { 'content-type': '415' },
    });
    expect(copy.status).to.equal(200);
  });
});

describe('gap expand-unknown', () => {
  const withExpand = (id: OperationId): Question => {
    const { query = {} } = validQuestions[id];
    return { ...validQuestions[id], query: { ...(query as Record<string, string>), expand: 'space,body.view' } };
  };
  for (const id of operationIds) {
    it(`expand-unknown=ignore: ${id} answers as without it, and reports the requested names`, () => {
      const asked = ask(id, withExpand(id));
      const plain = ask(id, validQuestions[id]);
      expect(asked.response).to.deep.equal(plain.response);
      expect(asked.expand).to.deep.equal(['space', 'body.view']);
      expect(asked.gaps).to.deep.equal({ 'expand-unknown': 'ignore', ...plain.gaps });
      const ofExpand = asked.rules.filter(rule => rule.startsWith('expand.'));
      expect(ofExpand).to.deep.equal(id.startsWith('ppf.') ? [] : ['expand.list', 'expand.nested']); // they are the wiki's
    });

    it(`expand-unknown=400: ${id} refuses it`, () => {
      const on = teamWith({});
      const asked = ask(id, { ...withExpand(id), on, readings: { 'expand-unknown': '400' } });
      expect(asked.status).to.equal(400);
      expect(asked.refused).to.equal('unknown-expand');
      expect(messageOf(asked)).to.equal(
        'expand asks for "space", "view" inside "body": this response has nothing to expand.',
      );
      expect(asked.gaps).to.include({ 'expand-unknown': '400' });
      expect(asked.world).to.equal(on);
    });
  }
});

describe('gap empty-lists', () => {
  const pageId = '65601';
  const changing: ReadonlyArray<readonly [OperationId, Question, string]> = [
    ['groups.add-users', { json: { group: 'customers', users: [] } }, '/users is empty: name at least one.'],
    ['groups.remove-users', { json: { group: 'customers', users: [] } }, '/users is empty: name at least one.'],
    ...(['edit-add', 'edit-remove', 'view-add', 'view-remove', 'all-remove'] as const).map(
      name =>
        [
          `permissions.${name}`,
          { params: { pageId }, json: { groups: [], users: [] } },
          '/groups and /users are empty: name at least one.',
        ] as const,
    ),
  ];
  for (const [id, question, message] of changing) {
    it(`empty-lists=ok: ${id} changes nothing`, () => {
      const asked = ask(id, question);
      expectDone(asked, []);
      expect(asked.gaps).to.deep.equal({ 'empty-lists': 'ok', 'wiki-success': 'object' });
    });

    it(`empty-lists=400: ${id} refuses it`, () => {
      const asked = ask(id, { ...question, readings: { 'empty-lists': '400' } });
      expectRefused(asked, { status: 400, code: 'empty-lists', message, gaps: { 'empty-lists': '400' } });
    });
  }

  it('empty-lists=400: one name in either list is enough', () => {
    const json = { groups: ['customers'], users: [] };
    const asked = ask('permissions.edit-add', { params: { pageId }, json, readings: { 'empty-lists': '400' } });
    expect(asked.status).to.equal(200);
    expect(asked.gaps).not.to.have.property('empty-lists');
  });
});
