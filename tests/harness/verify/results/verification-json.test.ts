// `verify --json`: valid by its published schema, without secrets and bulk.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import type { Verdict } from '../../../../harness/verify/contract/verdict.js';
import { verificationSchema } from '../../../../harness/verify/results/verification-format.js';
import { verificationJson } from '../../../../harness/verify/results/verification-json.js';
import { contractOf, failing, forbidden, pending, resting, untried, verdictOf, verificationOf } from '../hand-made.js';

const all = [verdictOf(), resting, failing, forbidden, untried, pending];
const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
const fits = ajv.compile(verificationSchema);

/** What a program reads: the JSON, typed loosely, because it has just been validated by its schema. */
const read = (verdicts: readonly Verdict[], isStrict = false) => {
  const made = verificationJson(verificationOf(verdicts, { notices: ['a notice'] }), { isStrict, version: '1.2.3' });
  const value = JSON.parse(JSON.stringify(made));
  expect(fits(value), ajv.errorsText(fits.errors)).to.equal(true);
  return value;
};

describe('a verification as JSON', () => {
  it('matches its schema, even if it is empty, sensitive, strict or from a broker', () => {
    const contract = contractOf({ broker: { isPending: true, publishTo: 'https://x', notices: ['latest of main'] } });
    const pair = {
      first: { gap: 'wiki-success', reading: 'empty' },
      second: { gap: 'unknown-field', reading: '400' },
      passes: false,
      isPairOnly: true,
    } as const;
    const sensitive = all.map(verdict => ({ ...verdict, contract, pairs: [pair] }));
    for (const verdicts of [all, [], sensitive])
      for (const isStrict of [true, false]) expect(read(verdicts, isStrict).isStrict).to.equal(isStrict);
    expect(JSON.stringify(read(all))).not.to.match(/the whole file|as the file has it/);
    expect(ajv.validateSchema(verificationSchema), JSON.stringify(ajv.errors)).to.equal(true);
    const [of] = read(sensitive).contracts;
    expect(of.broker).to.deep.equal({ isPending: true, notices: ['latest of main'] });
    expect(read(sensitive).sensitivity[0].pairOnlyFindings).to.have.length(6);
  });

  it('has the outcome of each interaction, and whether it counts', () => {
    const { contracts, summary, notices } = read(all);
    expect(notices).to.deep.equal(['a notice']);
    expect(summary).to.deep.include({
      ...{ interactions: 6, passed: 3, failed: 2, unverified: 1, pending: 1, counting: 3 },
      ...{ documented: 1, rests: 2, contradicts: 1, exercised: ['groups.add-users', 'spaces.copy'] },
    });
    expect(read(all, true).summary.counting).to.equal(4);
    const [{ source, specification, interactions }] = contracts;
    expect({ source, specification }).to.deep.equal({ source: 'pacts/web.json', specification: '4.0' });
    const short = interactions.map(
      (one: { outcome: string; counts: boolean; classification: { text: string }; line: number }) => [
        one.line,
        one.outcome,
        one.counts,
        one.classification.text,
      ],
    );
    expect(short).to.deep.equal([
      [12, 'passed', false, 'documented'],
      [30, 'passed', false, 'rests on wiki-success=object'],
      [48, 'failed', true, 'rests on missing-field=400'],
      [60, 'passed', true, 'contradicts spaces.copy-query-only'],
      [70, 'unverified', true, ''],
      [70, 'failed', false, ''],
    ]);
    expect(interactions[2].classification.on[0].trials).to.deep.equal([
      { gap: 'missing-field', reading: 'empty', passes: true },
    ]);
    expect(interactions[3].findings[0].says).to.include('spaces.copy-query-only');
    expect(interactions[4].problem).to.include('did you mean');
  });

  it('explains each gap that something rests on, its default first', () => {
    const { gaps } = read(all);
    expect(gaps.map(({ gap, reading }: { gap: string; reading: string }) => `${gap}=${reading}`)).to.deep.equal([
      'wiki-success=object',
      'missing-field=400',
    ]);
    expect(gaps[1].readings[0]).to.deep.equal({ name: '400', means: 'a request without it is refused with 400' });
  });

  it('has the table of other readings only on request', () => {
    expect(read(all)).not.to.have.property('sensitivity');
    const [one] = read([{ ...resting, pairs: [] }]).sensitivity;
    expect(one).to.include({ passesUnderAll: false, trials: 3, pairs: 0 });
    expect(
      one.table.map((row: { reading: string; breaks: unknown[] }) => [row.reading, row.breaks.length]),
    ).to.deep.equal([
      ['object', 0],
      ['empty', 1],
      ['no-content', 1],
      ['messages', 0],
    ]);
  });
});
