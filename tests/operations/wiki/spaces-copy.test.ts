// A new space from a template: all that it copies, its limit, and its admins. Parameters and metadata: tests/operations/gaps/copying.test.ts.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, teamWith } from '../../support/worlds/judge.js';

const id = 'spaces.copy';
const now = '2026-03-04T05:06:07Z';
const query = {
  sourceSpaceKey: 'tpl',
  targetSpaceKey: 'APOLLO',
  targetSpaceTitle: 'Apollo',
  targetSpaceAdmin: 'alice',
  removeAdminPermissions: 'false',
  keepPagesMetadata: 'true',
};
const page = {
  space: 'tpl',
  title: 'Second',
  body: '<p>two 😀</p>',
  author: 'carol',
  created: '2025-02-03T04:05:06Z',
  updatedBy: 'alice',
  updated: '2025-03-03T04:05:06Z',
  version: 7,
  position: 2,
  edit: { users: ['carol'], groups: ['customers'] },
  view: { users: [], groups: ['team-members'] },
};
const links = [
  { label: 'B', url: '/b' },
  { label: 'A', url: '/a' },
];
const on = teamWith({
  spaces: { tpl: { name: 'Template', admins: ['carol'], sidebar: links } },
  pages: {
    '70002': page,
    '70009': { ...page, title: 'First', body: '', position: 1 },
    '70001': { ...page, title: 'Third', position: 3, version: 1 },
  },
});
const before = formOf(on);

describe('spaces.copy', () => {
  it('copies at most 20,000 pages', () => {
    const pages = Array.from({ length: 20_001 }, (_, i) => [String(80_000 + i), { space: 'big', title: `T${i}` }]);
    const big = teamWith({ spaces: { big: {} }, pages: Object.fromEntries(pages) });
    expectRefused(ask(id, { on: big, query: { ...query, sourceSpaceKey: 'big' } }), {
      status: 413,
      code: 'too-much-at-once',
      message: /has 20001 pages, but this fake copies at most 20000\./,
      on: big,
    });
  });

  it('spaces.copy: creates a space with pages, sidebar, permissions; the source and all else stay', () => {
    const asked = ask(id, { on, query, now });
    expectDone(asked, [
      {
        type: 'space-copied',
        source: 'tpl',
        target: 'APOLLO',
        name: 'Apollo',
        admins: ['alice', 'carol'],
        firstPageId: 70010,
      },
    ]);
    expect(asked.rules).to.deep.equal([
      'address.no-context-path',
      'address.extension-path',
      'spaces.copy',
      'spaces.copy-query-only',
      'spaces.copy-keep-metadata',
    ]);
    const copied = { ...page, space: 'APOLLO', version: 1 };
    expect(asked.form).to.deep.equal({
      ...before,
      spaces: { ...before.spaces, APOLLO: { name: 'Apollo', admins: ['alice', 'carol'], sidebar: links } },
      pages: {
        ...before.pages,
        '70010': { ...copied, title: 'First', body: '', position: 1 },
        '70011': copied,
        '70012': { ...copied, title: 'Third', position: 3 },
      },
      nextPageId: 70013,
    });
  });

  it('spaces.copy-remove-admin: the admin used is not among those permitted, the others are', () => {
    const asked = ask(id, { on, query: { ...query, targetSpaceAdmin: 'carol', removeAdminPermissions: 'TRUE' } });
    expect(asked.rules).to.include('spaces.copy-remove-admin');
    expect(asked.form.spaces.APOLLO?.admins).to.deep.equal([]);
    expect(asked.form.spaces.tpl?.admins).to.deep.equal(['carol']);
    const another = ask(id, { on, query: { ...query, removeAdminPermissions: 'true' } });
    expect(another.form.spaces.APOLLO?.admins).to.deep.equal(['carol']);
    const kept = ask(id, { on, query: { ...query, targetSpaceAdmin: 'carol', removeAdminPermissions: 'False' } });
    expect(kept.rules).not.to.include('spaces.copy-remove-admin');
    expect(kept.form.spaces.APOLLO?.admins).to.deep.equal(['carol']);
  });
});
