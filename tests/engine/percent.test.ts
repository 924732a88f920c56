// Percent-encoded text, valid and invalid.
import { expect } from 'chai';
import fc from 'fast-check';
import { decoded, decodedInQuery, decodes } from '../../server/engine/percent.js';

describe('decoded', () => {
  const cases: ReadonlyArray<readonly [written: string, text: string | undefined, inQuery: string | undefined]> = [
    ['', '', ''],
    ['a+b', 'a+b', 'a b'],
    ['a%20b%2Bc+', 'a b+c+', 'a b+c '],
    ['%C3%BC', 'ü', 'ü'],
    ['%ff', undefined, undefined],
    ['100%', undefined, undefined],
    ['%zz', undefined, undefined],
    ['a+%f', undefined, undefined],
    ['%ed%a0%80', undefined, undefined],
  ];
  for (const [written, text, inQuery] of cases)
    it(`gives ${text ?? 'none'} for ${JSON.stringify(written)}, and in a query ${inQuery ?? 'none'}`, () => {
      expect([decoded(written), decodedInQuery(written), decodes(written)]).to.deep.equal([
        text,
        inQuery,
        text !== undefined,
      ]);
    });

  it('inverts the encoding of any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => decoded(encodeURIComponent(text)) === text));
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        text => decodedInQuery(new URLSearchParams({ text }).toString().slice(5)) === text,
      ),
    );
  });
});
