// One request on a sandbox whose faults are armed: what the operation would answer, and what the fault that is due makes of it. Pure.
import { layReadings, type Readings } from '../operations/gaps.js';
import type { Fault } from './fault.js';
import { inject } from './injection.js';
import { meet } from './meeting.js';
import { firstItems, reportOnLeft } from './partial.js';
import { type Performance, perform, type Scene } from './request/perform.js';
import { parseReadings } from './request/readings.js';
import type { Request } from './request/request.js';
import type { Change, State } from './state.js';

/** What came of a request, and everything that changes by it. */
export interface Outcome {
  readonly performance: Performance;
  readonly changes: readonly Change[];
}

export function performAmongFaults(request: Request, scene: Scene, { faults, origin }: State): Outcome {
  const performance = perform(request, scene);
  if (faults.length === 0) return { performance, changes: performance.facts };
  const { met, fired } = meet(faults, request, performance, scene, origin.seed);
  if (met.length === 0) return { performance, changes: performance.facts };
  const armed = fired === undefined ? undefined : faults[fired];
  if (armed === undefined || fired === undefined)
    return { performance, changes: [...performance.facts, { type: 'faults-met', met }] };
  const partial = partially(request, scene, performance, armed.fault);
  const injected = inject(partial ?? performance, armed, fired, request, readingsFor(request, scene));
  return { performance: injected, changes: [...injected.facts, { type: 'faults-met', met, fired }] };
}

/** Those that the request chooses, over those of the scene. */
function readingsFor({ readings }: Request, scene: Scene): Readings {
  const chosen = readings === undefined ? { readings: {} } : parseReadings(readings);
  return 'problem' in chosen ? scene.readings : layReadings(scene.readings, chosen.readings);
}

/** What comes of the first items alone, which no rule has decided; `undefined` where the fault is about something else, or the request would be refused anyway. */
function partially(request: Request, scene: Scene, whole: Performance, { effect }: Fault): Performance | undefined {
  const isPush = whole.operation === 'ppf.push';
  if (effect.partial === undefined || whole.refused !== undefined || !(isPush || whole.operation === 'ppf.pull'))
    return undefined;
  const first = firstItems(request, effect.partial.succeed);
  if (first === undefined) return undefined;
  const done = effect.partial.succeed === 0 ? undefined : perform(first.request, scene);
  return {
    ...whole,
    rules: [],
    gaps: {},
    facts: done?.facts ?? [],
    answer: reportOnLeft(whole.answer, done, first.left, isPush),
  };
}
