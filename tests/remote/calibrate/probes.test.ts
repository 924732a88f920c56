// Every probe is correct: on a fake under each reading of its gap, each step gets the expected response, and the world is as
// expected. Every gap has a probe except those that nothing shows.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { isObject, patchBetween } from '../../../server/domain/form/patch.js';
import { emptyWorld, type World } from '../../../server/domain/world.js';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import { type GapId, gapIds, readingNames, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { depthsOf, isReady, loadProbes, neededBy } from '../../../server/remote/calibrate/probes.js';
import type { Loaded } from '../../../server/scenario/load/story.js';
import { differenceText } from '../../../server/scenario/play/evidence.js';
import { Player } from '../../../server/scenario/play/player.js';
import { isProblems, showProblem } from '../../../server/scenario/yaml/problem.js';
import { type Written, written } from '../../support/files/files.js';
import { type Fakes, fakes, probes } from '../../support/other-servers/calibrating.js';

const probed = probes.map(({ gap }) => gap);

describe('the probes', () => {
  let all: Fakes;
  before(async () => {
    all = await fakes();
  });
  after(() => all.assembled.end());

  it('are as deep as the longest chain of probes that wait for them', () => {
    const of = (gap: GapId, steps: number, needs: SomeReadings = {}): Loaded => {
      const [one] = probes;
      if (one === undefined) throw new Error('there is no probe');
      return { ...one, gap, steps: Array.from({ length: steps }, () => ({ say: gap, readings: needs })) };
    };
    const all = [
      of('context-path', 1),
      of('no-change', 2),
      of('ppf-effect', 3, { 'no-change': '409' }),
      of('ppf-partial', 4, { 'ppf-effect': 'push-adds' }),
      of('unknown-user', 5),
    ];
    const depths = depthsOf(all);
    expect(all.map(probe => depths.get(probe))).to.deep.equal([10, 9, 7, 4, 5]);
  });

  it('cover every gap that a documented operation shows', () => {
    expect(gapIds.filter(gap => !probed.includes(gap))).to.deep.equal([
      'default-space-admin',
      'copied-metadata-when-not-kept',
    ]);
  });

  for (const probe of probes) {
    const { gap } = probe;
    if (gap === undefined) throw new Error(`${probe.title} has no gap`);
    for (const reading of [...readingNames(gap), ...(gap === 'context-path' ? ['/wiki'] : [])]) {
      it(`${gap}=${reading}: every response and every world matches the probe`, async () => {
        const player = new Player(probe, inProcess(all.assembled, 'probe'), { readings: { [gap]: reading } });
        const played = [];
        for await (const one of player.all()) played.push(one);
        expect(
          played.flatMap(({ step, differences }) => differences.map(one => `${step.say}: ${differenceText(one)}`)),
        ).to.deep.equal([]);
        expect(played.map(({ outcome }) => outcome)).to.deep.equal(probe.steps.map(() => 'passed'));
        expect(played.flatMap(({ unchecked }) => unchecked)).to.deep.equal([]);
        expect(leftBehind(probe, all.assembled.session.find('probe')?.state.world)).to.deep.equal([]);
      });
    }

    it(`${gap}: each reading has an expectation of its own`, () => {
      const expectations = readingNames(gap).map(reading =>
        JSON.stringify(probe.steps.map(step => step.for?.[reading])),
      );
      expect(new Set(expectations).size).to.equal(expectations.length);
    });
  }

  it('name the schema of a scenario in their first line, for editors', () => {
    const firsts = probes.map(({ files: [file = ''] }) => readFileSync(file, 'utf8').split('\n', 1)[0]);
    expect([...new Set(firsts)]).to.deep.equal([
      '# yaml-language-server: $schema=../../contracts/schemas/scenario.schema.json',
    ]);
  });

  it('are played when their needs are known: the address first, and none before what it needs', () => {
    const open = new Set<GapId | undefined>(probed);
    const order: GapId[][] = [];
    for (let ready = gapsReady(open); ready.length > 0; ready = gapsReady(open)) {
      order.push(ready);
      for (const gap of ready) open.delete(gap);
    }
    expect(order.slice(0, 2)).to.deep.equal([['wiki-prefix'], ['context-path']]);
    expect(order.flat()).to.have.members(probed);
    const roundOf = (gap: GapId) => order.findIndex(round => round.includes(gap));
    for (const loaded of probes)
      for (const gap of neededBy(loaded))
        if (gap !== loaded.gap && loaded.gap)
          expect(roundOf(loaded.gap), `${loaded.gap} after ${gap}`).above(roundOf(gap));
  });
});

function gapsReady(open: ReadonlySet<GapId | undefined>): GapId[] {
  return probes.flatMap(loaded =>
    loaded.gap !== undefined && open.has(loaded.gap) && isReady({ loaded }, open) ? [loaded.gap] : [],
  );
}

describe('custom probes', () => {
  let files: Written;
  afterEach(() => files.remove());

  it('replace the shipped ones', () => {
    files = written({ 'scenarios/gaps/no-change.yaml': 'title: Mine\ngap: no-change\n' });
    const loaded = loadProbes(files.folders);
    if (isProblems(loaded)) expect.fail(loaded.problems.map(showProblem).join('\n'));
    expect(loaded.find(({ gap }) => gap === 'no-change')?.title).to.equal('Mine');
    expect(loaded).to.have.length(probes.length);
  });

  it('must match the gap they are named for, and each problem is reported', () => {
    files = written({
      'scenarios/gaps/no-change.yaml': 'title: Mine\ngap: unknown-user\n',
      'scenarios/gaps/wiki-auth.yaml': 'title: Mine\n',
      'scenarios/gaps/unknown-page.yaml': 'titel: Mine\ngap: unknown-page\n',
    });
    const loaded = loadProbes(files.folders);
    if (!isProblems(loaded)) expect.fail('it loads');
    expect(loaded.problems.map(({ message }) => message)).to.deep.equal([
      'This probe names no gap: it takes gap: wiki-auth.',
      'This needs the key "title".',
      'Unknown key "titel" (did you mean "title"?): allowed are title, about, fixture, world, profile, readings, clock, faults, gap, steps.',
      'This probe asks about unknown-user: it takes gap: no-change.',
    ]);
  });
});

/** What a probe changed and did not put back, except what it created under a name of its own. */
function leftBehind({ origin }: Loaded, world: World = emptyWorld): string[] {
  const { nextPageId: _, ...collections } = patchBetween(formOf(origin.world), formOf(world)) as Record<
    string,
    unknown
  >;
  return Object.entries(collections).flatMap(([name, records]) =>
    Object.entries(isObject(records) ? records : { [name]: records })
      .filter(([key, record]) => !/RUN1/.test(key) && !(isObject(record) && /RUN1/.test(String(record.space))))
      .map(([key, record]) => `${name}/${key}: ${JSON.stringify(record)}`),
  );
}
