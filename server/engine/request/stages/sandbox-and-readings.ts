// The stages `sandbox` and `readings`: the sandbox and the readings of a request.
import { emptyWorld } from '../../../domain/world/world.js';
import { layReadings, type Readings } from '../../../operations/gaps/gaps.js';
import { parseReadings } from '../readings.js';
import { type DecisionContext, everyOperation, noOperation, stage, type UnusableSandbox } from '../stage.js';

/** The session finds the sandbox, because that needs the store; the stage refuses. */
export const sandbox = stage({
  name: 'sandbox',
  steps: [
    { name: 'sandbox', concerns: everyOperation, refusals: ['sandbox-name', 'sandbox-unknown'] },
    // Specific to the fake, so no document of an operation mentions it.
    { name: 'store', concerns: noOperation, refusals: ['store-unavailable', 'no-room'] },
  ],
  run({ context: { unusable } }, given) {
    return unusable === undefined ? undefined : given.refuse(unusable.code, unusable.message);
  },
});

/** The context of a request without a usable sandbox: it ends at that stage. */
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
