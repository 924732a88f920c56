// Steps whose connection a fault breaks: expected or not, in process and over HTTP alike; and what a response with a fault proves.
import { createServer } from 'node:http';
import { expect } from 'chai';
import { evidenceIn } from '../../../contracts/suite-evidence.js';
import { anyServer } from '../../../harness/target/any-server.js';
import type { Fault } from '../../../server/engine/faults/fault.js';
import { servedFake } from '../../../server/library/target/served-fake.js';
import type { Running } from '../../../server/process/start.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import type { Loaded } from '../../../server/scenario/load/load-scenario.js';
import { type Played, Player } from '../../../server/scenario/play/player.js';
import { Unreachable } from '../../../server/scenario/play/target.js';
import { problemsIn } from '../../support/files/files.js';
import { playedBy, playedIn, playedText, story } from '../../support/scenarios/played.js';
import { CLOSED, CUT_SHORT, REFUSED } from '../../support/wire/connection-failures.js';
import { entriesIn, listening, sendJson, serving, useServer } from '../../support/wire/server.js';
import { smallTeam } from '../../support/worlds/ask.js';
import { failure } from '../../support/worlds/failure.js';

const push: Step = { say: 'pushes', as: 'admin', call: 'ppf.push', body: { users: ['alice'], filters: [10500] } };
const hangUp: Fault = { operation: 'ppf.push', times: 1, effect: { hangUp: true } };
const cut: Fault = { operation: 'ppf.push', times: 1, effect: { truncateAt: 4 } };
const broken = { connection: 'broken' } as const;
const text = (played: readonly Played[]) => played.flatMap(playedText);

let server: Running;
async function playedOver(loaded: Loaded): Promise<Played[]> {
  const target = await servedFake(server.url, { name: 'broken', isKept: false });
  if (target === undefined) throw new Error('it is no fake');
  try {
    return await playedBy(new Player(loaded, target));
  } finally {
    await target.close();
  }
}

for (const [where, played] of [
  ['in this process', playedIn],
  ['over HTTP', playedOver],
] as const) {
  describe(`a step whose connection breaks, ${where}`, () => {
    before(async () => {
      server = await serving();
    });
    after(() => server.stop());

    it('passes if that is expected, and the next step uses a new connection', async () => {
      const then = { favourites: { alice: { filters: [10500] } } };
      const steps = [
        { ...push, faults: [{ ...hangUp, phase: 'after' as const }], expect: broken, then },
        { ...push, faults: [cut], expect: broken },
        { ...push, expect: { status: 200 }, proves: ['ppf.push'] },
      ];
      const all = await played(story(steps));
      expect(text(all)).to.deep.equal([]);
      expect(all.map(({ broken: how, received }) => [how, received?.status])).to.deep.equal([
        [CLOSED, undefined],
        [CUT_SHORT, undefined],
        [undefined, 200],
      ]);
      expect(all.map(({ insight }) => [insight?.fault, insight?.facts?.length])).to.deep.equal([
        ['1 hangUp', 1],
        ['2 truncateAt', 0],
        [undefined, 0],
      ]);
    });

    it('fails if a response is expected, reports the cause, and the run goes on', async () => {
      const capture = { all: '' };
      const steps = [
        { ...push, faults: [hangUp], expect: { status: 200 }, capture },
        { ...push, faults: [cut], proves: ['ppf.push'] },
        { ...push, faults: [{ ...hangUp, phase: 'after' as const }] },
        { ...push, expect: { status: 200 } },
      ];
      const all = await played(story(steps));
      expect(all.map(({ outcome }) => outcome)).to.deep.equal(['failed', 'failed', 'failed', 'passed']);
      expect(all.flatMap(one => playedText(one).filter(line => !line.includes('capture')))).to.deep.equal([
        `pushes: connection is broken by the fault 1 hangUp: ${CLOSED}`,
        `pushes: connection is broken by the fault 2 truncateAt: ${CUT_SHORT}`,
        'pushes: ppf.push cannot be proved, because a fault fired: 2 truncateAt',
        `pushes: connection is broken by the fault 3 hangUp: ${CLOSED}`,
      ]);
    });

    it('fails if the response is complete after all', async () => {
      expect(text(await played(story([{ ...push, expect: broken }])))).to.deep.equal([
        'pushes: connection is not broken: the response is complete, with the status 200',
      ]);
    });
  });
}

