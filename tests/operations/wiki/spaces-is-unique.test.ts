// Whether a space exists: which keys and names count as taken, the form of the response, and that a check changes nothing.
import { expect } from 'chai';
import type { Reading } from '../../../server/operations/gaps/gaps.js';
import { ask } from '../../support/worlds/ask.js';
import { expectDone, teamWith } from '../../support/worlds/judge.js';
import { accepts, refuses } from '../gaps/gap-tests.js';

const id = 'spaces.is-unique';
const query = (spaceKey: string, spaceName: string) => ({ spaceKey, spaceName });

describe('spaces.is-unique', () => {
  it('spaces.is-unique: true for a key and a name that are free', () => {
    const asked = ask(id, { query: query('APOLLO', 'Apollo') });
    expectDone(asked, [], true);
    expect(asked.rules).to.deep.equal(['address.no-context-path', 'address.extension-path', 'spaces.is-unique']);
  });

  it('keys such as __proto__ and constructor are free until such a space exists', () => {
    for (const key of ['__proto__', 'constructor', 'toString', '']) {
      expectDone(ask(id, { query: query(key, key) }), [], true);
      const on = teamWith({ spaces: Object.fromEntries([[key, { name: key }]]) });
      expectDone(ask(id, { on, query: query(key, 'else') }), [], false);
    }
  });
});

describe('gap is-unique-match', () => {
  type Unique = Record<Reading<'is-unique-match'>, boolean>;
  const cases: [what: string, key: string, name: string, unique: Unique][] = [
    ['key and name are free', 'new', 'New', { either: true, both: true, 'key-only': true }],
    ['key and name are taken', 'ds', 'Demonstration Space', { either: false, both: false, 'key-only': false }],
    ['the key alone is taken', 'ds', 'Other', { either: false, both: true, 'key-only': false }],
    ['the name alone is taken', 'new', 'Template Space', { either: false, both: true, 'key-only': true }],
    ['key and name are of two spaces', 'ds', 'Template Space', { either: false, both: true, 'key-only': false }],
  ];
  for (const [what, key, name, unique] of cases)
    for (const reading of ['either', 'both', 'key-only'] as const)
      it(`is-unique-match=${reading}: ${unique[reading] ? 'free' : 'taken'} when ${what}`, () => {
        const asked = ask(id, { query: query(key, name), readings: { 'is-unique-match': reading } });
        expectDone(asked, [], unique[reading]);
      });
});

describe('gap is-unique-answer', () => {
  const exists = 'A space with the key "ds" or the name "Demonstration Space" exists.';
  const responses: [Reading<'is-unique-answer'>, free: unknown, taken: unknown][] = [
    ['boolean', true, false],
    ['inverted', false, true],
    ['object', { unique: true }, { unique: false }],
    ['exists', { exists: false }, { exists: true }],
    ['messages', { success: true, messages: [] }, { success: false, messages: [exists] }],
  ];
  const taken = query('ds', 'Demonstration Space');
  for (const [reading, whenFree, whenTaken] of responses)
    it(`is-unique-answer=${reading}: ${JSON.stringify(whenFree)} when free, ${JSON.stringify(whenTaken)} when taken`, () => {
      const readings = { 'is-unique-answer': reading };
      expectDone(ask(id, { query: query('new', 'New'), readings }), [], whenFree);
      expectDone(ask(id, { query: taken, readings }), [], whenTaken);
    });

  const found = { 'is-unique-answer': 'found' } as const;
  accepts(found, id, { query: taken }, [], {});
  refuses({ ...found, 'is-unique-match': 'either' }, id, {
    query: query('new', 'New'),
    status: 404,
    code: 'not-taken',
    message: 'No space with the key "new" or the name "New" exists.',
    rules: ['spaces.is-unique'],
  });

  const status = { 'is-unique-answer': 'status' } as const;
  accepts(status, id, { query: query('new', 'New') }, [], {});
  for (const [match, message] of [
    ['either', exists],
    ['both', exists.replace('or', 'and')],
    ['key-only', 'A space with the key "ds" exists.'],
  ] as const)
    refuses({ ...status, 'is-unique-match': match }, id, {
      query: taken,
      status: 409,
      code: 'not-unique',
      message,
      rules: ['spaces.is-unique'],
    });
});
