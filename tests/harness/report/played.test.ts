// The played steps as the checks of a report.
import { expect } from 'chai';
import { playStraight } from '../../../cli/terminal/continuous.js';
import { checksOf } from '../../../harness/report/played.js';
import { showing } from '../../support/scenarios/showing.js';

describe('the checks of played steps', () => {
  it('have suite, name, place, failures with their evidence, and the proved rules', async () => {
    const play = await showing({
      story: `title: Story
fixture: small-team
steps:
  - { say: One, as: admin, call: ppf.push, body: { users: [alice], filters: [10500] }, proves: [ppf.push] }
  - { say: Two, as: admin, call: ppf.push, body: { users: [alice] }, expect: { status: 200, headers: { A: b } }, proves: [ppf.needs-item] }
  - { say: Three }
`,
    });
    await playStraight(
      play,
      async () => {},
      () => false,
    );
    play.end();
    const checks = checksOf(play.results, () => ({ file: 'scenarios/story.yaml', url: 'http://h' }));
    const [, failed] = checks;
    expect(checks.map(({ duration, details, ...check }) => check)).to.deep.equal([
      { suite: 'story', name: '1 One', verdict: 'passed', file: 'scenarios/story.yaml', line: 4, labels: ['ppf.push'] },
      {
        suite: 'story',
        name: '2 Two',
        verdict: 'failed',
        message: 'status is 400, not 200 (and 1 more)',
        file: 'scenarios/story.yaml',
        line: 5,
      },
      { suite: 'story', name: '3 Three', verdict: 'passed', file: 'scenarios/story.yaml', line: 6 },
    ]);
    expect(checks.map(({ details }) => details !== undefined)).to.deep.equal([false, true, false]);
    expect(failed?.details).to.match(
      /^at {8}scenarios\/story.yaml:5\nrequest {3}POST [\s\S]*\ndiffers {3}status is 400, not 200\n/,
    );
    expect(checks.every(({ duration }) => duration >= 0)).to.equal(true);
  });
});
