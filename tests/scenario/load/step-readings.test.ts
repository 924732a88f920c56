// The readings of a step are checked against the ledger like those of a scenario: a wrong one would be ignored silently.
import { expect } from 'chai';
import { written } from '../../support/files/files.js';

const cases: ReadonlyArray<readonly [readings: string, problem: string]> = [
  ['{ unknown-usr: skip }', '6:17: Unknown gap "unknown-usr" (did you mean "unknown-user"?).'],
  [
    '{ unknown-user: skipp }',
    '6:31: unknown-user has no reading "skipp" (did you mean "skip"?): expected 404, 400, skip.',
  ],
  ['[unknown-user=skip]', '6:15: Readings must be written as gap: reading, but this is a list of 1.'],
  ['{ unknown-user: [skip] }', '6:31: unknown-user must be one of its readings, not a list of 1.'],
];

describe('the readings of a step', () => {
  for (const [readings, problem] of cases) {
    it(`are reported if they are invalid: ${readings}`, () => {
      const files = written({
        'scenarios/mine.yaml': [
          'title: Mine',
          'fixture: small-team',
          'steps:',
          '  - say: Someone who is nobody joins',
          '    as: admin',
          `    readings: ${readings}`,
          '    call: groups.add-users',
          '    body: { group: customers, users: [bob] }',
        ].join('\n'),
      });
      expect(files.check('scenarios/mine.yaml')).to.deep.equal([`scenarios/mine.yaml:${problem}`]);
      files.remove();
    });
  }
});
