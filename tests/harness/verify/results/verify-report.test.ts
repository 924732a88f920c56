// A run as a report, in each format: an interaction that rests on a guess passes with a warning, and fails under --strict.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { annotations } from '../../../../harness/report/annotations.js';
import { ctrf } from '../../../../harness/report/ctrf.js';
import { junit } from '../../../../harness/report/junit.js';
import { markdown } from '../../../../harness/report/markdown.js';
import type { Verdict } from '../../../../harness/verify/contract/verdict.js';
import { reportOn } from '../../../../harness/verify/results/verify-report.js';
import { hasProgram } from '../../../support/processes/programs.js';
import { schemaErrors } from '../../report/schemas/junit-schema.js';
import { readXml } from '../../report/schemas/xml.js';
import { contractOf, failing, forbidden, pending, resting, untried, verdictOf, verificationOf } from '../hand-made.js';

const all = [verdictOf(), resting, failing, forbidden, untried, pending];
const reportOf = (verdicts: readonly Verdict[], isStrict = false) =>
  reportOn(verificationOf(verdicts), { isStrict, version: '1.2.3' });
const sensitive = all.map(verdict => ({ ...verdict, pairs: [] }));

describe('a verification as a report', () => {
  it('names its target, its scenario, and whether it was strict', () => {
    const { checks, ...report } = reportOf(all);
    expect(report).to.deep.equal({
      tool: 'cwx-fake verify',
      version: '1.2.3',
      title: 'The contracts against a fake of its own',
      startedAt: '2026-03-01T10:00:00.000Z',
      duration: 1234,
      properties: { target: 'a fake of its own', scenario: 'small-team' },
    });
    expect(checks).to.have.length(6);
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
      'The status: expected 200 but was 404. (and 1 more) It rests on missing-field=400: it would pass under missing-field=empty.',
    );
    expect(wrong?.details?.split('\n')).to.include.members([
      'answered  404 {"statusCode":404}',
      'guess     it would pass under missing-field=empty',
      'at        pacts/web.json:48',
    ]);
    expect(wrong?.labels).to.deep.equal(['groups.body', 'missing-field=400']);
    expect(against?.message).to.match(/everything is in the query.*spaces\.copy-query-only/);
    expect(lost?.message).to.equal('There is no state "unlicenced" (did you mean "unlicensed"?).');
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
    expect(unknown?.message).to.equal('It could not be classified by the document, so it fails under --strict.');
  });

  it('names no file if there is none', () => {
    const contract = contractOf({ source: 'https://broker.example.com/pacts/1' });
    expect(reportOf([{ ...failing, contract }]).checks[0]).not.to.have.any.keys('file', 'line');
    const { line: _, ...interaction } = failing.interaction;
    expect(reportOf([{ ...failing, interaction }]).checks[0])
      .to.include({ file: 'pacts/web.json' })
      .and.not.to.have.property('line');
  });

  it('has the table of other readings on request', () => {
    expect(reportOf(all)).not.to.have.property('parts');
    expect(reportOf(sensitive).parts?.[0]?.rows).to.have.length(6);
  });

  it('contains no credentials in any format', () => {
    const report = reportOf(sensitive);
    const written = [junit(report), JSON.stringify(ctrf(report)), markdown(report), ...annotations(report)].join('\n');
    expect(written).not.to.match(/Basic|c2VjcmV0|session=|the whole file|as the file has it/);
  });
});

describe('the report of a verification', () => {
  it('is JUnit XML by its schema, and well-formed to xmllint', function () {
    const report = reportOf(sensitive);
    const places = schemaErrors(readXml(junit(report))).filter(text => !/has no attribute (file|line)$/.test(text));
    expect(places).to.deep.equal([]);
    expect(junit(report)).to.include('<system-out>Warning: It rests on wiki-success=object: it would fail under');
    if (!hasProgram('xmllint', 'libxml2-utils')) return this.skip();
    expect(spawnSync('xmllint', ['--noout', '-'], { input: junit(report) }).status).to.equal(0);
  });

  it('is CTRF by its schema', () => {
    const schema = JSON.parse(
      readFileSync(new URL('../../report/schemas/ctrf-schema-0.0.json', import.meta.url), 'utf8'),
    );
    const ajv = new Ajv({ allErrors: true, formats: { 'date-time': true, uuid: true, uri: true } });
    const fits = ajv.compile(schema);
    expect(fits(JSON.parse(JSON.stringify(ctrf(reportOf(sensitive))))), ajv.errorsText(fits.errors)).to.equal(true);
  });

  it('is Markdown with what failed, what rests on a guess, and the table', () => {
    const text = markdown(reportOf(sensitive));
    expect(text).to.include('**6 checks**: 2 passed, 3 failed, 1 skipped');
    expect(text).to.include('\n#### web → wiki-extension › leaves the users out');
    expect(text).to.include(
      '\n### Rests on a guess\n\n- web → wiki-extension › reads the response: It rests on wiki-success=object: it would fail',
    );
    expect(text).to.include('\n### web under other readings\n');
    expect(text).to.match(/\n\| wiki-success \| empty \| fails 1 of 1 \| reads the response: The body at \\\$/);
  });

  it('is annotations: an error for what counts, a warning for a guess', () => {
    const lines = annotations(reportOf(all));
    expect(lines.map(line => line.slice(0, 48))).to.deep.equal([
      '::error file=pacts/web.json,line=48,title=web → ',
      '::error file=pacts/web.json,line=60,title=web → ',
      '::error file=pacts/web.json,line=70,title=web → ',
      '::warning file=pacts/web.json,line=30,title=web ',
    ]);
  });
});
