// Control characters are escaped, and everything readable stays as it is.
import { expect } from 'chai';
import fc from 'fast-check';
import { visible, visibleLines } from '../../../server/derive/text/visible.js';

describe('visible text', () => {
  it('escapes control characters and others that nobody sees', () => {
    for (const [text, shown] of [
      ['\u001b[31mred\u0007', '\\u{1b}[31mred\\u{7}'],
      ['a\tb\r\nc', 'a\\tb\\r\\nc'],
      ['\u009b2J', '\\u{9b}2J'],
      ['abc\u202ecba', 'abc\\u{202e}cba'],
      ['zero\u200bwidth\ufeff', 'zero\\u{200b}width\\u{feff}'],
      ['\ud83d', '\\u{d83d}'],
      ['\u205fa\u2060b\u206f\u2070', '\u205fa\\u{2060}b\\u{206f}\u2070'],
      ['Ünïcödé, 日本, 👍, it’s', 'Ünïcödé, 日本, 👍, it’s'],
    ] as const)
      expect(visible(text)).to.equal(shown);
  });

  it('keeps the lines of a text', () => {
    expect(visibleLines('a\r\nb\n\u001b')).to.deep.equal(['a', 'b', '\\u{1b}']);
  });

  it('is idempotent, and contains no control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        const shown = visible(text);
        expect(shown).to.not.match(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
        expect(visible(shown)).to.equal(shown);
      }),
    );
  });
});
