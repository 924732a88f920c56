// JUnit XML: exact for small runs, well-formed by xmllint, and read back as written.
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import { junit } from '../../../harness/report/junit.js';
import { plain } from '../../../harness/report/plain.js';
import { hasProgram } from '../../support/processes/programs.js';
import { check, empty, guessing, hostile, plainHostileName, runOf, small, thousand } from './runs.js';
import { readXml, type XmlElement } from './schemas/xml.js';

function only(element: XmlElement | undefined, ...path: number[]): XmlElement {
  const [first, ...rest] = path;
  if (element === undefined) throw new Error('no such element');
  return first === undefined ? element : only(element.children[first], ...rest);
}

describe('a report as JUnit XML', () => {
  it('is exact for a small run', () => {
    const properties = `<properties>
<property name="target" value="http://127.0.0.1:8080"/>
<property name="readings" value="view-post=set"/>
</properties>`;
    expect(junit(small)).to.equal(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Play" tests="4" failures="1" errors="0" time="1.234">
<testsuite name="team" tests="3" failures="1" errors="0" skipped="0" time="1.215" timestamp="2026-03-01T10:00:00">
${properties}
<testcase classname="team" name="adds" time="0.012">
<system-out>Labels: groups.add-users, groups.known</system-out>
</testcase>
<testcase classname="team" name="removes" time="1.200" file="scenarios/team.yaml" line="12">
<failure message="the status is 404, not 200" type="failed">the status is 404, not 200
expected: 200
found: 404</failure>
</testcase>
<testcase classname="team" name="lists" time="0.003"/>
</testsuite>
<testsuite name="pages" tests="1" failures="0" errors="0" skipped="1" time="0.000" timestamp="2026-03-01T10:00:00">
${properties}
<testcase classname="pages" name="waits" time="0.000">
<skipped message="the target tells no facts"/>
</testcase>
</testsuite>
</testsuites>
`);
  });

  it('is exact for an empty run', () => {
    expect(junit(empty)).to.equal(
      '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Play" tests="0" failures="0" errors="0" time="0.000"/>\n',
    );
  });

  it('names in system-out the guess a check rests on', () => {
    const [adds, lists] = only(readXml(junit(guessing)), 0).children;
    expect(only(adds, 0).text).to.equal('Warning: a=b is read as c\nLabels: a.b');
    expect(lists?.children).to.deep.equal([]);
  });

  it('fails without a message, and writes UTC whatever the zone of the start', () => {
    const text = junit(
      runOf([check({ suite: '__proto__', verdict: 'failed' })], { startedAt: '2026-03-01T01:00:00.500+02:00' }),
    );
    expect(text).to.include('<failure type="failed"/>').and.to.include(' timestamp="2026-02-28T23:00:00"');
    expect(text).to.include('<testsuite name="__proto__" tests="1" ');
  });

  it('escapes what would end an attribute or a text, and keeps every valid XML character', () => {
    const text = junit(hostile);
    const root = readXml(text);
    expect(root.attributes.name).to.equal(plainHostileName);
    const failed = only(root, 0, 1);
    expect(failed.attributes).to.include({ classname: plainHostileName, file: plainHostileName, line: '3' });
    expect(only(failed, 0).text).to.include('````\n::error::');
    expect(only(root, 1, 1).attributes).to.deep.equal({ classname: '(unnamed)', name: '(unnamed)', time: '0.000' });
  });

  it('is read back as written, whatever the texts are', () => {
    const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map(units => String.fromCharCode(...units));
    fc.assert(
      fc.property(anyText, anyText, (message, details) => {
        const root = readXml(junit(runOf([check({ verdict: 'failed', message: `m${message}`, details })])));
        const failure = only(root, 0, 0, 0);
        expect(failure.attributes.message).to.equal(plain(`m${message}`));
        const rest = plain(details);
        expect(failure.text).to.equal(plain(`m${message}`) + (rest === '' ? '' : `\n${rest}`));
      }),
    );
  });

  it('is well-formed to xmllint', function () {
    if (!hasProgram('xmllint', 'libxml2-utils')) return this.skip();
    const parse = (input: string) => spawnSync('xmllint', ['--noout', '-'], { input });
    expect(parse('<a>\u0001</a>').status).to.not.equal(0);
    for (const run of [small, empty, thousand, hostile, guessing]) {
      const { status, stderr } = parse(junit(run));
      expect(status, String(stderr)).to.equal(0);
    }
  });
});
