// Properties of every request of every operation: it is pure, names what decided, and is repeatable.
import { expect } from 'chai';
import type { OperationId } from '../../../../server/operations/catalog/catalog.js';
import { type GapId, gapIds, readingNames, type SomeReadings } from '../../../../server/operations/gaps/gaps.js';
import { ask, type Question, smallTeam } from '../../../support/worlds/ask.js';
import { teamWith } from '../../../support/worlds/judge.js';
import { operationIds, validQuestions } from '../../../support/worlds/valid.js';

/** These refuse an address and are named then; an address they accept is the document's own form and does not name them. */
const ofTheAddress: ReadonlySet<GapId> = new Set<GapId>(['wiki-prefix', 'context-path']);

describe('perform', () => {
  for (const id of operationIds) {
    it(`${id}: the same request on the same world gets the same response and facts`, () => {
      const once = ask(id, validQuestions[id]);
      const again = ask(id, validQuestions[id]);
      expect(again.response).to.deep.equal(once.response);
      expect(again.facts).to.deep.equal(once.facts);
      expect(again.form).to.deep.equal(once.form);
      expect(once.operation).to.equal(id);
      expect(once.refused).to.equal(undefined);
    });

    it(`${id}: facts are plain JSON`, () => {
      const { facts } = ask(id, validQuestions[id]);
      expect(JSON.parse(JSON.stringify(facts))).to.deep.equal(facts);
    });

    it(`${id}: a named gap has the chosen reading, and one not named changes nothing`, () => {
      const plain = ask(id, validQuestions[id]);
      for (const gap of gapIds.filter(name => !ofTheAddress.has(name))) {
        for (const reading of readingNames(gap)) {
          const asked = ask(id, { ...validQuestions[id], readings: { [gap]: reading } as SomeReadings });
          if (gap in plain.allGaps) {
            expect(asked.allGaps[gap], `${gap}=${reading}`).to.equal(reading);
          } else {
            expect(asked.response, `${gap}=${reading}`).to.deep.equal(plain.response);
            expect(asked.facts).to.deep.equal(plain.facts);
          }
        }
      }
    });
  }

  it('the response to an authenticated caller names the caller; only accepted requests have facts', () => {
    const asked = ask('groups.add-users', { as: 'carol', json: { group: 'customers', users: ['bob'] } });
    expect(asked.caller).to.deep.equal({ kind: 'user', name: 'carol' });
    expect(asked.facts).to.deep.equal([]);
    expect(asked.world).to.equal(smallTeam);
  });
});

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
  for (const [id, question, expected] of cases)
    it(`${id} ${JSON.stringify({ ...question, on: undefined })}: ${JSON.stringify(expected)}`, () => {
      const { allGaps } = ask(id, question);
      const named = Object.keys(expected).map(gap => [gap, gap in allGaps]);
      expect(Object.fromEntries(named)).to.deep.equal(expected);
    });
});

describe('a gap is named if and only if its readings differ', () => {
  // Requests that meet many gaps: for each, every reading of a gap that is not named must give the same response and facts.
  const page = { params: { pageId: '65601' } };
  const requests = [
    ['groups.add-users', { json: { group: 'nobody', users: ['bob', 'alice'] } }],
    ['groups.add-users', { as: null, json: { group: 'team-members', users: ['demouser1'], extra: 1 } }],
    ['groups.set-users', { json: { group: 'team-members', users: [] } }],
    ['groups.remove-users', { as: 'alice', json: { users: ['alice'] }, contentType: 'text/plain' }],
    ['permissions.all-remove', { ...page, json: { group: ['customers'], users: ['alice'] } }],
    ['permissions.view-add', { ...page, method: 'POST', json: { groups: [], users: ['alice'] } }],
    ['permissions.edit-remove', { ...page, method: 'POST', json: { groups: ['nobody'], users: [] } }],
    ['spaces.is-unique', { query: 'spaceKey=ds&spaceName=Other&expand=a.b' }],
    [
      'spaces.copy',
      { as: 'carol', query: 'sourceSpaceKey=tmpl&targetSpaceKey=a-b&targetSpaceAdmin=&keepPagesMetadata=false' },
    ],
    [
      'spaces.copy',
      {
        as: null,
        query:
          'sourceSpaceKey=tmpl&targetSpaceKey=ds&targetSpaceTitle=&targetSpaceAdmin=&removeAdminPermissions=true&keepPagesMetadata=false',
      },
    ],
    [
      'spaces.replace-in-page',
      {
        query: 'spaceKey=ds&pageTitle=Welcome',
        json: [
          { oldText: 'l', newText: 'e' },
          { oldText: 'e', newText: 'l' },
          { oldText: 'zz', newText: '' },
        ],
      },
    ],
    ['ppf.push', { as: null, json: { users: [], filters: [10500] } }],
    [
      'ppf.push',
      { json: { users: ['bob', 'carol', 'alice'], groups: ['nobody'], filters: [10600, 1], dashboards: [11100] } },
    ],
    ['ppf.pull', { json: { users: ['carol', 'alice'], groups: [], filters: [10600, 10500], colour: 'red' } }],
  ] as const;
  for (const [id, question] of requests) {
    it(`${id}: ${JSON.stringify(question)}`, () => {
      const plain = ask(id, question);
      for (const gap of gapIds.filter(name => !(name in plain.allGaps) && !ofTheAddress.has(name))) {
        for (const reading of readingNames(gap)) {
          const asked = ask(id, { ...question, readings: { [gap]: reading } as SomeReadings });
          expect(asked.response, `${gap}=${reading}`).to.deep.equal(plain.response);
          expect(asked.facts, `${gap}=${reading}`).to.deep.equal(plain.facts);
        }
      }
      for (const gap of gapIds.filter(name => name in plain.allGaps && !ofTheAddress.has(name))) {
        const outcomes = readingNames(gap).map(reading => {
          const { response, facts, operation } = ask(id, { ...question, readings: { [gap]: reading } as SomeReadings });
          return JSON.stringify([response, facts, operation]);
        });
        expect(new Set(outcomes).size, `${gap} is named and decides nothing`).to.be.above(1);
      }
    });
  }
});
