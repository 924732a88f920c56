// Patterns made to be large: their length, their programs and the work of matching are limited, by counting and not by a clock.
import { createRequire } from 'node:module';
import { expect } from 'chai';
import fc from 'fast-check';
import type { RE2JS } from 're2js';
import { BudgetExceeded, consume, QUESTION, withinBudget } from '../../../server/engine/patterns/budget.js';
import { patternError, programBound } from '../../../server/engine/patterns/pattern.js';
import { sendJson, useServer } from '../../support/wire/server.js';

const { RE2JS: engine } = createRequire(import.meta.url)('re2js') as { RE2JS: typeof RE2JS };

function sizeOf(pattern: string): number | undefined {
  try {
    return engine.compile(pattern).programSize();
  } catch {
    return undefined; // an invalid pattern
  }
}

describe('the size of a pattern', () => {
  for (const pattern of [
    '((a{100}){100}){100}',
    `(?:${'abcdefghij'.repeat(98)}){1000}`,
    `${'(a{10})'.repeat(140)}(?i){1000}`,
  ]) {
    it(`is limited before a program is made of ${pattern.slice(0, 30)}`, () => {
      expect(patternError(pattern)).to.match(
        /is too large: its repetitions need more than 5000 instructions|at most 1000/,
      );
    });
  }

  it('is limited once the program is made, if it seemed smaller', () => {
    const pattern = '[a-z]{1000}'.repeat(6);
    expect(programBound(pattern)).to.be.below(50_000);
    expect(patternError(pattern)).to.equal(
      `${JSON.stringify(pattern)} is too large: its repetitions need more than 5000 instructions. Use fewer nested repetitions.`,
    );
  });

  it('is never underestimated', () => {
    const atoms = String.raw`a . \d \pL \p{Greek} [a-z] [^]a] [[:alpha:]] \x{41} \Qab.c\E ^ \b 😀 [\]x] \( (?i) { a{,2} \123 ] (?s).`;
    const atom = fc.constantFrom(...atoms.split(' '));
    const count = fc.constantFrom('', '*', '+', '?', '{3}', '{2,}', '{0,5}', '{7}?', '{0}', '{1}', '{10}');
    const group = fc.constantFrom('(', '(?:', '(?P<n>', '(?i:', '(?<nm>', '(?i-s:');
    const { pattern } = fc.letrec<{ pattern: string }>(tie => ({
      pattern: fc.oneof(
        { maxDepth: 4 },
        atom,
        fc.tuple(tie('pattern'), count).map(([inner, times]) => `${inner}${times}`),
        fc.tuple(group, tie('pattern'), count).map(([open, inner, times]) => `${open}${inner})${times}`),
        fc.tuple(tie('pattern'), fc.constantFrom('', '|'), tie('pattern')).map(parts => parts.join('')),
      ),
    }));
    let compiled = 0;
    fc.assert(
      fc.property(pattern, text => {
        const size = sizeOf(text);
        if (size !== undefined) compiled += 1;
        return size === undefined || programBound(text) >= size;
      }),
      { numRuns: 500 },
    );
    expect(compiled).to.be.above(100);
  });
});

describe('the work of matching', () => {
  it('adds up within one query, and starts at zero for the next', () => {
    const half = () => consume(QUESTION / 2);
    expect(() => withinBudget(() => [half(), half(), half()])).to.throw(BudgetExceeded);
    expect(withinBudget(() => [half(), half()])).to.have.lengthOf(2);
    expect(withinBudget(() => withinBudget(half))).to.equal(undefined);
    expect(() => withinBudget(() => [withinBudget(half), withinBudget(half), half()])).to.throw(BudgetExceeded);
  });
});

describe('a request pattern over HTTP', () => {
  const server = useServer(undefined, { 'max-body': String(4 * 2 ** 20) });
  before(async () => {
    const users = [...Array(20_000).keys()].map(i => `u${i}`);
    await sendJson(
      `${server.url}/~held/rest/cwx-ppf/latest/push`,
      'POST',
      { users, filters: [10500], x: 'a'.repeat(100_000) },
      'admin',
    );
  });

  const verify = (wish: object) => sendJson(`${server.url}/_fake/v1/sandboxes/held/journal/verify`, 'POST', wish);

  it('that takes too much work is reported, and is neither true nor false', async () => {
    const says = 'The pattern is too expensive: use patterns with less repetition, or shorter texts and lists.';
    for (const body of [
      { $contains: { x: { $match: '(?:a|ab|ba){333}c' } } },
      { $contains: { users: { $contains: Array(20_000).fill('nobody') } } },
    ]) {
      for (const times of [{ exactly: 0 }, { atLeast: 1 }]) {
        const { status, json } = await verify({ body, times });
        expect({ status, json }).to.deep.equal({
          status: 422,
          json: { status: 422, title: 'The query is too expensive', detail: says },
        });
      }
    }
  });

  it('has at most 50 patterns and 1000 matchers, each within its limits', async () => {
    const many = await verify({ body: Array.from({ length: 51 }, (_, i) => ({ $match: `a${i}` })) });
    expect(many.status).to.equal(400);
    expect(many.json).to.deep.include({ detail: 'has 51 $match patterns, but at most 50 are allowed' });
    const matchers = await verify({ body: Array.from({ length: 1001 }, () => ({ $any: 'string' })) });
    expect(matchers.status).to.equal(400);
    expect(matchers.json).to.deep.include({ detail: 'has 1001 matchers, but at most 1000 are allowed' });
    const large = await verify({ query: { a: { $match: '((a{100}){100}){100}' } } });
    expect(large.status).to.equal(400);
    expect(large.json).to.have.nested.property('problems[0].pointer', '/query/a/$match');
  });
});
