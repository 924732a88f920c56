// The gaps about a copied space: its key and title, its admin, and the response. Its authors: scenarios/gaps and tests/model.
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
  return { ...asked, space: form.spaces.APOLLO };
};

it('copy-success: decides the response, or wiki-success does', () => {
  for (const [readings, status, body] of [
    [{ 'copy-success': '201' }, 201, {}],
    [{ 'copy-success': '202' }, 202, { id: 'APOLLO', links: { status: '/rest/api/longtask/APOLLO' } }],
    [{ 'copy-success': 'space' }, 201, { key: 'APOLLO', name: 'Apollo', type: 'global' }],
    [{ 'wiki-success': 'no-content' }, 204, undefined],
  ] as const)
    expect(copied({}, readings)).to.deep.include({ status, reply: body });
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

  it('space-key-format=alphanumeric, space-key-format=any: another key is refused, or a key', () => {
    for (const targetSpaceKey of ['', 'a b', 'a-b', '~carol', 'a/b', 'A'.repeat(256), 'é', '😀', 'a\n', '__proto__']) {
      const refused = { status: 400, refused: 'space-key-format', facts: [] };
      expect(ask(id, copy({ targetSpaceKey }))).to.deep.include(refused);
      const { world, form } = ask(id, { ...copy({ targetSpaceKey }), readings: { 'space-key-format': 'any' } });
      expect(world.spaces.get(targetSpaceKey)?.name).to.equal('Apollo');
      expect(Object.hasOwn(form.spaces, targetSpaceKey)).to.equal(true);
    }
    for (const targetSpaceKey of ['a', '0', 'constructor', 'Z'.repeat(255)])
      expect(ask(id, copy({ targetSpaceKey })).world.spaces.has(targetSpaceKey), targetSpaceKey).to.equal(true);
  });
});

describe('the admin of a copy', () => {
  const on = teamWith({ users: { boss: { admin: true }, abe: { admin: true } } });
  const nobody = teamWith({ users: { admin: { admin: false } } });
  const caller = { 'default-space-admin': 'caller' } as const;
  it('default-space-admin=first-admin, default-space-admin=caller: the first by name, or a caller who is known', () => {
    for (const [readings, as, admins] of [
      [{}, 'boss', ['abe', 'admin']],
      [caller, 'alice', ['admin', 'alice']],
      [caller, null, ['abe', 'admin']],
    ] as const)
      expect(copied({ targetSpaceAdmin: '' }, readings, { on, as }).space?.admins).to.deep.equal(admins);
    expect(copied({ targetSpaceAdmin: '' }, caller, { on: nobody, as: 'alice' }).status).to.equal(200);
  });

  refuses({ 'default-space-admin': 'first-admin' }, id, {
    on: nobody,
    as: 'alice',
    ...copy({ targetSpaceAdmin: '' }),
    status: 400,
    code: 'no-default-admin',
    rules: ['spaces.copy-default-admin'],
    gaps: { 'wiki-auth': 'open', 'default-space-admin': 'first-admin' },
  });

  refuses({ 'admin-eligibility': 'admins-only' }, id, { ...copy(), status: 400 });

  it('admin-eligibility=admins-only: an admin is accepted', () => {
    expect(copied({ targetSpaceAdmin: 'admin' }, { 'admin-eligibility': 'admins-only' }).status).to.equal(200);
  });
});

it('copied-content=pages: nothing but the pages; the only admin is the chosen one, or none', () => {
  const on = teamWith({
    spaces: { tmpl: { name: 'Template Space', admins: ['admin', 'carol'], sidebar: [{ label: 'a', url: '/a' }] } },
    pages: { '65701': { space: 'tmpl', title: 'Template Home', view: { users: ['carol'], groups: [] } } },
  });
  for (const [removeAdminPermissions, admins] of Object.entries({ false: ['admin'], true: [] })) {
    const more = { targetSpaceAdmin: 'admin', removeAdminPermissions };
    const { form } = ask(id, { ...copy(more), on, readings: { 'copied-content': 'pages' } });
    expect(form.spaces.APOLLO).to.deep.include({ admins, sidebar: [] });
    expect(form.pages['65702']?.view).to.deep.equal({ users: [], groups: [] });
  }
});
