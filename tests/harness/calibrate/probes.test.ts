// The probes: correct on a fake under each reading of their gap, and played in the order of their needs.
import { expect } from 'chai';
import { inOrder, loadProbes, neededBy } from '../../../harness/calibrate/probes.js';
import { inProcess } from '../../../server/library/target/in-process-target.js';
import { type GapId, gapIds, readingNames } from '../../../server/operations/gaps/gaps.js';
import type { Assembled } from '../../../server/process/server.js';
import { differenceText } from '../../../server/scenario/play/evidence.js';
import { Player } from '../../../server/scenario/play/player.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { written } from '../../support/files/files.js';
import { probes } from '../../support/other-servers/calibrating.js';
import { must } from '../../support/other-servers/outside.js';
import { assembled } from '../../support/scenarios/shipped-runs.js';

const probed = probes.flatMap(({ gap }) => gap ?? []);

describe('the probes', () => {
  let fake: Assembled;
  before(async () => {
    fake = await assembled();
  });
  after(() => fake.end());

  it('cover every gap that a documented operation shows', () => {
    expect(gapIds.filter(gap => !probed.includes(gap))).to.deep.equal([
      'wiki-licence', // no request changes a licence
      'default-space-admin',
      'copied-metadata-when-not-kept',
    ]);
  });

  for (const probe of probes) {
    const { gap = 'no-change' } = probe;
    it(`of ${gap} pass under each reading, and expect something else under each`, async () => {
      for (const reading of [...readingNames(gap), ...(gap === 'context-path' ? ['/wiki'] : [])]) {
        const player = new Player(probe, inProcess(fake, 'probe'), { readings: { [gap]: reading } });
        for await (const { step, outcome, differences, unchecked } of player.all()) {
          const where = `${reading}: ${step.say}`;
          expect(differences.map(differenceText), where).to.deep.equal([]);
          expect({ outcome, unchecked }, where).to.deep.equal({ outcome: 'passed', unchecked: [] });
        }
      }
      const expectations = readingNames(gap).map(reading => JSON.stringify(probe.steps.map(one => one.for?.[reading])));
      expect(new Set(expectations).size).to.equal(expectations.length);
    });
  }

  it('are each played after those whose readings they need, the address first', () => {
    const order = inOrder(probes.map(loaded => ({ loaded }))).flatMap(({ loaded: { gap } }) => gap ?? []);
    expect(order.slice(0, 2)).to.deep.equal(['wiki-prefix', 'context-path']);
    expect(order).to.have.members(probed);
    const place = (gap: GapId) => order.indexOf(gap);
    for (const loaded of probes)
      for (const needed of neededBy(loaded))
        if (loaded.gap) expect(place(needed), `${needed} before ${loaded.gap}`).to.be.below(place(loaded.gap));
  });

  it('of a user replace the shipped ones, and have to name the gap of their file', () => {
    const loadedFrom = (files: Readonly<Record<string, string>>) => {
      const own = written(files);
      const loaded = loadProbes(own.folders);
      own.remove();
      return loaded;
    };
    const mine = must(loadedFrom({ 'scenarios/gaps/no-change.yaml': 'title: Mine\ngap: no-change\n' }));
    expect(mine.find(({ gap }) => gap === 'no-change')?.title).to.equal('Mine');
    expect(mine).to.have.length(probes.length);
    const wrong = loadedFrom({
      'scenarios/gaps/no-change.yaml': 'title: Mine\ngap: unknown-user\n',
      'scenarios/gaps/wiki-auth.yaml': 'title: Mine\n',
    });
    const problems = isProblems(wrong) ? wrong.problems.map(({ message }) => message) : [];
    expect(problems.join()).to.include('expected gap: no-change').and.to.include('expected gap: wiki-auth');
  });
});
