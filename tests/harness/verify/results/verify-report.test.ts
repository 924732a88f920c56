// A run as a report: an interaction that rests on a guess passes with a warning, and fails under --strict.
import { expect } from 'chai';
import type { Verdict } from '../../../../harness/verify/contract/verdict.js';
import { reportOn } from '../../../../harness/verify/results/verify-report.js';
import { failing, forbidden, pending, resting, untried, verdictOf, verificationOf } from '../hand-made.js';

const all = [verdictOf(), resting, failing, forbidden, untried, pending];
const reportOf = (verdicts: readonly Verdict[], isStrict = false) =>
  reportOn(verificationOf(verdicts), { isStrict, version: '1.2.3' });

describe('a verification as a report', () => {
  it('has a check for each interaction', () => {
    expect(reportOf(all).checks.map(({ name, verdict }) => [verdict, name])).to.deep.equal([
      ['passed', 'adds a member'],
      ['passed', 'reads the response'],
      ['failed', 'leaves the users out (given: group exists {"name":"customers"})'],
      ['failed', 'copies a space with a body'],
      ['failed', 'asks without a licence (given: unlicenced)'],
      ['undetermined', 'asks without a licence (given: unlicenced) #2'],
    ]);
    expect(reportOf(all.map(verdict => ({ ...verdict, pairs: [] }))).parts?.[0]?.rows).to.have.length(6);
    expect(reportOf([], true).properties).to.have.property('strict');
  });

  it('has one line for the reason of a failure, and more lines as on the terminal', () => {
    const [, , wrong, against, lost, waiting] = reportOf(all).checks;
    expect(wrong?.message).to.equal(
      'Status: expected 200, got 404. (and 1 more) It rests on missing-field=400: it would pass under missing-field=empty.',
    );
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
});
