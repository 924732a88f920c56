// The gaps about a copied space: its key and title, its admin, what is copied, authors, and the response.
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
      expect(asked).to.deep.include({ status, reply: body });
      expect(asked.space?.name).to.equal('Apollo');
    });

  it('copy-success=like-others: wiki-success decides', () => {
    expect(copied({}, { 'wiki-success': 'no-content' }).status).to.equal(204);
  });
});

describe('the key and the title of a copy', () => {
  for (const status of ['409', '400'] as const)
    refuses({ 'target-space-exists': status }, id, copy({ targetSpaceKey: 'tmpl' }));
  const taken = { targetSpaceKey: 'DS', targetSpaceTitle: 'Demonstration Space' };
  refuses({ 'target-title-taken': '409' }, id, copy({ targetSpaceTitle: taken.targetSpaceTitle }));
  for (const targetSpaceTitle of ['', long])
    refuses({ 'space-title-form': '1-to-255' }, id, { ...copy({ targetSpaceTitle }), status: 400 });

  it('may be those of another space in another case, and up to 255 characters', () => {
    expect(ask(id, copy(taken)).form.spaces.DS?.name).to.equal('Demonstration Space');
    expect(copied({ targetSpaceTitle: long }, {}).space?.name).to.equal(long);
    const asked = copied({ targetSpaceTitle: 'ü'.repeat(255) }, { 'space-title-form': '1-to-255' });
    expect(asked.status).to.equal(200);
  });

  for (const targetSpaceKey of ['', 'a b', 'a-b', '~carol', 'a/b', 'A'.repeat(256), 'é', '😀', 'a\n', '__proto__']) {
    const shown = `${JSON.stringify(targetSpaceKey.slice(0, 12))} (${targetSpaceKey.length})`;
    it(`space-key-format=alphanumeric, space-key-format=any: ${shown} is refused, or a key`, () => {
      const refused = { status: 400, refused: 'space-key-format', facts: [] };
      expect(ask(id, copy({ targetSpaceKey }))).to.deep.include(refused);
      const asked = ask(id, { ...copy({ targetSpaceKey }), readings: { 'space-key-format': 'any' } });
      expect(asked.world.spaces.get(targetSpaceKey)?.name).to.equal('Apollo');
      expect(Object.hasOwn(asked.form.spaces, targetSpaceKey)).to.equal(true);
    });
  }

  it('space-key-format=alphanumeric: digits, letters and names of objects are keys', () => {
    for (const targetSpaceKey of ['a', '0', 'constructor', 'Z'.repeat(255)])
      expect(ask(id, copy({ targetSpaceKey })).world.spaces.has(targetSpaceKey), targetSpaceKey).to.equal(true);
  });
});

describe('the admin of a copy', () => {
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

  it('default-space-admin: is named only if the readings differ', () => {
    const removed = { removeAdminPermissions: 'true' };
    for (const [more, as, readings] of [
      [{}, 'abe', caller],
      [{ targetSpaceAdmin: 'alice' }, 'boss', caller],
      [{}, null, caller],
      [removed, 'boss', { 'copied-content': 'pages' }],
    ] as const) {
      const { gaps } = copied({ targetSpaceAdmin: '', ...more }, readings, { on, as });
      expect(gaps).not.to.have.property('default-space-admin');
    }
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

  refuses({ 'admin-eligibility': 'admins-only' }, id, { ...copy(), status: 400 });

  it('admin-eligibility=any-user, admin-eligibility=admins-only: an admin is accepted, and under the first any user', () => {
    const asked = copied({ targetSpaceAdmin: 'admin' }, { 'admin-eligibility': 'admins-only' });
    expect(asked.status).to.equal(200);
    expect(copied({}, { 'admin-eligibility': 'any-user' }).space?.admins).to.include('alice');
  });
});

describe('what is copied', () => {
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

  it('copied-content=pages: nothing but the pages; the only admin is the chosen one, or none', () => {
    const on = teamWith({
      spaces: { tmpl: { name: 'Template Space', admins: ['admin', 'carol'], sidebar: [{ label: 'a', url: '/a' }] } },
      pages: { '65701': { space: 'tmpl', title: 'Template Home', view: { users: ['carol'], groups: [] } } },
    });
    const readings = { 'copied-content': 'pages' } as const;
    const { space, page } = copied({ targetSpaceAdmin: 'admin' }, readings, { on });
    expect(space).to.deep.include({ admins: ['admin'], sidebar: [] });
    expect(page).to.deep.include({ title: 'Template Home', view: { users: [], groups: [] } });
    const removed = copied({ targetSpaceAdmin: 'admin', removeAdminPermissions: 'true' }, readings, { on });
    expect(removed.space?.admins).to.deep.equal([]);
  });
});
