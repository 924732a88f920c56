// CTRF: exact for small runs, and valid by the schema of the format.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { ctrf } from '../../../harness/report/ctrf.js';
import { check, empty, guessing, hostile, plainHostileName, runOf, small, thousand } from './runs.js';

const schema = JSON.parse(readFileSync(new URL('./schemas/ctrf-schema-0.0.json', import.meta.url), 'utf8')) as object;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const ajv = new Ajv({ allErrors: true, formats: { 'date-time': instant, uuid: true, uri: true } });
const fits = ajv.compile(schema);

/** As it is read from the file. */
const read = (run: Parameters<typeof ctrf>[0]) => JSON.parse(JSON.stringify(ctrf(run)));

describe('a report as CTRF', () => {
  it('is exact for a small run', () => {
    expect(ctrf(small)).to.deep.equal({
      reportFormat: 'CTRF',
      specVersion: '0.0.0',
      timestamp: '2026-03-01T10:00:01.234Z',
      generatedBy: 'cwx-fake play 1.2.3',
      results: {
        tool: { name: 'cwx-fake play', version: '1.2.3' },
        summary: {
          tests: 4,
          passed: 2,
          failed: 1,
          skipped: 1,
          pending: 0,
          other: 0,
          suites: 2,
          start: 1772359200000,
          stop: 1772359201234,
          duration: 1234,
        },
        tests: [
          { name: 'adds', status: 'passed', duration: 12, suite: ['team'], tags: ['groups.add-users', 'groups.known'] },
          {
            name: 'removes',
            status: 'failed',
            duration: 1200,
            suite: ['team'],
            message: 'the status is 404, not 200',
            trace: 'expected: 200\nfound: 404',
            filePath: 'scenarios/team.yaml',
            line: 12,
          },
          { name: 'waits', status: 'skipped', duration: 0, suite: ['pages'], message: 'the target tells no facts' },
          { name: 'lists', status: 'passed', duration: 3, suite: ['team'] },
        ],
        environment: { reportName: 'Play', extra: { target: 'http://127.0.0.1:8080', readings: 'view-post=set' } },
      },
    });
  });

  it('matches the schema of the format, even if it is empty, large or hostile', () => {
    for (const run of [small, empty, thousand, hostile, guessing])
      expect(fits(read(run)), ajv.errorsText(fits.errors)).to.equal(true);
  });

  it('has a warning besides the fields of the format', () => {
    const [adds, lists, fails] = read(guessing).results.tests;
    expect(adds).to.deep.include({ status: 'passed', extra: { warning: 'a=b is read as c' } });
    expect(lists).to.include({ status: 'passed' }).and.not.have.property('extra');
    expect(fails).to.deep.include({ status: 'failed', extra: { warning: 'not told of what failed' } });
  });

  it('has plain texts, and whole milliseconds', () => {
    expect(read(hostile).results.tests[1]).to.deep.equal({
      name: plainHostileName,
      status: 'skipped',
      duration: 5,
      suite: [plainHostileName],
      message: plainHostileName,
      trace: plainHostileName,
    });
    expect(read(runOf([check({ duration: 0.6 })], { duration: 10.4 })).results.summary).to.include({ duration: 10 });
    expect(read(runOf([check({ duration: 0.6 })])).results.tests[0]).to.include({ duration: 1 });
  });
});
