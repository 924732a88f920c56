// The effect of each fact on a world, and what it leaves alone: the same world and fact always give the same world.
import { expect } from 'chai';
import { evolve, evolveAll, type Fact, type FactType } from '../../server/domain/facts.js';
import { formOf, worldFrom } from '../../server/domain/form/form.js';
import type { WorldForm } from '../../server/domain/form/form-shapes.js';
import { smallTeam } from '../support/worlds/ask.js';

const lists = (users: string[] = [], groups: string[] = []) => ({ users, groups });
const world = worldFrom({
  users: { ann: { admin: true }, ben: {}, cat: {} },
  groups: { staff: ['ann', 'ben'], empty: [] },
  spaces: {
    a: {
      name: 'A',
      admins: ['ann'],
      sidebar: [
        { label: 'L', url: '/1' },
        { label: 'M', url: '/2' },
        { label: 'L', url: '/3' },
      ],
    },
  },
  pages: {
    '10': {
      space: 'a',
      title: 'Second',
      body: 'two',
      position: 2,
      version: 4,
      author: 'ben',
      edit: lists(['ann'], ['staff']),
    },
    '11': { space: 'a', title: 'First', body: 'one', position: 1, author: 'cat', view: lists(['cat']) },
  },
  filters: { '1': { owner: 'ann' }, '2': { owner: 'ann' } },
  dashboards: { '1': { owner: 'ann' } },
  favourites: { ann: { filters: [1], dashboards: [1] } },
});
const before = formOf(world);
const page = (id: string) => before.pages[id] ?? expect.fail(`no page ${id}`);

const open = { edit: { users: [], groups: [] }, view: { users: [], groups: [] } };

/** The form of the world, with parts of some collections replaced. */
function changed(parts: { [C in keyof WorldForm]?: Partial<WorldForm[C]> }): WorldForm {
  const entries = Object.entries(before).map(([name, collection]) => {
    const part = (parts as Record<string, object | number | undefined>)[name];
    return [
      name,
      typeof part === 'object' && typeof collection === 'object' ? { ...collection, ...part } : (part ?? collection),
    ];
  });
  return Object.fromEntries(entries) as WorldForm;
}