it('a response that a fault touched proves nothing, and is no evidence for a reading', async () => {
  const effects: ReadonlyArray<Fault['effect']> = [{ delay: 1 }, { headers: { A: 'b' } }, { partial: { succeed: 9 } }];
  const steps = effects.map(effect => ({
    ...push,
    faults: [{ operation: 'ppf.push' as const, times: 1, effect }],
    proves: ['ppf.push'],
  }));
  const all = await playedIn(story(steps));
  for (const line of text(all)) expect(line).to.contain('ppf.push cannot be proved, because a fault fired: ');
  expect(text(all)).to.have.lengthOf(effects.length);
  const unclaimed = await playedIn(story(steps.map(({ proves: _, ...step }) => step)));
  expect(unclaimed.map(({ outcome }) => outcome)).to.deep.equal(effects.map(() => 'passed'));
  expect(unclaimed.flatMap(evidenceIn)).to.deep.equal([]);
  const [plain] = await playedIn(story([{ ...push, proves: ['ppf.push'] }]));
  expect(plain && evidenceIn(plain), 'without a fault it is one').to.include('ppf.push');
});

describe('a step with a fault, on another server', () => {
  const own = useServer(undefined, { control: 'off' });

  it('is skipped if the server takes no faults, as are the steps of a scenario that arms some', async () => {
    const target = anyServer(own.url);
    const origin = { scenario: 'own-story', world: smallTeam, readings: {}, faults: [hangUp] };
    const whys = async (loaded: Loaded) =>
      (await playedBy(new Player(loaded, target))).map(({ outcome, why }) => why ?? outcome);
    expect(
      await whys(story([{ ...push, faults: [hangUp] }, { ...push, expect: broken }, { say: 'speaks' }, push])),
    ).to.deep.equal([
      'it sets faults, which this target does not support',
      'it expects a broken connection, which only a fault can cause',
      'passed',
      'passed',
    ]);
    expect(await whys(story([push, { say: 'speaks' }], { origin }))).to.deep.equal([
      'its scenario sets faults, which this target does not support',
      'passed',
    ]);
    await target.close();
  });

  it('ends the run if a foreign server breaks the connection', async () => {
    const other = createServer((_, response) => response.destroy());
    const url = await listening(other);
    const error = await failure(playedBy(new Player(story([push]), anyServer(url))), Unreachable);
    expect(error.broken).to.deep.equal({ how: CLOSED });
    expect(error.message).to.equal(`${url} does not respond: ${CLOSED}`);
    other.close();
    other.closeAllConnections();
  });

  it('ends the run if the server is gone', async () => {
    const leaving = await serving();
    const target = await servedFake(leaving.url, { name: 'away', isKept: true });
    if (target === undefined) throw new Error('it is no fake');
    const player = new Player(story([push, push]), target);
    await player.begin();
    expect((await player.play(0)).outcome).to.equal('passed');
    await leaving.stop();
    const error = await failure(player.play(1), Unreachable);
    expect(error.broken).to.equal(undefined);
    expect(error.message).to.equal(`${leaving.url} does not respond: ${REFUSED}`);
  });
});

describe('expect: { connection: broken }', () => {
  const problems = (...steps: readonly string[]) => {
    const head = ['title: A', 'fixture: small-team', 'gap: ppf-no-change', 'steps:'];
    return problemsIn('scenarios/a.yaml', [...head, ...steps.map(step => `  - ${step}`)]);
  };

  it('excludes any other expectation', () => {
    const says = 'A broken connection has no complete response, so this cannot be checked.';
    expect(
      problems(
        '{ say: a, call: ppf.push, expect: { connection: broken, status: 200, body: {} } }',
        '{ say: b, call: ppf.push, expect: { connection: broken }, capture: { a: /a }, proves: [ppf.push] }',
        '{ say: c, call: ppf.push, for: { ok: { expect: { connection: broken, headers: { A: b } } }, message: { expect: { status: 200 } }, note: { expect: { status: 200 } } } }',
      ),
    ).to.deep.equal([`5:61: ${says}`, `5:74: ${says}`, `6:63: ${says}`, `6:83: ${says}`, `7:74: ${says}`]);
    expect(
      problems('{ say: a, call: ppf.push, expect: { connection: broken }, then: { groups: { customers: [] } } }'),
    ).to.deep.equal([]);
  });
});

describe('the control API plays a step whose connection breaks', () => {
  const own = useServer();

  it('and reports it', async () => {
    const { json } = await sendJson(`${own.url}/_fake/v1/sandboxes/default/play`, 'POST', { scenario: 'bad-day' });
    const { passed, steps } = json as { passed: boolean; steps: ReadonlyArray<Record<string, unknown>> };
    expect(passed).to.equal(true);
    const broken = steps.filter(({ connection }) => connection === 'broken').map(({ fault }) => fault);
    expect(broken).to.deep.equal(['2 hangUp', '4 truncateAt']);
    expect((await entriesIn(own)).map(({ fault }) => fault)).to.deep.equal(steps.map(({ fault }) => fault));
  });
});
