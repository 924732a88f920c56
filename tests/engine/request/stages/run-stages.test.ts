// Requests that name a gap, or do not although its reading is asked for: cases that random requests seldom meet.
import { expect } from 'chai';
import type { OperationId } from '../../../../server/operations/catalog/catalog.js';
import type { GapId } from '../../../../server/operations/gaps/gaps.js';
import { ask, type Question } from '../../../support/worlds/ask.js';
import { teamWith } from '../../../support/worlds/judge.js';

describe('the gaps that are named', () => {
  const copy = (admin: string) => ({
    query: `sourceSpaceKey=tmpl&targetSpaceKey=NEW&targetSpaceTitle=New&targetSpaceAdmin=${admin}&removeAdminPermissions=true&keepPagesMetadata=true`,
  });
  const welcome = 'spaceKey=ds&pageTitle=Welcome';
  const users = { users: ['alice'], filters: [10500] };
  const cases: ReadonlyArray<readonly [OperationId, Question, Readonly<Partial<Record<GapId, boolean>>>]> = [
    [
      'ppf.push',
      { as: 'carol', json: { ...users, more: 1 }, readings: { 'ppf-check-order': '400-first' } },
      { 'ppf-unknown-field': true },
    ],
    ['ppf.push', { as: 'carol', json: { ...users, more: 1 } }, { 'ppf-unknown-field': false }],
    [
      'ppf.push',
      { as: 'carol', json: users, contentType: 'text/plain', readings: { 'ppf-check-order': '400-first' } },
      { 'content-type': true },
    ],
    [
      'groups.add-users',
      {
        as: 'carol',
        json: { group: 'customers', users: [], more: 1 },
        readings: { 'wiki-check-order': 'validation-first', 'wiki-auth': 'admin' },
      },
      { 'unknown-field': true, 'wiki-auth': true },
    ],
    [
      'groups.add-users',
      { as: 'carol', json: {}, readings: { 'wiki-check-order': 'validation-first', 'wiki-auth': 'admin' } },
      { 'wiki-auth': false, 'wiki-check-order': true },
    ],
    [
      'ppf.push',
      { json: { users: ['alice', 'bob'], filters: [10500] }, readings: { 'ppf-partial': 'all-or-nothing' } },
      { 'ppf-effect': false, 'ppf-partial': true },
    ],
    [
      'groups.add-users',
      { credentials: { kind: 'bearer', token: 'admin-token' }, json: { group: 'customers', users: ['alice'] } },
      { 'auth-scheme': false },
    ],
    ['ppf.push', { credentials: { kind: 'bearer', token: 'admin-token' }, json: users }, { 'auth-scheme': true }],
    [
      'spaces.replace-in-page',
      {
        on: teamWith({ pages: { '7': { space: 'ds', title: 'Bye, wiki.' } } }),
        query: welcome,
        json: [{ oldText: 'Welcome', newText: 'Bye, wiki.' }],
      },
      { 'replace-scope': false, 'replace-target': false, 'replace-title-clash': true },
    ],
    ['groups.add-users', { json: { group: 'Customers', users: ['bob'] } }, { 'name-case': true }],
    ['groups.add-users', { json: { group: 'nobody', users: ['Alice'] } }, { 'name-case': false }],
    ['spaces.copy', copy(''), { 'default-space-admin': false }],
    ['spaces.copy', { as: 'carol', ...copy('') }, { 'default-space-admin': true }],
    [
      'spaces.copy', // a copy without pages has no authors
      {
        on: teamWith({ spaces: { empty: { name: 'Empty' } } }),
        credentials: { kind: 'bearer', token: 'admin-token' },
        query: copy('alice')
          .query.replace('tmpl', 'empty')
          .replace('keepPagesMetadata=true', 'keepPagesMetadata=false'),
      },
      { 'auth-scheme': false, 'copied-metadata-when-not-kept': false },
    ],
  ];
  it('are those that decide', () => {
    for (const [id, question, expected] of cases) {
      const { allGaps } = ask(id, question);
      const named = Object.keys(expected).map(gap => [gap, gap in allGaps]);
      expect(Object.fromEntries(named), `${id} ${JSON.stringify(question.json ?? question.query)}`).to.deep.equal(
        expected,
      );
    }
  });
});
