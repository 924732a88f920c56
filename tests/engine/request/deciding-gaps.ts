// The property of the named gaps: they are those of which some other single reading changes the response or the world.

import { expect } from 'chai';
import { gapsOf } from '../../../server/derive/reach.js';
import { evolveAll } from '../../../server/domain/facts.js';
import { formOf } from '../../../server/domain/form/form.js';
import type { Result } from '../../../server/engine/request/result.js';
import { runStages } from '../../../server/engine/request/stages/run-stages.js';
import { operationOf } from '../../../server/operations/catalog/catalog.js';
import { gapIds, layReadings, readingNames, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { isAddressGap, isShownGap } from '../../../server/operations/gaps/gaps-address.js';
import { Dice } from '../../fuzz/cases/dice.js';
import { type RandomQuestion, randomQuestion } from '../../support/worlds/random-questions.js';

const now = '2026-01-05T09:00:00Z';

/** `DECIDING_RUNS=100000` performs so many requests, `DECIDING_SEED` chooses others. */
export function testDecidingGaps(runs: number): void {
  const { DECIDING_RUNS: wanted, DECIDING_SEED: seed = '38' } = process.env;
  const times = wanted === undefined ? runs : Number(wanted);
  it(`of ${times} random requests, exactly the gaps that change the response or the world are named`, function () {
    this.timeout(0);
    const seen = new Set<string>();
    for (let at = 0; at < times; at += 1) {
      const question = randomQuestion(new Dice(Number(seed), at));
      const { request, on, readings } = question;
      const result = runStages(request, { world: on, readings, now });
      const named = Object.keys(result.gaps).filter(gap => isShownGap(gap, result.refused));
      // Every wiki request meets the gaps of addresses, so that they are named only if they refuse it.
      const operation = operationOf(result.operation ?? '');
      const asked = operation === undefined ? gapIds : gapsOf(operation); // that it asks no others is tested in stages.test.ts
      const decide = asked.filter(gap => !isAddressGap(gap) && isDeciding(gap, question, result));
      for (const gap of decide) seen.add(gap);
      const failed = `DECIDING_SEED=${seed}, request ${at}: ${JSON.stringify({ ...request, endpoint: undefined })}
        answered by ${JSON.stringify(result.response)}`;
      expect(
        named.filter(gap => !isAddressGap(gap)),
        failed,
      ).to.have.members(decide);
      expect(
        named.map(gap => result.gaps[gap as keyof typeof result.gaps]),
        failed,
      ).to.deep.equal(named.map(gap => readings[gap as keyof typeof readings]));
    }
    const unseen = gapIds.filter(gap => !isAddressGap(gap) && !seen.has(gap));
    if (times >= 6_000) expect(unseen, 'gaps that decided about no request').to.deep.equal([]);
  });
}

function isDeciding(gap: (typeof gapIds)[number], { request, on, readings }: RandomQuestion, result: Result): boolean {
  return readingNames(gap).some(name => {
    if (name === readings[gap]) return false;
    const other = runStages(request, {
      world: on,
      readings: layReadings(readings, { [gap]: name } as SomeReadings),
      now,
    });
    const same = JSON.stringify(other.response) === JSON.stringify(result.response) && isSameWorld(on, result, other);
    return !same;
  });
}

function isSameWorld(on: RandomQuestion['on'], some: Result, other: Result): boolean {
  const written = ({ facts }: Result) => JSON.stringify(formOf(evolveAll(on, facts)));
  return JSON.stringify(some.facts) === JSON.stringify(other.facts) || written(some) === written(other);
}
