// A sandbox of a fake in this process as a target: its fresh start, its inspection, and its end.
import { expect } from 'chai';
import { silentLog } from '../../server/engine/log.js';
import { inProcess } from '../../server/library/target/in-process-target.js';
import { type Assembled, assemble } from '../../server/process/server.js';
import { loadNamed } from '../../server/scenario/load/load.js';
import { Player } from '../../server/scenario/play/player.js';
import { Unreachable } from '../../server/scenario/play/target.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../server/settings/settings.js';
import { playedBy, playedText, story } from '../support/scenarios/played.js';

describe('a sandbox in this process', () => {
  let fake: Assembled;
  beforeEach(async () => {
    const assembled = await assemble(settingsFrom('small-team', { reading: ['unknown-page=400'] }), silentLog);
    if (isProblems(assembled)) throw new Error(JSON.stringify(assembled.problems));
    fake = assembled;
  });
  afterEach(() => fake.end());

  const named = (name: string) => {
    const loaded = loadNamed(name, fake.context.folders);
    if (isProblems(loaded)) throw new Error(`${name} does not load`);
    return loaded;
  };
  const join = (user: string) =>
    ({ say: 'joins', call: 'groups.add-users', body: { group: 'customers', users: [user] } }) as const;

  it('starts afresh each time, whatever its state was', async () => {
    const target = inProcess(fake, 'play');
    const player = new Player(named('group-membership'), target);
    for (let times = 0; times < 2; times += 1)
      expect((await playedBy(player)).flatMap(playedText), `the ${times}th time`).to.deep.equal([]);
    expect(fake.session.find('play')?.state.origin.scenario).to.equal('group-membership');
    await target.control?.end();
    expect(fake.session.find('play')).to.equal(undefined);
  });

  it('is isolated from all others', async () => {
    const [one, other] = ['one', 'other'].map(
      name => new Player(story([join('alice'), join('carol')]), inProcess(fake, name)),
    );
    await Promise.all([one?.begin(), other?.begin()]);
    await one?.play(0);
    await other?.play(1);
    const members = (name: string) => [...(fake.session.find(name)?.state.world.groups.get('customers') ?? [])];
    expect([members('one'), members('other'), members('default')]).to.deep.equal([['alice'], ['carol'], []]);
  });

  it('has the effective readings, including those of the server', async () => {
    const player = new Player(
      story([], { origin: { ...named('small-team').origin, readings: { 'wiki-auth': 'admin' } } }),
      inProcess(fake, 'play'),
      {
        readings: { 'unknown-user': 'skip' },
      },
    );
    await player.begin();
    expect(player.readings).to.include({
      'unknown-page': '400',
      'wiki-auth': 'admin',
      'unknown-user': 'skip',
      'unknown-group': '404',
    });
  });

  it('arms the faults of the scenario, and those of a step in addition', async () => {
    const fault = (nth: number) => ({ operation: 'ppf.push', when: { nth }, effect: { delay: 1 } }) as const;
    const origin = { ...named('small-team').origin, faults: [fault(1)] };
    await playedBy(new Player(story([{ say: 'a', faults: [fault(2)] }], { origin }), inProcess(fake, 'play')));
    expect(fake.session.find('play')?.state.faults).to.deep.equal([
      { given: fault(1), matched: 0, fired: 0 },
      { given: fault(2), matched: 0, fired: 0 },
    ]);
  });

  it('is reported as gone if it was dropped', async () => {
    const target = inProcess(fake, 'play');
    // biome-ignore lint/suspicious/noThenProperty: the name that steps have for it
    const player = new Player(story([{ say: 'looks', then: { groups: { customers: [] } } }]), target);
    await player.begin();
    await fake.session.drop('play');
    const error = await player.play(0).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(Unreachable);
    expect(error).to.have.property('message', 'the sandbox play was dropped during the play');
  });

  it('is created even while requests recreate it', async () => {
    const target = inProcess(fake, 'play');
    const player = new Player(named('unlicensed'), target);
    const others = Array.from({ length: 20 }, () => target.send({ method: 'POST', path: '/x', headers: {} }));
    await Promise.all([player.begin(), ...others]);
    expect(fake.session.find('play')?.state.origin.scenario).to.equal('unlicensed');
  });
});
