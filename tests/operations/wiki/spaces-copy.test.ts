// A new space from a template: what it copies, what it does not share afterwards, and the parameters of the document.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { pagesOf } from '../../../server/domain/world/pages.js';
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
      message: /has 20001 pages; this fake copies at most 20000\./,
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

  it('spaces.copy: the copy has the order of its source, and its pages are found by title', () => {
    const { world } = ask(id, { on, query });
    expect(pagesOf(world, 'APOLLO').map(([, { title }]) => title)).to.deep.equal(['First', 'Second', 'Third']);
    const edited = ask('spaces.replace-in-page', {
      on: world,
      query: { spaceKey: 'APOLLO', pageTitle: 'Second' },
      json: [{ oldText: 'two', newText: 'zwei' }],
    });
    expect(edited.form.pages['70011']).to.include({ body: '<p>zwei 😀</p>', version: 2 });
    expect(edited.form.pages['70002']).to.deep.equal(page);
  });

  it('spaces.copy: source and copy share nothing afterwards', () => {
    const { world } = ask(id, { on, query });
    const json = { spaceKey: 'tpl', label: 'C', url: '/c' };
    const source = ask('spaces.add-sidebar-link', { on: world, json });
    expect(source.form.spaces.APOLLO?.sidebar).to.deep.equal(links);
    const copy = ask('spaces.add-sidebar-link', { on: world, json: { ...json, spaceKey: 'APOLLO' } });
    expect(copy.form.spaces.tpl?.sidebar).to.deep.equal(links);

    const names = { users: ['admin'], groups: [] };
    const onSource = ask('permissions.edit-add', { on: world, params: { pageId: '70002' }, json: names });
    expect(onSource.form.pages['70011']?.edit.users).to.deep.equal(['carol']);
    const onCopy = ask('permissions.edit-add', { on: world, params: { pageId: '70011' }, json: names });
    expect(onCopy.form.pages['70002']?.edit.users).to.deep.equal(['carol']);

    const text = { json: [{ oldText: 'two', newText: '2' }] };
    const title = { spaceKey: 'tpl', pageTitle: 'Second' };
    const edited = ask('spaces.replace-in-page', { on: world, query: title, ...text });
    expect(edited.form.pages['70011']?.body).to.equal(page.body);
  });

  it('spaces.copy: a second copy has ids of its own', () => {
    const first = ask(id, { on, query });
    const second = ask(id, { on: first.world, query: { ...query, sourceSpaceKey: 'APOLLO', targetSpaceKey: 'ZEUS' } });
    expect(Object.keys(second.form.pages)).to.include.members(['70013', '70014', '70015']);
    expect(second.form.nextPageId).to.equal(70016);
  });

  it('spaces.copy: copies a space without pages or links', () => {
    const world = teamWith({ spaces: { bare: { name: 'Bare' } } });
    const asked = ask(id, { on: world, query: { ...query, sourceSpaceKey: 'bare', targetSpaceTitle: '' } });
    expect(asked.form.spaces.APOLLO).to.deep.equal({ name: '', admins: ['alice'], sidebar: [] });
    expect(asked.form.pages).to.have.all.keys('65601', '65701');
  });

  it('spaces.copy-query-only: a body is not read, whatever it is', () => {
    for (const body of [
      { kind: 'not-json', text: '{', problem: 'it ends' },
      { kind: 'empty' },
      { kind: 'json', value: { sourceSpaceKey: 'ds', targetSpaceKey: 'OTHER' }, text: '{}' },
    ] as const) {
      const asked = ask(id, { on, query, body, contentType: 'application/x-www-form-urlencoded' });
      expect(asked.status).to.equal(200);
      expect(asked.rules).to.include('spaces.copy-query-only');
      expect(asked.form.spaces).to.have.property('APOLLO').and.not.undefined;
      expect(asked.form.spaces).not.to.have.property('OTHER');
    }
  });

  it('spaces.copy-query-only: a body that is too large is refused all the same', () => {
    const asked = ask(id, { on, query, body: { kind: 'too-large', limit: 1 } });
    expectRefused(asked, { status: 413, code: 'body-too-large', message: 'The body is larger than 1 bytes.', on });
  });

  it('spaces.copy-query-only: parameters in a body are no parameters', () => {
    expectRefused(ask(id, { on, json: { ...query } }), {
      status: 400,
      code: 'missing-parameter',
      message: /^The query is missing sourceSpaceKey, targetSpaceKey,/,
      gaps: { 'missing-parameter': '400' },
      on,
    });
  });

  it('spaces.copy-default-admin: an admin is picked when targetSpaceAdmin is empty, and not when it names one', () => {
    const picked = ask(id, { on, query: { ...query, targetSpaceAdmin: '' } });
    expect(picked.rules).to.include('spaces.copy-default-admin');
    expect(picked.form.spaces.APOLLO?.admins).to.deep.equal(['admin', 'carol']);
    const named = ask(id, { on, query });
    expect(named.rules).not.to.include('spaces.copy-default-admin');
    expect(named.form.spaces.APOLLO?.admins).to.deep.equal(['alice', 'carol']);
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

  it('spaces.copy-keep-metadata: authors and dates are those of the template', () => {
    const { form, rules } = ask(id, { on, query, now });
    expect(rules).to.include('spaces.copy-keep-metadata');
    const { author, created, updatedBy, updated } = page;
    expect(form.pages['70011']).to.include({ author, created, updatedBy, updated });
  });

  it('spaces.copy-keep-metadata: without it, none of them is', () => {
    const { form, rules } = ask(id, { on, query: { ...query, keepPagesMetadata: 'false' }, now });
    expect(rules).not.to.include('spaces.copy-keep-metadata');
    expect(form.pages['70011']).to.include({ author: 'admin', created: now, updatedBy: 'admin', updated: now });
    expect(form.pages['70002']).to.deep.equal(page);
  });
});
