// Large collections are composed piece by piece: values and errors equal those of the library's composer, which composes them at once.
import { expect } from 'chai';
import { parseDocument } from 'yaml';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { parseSource } from '../../../server/scenario/yaml/source.js';

const MANY = 1_203;
const entries = (of: (i: number) => string, between: string) =>
  Array.from({ length: MANY }, (_, i) => of(i)).join(between);

const texts: Readonly<Record<string, string>> = {
  'a mapping of blocks': entries(i => `u${i}: { name: U${i} }`, '\n'),
  'a mapping in a mapping, and what follows it': `users:\n${entries(i => `  u${i}:\n    name: U${i}`, '\n')}\nlast: 1\n`,
  'a sequence of blocks': `a:\n${entries(i => `  - { b: ${i} }`, '\n')}\nb: []\n`,
  'a sequence in brackets over lines': `a: [${entries(i => `x${i}`, ',\n  ')},\n]\nb: 2\n`,
  'a mapping in braces': `{${entries(i => `k${i}: [${i}]`, ', ')}}`,
  'large ones in large ones': `[${[1, 2, 3].map(n => `{${entries(i => `k${i}: ${n}`, ',')}}`).join()}]`,
  'large ones in each entry': entries(i => `k${i}:\n${i % 600 === 0 ? entries(j => `  - ${j}`, '\n') : '  - 1'}`, '\n'),
  'a large key': `? [${entries(i => `${i}`, ',')}]\n: 1\n`,
  'comments and empty values': entries(i => (i % 250 === 249 ? `# ${i}\nk${i}:` : `k${i}: # ${i}`), '\n'),
  'pairs in a sequence': `[${entries(i => `k${i}: ${i}`, ', ')}]`,
};

const mistaken: Readonly<Record<string, string>> = {
  'an empty entry at the end of a piece': `a: [${entries(i => (i === 499 ? '' : `x${i}`), ', ')}]`,
  'two commas at the beginning of a piece': `a: [${entries(i => (i === 500 ? ', x' : `x${i}`), ', ')}]`,
  'a comma too much at the beginning': `a: [, ${entries(i => `x${i}`, ', ')}]`,
  'a key without a value': entries(i => (i === 700 ? `k${i}` : `k${i}: 1`), '\n'),
  'no end': `a: [${entries(i => `x${i}`, ', ')}`,
};

describe('large collections of YAML', () => {
  for (const [what, text] of Object.entries(texts))
    it(`${what}: as composed at once`, () => {
      const source = parseSource('a.yaml', text);
      if (what === 'a large key')
        return expect(isProblems(source) && source.problems[0]?.message).to.equal('A key must be a single name.');
      if (isProblems(source)) throw new Error(source.problems.map(({ message }) => message).join('\n'));
      expect(source.value).to.deep.equal(parseDocument(text).toJS());
      expect(source.slips).to.deep.equal([]);
    });

  for (const [what, text] of Object.entries(mistaken))
    it(`${what} is reported at its place`, () => {
      const atOnce = parseDocument(text, { prettyErrors: true }).errors.map(({ linePos }) => linePos?.[0]);
      const source = parseSource('a.yaml', text);
      expect(atOnce).not.to.deep.equal([]);
      expect(isProblems(source) && source.problems.map(({ line, column }) => ({ line, col: column }))).to.deep.equal(
        atOnce,
      );
    });

  it('an entry with deeper indentation is reported at its place', () => {
    const source = parseSource('a.yaml', `a:\n${entries(i => `${i === 1_100 ? '   ' : '  '}k${i}: 1`, '\n')}`);
    expect(isProblems(source) && source.problems.map(({ line, column }) => [line, column])).to.deep.equal([[1_102, 4]]);
  });
});
