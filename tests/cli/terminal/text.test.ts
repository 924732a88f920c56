// Text that fits: words wrapped, bodies laid out, colours only if wanted.
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import { linesOfBody } from '../../../cli/terminal/body-lines.js';
import { cutToWidth, fittedLines, hanging, widthOf, wrapped } from '../../../cli/terminal/wrap.js';
import { painter, wantsColour } from '../../../server/process/colors.js';

describe('wrapped text', () => {
  it('keeps words whole if it can', () => {
    expect(wrapped('the quick brown fox', 10)).to.deep.equal(['the quick', 'brown fox']);
    expect(wrapped('a incomprehensibilities b', 8)).to.deep.equal(['a', 'incompre', 'hensibil', 'ities b']);
    expect(wrapped('', 8)).to.deep.equal(['']);
    expect(hanging('-> ', 'the quick brown fox', 12)).to.deep.equal(['-> the quick', '   brown fox']);
  });

  it('continues a line below its text, beside its label and without counting colours', () => {
    const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 16 });
    const lines = ['  \x1b[1mthe quick\x1b[22m brown', '  asked   the quick brown fox', 'short'];
    expect(fittedLines(lines, terminal)).to.deep.equal([
      '  \x1b[1mthe quick\x1b[22m',
      '  brown',
      '  asked   the',
      '          quick',
      '          brown',
      '          fox',
      'short',
    ]);
    expect(fittedLines(lines, new PassThrough())).to.deep.equal(lines);
  });

  it('counts columns, not characters', () => {
    for (const [text, width] of Object.entries({ abc: 3, 日本: 4, '👍': 2, 'e\u0301': 1, '…✔': 2 }))
      expect(widthOf(text), text).to.equal(width);
    expect(wrapped('日本日本', 5)).to.deep.equal(['日本', '日本']);
    expect(cutToWidth('日本日本', 6)).to.equal('日本…');
    expect(cutToWidth('abc', 3)).to.equal('abc');
  });

  it('never exceeds the width, and loses only blanks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 40 }), (text, width) => {
        const lines = wrapped(text, width);
        for (const line of lines) expect(widthOf(line)).to.be.at.most(width);
        expect(lines.join('').replace(/\s/g, '')).to.equal(text.replace(/\s/g, ''));
      }),
    );
  });
});

describe('the lines of a body', () => {
  const body = { users: ['alice', 'bob'], more: { deep: [1, 2, { a: null }] }, none: {} };

  it('are one if it fits', () => {
    expect(linesOfBody(body, 100)).to.deep.equal([
      '{"users": ["alice", "bob"], "more": {"deep": [1, 2, {"a": null}]}, "none": {}}',
    ]);
  });

  it('are several if it does not', () => {
    expect(linesOfBody(body, 32)).to.deep.equal([
      '{',
      '  "users": ["alice", "bob"],',
      '  "more": {',
      '    "deep": [1, 2, {"a": null}]',
      '  },',
      '  "none": {}',
      '}',
    ]);
  });

  it('are limited in number and width', () => {
    const lines = linesOfBody(
      Array.from({ length: 50 }, () => 'x'.repeat(30)),
      20,
    );
    expect(lines).to.have.length(12);
    expect(lines[1]).to.equal(`  "${'x'.repeat(16)}…`);
    expect(lines.at(-1)).to.equal('… 41 more lines');
  });

  it('show a text that is not JSON, without control characters', () => {
    expect(linesOfBody('one\ntwo \u001b[2J', 30)).to.deep.equal(['one', 'two \\u{1b}[2J']);
    expect(linesOfBody({ '\u0007': '\u009b' }, 30)).to.deep.equal(['{"\\u0007": "\\u{9b}"}']);
  });
});

describe('colours', () => {
  for (const [isTerminal, env, isWanted] of [
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '', NO_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: 'false' }, false],
  ] as const) {
    it(`${isWanted ? 'are' : 'are not'} wanted ${isTerminal ? 'in' : 'without'} a terminal with ${JSON.stringify(env)}`, () => {
      expect(wantsColour(isTerminal, env)).to.equal(isWanted);
    });
  }

  it('are wrapped around a text, or left out', () => {
    expect(painter(true)('red', 'x')).to.equal('\u001b[31mx\u001b[39m');
    expect(painter(true)('reset', 'x')).to.equal('x');
    expect(painter(true)('red', '')).to.equal('');
    expect(painter(false)('red', 'x')).to.equal('x');
  });
});
