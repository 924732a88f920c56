// A client under other readings: the table, the pairs with new results, and the conclusion if it relies on no guess.
import { expect } from 'chai';
import type { PairTrial, Trial, Verdict } from '../../../../harness/verify/contract/verdict.js';
import { sensitivities } from '../../../../harness/verify/results/contract-sensitivity.js';
import { sensitivityParts, showSensitivities } from '../../../../harness/verify/results/render-sensitivity.js';
import type { SensitivityReport } from '../../../../harness/verify/results/verification-format.js';
import { painter } from '../../../../server/process/colors.js';
import { contractOf, failing, noBody, resting, untried, verdictOf } from '../hand-made.js';

const plain = painter(false);
const linesOf = (verdicts: readonly Verdict[]) => showSensitivities(sensitivities(verdicts), plain);
const only = (verdicts: readonly Verdict[]): SensitivityReport => {
  const [one, ...others] = sensitivities(verdicts);
  if (one === undefined || others.length > 0) throw new Error('not one client');
  return one;
};

const held = (gap: Trial['gap'], ...readings: string[]): Trial[] =>
  readings.map(reading => ({ gap, reading, passes: true }));
const robust = verdictOf({
  gaps: { 'unknown-field': 'ignore', 'wiki-success': 'object' },
  trials: [...held('unknown-field', '400'), ...held('wiki-success', 'empty', 'no-content', 'messages')],
  pairs: [],
});
const pair = (rest: Partial<PairTrial> = {}): PairTrial => ({
  first: { gap: 'wiki-success', reading: 'empty' },
  second: { gap: 'unknown-field', reading: '400' },
  passes: true,
  isPairOnly: false,
  ...rest,
});

describe('a client under other readings', () => {
  it('is reported to rely on no guess', () => {
    expect(linesOf([robust, robust])).to.deep.equal([
      'Under other readings',
      '  web passes under all 6 readings of the 2 gaps it touches: it relies on no guess.',
      '  The gaps: wiki-success, unknown-field.',
      '  Checked 8 responses, each with one reading changed.',
      '',
    ]);
    expect(only([robust]).passesUnderAll).to.equal(true);
  });

  it('has a table of gap, reading and what breaks, with the first difference', () => {
    expect(linesOf([robust, resting])).to.deep.equal([
      'Under other readings',
      '  web relies on wiki-success: it fails under 2 of the 6 readings of the 2 gaps it touches.',
      '    wiki-success   object (used here)  passes',
      '                   empty               fails 1 of 2',
      `                     reads the response: ${noBody.says}`,
      '                   no-content          fails 1 of 2',
      `                     reads the response: ${noBody.says}`,
      '                   messages            passes',
      '    unknown-field  passes under ignore, 400',
      '  Checked 7 responses, each with one reading changed.',
      '',
    ]);
  });

  it('leaves out of the table what passes under no reading, and what could not be tried', () => {
    const lost = verdictOf(
      {
        outcome: 'failed',
        gaps: { 'unknown-field': 'ignore' },
        trials: [{ gap: 'unknown-field', reading: '400', passes: false }],
      },
      { description: 'is wrong anyway' },
    );
    expect(linesOf([robust, lost, untried]).slice(1)).to.deep.equal([
      '  web has 2 interactions that never pass, whatever the reading; the others rely on no guess.',
      '    wiki-success   passes under object, empty, no-content, messages',
      '    unknown-field  passes under ignore, 400',
      '  Never passes, whatever the reading: is wrong anyway.',
      '  Never passes, whatever the reading: asks without a licence.',
      '  Checked 5 responses, each with one reading changed.',
      '',
    ]);
    expect(only([robust, lost]).passesUnderAll).to.equal(false);
  });

  it('lists only the pairs with new results, and how many were tried', () => {
    const pairOnly = pair({ passes: false, isPairOnly: true, difference: noBody });
    const lines = linesOf([{ ...robust, pairs: [pair(), pair({ isPairOnly: false }), pairOnly] }]);
    expect(lines.slice(1)).to.deep.equal([
      '  web fails only if the readings of two gaps change at once.',
      '    wiki-success   passes under object, empty, no-content, messages',
      '    unknown-field  passes under ignore, 400',
      `  With wiki-success=empty and unknown-field=400 together it fails, but with neither alone: adds a member: ${noBody.says}`,
      '  Checked 4 responses, each with one reading changed, and 3 with two: 1 of them shows more than each reading alone.',
      '',
    ]);
    const holding = { ...failing, pairs: [pair({ isPairOnly: true })] };
    expect(linesOf([holding]).join('\n')).to.include(
      'With wiki-success=empty and unknown-field=400 together it passes, but with neither alone: leaves the users out',
    );
    expect(linesOf([{ ...robust, pairs: [pair()] }]).at(-2)).to.equal(
      '  Checked 4 responses, each with one reading changed, and 1 with two: none shows more than each reading alone.',
    );
  });

  it('shows five failures under one reading, and counts the others', () => {
    const lines = linesOf(Array.from({ length: 8 }, () => resting));
    expect(lines).to.include('                  empty               fails 8 of 8');
    expect(lines.filter(line => line.includes('reads the response'))).to.have.length(10);
    expect(lines.filter(line => line.trim() === 'and 3 more')).to.have.length(2);
  });

  it('is named with its provider, and its file, if it has several contracts', () => {
    const contract = contractOf({ provider: 'push-pull', source: 'b.json' });
    const again = contractOf({ source: 'c.json' });
    const verdicts = [robust, { ...robust, contract }, { ...robust, contract: again }];
    const parts = sensitivityParts(sensitivities(verdicts));
    expect(parts[0]?.rows.slice(-2)).to.deep.equal([
      ['unknown-field', 'ignore (used here)', 'passes', ''],
      ['unknown-field', '400', 'passes', ''],
    ]);
    expect(parts.map(({ title }) => title)).to.deep.equal([
      'web → wiki-extension (pacts/web.json) under other readings',
      'web → push-pull under other readings',
      'web → wiki-extension (c.json) under other readings',
    ]);
  });
});
