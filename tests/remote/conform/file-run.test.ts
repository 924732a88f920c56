// A file of the suite is played in parts that share nothing, which have one result.
import { expect } from 'chai';
import { planOf } from '../../../server/remote/changes/plan.js';
import { allTouched } from '../../../server/remote/changes/touched.js';
import { FileRun } from '../../../server/remote/conform/file-run.js';
import { StepOrder } from '../../../server/remote/conform/step-order.js';
import { NamesThere } from '../../../server/remote/names/name-map.js';
import { withRetries } from '../../../server/remote/target/retrying-target.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { type Target, Unreachable } from '../../../server/scenario/play/target.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { asForeign, fakeUnder, silent, smallTeam } from '../../support/other-servers/outside.js';

const story = smallTeam();
const names = new NamesThere(story.origin.world);

const push = (user: string, id: number, more: Partial<Step> = {}): Step => ({
  say: `${id} is pushed to ${user}`,
  as: 'admin',
  call: 'ppf.push',
  body: { users: [user], filters: [id] },
  expect: { status: 200 },
  proves: ['ppf.push'],
  ...more,
});

async function fileOf(steps: readonly Step[], target: Target): Promise<FileRun> {
  const planned = await planOf([{ ...story, steps }], names, 'RUN007');
  const [one] = isProblems(planned) ? [] : planned;
  if (one === undefined) throw new Error('it cannot be planned');
  const settings = { target: withRetries(target), names, known: {}, run: 'RUN007' };
  return new FileRun(one, new StepOrder(one, settings), settings);
}

const release = () => {};

describe('a file of the suite', () => {
  it('is one part for each thing that its steps share', async () => {
    const fake = await fakeUnder({}, silent);
    const file = await fileOf(
      [
        push('alice', 10500),
        push('carol', 10500),
        push('alice', 10500, { call: 'ppf.pull' }),
        { say: 'nobody is asked', readings: { 'no-change': '409' }, proves: ['ppf.push'] },
      ],
      asForeign(fake),
    );
    expect(file.parts.map(({ steps }) => steps)).to.deep.equal([[1], [0, 2]]);
    for (const part of file.parts) await file.play(part, release);
    const { played, ended } = await file.result();
    expect(played.map(({ index, outcome }) => [index, outcome])).to.deep.equal([
      [0, 'passed'],
      [1, 'passed'],
      [2, 'passed'],
      [3, 'skipped'],
    ]);
    expect(ended).to.equal(undefined);
    fake.end();
  });

  it('counts nothing after a step without an answer, in whatever part', async () => {
    const fake = await fakeUnder({}, silent);
    const { send, ...rest } = asForeign(fake);
    const breaking: Target = {
      ...rest,
      send: async request => {
        if (String(request.body).includes('carol')) throw new Unreachable('it hangs up');
        return send(request);
      },
    };
    const file = await fileOf([push('alice', 10500), push('carol', 10500), push('demouser1', 10500)], breaking);
    const results = [];
    for (const part of file.parts) results.push(await file.play(part, release));
    expect(results.map(({ failure }) => failure?.message)).to.deep.equal([undefined, 'it hangs up', undefined]);
    expect(results.map(({ changed }) => changed.length)).to.deep.equal([1, 1, 0]);
    const { played, ended } = await file.result();
    expect(played.map(({ index }) => index)).to.deep.equal([0]);
    expect(ended).to.equal('the server gave no answer to "10500 is pushed to carol"');
    fake.end();
  });

  it('frees what is read once no later step of the part reads it', async () => {
    const fake = await fakeUnder({}, silent);
    const toGroup = push('alice', 10500, { body: { groups: ['customers'], users: ['alice'], filters: [10500] } });
    const file = await fileOf([toGroup, push('alice', 10500, { call: 'ppf.pull' })], asForeign(fake));
    const freed: string[] = [];
    for (const part of file.parts) await file.play(part, some => freed.push(...some));
    expect(freed).to.deep.equal(['group customers']);
    expect(allTouched(file.parts.map(({ touched }) => touched)).writes).to.include('favourite 10500 of alice');
    fake.end();
  });
});
