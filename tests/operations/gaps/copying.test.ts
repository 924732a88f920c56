// Each reading of the gaps about a copied space: its key and title, its admin, what is copied, authors, and the response.
import { expect } from 'chai';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { ask } from '../../support/worlds/ask.js';
import { teamWith } from '../../support/worlds/judge.js';
import { validQuestions } from '../../support/worlds/valid.js';
import { refuses } from './gap-tests.js';

const id = 'spaces.copy';
const long = 'x'.repeat(256);
/** A copy of `tmpl` as `APOLLO` for alice, with other parameters. */
const copy = (more: object = {}) => ({ query: { ...(validQuestions[id].query as object), ...more } });
const copied = (more: object, readings: SomeReadings, rest: object = {}) => {
  const { form, ...asked } = ask(id, { ...rest, ...copy(more), readings });
  const space = form.spaces.APOLLO;
  return { ...asked, space, page: form.pages[String(form.nextPageId - 1)] };
};

describe('gap copy-success', () => {
  for (const [reading, status, body] of [
    ['201', 201, {}],
    ['202', 202, { id: 'APOLLO', links: { status: '/rest/api/longtask/APOLLO' } }],
    ['space', 201, { key: 'APOLLO', name: 'Apollo', type: 'global' }],
  ] as const)
    it(`copy-success=${reading}: the copy is made, and the response is ${status} with ${JSON.stringify(body)}`, () => {
      const asked = copied({}, { 'copy-success': reading });
      expect(asked.status).to.equal(status);
      expect(asked.reply).to.deep.equal(body);
      expect(asked.space?.name).to.equal('Apollo');
    });

  it('copy-success=like-others: wiki-success decides', () => {
    expect(copied({}, { 'wiki-success': 'no-content' }).status).to.equal(204);
  });
});

describe('the key and the title of a copy', () => {
  for (const status of ['409', '400'] as const)
    for (const targetSpaceKey of ['ds', 'tmpl'])
      refuses({ 'target-space-exists': status }, id, {
        ...copy({ targetSpaceKey }),
      });

  const taken = { targetSpaceKey: 'DS', targetSpaceTitle: 'Demonstration Space' };
  it('target-title-taken=allow: a key in another case and the title of another space are accepted', () => {
    expect(ask(id, copy(taken)).form.spaces.DS?.name).to.equal('Demonstration Space');
  });
  refuses({ 'target-title-taken': '409' }, id, {
    ...copy({ targetSpaceTitle: taken.targetSpaceTitle }),
  });

  for (const targetSpaceTitle of ['', long]) {
    it(`space-title-form=any: a title of ${targetSpaceTitle.length} characters is accepted`, () => {
      expect(copied({ targetSpaceTitle }, {}).space?.name).to.equal(targetSpaceTitle);
    });
    refuses({ 'space-title-form': '1-to-255' }, id, {
      ...copy({ targetSpaceTitle }),
      status: 400,
    });
  }

  it('space-title-form=1-to-255: a title of 255 characters is accepted', () => {
    const asked = copied({ targetSpaceTitle: 'ü'.repeat(255) }, { 'space-title-form': '1-to-255' });
    expect(asked.status).to.equal(200);
  });

  for (const targetSpaceKey of [
    '',
    'a b',
    'a-b',
    '~carol',
    'ä',
    'a/b',
    'A'.repeat(256),
    'é',
    '😀',
    'a\n',
    '__proto__',
  ]) {
    const shown = `${JSON.stringify(targetSpaceKey.slice(0, 12))} (${targetSpaceKey.length})`;
    it(`space-key-format=alphanumeric: ${shown} is refused`, () => {
      expect(ask(id, copy({ targetSpaceKey }))).to.deep.include({
        status: 400,
        refused: 'space-key-format',
        facts: [],
      });
    });

    it(`space-key-format=any: ${shown} is a key`, () => {
      const asked = ask(id, { ...copy({ targetSpaceKey }), readings: { 'space-key-format': 'any' } });
      expect(asked.world.spaces.get(targetSpaceKey)?.name).to.equal('Apollo');
      expect(Object.hasOwn(asked.form.spaces, targetSpaceKey)).to.equal(true);
    });
  }
  refuses({ 'space-key-format': 'alphanumeric' }, id, {
    ...copy({ targetSpaceKey: 'a-b' }),
    status: 400,
  });

  for (const targetSpaceKey of ['a', '0', 'constructor', 'toString', 'Z'.repeat(255)])
    it(`space-key-format=alphanumeric: ${targetSpaceKey.slice(0, 12)} (${targetSpaceKey.length}) is a key`, () => {
      expect(ask(id, copy({ targetSpaceKey })).world.spaces.has(targetSpaceKey)).to.equal(true);
    });
});

