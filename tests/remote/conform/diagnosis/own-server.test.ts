// Our own server answers as if each file was played for the first time, whatever was played and altered before.
import { expect } from 'chai';
import type { SomeReadings } from '../../../../server/operations/gaps/gaps.js';
import { alterationsOf } from '../../../../server/remote/conform/diagnosis/alterations/alterations.js';
import { OwnServer } from '../../../../server/remote/conform/diagnosis/own-server.js';
import type { Step } from '../../../../server/scenario/format/step-format.js';
import { telling } from '../../../support/other-servers/bitten.js';
import { type Prepared, prepared, RUN } from '../../../support/other-servers/conforming.js';

describe('our own server', () => {
  let plan: Prepared;
  before(async () => {
    plan = await prepared(['ppf.push', 'groups.add-users']);
  });

  for (const [rule, operation] of [
    ['ppf.push', 'ppf.push'],
    ['groups.add-users', 'groups.add-users'],
  ] as const)
    it(`plays ${rule} with each alteration as a server does that has played nothing before`, async function () {
      this.timeout(60_000);
      const file = plan.suite.find(({ written }) => written.steps.some(({ proves = [] }) => proves.includes(rule)));
      if (file === undefined) throw new Error(`there is no file about ${rule}`);
      const known = { 'ppf-effect': 'push-adds', 'ppf-no-change': 'message', 'no-change': '409' } as const;
      const alike = { known, shown: { wiki: true, tracker: true, alike: [] } };
      const isMeant = ({ call }: Step) => call === operation;
      const shown = async (own: OwnServer, alteration?: ReturnType<typeof alterationsOf>[number]) => {
        const played = await own.play(file, { ...alike, ...(alteration && { altered: { alteration, isMeant } }) });
        return played.map(({ index, outcome, received, seen }) => [
          index,
          outcome,
          received?.status,
          received?.text.replaceAll(/"created\w*":"[^"]*"/g, ''),
          [...(seen ?? [])],
        ]);
      };
      const right = await shown(plan.own);
      const different = new Set<string>();
      for (const alteration of alterationsOf(rule, operation).slice(0, 12)) {
        const fresh = new OwnServer({ names: plan.names, run: RUN });
        const found = await shown(plan.own, alteration);
        expect(found, alteration.name).to.deep.equal(await shown(fresh, alteration));
        if (JSON.stringify(found) !== JSON.stringify(right)) different.add(alteration.name);
      }
      expect(different.size).to.be.greaterThan(5);
      expect(await shown(plan.own)).to.deep.equal(right);
    });

  it('answers under other readings as a server does that has played under no others', async () => {
    const seenUnder = async (own: OwnServer, known: SomeReadings, followed: SomeReadings) => {
      const shown = { wiki: false, tracker: false, alike: [] };
      const plays = await Promise.all(plan.suite.map(file => own.play(file, { known, followed, shown })));
      return plays.flat().map(({ index, outcome, received }) => [index, outcome, received?.status, received?.text]);
    };
    const sets: readonly SomeReadings[] = [{}, telling, { 'ppf-effect': 'record-only' }, { 'no-change': '409' }];
    const different = new Set<string>();
    for (const known of sets)
      for (const followed of sets) {
        const found = await seenUnder(plan.own, known, followed);
        const fresh = new OwnServer({ names: plan.names, run: RUN });
        expect(found).to.deep.equal(await seenUnder(fresh, known, followed));
        different.add(JSON.stringify(found));
      }
    expect(different.size).to.be.greaterThan(4);
  });

  it('ends with the first step that is enough', async () => {
    const [file] = plan.suite;
    if (file === undefined) throw new Error('there is no suite');
    const fresh = new OwnServer({ names: plan.names, run: RUN });
    const alike = { known: {}, shown: { wiki: false, tracker: false, alike: [] } };
    const part = await fresh.play(file, { ...alike, isEnough: ({ index }) => index >= 2 });
    const whole = await fresh.play(file, alike);
    expect(part.map(({ index }) => index)).to.deep.equal([0, 1, 2]);
    expect(whole.length).to.be.greaterThan(part.length);
  });
});
