// Readings as users write them, in the header X-Fake-Reading and elsewhere: their meaning, and errors in them. Their effect: tests/operations/gaps.
import { expect } from 'chai';
import { checkReadings, parseReadings } from '../../../server/engine/request/readings.js';

describe('parseReadings', () => {
  const right: [text: string, readings: Record<string, string>][] = [
    ['', {}],
    [' , ,', {}],
    ['unknown-user=400', { 'unknown-user': '400' }],
    ['unknown-user=400, view-post=add', { 'unknown-user': '400', 'view-post': 'add' }],
    ['  unknown-user = skip  ,', { 'unknown-user': 'skip' }],
    ['context-path=/wiki', { 'context-path': '/wiki' }],
    ['no-change=ok,no-change=409', { 'no-change': '409' }],
  ];
  it('reads pairs of gap and reading', () => {
    for (const [text, readings] of right) expect(parseReadings(text)).to.deep.equal({ readings });
  });

  const expected = ': expected 404, 400, 403, skip, message or create.';
  const wrong: [text: string, problem: string][] = [
    ['unknown-user', '"unknown-user" is not a reading: expected gap=value, as in unknown-user=400.'],
    ['Unknown-User=400', 'Unknown gap "Unknown-User" (did you mean "unknown-user"?).'],
    ['colour=red', 'Unknown gap "colour"; cwx-fake ledger lists all gaps.'],
    ['__proto__=x', 'Unknown gap "__proto__"; cwx-fake ledger lists all gaps.'],
    ['=400', 'Unknown gap ""; cwx-fake ledger lists all gaps.'],
    ['unknown-user=skp', `unknown-user has no reading "skp" (did you mean "skip"?)${expected}`],
    ['unknown-user=', `unknown-user has no reading ""${expected}`],
    ['unknown-user=400=404', `unknown-user has no reading "400=404"${expected}`],
    ['context-path=wiki', 'context-path has no reading "wiki": expected any, none or a literal path such as /wiki.'],
    ['no-change=ok, view-post=put', 'view-post has no reading "put": expected reject, add or remove.'],
  ];
  it('reports what is no reading', () => {
    for (const [text, problem] of wrong) expect(parseReadings(text)).to.deep.equal({ problem });
  });

  it('accepts pairs too, with numbers as YAML has them', () => {
    expect(checkReadings([['unknown-user', 400]])).to.deep.equal({ readings: { 'unknown-user': '400' } });
    expect(checkReadings([['unknown-user', null]])).to.have.property('problem');
    expect(checkReadings([])).to.deep.equal({ readings: {} });
  });
});
