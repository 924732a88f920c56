// Servers of hidden readings and a client that asks them in many ways: what their responses tell has to agree with what is hidden.
import { expect } from 'chai';
import { agreeingReadings } from '../../../harness/proxy/agreeing-readings.js';
import { Narrowing } from '../../../harness/proxy/narrowing.js';
import { evolveAll } from '../../../server/domain/facts.js';
import { runStages } from '../../../server/engine/request/stages/run-stages.js';
import { operations } from '../../../server/operations/catalog/catalog.js';
import {
  defaultReadings,
  type GapId,
  gapIds,
  layReadings,
  readingNames,
  type SomeReadings,
} from '../../../server/operations/gaps/gaps.js';
import { requestTo, smallTeam } from '../worlds/ask.js';
import { oddQuestions } from './odd-questions.js';

function hiddenReadings(seed: number): SomeReadings {
  let state = seed * 2654435761 + 12345;
  const next = (most: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const chosen = gapIds.map(gap => {
    const names = readingNames(gap);
    return [gap, names[next(names.length)]];
  });
  return Object.fromEntries(chosen) as SomeReadings; // of each gap one of its own
}

/** Expects that nothing wrong is concluded of so many servers; returns of how many gaps the reading is known, on average. */
export function expectNeverWrong(servers: number): number {
  let known = 0;
  /** Of many servers, which get the same requests and often respond alike. */
  const concluded = new Map<string, ReturnType<typeof agreeingReadings>>();
  for (let seed = 1; seed <= servers; seed += 1) {
    const readings = hiddenReadings(seed);
    const narrowing = new Narrowing();
    let world = smallTeam;
    for (const operation of operations) {
      for (const [i, question] of oddQuestions(operation).entries()) {
        if ((i + seed) % 4 !== 0) continue; // a client asks some of it
        const method = i % 5 === 0 ? operation.heading?.method : undefined;
        const request = requestTo(operation, { ...question, ...(method && { method }) });
        const context = { world, readings: layReadings(defaultReadings, readings), now: '2026-01-05T09:00:00Z' };
        const { response, facts } = runStages(request, context, false);
        world = evolveAll(world, facts);
        const said = `${operation.id} ${i}: ${request.method} ${response.status} ${response.body}`;
        if (!concluded.has(said))
          concluded.set(said, agreeingReadings(request, { status: response.status, text: response.body }));
        const agreeing = concluded.get(said);
        const what = `${said}, server ${seed}`;
        expect(agreeing, what).not.to.equal(undefined);
        for (const [gap, those] of Object.entries(agreeing ?? {}))
          expect(those, `${gap}, ${what}`).to.include(readings[gap as GapId]);
        narrowing.take(agreeing ?? {});
      }
    }
    for (const { gap, readings: left } of narrowing.narrowed) expect(left, gap).to.include(readings[gap]);
    known += narrowing.narrowed.filter(({ readings: left }) => left.length === 1).length;
  }
  return known / servers;
}
