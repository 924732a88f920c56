// The stages `sandbox` and `readings`: in which sandbox a request is performed, and under which readings.
import { emptyWorld } from '../../../domain/world.js';
import { layReadings, type Readings } from '../../../operations/gaps/gaps.js';
import { parseReadings } from '../readings.js';
import { type DecisionContext, everyOperation, noOperation, stage, type UnusableSandbox } from '../stage.js';

/** Finding the sandbox takes the store, so whoever holds it says what is wrong; the stage refuses. */
export const sandbox = stage({
  name: 'sandbox',
  steps: [
    { name: 'sandbox', concerns: everyOperation, refusals: ['sandbox-name', 'sandbox-unknown'] },
    // An affair of the fake, which no API promises: no document of an operation tells it.
    { name: 'store', concerns: noOperation, refusals: ['store-unavailable', 'no-room'] },
  ],
  run({ context: { unusable } }, given) {
    return unusable === undefined ? undefined : given.refuse(unusable.code, unusable.message);
  },
});

/** What a request is performed on that has no sandbox: it gets no further than that. */
export function withoutSandbox(readings: Readings, unusable: UnusableSandbox): DecisionContext {
  return { world: emptyWorld, readings, now: '', unusable };
}

/** The readings that a request chooses for itself. */
export const readings = stage({
  name: 'readings',
  steps: [{ name: 'readings', concerns: everyOperation, refusals: ['unknown-reading'] }],
  run({ request, context }, given) {
    if (request.readings === undefined) return undefined;
    const chosen = parseReadings(request.readings);
    if ('problem' in chosen) return given.refuse('unknown-reading', chosen.problem);
    given.readUnder(layReadings(context.readings, chosen.readings));
    return undefined;
  },
});
