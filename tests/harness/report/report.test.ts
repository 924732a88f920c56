// Suites and counts of a run, from which every format takes them.
import { expect } from 'chai';
import { countsOf, suitesOf, timeOf } from '../../../harness/report/report.js';
import { check, small, thousand } from './runs.js';

describe('a report', () => {
  it('counts by verdict', () => {
    expect(countsOf(small.checks)).to.deep.equal({ passed: 2, failed: 1, undetermined: 1 });
    expect(countsOf(thousand.checks)).to.deep.equal({ passed: 334, failed: 333, undetermined: 333 });
    expect(countsOf([])).to.deep.equal({ passed: 0, failed: 0, undetermined: 0 });
  });

  it('has suites in the order of their first checks, with all their checks', () => {
    expect(suitesOf(small.checks).map(({ name, checks }) => [name, checks.map(one => one.name)])).to.deep.equal([
      ['team', ['adds', 'removes', 'lists']],
      ['pages', ['waits']],
    ]);
    expect(suitesOf([])).to.deep.equal([]);
    expect(suitesOf([check({ suite: '__proto__' })])).to.have.length(1);
  });

  it('adds up times', () => {
    expect(timeOf([check({ duration: 1 }), check({ duration: 2.5 })])).to.equal(3.5);
    expect(timeOf([])).to.equal(0);
  });
});
