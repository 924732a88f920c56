// The search: it finds what a naive one finds, and its work grows with the sum of both lengths, counted in steps.
import { expect } from 'chai';
import fc from 'fast-check';
import { Meter, Needle } from '../../server/domain/search.js';

const indexIn = (text: string, needle: string, from?: number) => new Needle(needle).indexIn(text, from);

/** Every place, one character after the other. */
function naive(text: string, needle: string, from: number): number {
  for (let at = from; at + needle.length <= text.length; at += 1)
    if ([...needle].every((_, i) => text[at + i] === needle[i])) return at;
  return -1;
}

describe('the search for a text', () => {
  it('finds the first place at or after its start', () => {
    expect(indexIn('one two one', 'one')).to.equal(0);
    expect(indexIn('one two one', 'one', 1)).to.equal(8);
    expect(indexIn('one two one', 'one', 9)).to.equal(-1);
    expect(indexIn('one', 'one two')).to.equal(-1);
    expect(indexIn('', 'a')).to.equal(-1);
  });

  it('finds needles that are longer than the longest shift', () => {
    const needle = `x${'a'.repeat(600)}y`;
    expect(indexIn(`${'a'.repeat(5_000)}${needle}`, needle)).to.equal(5_000);
    expect(indexIn(`${'a'.repeat(5_000)}${needle.slice(1)}`, needle)).to.equal(-1);
  });

  it('finds in any text what a naive search finds, from any start', () => {
    const letters = (most: number) => fc.string({ unit: fc.constantFrom('a', 'b', '\u0161'), maxLength: most });
    const text = fc.oneof(
      letters(60),
      fc.tuple(letters(5), fc.nat(12), letters(6)).map(([unit, times, end]) => unit.repeat(times) + end),
    );
    const needle = fc.oneof(
      letters(8),
      fc
        .tuple(letters(4), fc.integer({ min: 1, max: 5 }), letters(3))
        .map(([unit, times, end]) => unit.repeat(times) + end),
    );
    fc.assert(
      fc.property(
        text,
        needle.filter(one => one !== ''),
        text,
        fc.nat(6),
        (before, wanted, after, from) => {
          for (const whole of [before, before + wanted + after])
            expect(indexIn(whole, wanted, from)).to.equal(naive(whole, wanted, from));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  const n = 200_000;
  const hostile: Record<string, [text: string, needle: string]> = {
    'a b in the middle of a': ['a'.repeat(n), `${'a'.repeat(5_000)}b${'a'.repeat(5_000)}`],
    'a needle that repeats itself and then does not': ['abaab'.repeat(n / 5), `${'abaab'.repeat(900)}abb`],
    'another character with the same low bits': [
      '\u0161'.repeat(n),
      `${'\u0161'.repeat(3_000)}a${'\u0161'.repeat(3_000)}`,
    ],
    'a Fibonacci word': [fibonacci(n), `${fibonacci(5_000)}bb`],
  };
  for (const [what, [text, needle]] of Object.entries(hostile)) {
    it(`needs at most three times the sum of both lengths for ${what}`, () => {
      const meter = new Meter();
      expect(new Needle(needle, meter).indexIn(text)).to.equal(-1);
      expect(meter.steps).to.be.at.most(3 * (text.length + needle.length) + 100);
    });
  }

  it('stops when its budget is exceeded', () => {
    const meter = new Meter(1_000);
    const needle = new Needle('ab', meter);
    expect(needle.indexIn(`${'a'.repeat(600)}b`)).to.equal(599);
    expect(meter.isExceeded).to.equal(false);
    expect(needle.indexIn(`${'a'.repeat(600)}b`)).to.equal(-1);
    expect(meter.isExceeded).to.equal(true);
    expect(meter.steps).to.be.within(1_001, 1_010);
  });
});

function fibonacci(length: number): string {
  let [one, other] = ['a', 'ab'];
  while (other.length < length) [one, other] = [other, other + one];
  return other.slice(0, length);
}
