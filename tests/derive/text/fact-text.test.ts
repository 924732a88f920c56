// The exact text of each fact.
import { expect } from 'chai';
import { factText, listedNames } from '../../../server/derive/text/fact-text.js';
import type { Fact } from '../../../server/domain/facts.js';
import { smallTeam } from '../../support/worlds/ask.js';

const at = '2026-01-05T09:00:00Z';
const copy = { type: 'space-copied', source: 'tmpl', target: 'NEW', name: 'New', firstPageId: 1 } as const;
const cases: ReadonlyArray<readonly [fact: Fact, text: string]> = [
  [{ type: 'user-created', user: 'new' }, 'the user new is created'],
  [{ type: 'group-created', group: 'new' }, 'the group new is created'],
  [{ type: 'group-member-added', group: 'customers', user: 'alice' }, 'alice joins customers'],
  [{ type: 'group-member-removed', group: 'customers', user: 'alice' }, 'alice leaves customers'],
  [{ type: 'group-members-set', group: 'customers', users: ['alice', 'carol'] }, 'customers now has alice and carol'],
  [{ type: 'group-members-set', group: 'customers', users: [] }, 'customers no longer has members'],
  [
    { type: 'page-permission-added', page: '65601', permission: 'edit', users: ['carol'], groups: [] },
    'page 65601: carol can edit',
  ],
  [
    { type: 'page-permission-added', page: '65601', permission: 'view', users: ['a', 'b'], groups: ['g', 'h'] },
    'page 65601: a and b, and the groups g and h can view',
  ],
  [
    { type: 'page-permission-removed', page: '65601', permission: 'view', users: [], groups: ['g'] },
    'page 65601: the group g is removed from the view permission',
  ],
  [
    { type: 'sidebar-link-added', space: 'ds', label: 'Docs', url: 'https://x.example' },
    'space ds: the sidebar gets the link Docs (https://x.example)',
  ],
  [
    { type: 'sidebar-link-replaced', space: 'ds', label: 'Docs', url: 'https://y.example' },
    'space ds: the link Docs now leads to https://y.example',
  ],
  [{ ...copy, admins: ['a', 'b'] }, 'space NEW (New) is created from tmpl, with the admins a and b'],
  [{ ...copy, admins: [] }, 'space NEW (New) is created from tmpl, without admins'],
  [{ ...copy, admins: ['a'], content: 'pages' }, 'space NEW (New) is created from the pages of tmpl, with the admin a'],
  [
    { type: 'page-text-replaced', page: '65601', title: 'Hi', body: 'x'.repeat(81), by: 'carol', at },
    `page 65601 (Hi) now reads ${'x'.repeat(79)}…`,
  ],
  [{ type: 'favourite-added', item: 'filters', ids: [10500], users: ['alice'] }, 'alice gets filter 10500 (Open bugs)'],
  [
    { type: 'favourite-added', item: 'dashboards', ids: [11000], users: ['alice', 'carol'] },
    'alice and carol get dashboard 11000 (Team board)',
  ],
  [
    { type: 'favourite-removed', item: 'filters', ids: [10500], users: ['alice'] },
    'alice loses filter 10500 (Open bugs)',
  ],
  [{ type: 'world-patched', patch: { users: {}, licence: { ppf: 'none' } } }, 'licence ppf is now none'],
  [{ type: 'world-patched', patch: { users: { bob: {} } } }, 'users bob exists'],
  [{ type: 'world-patched', patch: { users: {} } }, 'nothing changes'],
];

describe('the text of a fact', () => {
  it('is exact for each type', () => {
    for (const [fact, text] of cases) expect(factText(fact, smallTeam)).to.equal(text);
  });

  it('lists the first few names and counts the others, but never a single one', () => {
    expect(listedNames([])).to.equal('nobody');
    expect(listedNames(['a'])).to.equal('a');
    expect(listedNames(['a', 'b', 'c', 'd', 'e', 'f'])).to.equal('a, b, c, d, e and f');
    expect(listedNames(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).to.equal('a, b, c, d, e and 2 more');
  });
});
