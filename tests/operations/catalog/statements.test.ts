// The statements of the document, the rules and the gaps refer to each other, and agree on their places in the document.
import { expect } from 'chai';
import { rules } from '../../../server/operations/catalog/catalog.js';
import { citationOf, sections, statements, statementsOf } from '../../../server/operations/catalog/statements.js';
import { gapIds, gapSpec } from '../../../server/operations/gaps/gaps.js';

const sources: ReadonlyArray<readonly [id: string, source: string]> = [
  ...Object.entries(rules).map(([id, { source }]) => [id, source] as const),
  ...gapIds.map(id => [id, gapSpec(id).source] as const),
];

/** The sections that a source names: at its beginning, after `;`, `to` and `and`. */
const sectionsIn = (source: string) =>
  [...source.matchAll(/(?:^|; |\bto |\band )(\d(?:\.\d)?)(?=[\s,:]|$)/g)].map(([, number = '']) => number);

describe('the statements of the document', () => {
  it('each have a rule, a gap, or a reason why no request shows them, and never both', () => {
    for (const { number, rules: own, gaps, unseen } of statements)
      expect(own.length + gaps.length > 0, `statement ${number}`).to.equal(unseen === undefined);
  });

  it('name existing rules and gaps, each once', () => {
    for (const { number, rules: own, gaps } of statements) {
      expect(Object.keys(rules), `statement ${number}`).to.include.members([...own]);
      expect(gapIds, `statement ${number}`).to.include.members([...gaps]);
      expect(new Set([...own, ...gaps]).size, `statement ${number}`).to.equal(own.length + gaps.length);
    }
  });

  it('cover each rule and each gap, in the section that its source names', () => {
    for (const [id, source] of sources) {
      const numbers = statementsOf(id);
      expect(
        numbers,
        `${id}: add it to the statement that it rests on, beside the operations of its family or in server/operations/document`,
      ).not.to.deep.equal([]);
      const named = sectionsIn(source);
      const stands = numbers.map(number => number.split('-')[0] ?? '');
      expect(
        named.some(one => stands.some(section => section === one || section.startsWith(`${one}.`))),
        `${id} is said to stand in "${source}", and its statements are ${numbers.join(', ')}`,
      ).to.equal(true);
    }
  });

  it('are numbered by section and place, and cited so', () => {
    expect(sections.map(({ number }) => number).join(' ')).to.equal('0 1 2 3 4.1 4.2 4.3 4.4 4.5 5 6 7 8 9');
    expect(new Set(statements.map(({ number }) => number)).size).to.equal(statements.length);
    expect(statementsOf('ppf.needs-item')).to.deep.equal(['4.5-5']);
    expect(citationOf('ppf.needs-item', '4.5, rule 2')).to.equal('document 4.5-5 (4.5, rule 2)');
    expect(statementsOf('no such rule')).to.deep.equal([]);
  });
});
