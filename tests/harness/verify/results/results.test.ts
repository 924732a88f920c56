// What a verification is printed and written as, from verdicts made by hand: what tests/cli/verify does not come upon in runs.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { checkLines } from '../../../../harness/report/render-checks.js';
import type { PairTrial, Verdict } from '../../../../harness/verify/contract/verdict.js';
import { sensitivities } from '../../../../harness/verify/results/contract-sensitivity.js';
import { sensitivityParts, showSensitivities } from '../../../../harness/verify/results/render-sensitivity.js';
import { contractLines } from '../../../../harness/verify/results/render-verification.js';
import { verificationSchema } from '../../../../harness/verify/results/verification-format.js';
import { verificationJson } from '../../../../harness/verify/results/verification-json.js';
import { checkOfInteraction, reportOn } from '../../../../harness/verify/results/verify-report.js';
import { painter } from '../../../../server/process/colors.js';
import {
  contractOf,
  failing,
  forbidden,
  noBody,
  pending,
  resting,
  untried,
  verdictOf,
  verificationOf,
} from '../hand-made.js';

const all = [verdictOf(), resting, failing, forbidden, untried, pending];
const plain = painter(false);
const pair = (rest: Partial<PairTrial> = {}): PairTrial => ({
  first: { gap: 'wiki-success', reading: 'empty' },
  second: { gap: 'unknown-field', reading: '400' },
  passes: true,
  isPairOnly: false,
  ...rest,
});

describe('a verification as JSON', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
  const fits = ajv.compile(verificationSchema);
  /** What a program reads: the JSON, typed loosely, because it has just been validated by its schema. */
  const read = (verdicts: readonly Verdict[], isStrict = false) => {
    const made = verificationJson(verificationOf(verdicts, { notices: ['a notice'] }), { isStrict, version: '1.2.3' });
    const value = JSON.parse(JSON.stringify(made));
    expect(fits(value), ajv.errorsText(fits.errors)).to.equal(true);
    return value;
  };

  it('matches its schema, even if it is empty, sensitive, strict or from a broker, and has no secrets', () => {
    const contract = contractOf({ broker: { isPending: true, publishTo: 'https://x', notices: ['latest of main'] } });
    const pairs = [pair({ passes: false, isPairOnly: true })];
    const sensitive = all.map(verdict => ({ ...verdict, contract, pairs }));
    for (const verdicts of [all, [], sensitive])
      for (const isStrict of [true, false]) expect(read(verdicts, isStrict).isStrict).to.equal(isStrict);
    expect(JSON.stringify(read(all))).not.to.match(/the whole file|as the file has it/);
    expect(ajv.validateSchema(verificationSchema), JSON.stringify(ajv.errors)).to.equal(true);
    const { contracts, sensitivity } = read(sensitive);
    expect(contracts[0].broker).to.deep.equal({ isPending: true, notices: ['latest of main'] });
    expect(sensitivity[0].pairOnlyFindings).to.have.length(6);
    expect(read(all)).not.to.have.property('sensitivity');
  });

  it('has the outcome of each interaction, whether it counts, and each gap that something rests on', () => {
    const { contracts, summary, gaps } = read(all);
    expect(summary).to.deep.include({
      ...{ interactions: 6, passed: 3, failed: 2, unverified: 1, pending: 1, counting: 3 },
      ...{ documented: 1, rests: 2, contradicts: 1, exercised: ['groups.add-users', 'spaces.copy'] },
    });
    expect(read(all, true).summary.counting).to.equal(4);
    const [{ interactions }] = contracts;
    const short = interactions.map(
      (one: { outcome: string; counts: boolean; classification: { text: string }; line: number }) =>
        [one.line, one.outcome, one.counts, one.classification.text].join(' '),
    );
    expect(short).to.deep.equal([
      '12 passed false documented',
      '30 passed false rests on wiki-success=object',
      '48 failed true rests on missing-field=400',
      '60 passed true contradicts spaces.copy-query-only',
      '70 unverified true ',
      '70 failed false ',
    ]);
    const names = gaps.map(({ gap, reading }: { gap: string; reading: string }) => `${gap}=${reading}`);
    expect(names).to.deep.equal(['wiki-success=object', 'missing-field=400']);
    expect(gaps[1].readings[0]).to.include({ name: '400' });
  });
});

describe('a verification as a report', () => {
  const checksOf = (verdicts: readonly Verdict[], isStrict = false) =>
    reportOn(verificationOf(verdicts), { isStrict, version: '1.2.3' }).checks;

  it('has one line for the reason of a failure', () => {
    const [, , wrong, against, lost, waiting] = checksOf(all);
    expect(wrong).to.deep.include({
      message:
        'Status: expected 200, got 404. (and 1 more) It rests on missing-field=400: it would pass under missing-field=empty.',
      labels: ['groups.body', 'missing-field=400'],
    });
    expect(against?.message).to.match(/everything is in the query.*spaces\.copy-query-only/);
    expect(lost?.message).to.equal('Unknown state "unlicenced" (did you mean "unlicensed"?).');
    expect(waiting?.message).to.equal(`Pending, so it does not count yet: ${lost?.message}`);
  });

  it('warns of what rests on a guess, and fails it under --strict', () => {
    const guess =
      'It rests on wiki-success=object: it would fail under wiki-success=empty, or wiki-success=no-content.';
    const [lax] = checksOf([resting]);
    expect(lax).to.include({ verdict: 'passed', warning: guess }).and.not.to.have.property('message');
    const [strict] = checksOf([resting], true);
    expect(strict).to.include({ verdict: 'failed', message: guess }).and.not.to.have.property('warning');
    const [unknown] = checksOf([verdictOf({ classification: { kind: 'unknown' } })], true);
    expect(unknown?.message).to.equal('It could not be compared with the document, so it fails with --strict.');
  });
});

