// Requests that name a gap, or do not although its reading is asked for: cases that random requests seldom meet. And who their callers are.
import { expect } from 'chai';
import { callerOf } from '../../../../server/engine/request/stages/caller.js';
import type { OperationId } from '../../../../server/operations/catalog/catalog.js';
import { defaultReadings, type GapId } from '../../../../server/operations/gaps/gaps.js';
import { Provenance } from '../../../../server/operations/provenance.js';
import { ask, type Question, smallTeam } from '../../../support/worlds/ask.js';
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

describe('the caller of a request', () => {
  it('is looked up in the world of that moment, like the admin right', () => {
    const on = teamWith({ users: { admin: { admin: false, password: 'new' } } });
    const json = { users: ['alice'], filters: [10500] };
    expect(ask('ppf.push', { on, json }).refused).to.equal('bad-credentials');
    const credentials = { kind: 'basic', user: 'admin', password: 'new' } as const;
    expect(ask('ppf.push', { on, json, credentials }).refused).to.equal('ppf-not-admin');
  });

  it('is the authenticated user of a journal entry if the world still has that user', () => {
    const caller = (user: string) => callerOf({ kind: 'proved', user }, smallTeam, new Provenance(defaultReadings));
    expect(caller('alice')).to.deep.equal({ kind: 'user', name: 'alice' });
    const unknown = caller('nobody');
    expect(unknown).to.include({ refused: 'bad-credentials' });
    expect(unknown).to.have.property('message').that.contains('"nobody"');
  });
});
