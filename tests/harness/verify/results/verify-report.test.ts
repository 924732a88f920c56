// A run as a report: an interaction that rests on a guess passes with a warning, and fails under --strict.
import { expect } from 'chai';
import type { Verdict } from '../../../../harness/verify/contract/verdict.js';
import { reportOn } from '../../../../harness/verify/results/verify-report.js';
import { contractOf, failing, forbidden, pending, resting, untried, verdictOf, verificationOf } from '../hand-made.js';

const all = [verdictOf(), resting, failing, forbidden, untried, pending];
const reportOf = (verdicts: readonly Verdict[], isStrict = false) =>
  reportOn(verificationOf(verdicts), { isStrict, version: '1.2.3' });

describe('a verification as a report', () => {
  it('names its target, its scenario, and whether it was strict', () => {
    const { checks, ...report } = reportOf(all);
    expect(report).to.deep.equal({
      tool: 'cwx-fake verify',
      version: '1.2.3',
      title: 'Verification against a fake in this process',
      startedAt: '2026-03-01T10:00:00.000Z',
      duration: 1234,
      properties: { target: 'a fake in this process', scenario: 'small-team' },
    });
    expect(checks).to.have.length(6);
    expect(reportOf(all.map(verdict => ({ ...verdict, pairs: [] }))).parts?.[0]?.rows).to.have.length(6);
    expect(reportOf([], true).properties).to.have.property('strict');
  });

  it('has a check for each interaction', () => {
    expect(reportOf(all).checks.map(({ name, verdict }) => [verdict, name])).to.deep.equal([
      ['passed', 'adds a member'],
      ['passed', 'reads the response'],
      ['failed', 'leaves the users out (given: group exists {"name":"customers"})'],
      ['failed', 'copies a space with a body'],
      ['failed', 'asks without a licence (given: unlicenced)'],
      ['undetermined', 'asks without a licence (given: unlicenced) #2'],
    ]);
    expect(reportOf(all).checks[0]).to.deep.equal({
      suite: 'web → wiki-extension',
      name: 'adds a member',
      verdict: 'passed',
      duration: 4,
      remark: 'documented',
      file: 'pacts/web.json',
      line: 12,
      labels: ['groups.add-users'],
    });
  });

  it('has one line for the reason of a failure, and more lines as on the terminal', () => {
    const [, , wrong, against, lost, waiting] = reportOf(all).checks;
    expect(wrong?.message).to.equal(
      'Status: expected 200, got 404. (and 1 more) It rests on missing-field=400: it would pass under missing-field=empty.',
    );
    expect(wrong?.details?.split('\n')).to.include.members([
      'response  404 {"statusCode":404}',
      'guess     it would pass under missing-field=empty',
      'at        pacts/web.json:48',
    ]);
    expect(wrong?.labels).to.deep.equal(['groups.body', 'missing-field=400']);
    expect(against?.message).to.match(/everything is in the query.*spaces\.copy-query-only/);
    expect(lost?.message).to.equal('Unknown state "unlicenced" (did you mean "unlicensed"?).');
    expect(waiting?.message).to.equal(`Pending, so it does not count yet: ${lost?.message}`);
  });

  it('warns of what rests on a guess, and fails it under --strict', () => {
    const guess =
      'It rests on wiki-success=object: it would fail under wiki-success=empty, or wiki-success=no-content.';
    const [lax] = reportOf([resting]).checks;
    expect(lax).to.include({ verdict: 'passed', warning: guess }).and.not.to.have.property('message');
    const [strict] = reportOf([resting], true).checks;
    expect(strict).to.include({ verdict: 'failed', message: guess }).and.not.to.have.property('warning');
    const [unknown] = reportOf([verdictOf({ classification: { kind: 'unknown' } })], true).checks;
    expect(unknown?.message).to.equal('It could not be compared with the document, so it fails with --strict.');
  });

  it('names no file if there is none', () => {
    const contract = contractOf({ source: 'https://broker.example.com/pacts/1' });
    expect(reportOf([{ ...failing, contract }]).checks[0]).not.to.have.any.keys('file', 'line');
    const { line: _, ...interaction } = failing.interaction;
    expect(reportOf([{ ...failing, interaction }]).checks[0])
      .to.include({ file: 'pacts/web.json' })
      .and.not.to.have.property('line');
  });
});