describe('gap default-space-admin', () => {
  const on = teamWith({ users: { boss: { admin: true }, abe: { admin: true } } });
  const caller = { 'default-space-admin': 'caller' } as const;
  for (const [readings, as, admins] of [
    [{ 'default-space-admin': 'first-admin' }, 'boss', ['abe', 'admin']],
    [caller, 'boss', ['admin', 'boss']],
    [caller, 'alice', ['admin', 'alice']],
    [caller, null, ['abe', 'admin']],
  ] as const)
    it(`default-space-admin=${readings['default-space-admin']}: ${as ?? 'an anonymous caller'} gets a space of ${admins.join(' and ')}`, () => {
      expect(copied({ targetSpaceAdmin: '' }, readings, { on, as }).space?.admins).to.deep.equal(admins);
    });

  it('default-space-admin: is not named if the caller is the first admin, an admin is named, or no one calls', () => {
    for (const [targetSpaceAdmin, as] of [
      ['', 'abe'],
      ['alice', 'boss'],
      ['', null],
    ] as const)
      expect(copied({ targetSpaceAdmin }, caller, { on, as }).gaps).not.to.have.property('default-space-admin');
  });

  it('is not named if no admin is left whoever it is', () => {
    const query = { ...copy().query, targetSpaceAdmin: '', removeAdminPermissions: 'true' };
    const { gaps } = ask(id, { on, query, as: 'admin', readings: { 'copied-content': 'pages' } });
    expect(gaps).to.not.have.property('default-space-admin');
  });

  const nobody = teamWith({ users: { admin: { admin: false } } });
  refuses({ 'default-space-admin': 'first-admin' }, id, {
    on: nobody,
    as: 'alice',
    ...copy({ targetSpaceAdmin: '' }),
    status: 400,
    code: 'no-default-admin',
    rules: ['spaces.copy-default-admin'],
    gaps: { 'wiki-auth': 'open', 'default-space-admin': 'first-admin' },
  });

  it('default-space-admin=caller: a wiki without an admin is enough', () => {
    expect(copied({ targetSpaceAdmin: '' }, caller, { on: nobody, as: 'alice' }).status).to.equal(200);
  });
});

describe('gap admin-eligibility', () => {
  it('admin-eligibility=any-user: a user who is not an admin becomes the admin', () => {
    expect(copied({}, {}).space?.admins).to.include('alice');
  });

  refuses({ 'admin-eligibility': 'admins-only' }, id, {
    ...copy(),
    status: 400,
  });

  it('admin-eligibility=admins-only: an admin is accepted', () => {
    const asked = copied({ targetSpaceAdmin: 'admin' }, { 'admin-eligibility': 'admins-only' });
    expect(asked.status).to.equal(200);
  });
});

describe('gap copied-metadata-when-not-kept', () => {
  const now = '2026-03-04T05:06:07Z';
  for (const [reading, as, author] of [
    ['caller-now', 'carol', 'carol'],
    ['caller-now', null, 'anonymous'],
    ['admin-now', 'carol', 'alice'],
  ] as const)
    it(`copied-metadata-when-not-kept=${reading}: a copy by ${as ?? 'an anonymous caller'} for alice has pages of ${author}`, () => {
      const readings = { 'copied-metadata-when-not-kept': reading };
      const { page, gaps } = copied({ keepPagesMetadata: 'false' }, readings, { as, now });
      expect(page).to.include({ author, created: now, updatedBy: author, updated: now });
      expect(gaps).to.include(readings);
    });

  it('copied-metadata-when-not-kept: is not named without pages', () => {
    const on = teamWith({ spaces: { bare: {} } });
    const asked = copied({ keepPagesMetadata: 'false', sourceSpaceKey: 'bare' }, {}, { on });
    expect(asked.gaps).not.to.have.property('copied-metadata-when-not-kept');
  });
});

describe('gap copied-content', () => {
  const on = teamWith({
    spaces: { tmpl: { name: 'Template Space', admins: ['admin', 'carol'], sidebar: [{ label: 'a', url: '/a' }] } },
    pages: { '65701': { space: 'tmpl', title: 'Template Home', view: { users: ['carol'], groups: [] } } },
  });
  const forAdmin = { targetSpaceAdmin: 'admin' };

  it('copied-content=all: links, admins and restrictions are copied too', () => {
    const { space, page } = copied(forAdmin, {}, { on });
    expect(space).to.deep.include({ admins: ['admin', 'carol'], sidebar: [{ label: 'a', url: '/a' }] });
    expect(page?.view).to.deep.equal({ users: ['carol'], groups: [] });
  });

  it('copied-content=pages: nothing but the pages; the only admin is the chosen one, or none', () => {
    const readings = { 'copied-content': 'pages' } as const;
    const { space, page } = copied(forAdmin, readings, { on });
    expect(space).to.deep.include({ admins: ['admin'], sidebar: [] });
    expect(page).to.deep.include({ title: 'Template Home', view: { users: [], groups: [] } });
    const removed = copied({ ...forAdmin, removeAdminPermissions: 'true' }, readings, { on });
    expect(removed.space?.admins).to.deep.equal([]);
  });
});
