// Spaces: which keys and names are taken and how the response says so, sidebar links with a taken label, and the admins and limits of a copy.
import { expect } from 'chai';
import type { Reading } from '../../../server/operations/gaps/gaps.js';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';
import { accepts, refuses } from '../gaps/gap-tests.js';

describe('spaces.is-unique', () => {
  const id = 'spaces.is-unique';
  const query = (spaceKey: string, spaceName: string) => ({ spaceKey, spaceName });
  const taken = query('ds', 'Demonstration Space');

  it('keys such as __proto__ and constructor are free until such a space exists', () => {
    for (const key of ['__proto__', 'constructor', '']) {
      expectDone(ask(id, { query: query(key, key) }), [], true);
      const on = teamWith({ spaces: Object.fromEntries([[key, { name: key }]]) });
      expectDone(ask(id, { on, query: query(key, 'else') }), [], false);
    }
  });

  const unique: Readonly<Record<Reading<'is-unique-match'>, readonly boolean[]>> = {
    either: [true, false, false, false, false],
    both: [true, false, true, true, true],
    'key-only': [true, false, false, true, false],
  };
  const queries = [
    ['new', 'New'],
    ['ds', 'Demonstration Space'],
    ['ds', 'Other'],
    ['new', 'Template Space'],
    ['ds', 'Template Space'],
  ];
  it('is-unique-match: by key and name, key alone, name alone, and those of two spaces', () => {
    for (const [reading, expected] of Object.entries(unique)) {
      const readings = { 'is-unique-match': reading as Reading<'is-unique-match'> };
      const replies = queries.map(([key = '', name = '']) => ask(id, { query: query(key, name), readings }).reply);
      expect(replies, reading).to.deep.equal(expected);
    }
  });

  const exists = 'A space with the key "ds" or the name "Demonstration Space" exists.';
  const responses: [Reading<'is-unique-answer'>, free: unknown, taken: unknown][] = [
    ['boolean', true, false],
    ['inverted', false, true],
    ['object', { unique: true }, { unique: false }],
    ['exists', { exists: false }, { exists: true }],
    ['messages', { success: true, messages: [] }, { success: false, messages: [exists] }],
  ];
  it('is-unique-answer: says in each form whether it is free', () => {
    for (const [reading, whenFree, whenTaken] of responses) {
      const readings = { 'is-unique-answer': reading };
      expectDone(ask(id, { query: query('new', 'New'), readings }), [], whenFree);
      expectDone(ask(id, { query: taken, readings }), [], whenTaken);
    }
  });

  const rules = ['spaces.is-unique'];
  const found = { 'is-unique-answer': 'found' } as const;
  accepts(found, id, { query: taken }, [], {});
  refuses({ ...found, 'is-unique-match': 'either' }, id, {
    query: query('new', 'New'),
    status: 404,
    code: 'not-taken',
    message: 'No space with the key "new" or the name "New" exists.',
    rules,
  });
  const status = { 'is-unique-answer': 'status' } as const;
  accepts(status, id, { query: query('new', 'New') }, [], {});
  for (const [match, message] of [
    ['either', exists],
    ['both', exists.replace('or', 'and')],
    ['key-only', 'A space with the key "ds" exists.'],
  ] as const)
    refuses({ ...status, 'is-unique-match': match }, id, {
      query: taken,
      status: 409,
      code: 'not-unique',
      message,
      rules,
    });
});

describe('spaces.add-sidebar-link', () => {
  const id = 'spaces.add-sidebar-link';
  const json = { spaceKey: 'ds', label: 'Handbook', url: '/handbook' };
  const links = ['Handbook', 'News', 'Handbook'].map((label, i) => ({ label, url: `/old${i}` }));
  const on = teamWith({ spaces: { ds: { name: 'Demonstration Space', admins: ['admin'], sidebar: links } } });
  const added = { label: json.label, url: json.url };
  it('sidebar-duplicate=append, sidebar-duplicate=replace: is the last link, or the first of its label', () => {
    for (const [reading, sidebar] of [
      ['append', [...links, added]],
      ['replace', [added, links[1]]],
    ] as const) {
      const { form } = ask(id, { on, json, readings: { 'sidebar-duplicate': reading } });
      expect(form.spaces.ds?.sidebar).to.deep.equal(sidebar);
    }
  });
  refuses({ 'sidebar-duplicate': '409' }, id, { on, json });

  it('sidebar-duplicate: does not decide about another label, case or space', () => {
    for (const other of [{ label: 'Other' }, { label: 'handbook' }, { spaceKey: 'tmpl' }])
      for (const reading of ['replace', '409'] as const) {
        const { facts } = ask(id, { on, json: { ...json, ...other }, readings: { 'sidebar-duplicate': reading } });
        expect(facts).to.have.nested.property('[0].type', 'sidebar-link-added');
      }
  });

  refuses({ 'null-field': '400', 'field-type': '400' }, id, {
    json: { ...json, label: null, url: 7 },
    code: 'body-shape',
    message: '/label must be a string, not null; /url must be a string, not 7.',
    rules: ['spaces.sidebar-link'],
  });
});

describe('spaces.copy', () => {
  const id = 'spaces.copy';
  const query = {
    sourceSpaceKey: 'tpl',
    targetSpaceKey: 'APOLLO',
    targetSpaceTitle: 'Apollo',
    targetSpaceAdmin: 'alice',
    removeAdminPermissions: 'false',
    keepPagesMetadata: 'true',
  };
  const on = teamWith({ spaces: { tpl: { name: 'Template', admins: ['carol'] } } });

  it('spaces.copy-remove-admin: true in any case removes the admin of the copy, and no other', () => {
    for (const [targetSpaceAdmin, removeAdminPermissions, admins] of [
      ['carol', 'TRUE', []],
      ['alice', 'true', ['carol']],
      ['carol', 'False', ['carol']],
    ] as const) {
      const { form, rules } = ask(id, { on, query: { ...query, targetSpaceAdmin, removeAdminPermissions } });
      expect(rules.includes('spaces.copy-remove-admin')).to.equal(removeAdminPermissions !== 'False');
      expect(form.spaces.APOLLO?.admins).to.deep.equal(admins);
      expect(form.spaces.tpl?.admins).to.deep.equal(['carol']);
    }
  });

  it('copies at most 20,000 pages', () => {
    const pages = Array.from({ length: 20_001 }, (_, i) => [String(80_000 + i), { space: 'big', title: `T${i}` }]);
    const big = teamWith({ spaces: { big: {} }, pages: Object.fromEntries(pages) });
    const message = /has 20001 pages, but this fake copies at most 20000\./;
    const asked = ask(id, { on: big, query: { ...query, sourceSpaceKey: 'big' } });
    expectRefused(asked, { status: 413, code: 'too-much-at-once', message, on: big });
  });
});