describe('the output for an interaction', () => {
  const shown = (verdict: Verdict, isStrict = false) => checkLines(checkOfInteraction(verdict, isStrict), plain);

  it('names the guessed part of the contract only if that counts', () => {
    const finding = { part: 'reply', pointer: '', expected: 'no body there', found: 'an object' } as const;
    const findings = [
      { ...finding, gap: 'wiki-success' as const },
      { ...finding, gap: 'content-type' as const },
    ];
    const documents = (isStrict: boolean) =>
      shown({ ...resting, findings }, isStrict).filter(text => text.startsWith('    document'));
    expect(documents(false)).to.deep.equal([]);
    expect(documents(true)).to.have.length(1);
    expect(documents(true)[0]).to.match(/the contract has an object; the document has no body there\. .*wiki-success/);
  });

  it('quotes the document, even if Pact is content', () => {
    const [line, asked, document] = shown(forbidden);
    expect(line).to.equal('✘ copies a space with a body · passed, but contradicts spaces.copy-query-only');
    expect(asked).to.match(/^ {4}request {3}POST .*\/spaces\/copySpace \(as in the contract\)$/);
    expect(document).to.match(/^ {4}document {2}.*everything is in the query.*spaces\.copy-query-only/);
  });

  it('shortens long text, and shows control characters on one line', () => {
    const text = `\u001b[31m${'x'.repeat(1000)}`;
    const request = { method: 'POST', path: '/a', headers: {} };
    const exchange = { request, response: { status: 200, headers: {}, text } };
    const lines = shown(verdictOf({ outcome: 'failed', exchange }, { description: 'a\nb\u001b[2J' }));
    expect(lines[0]).to.include('a\\nb\\u{1b}[2J');
    expect(lines[2])
      .to.match(/^ {4}response {2}200 \\u\{1b\}\[31mx+…$/)
      .and.to.have.length.below(340);
  });

  it('has what the broker says in its heading', () => {
    const source = 'https://broker.example.com/pacts/1';
    const contract = contractOf({ source, broker: { isPending: true, notices: ['It is the latest of main.'] } });
    const lines = contractLines({ contract, verdicts: [{ ...failing, contract }] }, false, plain);
    expect([...lines.slice(0, 3), lines.at(-2)]).to.deep.equal([
      `web → wiki-extension  ${source}`,
      '  Pending at the broker: failures do not count yet.',
      '  It is the latest of main.',
      `    at        ${source}`,
    ]);
  });
});

describe('a client under other readings', () => {
  const linesOf = (verdicts: readonly Verdict[]) => showSensitivities(sensitivities(verdicts), plain);
  const robust = verdictOf({
    gaps: { 'unknown-field': 'ignore', 'wiki-success': 'object' },
    trials: [
      { gap: 'unknown-field', reading: '400', passes: true },
      ...['empty', 'no-content', 'messages'].map(reading => ({ gap: 'wiki-success' as const, reading, passes: true })),
    ],
    pairs: [],
  });
  const table = [
    '    wiki-success   passes under object, empty, no-content, messages',
    '    unknown-field  passes under ignore, 400',
  ];

  it('leaves out of the table what passes under no reading, and what could not be tried', () => {
    const trials = [{ gap: 'unknown-field' as const, reading: '400', passes: false }];
    const gaps = { 'unknown-field': 'ignore' };
    const lost = verdictOf({ outcome: 'failed', gaps, trials }, { description: 'is wrong anyway' });
    expect(linesOf([robust, lost, untried]).slice(1)).to.deep.equal([
      '  web has 2 interactions that never pass, whatever the reading; the others rely on no guess.',
      ...table,
      '  Never passes, whatever the reading: is wrong anyway.',
      '  Never passes, whatever the reading: asks without a licence.',
      '  Checked 5 responses, each with one reading changed.',
      '',
    ]);
  });

  it('lists only the pairs with new results, and how many were tried', () => {
    const pairOnly = pair({ passes: false, isPairOnly: true, difference: noBody });
    expect(linesOf([{ ...robust, pairs: [pair(), pairOnly] }]).slice(1)).to.deep.equal([
      '  web fails only if the readings of two gaps change at once.',
      ...table,
      `  With wiki-success=empty and unknown-field=400 together it fails, but with neither alone: adds a member: ${noBody.says}`,
      '  Checked 4 responses, each with one reading changed, and 2 with two: 1 of them shows more than each reading alone.',
      '',
    ]);
    expect(linesOf([{ ...failing, pairs: [pair({ isPairOnly: true })] }]).join('\n')).to.include(
      'With wiki-success=empty and unknown-field=400 together it passes, but with neither alone: leaves the users out',
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
    const verdicts = [robust, { ...robust, contract }, { ...robust, contract: contractOf({ source: 'c.json' }) }];
    expect(sensitivityParts(sensitivities(verdicts)).map(({ title }) => title)).to.deep.equal([
      'web → wiki-extension (pacts/web.json) under other readings',
      'web → push-pull under other readings',
      'web → wiki-extension (c.json) under other readings',
    ]);
  });
});
