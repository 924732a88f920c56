// Replaces literal text by a list of pairs: nothing in it is a pattern, and the work is limited.
import { expect } from 'chai';
import { LONGEST_TEXT } from '../../../server/domain/world/pages.js';
import {
  MAX_LOOKING,
  prepareReplacements,
  type Replaced,
  type Replacement,
  replaceSequentially,
  replaceSimultaneously,
  type Scope,
} from '../../../server/operations/wiki/replace.js';
import { unmarked } from '../../../server/operations/wiki/visible-text.js';

const sequentially = (text: string, list: readonly Replacement[], scope: Scope) =>
  only(replaceSequentially([unmarked(text)], prepareReplacements(list), scope));
const simultaneously = (text: string, list: readonly Replacement[], scope: Scope) =>
  only(replaceSimultaneously([unmarked(text)], prepareReplacements(list), scope));
/** The result for a single text. */
const only = (replaced: Replaced | undefined) =>
  replaced && { text: replaced.texts[0]?.text ?? '', found: replaced.found };

const pairs = (...list: [oldText: string, newText: string][]): Replacement[] =>
  list.map(([oldText, newText]) => ({ oldText, newText }));

describe('replacing one text', () => {
  type Case = [what: string, text: string, oldText: string, newText: string, all: string, first: string];
  const cases: Case[] = [
    ['every place', 'a-a-a', 'a', 'b', 'b-b-b', 'b-a-a'],
    ['the whole text', 'abc', 'abc', '', '', ''],
    ['a newText that is taken away', 'abcabc', 'b', '', 'acac', 'acabc'],
    ['a newText that holds the oldText', 'aa', 'a', 'aa', 'aaaa', 'aaa'],
    ['places that overlap: from the left', 'aaaaa', 'aa', 'b', 'bba', 'baaa'],
    ['what replacing makes is not looked at again', 'aab', 'ab', 'b', 'ab', 'ab'],
    ['$& and its like', 'a.a', 'a', '$&$1$$$`', '$&$1$$$`.$&$1$$$`', '$&$1$$$`.a'],
    ['dots and stars', 'x.*y.*', '.*', '+', 'x+y+', 'x+y.*'],
    ['half of an emoji: code units are text', '😀', '\ud83d', 'x', 'x\ude00', 'x\ude00'],
    ['a lone surrogate', 'a\ud800b', '\ud800', '-', 'a-b', 'a-b'],
    ['a combining character alone', 'e\u0301e\u0301', '\u0301', '', 'ee', 'ee\u0301'],
    ['composed is not decomposed', 'é e\u0301', 'é', 'E', 'E e\u0301', 'E e\u0301'],
    ['CRLF is two characters', 'a\r\nb\r\n', '\n', '|', 'a\r|b\r|', 'a\r|b\r\n'],
    ['another case is another text', 'Name NAME name', 'NAME', 'x', 'Name x name', 'Name x name'],
    ['markup is text', '<p>x</p>', '<p>', '<h1 class="$1">', '<h1 class="$1">x</p>', '<h1 class="$1">x</p>'],
  ];
  it('replaces every place, or the first', () => {
    for (const [what, text, oldText, newText, all, first] of cases)
      for (const replace of [sequentially, simultaneously]) {
        expect(replace(text, pairs([oldText, newText]), 'all')?.text, what).to.equal(all);
        expect(replace(text, pairs([oldText, newText]), 'first')?.text, what).to.equal(first);
      }
  });
});

describe('replacing several texts', () => {
  type Row = [text: string, list: Replacement[], scope: Scope, sequential: string, simultaneous: string];
  const cases: Record<string, Row> = {
    'a chain': ['a b', pairs(['a', 'b'], ['b', 'c']), 'all', 'c c', 'b c'],
    'a swap': ['a b', pairs(['a', 'b'], ['b', 'a']), 'all', 'a a', 'b a'],
    'a swap of the first each': ['a b a b', pairs(['a', 'b'], ['b', 'a']), 'first', 'a b a b', 'b a a b'],
    'the earlier place wins over the earlier element': ['abc', pairs(['bc', 'X'], ['ab', 'Y']), 'all', 'aX', 'Yc'],
    'at one place the earlier element wins': ['abc', pairs(['a', 'X'], ['abc', 'Y']), 'all', 'Xbc', 'Xbc'],
    'the same oldText twice, first only': ['a a', pairs(['a', '1'], ['a', '2']), 'first', '1 2', '1 2'],
    'a place was taken': ['ab b', pairs(['ab', '-'], ['b', '+']), 'all', '- +', '- +'],
    'what an element makes is found by a later one': ['x', pairs(['x', 'ab'], ['b', 'c']), 'all', 'ac', 'ab'],
    'across the seam of a replacement': ['aXb', pairs(['X', ''], ['ab', '!']), 'all', '!', 'ab'],
    'no elements': ['abc', [], 'all', 'abc', 'abc'],
  };
  it('goes on with what the earlier elements made, or with the first text', () => {
    for (const [what, [text, list, scope, sequential, simultaneous]] of Object.entries(cases)) {
      expect(sequentially(text, list, scope)?.text, what).to.equal(sequential);
      expect(simultaneously(text, list, scope)?.text, what).to.equal(simultaneous);
    }
  });

  it('finds each element in the text that it looks at', () => {
    const list = pairs(['a', 'b'], ['z', ''], ['b', 'c']);
    expect(sequentially('a', list, 'all')?.found).to.deep.equal([true, false, true]);
    expect(simultaneously('a', list, 'all')?.found).to.deep.equal([true, false, false]);
    const overlapping = pairs(['wiki', 'a'], ['ki', 'b']);
    expect(sequentially('wiki', overlapping, 'all')?.found).to.deep.equal([true, false]);
    expect(simultaneously('wiki', overlapping, 'all')?.found).to.deep.equal([true, true]);
  });
});

describe('the limits of replacing', () => {
  it('stop a list that would double a text again and again', () => {
    const doubling = pairs(...Array.from({ length: 200 }, () => ['a', 'aa'] as [string, string]));
    expect(sequentially('a', doubling, 'all')).to.equal(undefined);
    expect(sequentially('a', doubling.slice(0, 12), 'all')?.text).to.have.lengthOf(2 ** 12);
  });

  it('cap the number of replaced places', () => {
    const places = (many: number) => 'a'.repeat(many);
    for (const replace of [sequentially, simultaneously]) {
      expect(replace(places(200_000), pairs(['a', 'b']), 'all')?.text).to.equal('b'.repeat(200_000));
      expect(replace(places(300_000), pairs(['a', 'b']), 'all')).to.equal(undefined);
    }
  });

  it('stop a list of hostile texts', () => {
    const text = unmarked('a'.repeat(2 ** 20));
    const hostile = `${'a'.repeat(15_000)}b${'a'.repeat(15_000)}`;
    const many = prepareReplacements(Array.from({ length: 30 }, () => ({ oldText: hostile, newText: 'c' })));
    expect(replaceSequentially([text], many, 'all')).to.equal(undefined);
    expect(many.meter.steps).to.be.within(MAX_LOOKING, MAX_LOOKING + 2 * 30_001);
  });
});

describe('the longest possible result', () => {
  const half = 'x'.repeat(LONGEST_TEXT / 2);
  const halves = pairs(['a', half], ['b', half]);
  for (const replace of [sequentially, simultaneously])
    it(`is built, and one character more is not (${replace.name})`, () => {
      expect(replace('ab', halves, 'all')?.text).to.have.lengthOf(LONGEST_TEXT);
      expect(replace('abc', halves, 'all')).to.equal(undefined);
    });
});
