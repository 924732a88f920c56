// In which order a request is refused that is wrong in several ways: the caller, the request alone, the world.
import { expect } from 'chai';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { ask, type Question } from '../../support/worlds/ask.js';
import { teamWith } from '../../support/worlds/judge.js';
import { operationIds, ppfIds, validQuestions } from '../../support/worlds/valid.js';

const copy = validQuestions['spaces.copy'].query as Record<string, string>; // not as text

/** What is wrong with a request alone, and the readings that make it so. */
const malformed: ReadonlyArray<readonly [OperationId, Question, SomeReadings, number?]> = [
  ...operationIds.map(id => [id, { ...validQuestions[id], query: 'expand=foo' }, { 'expand-unknown': '400' }] as const),
  ['groups.add-users', { json: { group: 'none', users: [] } }, { 'empty-lists': '400' }],
  ['groups.remove-users', { json: { group: 'none', users: [] } }, { 'empty-lists': '400' }],
  ['groups.set-users', { json: { group: 'none', users: [] } }, { 'set-users-empty': '400' }],
  ['permissions.edit-add', { params: { pageId: '1' }, json: { users: [], groups: [] } }, { 'empty-lists': '400' }],
  ['permissions.all-remove', { params: { pageId: 'x' }, json: { users: ['bob'], groups: [] } }, {}, 404],
  ['spaces.add-sidebar-link', { json: { spaceKey: 'none', label: '', url: 'x' } }, { 'sidebar-link-form': 'checked' }],
  ['spaces.copy', { query: { ...copy, sourceSpaceKey: 'none', targetSpaceKey: 'a-b' } }, {}],
  ['spaces.copy', { query: { ...copy, targetSpaceTitle: '' } }, { 'space-title-form': '1-to-255' }],
  ['spaces.replace-in-page', { query: { spaceKey: 'none', pageTitle: '' }, json: [{ oldText: '', newText: '' }] }, {}],
];

describe('a request that is wrong in several ways', () => {
  for (const [id, question, readings, status = 400] of malformed) {
    const what = `${id} with ${JSON.stringify(question.json ?? question.query)}`;
    const order = ppfIds.some(one => one === id) ? 'ppf-check-order' : 'wiki-check-order';
    const [accessFirst, checkFirst] =
      order === 'ppf-check-order' ? ['403-first', '400-first'] : ['access-first', 'validation-first'];
    const asked = (as: string | null, reading: string) =>
      ask(id, {
        ...question,
        as,
        readings: { 'wiki-auth': 'admin', 'wiki-anonymous': '403', ...readings, [order]: reading },
      });

    it(`${order}: ${what} is refused for its caller first, or for itself`, () => {
      for (const as of [null, 'alice']) {
        expect(asked(as, accessFirst).status, `${as}`).to.equal(403);
        expect(asked(as, checkFirst).status, `${as}`).to.equal(status);
      }
      expect(asked('alice', accessFirst).gaps).to.include({ [order]: accessFirst });
      for (const reading of [accessFirst, checkFirst]) expect(asked('admin', reading).status).to.equal(status);
    });
  }

  it('is refused with 403 without a licence, whatever expand names', () => {
    const question = {
      ...validQuestions['ppf.push'],
      query: 'expand=foo',
      readings: { 'expand-unknown': '400' },
    } as const;
    expect(ask('ppf.push', { ...question, on: teamWith({ licence: { ppf: 'none' } }) }).status).to.equal(403);
  });

  it('names the rule about case where a name in another case decides', () => {
    const rulesOf = (id: OperationId, question: Question) => ask(id, question).rules;
    for (const [id, question] of [
      ['groups.add-users', { json: { Group: 'customers', users: ['alice'] } }],
      ['ppf.push', { json: { USERS: ['alice'], filters: [10500] } }],
      [
        'spaces.replace-in-page',
        { query: { spaceKey: 'ds', pageTitle: 'Welcome' }, json: [{ oldtext: 'a', newText: '' }] },
      ],
      ['spaces.is-unique', { query: { spacekey: 'ds', spaceName: 'x' } }],
    ] as const)
      expect(rulesOf(id, question), id).to.include('address.case-sensitive');
    for (const json of [
      { groupe: 'customers', users: ['alice'] },
      { group: 'customers', Group: 'x', users: ['alice'] },
    ])
      expect(rulesOf('groups.add-users', { json })).not.to.include('address.case-sensitive');
  });
});