const cases: { readonly [T in FactType]: ReadonlyArray<[what: string, fact: Fact & { type: T }, after: WorldForm]> } = {
  'group-created': [
    ['a group without members', { type: 'group-created', group: 'new' }, changed({ groups: { new: [] } })],
    ['an existing group: no change', { type: 'group-created', group: 'staff' }, before],
  ],
  'group-member-added': [
    [
      'one more',
      { type: 'group-member-added', group: 'staff', user: 'cat' },
      changed({ groups: { staff: ['ann', 'ben', 'cat'] } }),
    ],
    ['an existing member: no change', { type: 'group-member-added', group: 'staff', user: 'ann' }, before],
  ],
  'group-member-removed': [
    [
      'one less',
      { type: 'group-member-removed', group: 'staff', user: 'ann' },
      changed({ groups: { staff: ['ben'] } }),
    ],
    ['an unknown member: no change', { type: 'group-member-removed', group: 'staff', user: 'cat' }, before],
  ],
  'group-members-set': [
    [
      'just these',
      { type: 'group-members-set', group: 'staff', users: ['cat', 'ann'] },
      changed({ groups: { staff: ['ann', 'cat'] } }),
    ],
    ['an empty list', { type: 'group-members-set', group: 'staff', users: [] }, changed({ groups: { staff: [] } })],
  ],
  'page-permission-added': [
    [
      'to edit',
      { type: 'page-permission-added', page: '10', permission: 'edit', users: ['cat', 'ann'], groups: ['empty'] },
      changed({ pages: { '10': { ...page('10'), edit: lists(['ann', 'cat'], ['empty', 'staff']) } } }),
    ],
    [
      'to view',
      { type: 'page-permission-added', page: '10', permission: 'view', users: [], groups: ['staff'] },
      changed({ pages: { '10': { ...page('10'), view: lists([], ['staff']) } } }),
    ],
    [
      'to no page: nothing',
      { type: 'page-permission-added', page: '9', permission: 'edit', users: ['ann'], groups: [] },
      before,
    ],
  ],
  'page-permission-removed': [
    [
      'from edit',
      { type: 'page-permission-removed', page: '10', permission: 'edit', users: ['ann', 'cat'], groups: [] },
      changed({ pages: { '10': { ...page('10'), edit: lists([], ['staff']) } } }),
    ],
    [
      'from no page: nothing',
      { type: 'page-permission-removed', page: '9', permission: 'edit', users: ['ann'], groups: [] },
      before,
    ],
  ],
  'sidebar-link-added': [
    [
      'at the end, also with an existing label',
      { type: 'sidebar-link-added', space: 'a', label: 'L', url: '/4' },
      changed({
        spaces: {
          a: { name: 'A', admins: ['ann'], sidebar: [...(before.spaces.a?.sidebar ?? []), { label: 'L', url: '/4' }] },
        },
      }),
    ],
    ['to an unknown space: no change', { type: 'sidebar-link-added', space: 'z', label: 'L', url: '/4' }, before],
  ],
  'sidebar-link-replaced': [
    [
      'in the place of the first, for all of that label',
      { type: 'sidebar-link-replaced', space: 'a', label: 'L', url: '/4' },
      changed({
        spaces: {
          a: {
            name: 'A',
            admins: ['ann'],
            sidebar: [
              { label: 'L', url: '/4' },
              { label: 'M', url: '/2' },
            ],
          },
        },
      }),
    ],
    ['to an unknown space: no change', { type: 'sidebar-link-replaced', space: 'z', label: 'L', url: '/4' }, before],
  ],
  'space-copied': [
    [
      'keeping the authors and dates of the pages',
      { type: 'space-copied', source: 'a', target: 'b', name: 'B', admins: ['cat'], firstPageId: 12 },
      changed({
        spaces: { b: { name: 'B', admins: ['cat'], sidebar: before.spaces.a?.sidebar ?? [] } },
        pages: { '12': { ...page('11'), space: 'b' }, '13': { ...page('10'), space: 'b', version: 1 } },
        nextPageId: 14,
      }),
    ],
    [
      'anew',
      {
        type: 'space-copied',
        source: 'a',
        target: 'b',
        name: 'B',
        admins: [],
        firstPageId: 20,
        restamp: { author: 'cat', at: 'now' },
      },
      changed({
        spaces: { b: { name: 'B', admins: [], sidebar: before.spaces.a?.sidebar ?? [] } },
        pages: {
          '20': { ...page('11'), space: 'b', author: 'cat', created: 'now', updatedBy: 'cat', updated: 'now' },
          '21': {
            ...page('10'),
            space: 'b',
            version: 1,
            author: 'cat',
            created: 'now',
            updatedBy: 'cat',
            updated: 'now',
          },
        },
        nextPageId: 22,
      }),
    ],
    [
      'the pages alone, without restrictions',
      { type: 'space-copied', source: 'a', target: 'b', name: 'B', admins: ['cat'], firstPageId: 12, content: 'pages' },
      changed({
        spaces: { b: { name: 'B', admins: ['cat'], sidebar: [] } },
        pages: {
          '12': { ...page('11'), ...open, space: 'b' },
          '13': { ...page('10'), ...open, space: 'b', version: 1 },
        },
        nextPageId: 14,
      }),
    ],
    [
      'of no space: nothing',
      { type: 'space-copied', source: 'z', target: 'b', name: 'B', admins: [], firstPageId: 12 },
      before,
    ],
  ],
  'page-text-replaced': [
    [
      'one version more',
      { type: 'page-text-replaced', page: '10', title: 'Third', body: 'three', by: 'cat', at: 'now' },
      changed({
        pages: { '10': { ...page('10'), title: 'Third', body: 'three', updatedBy: 'cat', updated: 'now', version: 5 } },
      }),
    ],
    [
      'of no page: nothing',
      { type: 'page-text-replaced', page: '9', title: '', body: '', by: 'cat', at: 'now' },
      before,
    ],
  ],
  'favourite-added': [
    [
      'for several users, some of whom have it already',
      { type: 'favourite-added', item: 'filters', ids: [2], users: ['ann', 'ben'] },
      changed({ favourites: { ann: { filters: [1, 2], dashboards: [1] }, ben: { filters: [2], dashboards: [] } } }),
    ],
    [
      'an existing favourite: no change',
      { type: 'favourite-added', item: 'filters', ids: [1], users: ['ann'] },
      before,
    ],
  ],
  'favourite-removed': [
    [
      'of the kind that is named alone',
      { type: 'favourite-removed', item: 'dashboards', ids: [1], users: ['ann', 'ben'] },
      changed({ favourites: { ann: { filters: [1], dashboards: [] } } }),
    ],
    [
      'a missing favourite: no change',
      { type: 'favourite-removed', item: 'filters', ids: [2], users: ['ann'] },
      before,
    ],
  ],
  'world-patched': [
    [
      'a merge-patch of the form',
      { type: 'world-patched', patch: { groups: { empty: null, staff: ['cat'] }, licence: { ppf: 'none' } } },
      {
        ...changed({ licence: { ppf: 'none' } }),
        groups: { staff: ['cat'] },
      },
    ],
    ['an empty patch: no change', { type: 'world-patched', patch: {} }, before],
  ],
};

for (const [type, rows] of Object.entries(cases)) {
  describe(`evolve ${type}`, () => {
    for (const [what, fact, after] of rows) {
      it(what, () => {
        const evolved = evolve(world, fact);
        expect(formOf(evolved)).to.deep.equal(after);
        expect(formOf(world)).to.deep.equal(before);
        expect(formOf(evolve(world, JSON.parse(JSON.stringify(fact)) as Fact))).to.deep.equal(after);
      });
    }
  });
}

describe('several facts at once', () => {
  it('give the same world as one by one, in any order', () => {
    const users = ['admin', 'alice', 'carol', 'demouser1', 'demouser2'];
    const facts = Array.from({ length: 300 }, (_, i): Fact => {
      const group = ['team-members', 'customers'][Math.floor(i / 7) % 2] ?? '';
      const user = users[(i * i) % users.length] ?? '';
      return i % 11 === 0
        ? { type: 'group-members-set', group, users: [user] }
        : { type: i % 4 === 0 ? 'group-member-removed' : 'group-member-added', group, user };
    });
    expect(formOf(evolveAll(smallTeam, facts))).to.deep.equal(formOf(facts.reduce(evolve, smallTeam)));
  });
});
