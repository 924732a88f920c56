// Whether a space exists: which keys and names count as taken, the form of the response, and that a check changes nothing.
import { expect } from 'chai';
import type { Reading } from '../../server/operations/gaps/gaps.js';
import { ask, smallTeam } from '../support/worlds/ask.js';
import { expectDone, teamWith } from '../support/worlds/judge.js';

const id = 'spaces.is-unique';
const query = (spaceKey: string, spaceName: string) => ({ spaceKey, spaceName });

describe('spaces.is-unique', () => {
  it('spaces.is-unique: true for a key and a name that are free', () => {
    const asked = ask(id, { query: query('APOLLO', 'Apollo') });
    expectDone(asked, [], true);
    expect(asked.rules).to.deep.equal(['address.no-context-path', 'address.extension-path', 'spaces.is-unique']);
    expect(asked.gaps).to.deep.equal({ 'is-unique-answer': 'boolean' });
  });

  it('spaces.is-unique: false for a key and a name of an existing space', () => {
    expectDone(ask(id, { query: query('ds', 'Demonstration Space') }), [], false);
  });

  it('spaces.is-unique: changes nothing, whatever the result', () => {
    for (const [key, name] of [
      ['ds', 'Demonstration Space'],
      ['new', 'New'],
    ] as const) {
      const asked = ask(id, { query: query(key, name) });
      expect(asked.facts).to.deep.equal([]);
      expect(asked.world).to.equal(smallTeam);
    }
  });

  it('address.case-sensitive: a key or a name in another case is free', () => {
    expectDone(ask(id, { query: query('DS', 'demonstration space') }), [], true);
  });

  it('a body is not read, whatever it is', () => {
    const asked = ask(id, {
      query: query('new', 'New'),
      body: { kind: 'not-json', text: '{', problem: 'it ends' },
      readings: { 'content-type': '415' },
      contentType: 'application/x-www-form-urlencoded',
    });
    expectDone(asked, [], true);
    expect(asked.rules).not.to.include('address.json-bodies');
  });

  it('keys such as __proto__ and constructor are free until such a space exists', () => {
    for (const key of ['__proto__', 'constructor', 'toString', '']) {
      expectDone(ask(id, { query: query(key, key) }), [], true);
      const on = teamWith({ spaces: Object.fromEntries([[key, { name: key }]]) });
      expectDone(ask(id, { on, query: query(key, 'else') }), [], false);
    }
  });
});

describe('gap is-unique-answer, as objects', () => {
  const asked = (key: string, reading: Reading<'is-unique-answer'>) =>
    ask(id, { query: query(key, 'Other'), readings: { 'is-unique-answer': reading } });

  it('is-unique-answer=exists: whether the space exists', () => {
    expectDone(asked('ds', 'exists'), [], { exists: true });
    expectDone(asked('free', 'exists'), [], { exists: false });
  });

  it('is-unique-answer=messages: success when free, else a message', () => {
    expectDone(asked('free', 'messages'), [], { success: true, messages: [] });
    const messages = ['A space with the key "ds" or the name "Other" exists.'];
    expectDone(asked('ds', 'messages'), [], { success: false, messages });
    expect(asked('ds', 'messages').gaps).to.include({ 'is-unique-answer': 'messages', 'is-unique-match': 'either' });
  });
});

describe('gap is-unique-match', () => {
  const cases: [what: string, key: string, name: string, free: Record<Reading<'is-unique-match'>, boolean>][] = [
    ['the key alone is taken', 'ds', 'Other', { either: false, both: true, 'key-only': false }],
    ['the name alone is taken', 'new', 'Template Space', { either: false, both: true, 'key-only': true }],
    ['key and name are of two spaces', 'ds', 'Template Space', { either: false, both: true, 'key-only': false }],
  ];
  for (const [what, key, name, free] of cases) {
    for (const reading of ['either', 'both', 'key-only'] as const) {
      it(`is-unique-match=${reading}: ${free[reading] ? 'free' : 'taken'} when ${what}`, () => {
        const asked = ask(id, { query: query(key, name), readings: { 'is-unique-match': reading } });
        expectDone(asked, [], free[reading]);
        expect(asked.gaps).to.deep.equal({ 'is-unique-match': reading, 'is-unique-answer': 'boolean' });
      });
    }
  }

  it('is-unique-match: either is the default', () => {
    expect(ask(id, { query: query('ds', 'Other') }).gaps).to.include({ 'is-unique-match': 'either' });
  });

  it('is-unique-match: is not named if all readings agree', () => {
    for (const [key, name] of [
      ['ds', 'Demonstration Space'],
      ['new', 'New'],
    ] as const) {
      for (const reading of ['either', 'both', 'key-only'] as const) {
        const asked = ask(id, { query: query(key, name), readings: { 'is-unique-match': reading } });
        expect(asked.gaps).to.deep.equal({ 'is-unique-answer': 'boolean' });
        expect(asked.reply).to.equal(key === 'new');
      }
    }
  });
});

describe('gap is-unique-answer', () => {
  const responses: [Reading<'is-unique-answer'>, free: unknown, taken: unknown][] = [
    ['boolean', true, false],
    ['inverted', false, true],
    ['object', { unique: true }, { unique: false }],
  ];
  for (const [reading, free, taken] of responses) {
    it(`is-unique-answer=${reading}: ${JSON.stringify(free)} when free, ${JSON.stringify(taken)} when taken`, () => {
      const readings = { 'is-unique-answer': reading };
      const whenFree = ask(id, { query: query('new', 'New'), readings });
      expectDone(whenFree, [], free);
      expect(whenFree.gaps).to.deep.equal({ 'is-unique-answer': reading });
      expectDone(ask(id, { query: query('ds', 'Demonstration Space'), readings }), [], taken);
    });
  }

  const messages = {
    either: 'A space with the key "ds" or the name "Demonstration Space" exists.',
    both: 'A space with the key "ds" and the name "Demonstration Space" exists.',
    'key-only': 'A space with the key "ds" exists.',
  } as const;
  for (const match of ['either', 'both', 'key-only'] as const)
    it(`is-unique-answer=status, is-unique-match=${match}: the message names what is taken`, () => {
      const readings = { 'is-unique-answer': 'status', 'is-unique-match': match } as const;
      const { reply } = ask(id, { query: query('ds', 'Demonstration Space'), readings });
      expect(reply).to.have.property('message', messages[match]);
    });

  it('is-unique-answer=status: 200 when free, 409 when taken', () => {
    const readings = { 'is-unique-answer': 'status' } as const;
    const free = ask(id, { query: query('new', 'New'), readings });
    expectDone(free, [], {});
    expect(free.gaps).to.deep.equal({ 'is-unique-answer': 'status' });
    const taken = ask(id, { query: query('ds', 'Demonstration Space'), readings });
    expect(taken.status).to.equal(409);
    expect(taken.refused).to.equal('not-unique');
    expect(taken.rules).to.include('spaces.is-unique');
    expect(taken.gaps).to.deep.equal({
      'is-unique-match': 'either',
      'is-unique-answer': 'status',
      'wiki-error-body': 'confluence',
    });
    expect(taken.reply).to.deep.equal({
      statusCode: 409,
      message: 'A space with the key "ds" or the name "Demonstration Space" exists.',
      reason: 'Conflict',
    });
    expect(taken.world).to.equal(smallTeam);
  });
});
