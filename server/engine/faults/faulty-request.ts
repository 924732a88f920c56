// One request on a sandbox whose faults are armed: what the operation would answer, and what the fault that is due makes of it. Pure.
import { layReadings, type Readings } from '../../operations/gaps/gaps.js';
import { perform, type Result } from '../request/perform.js';
import { parseReadings } from '../request/readings.js';
import type { Request } from '../request/request.js';
import type { DecisionContext } from '../request/stage.js';
import type { Change, State } from '../sandbox/state.js';
import type { Fault } from './fault.js';
import { inject } from './injection.js';
import { meet } from './matching.js';
import { firstItems, reportOnLeft } from './partial.js';

/** What came of a request, and everything that changes by it. */
export interface Outcome {
  readonly result: Result;
  readonly changes: readonly Change[];
}

export function performAmongFaults(request: Request, context: DecisionContext, { faults, origin }: State): Outcome {
  const result = perform(request, context);
  if (faults.length === 0) return { result, changes: result.facts };
  const { met, fired } = meet(faults, request, result, context, origin.seed);
  if (met.length === 0) return { result, changes: result.facts };
  const armed = fired === undefined ? undefined : faults[fired];
  if (armed === undefined || fired === undefined)
    return { result, changes: [...result.facts, { type: 'faults-met', met }] };
  const partial = partially(request, context, result, armed.fault);
  const injected = inject(partial ?? result, armed, fired, request, readingsFor(request, context));
  return { result: injected, changes: [...injected.facts, { type: 'faults-met', met, fired }] };
}

/** Those that the request chooses, over those of the context. */
function readingsFor({ readings }: Request, context: DecisionContext): Readings {
  const chosen = readings === undefined ? { readings: {} } : parseReadings(readings);
  return 'problem' in chosen ? context.readings : layReadings(context.readings, chosen.readings);
}

/** What comes of the first items alone, which no rule has decided; `undefined` where the fault is about something else, or the request would be refused anyway. */
function partially(request: Request, context: DecisionContext, whole: Result, { effect }: Fault): Result | undefined {
  const isPush = whole.operation === 'ppf.push';
  if (effect.partial === undefined || whole.refused !== undefined || !(isPush || whole.operation === 'ppf.pull'))
    return undefined;
  const first = firstItems(request, effect.partial.succeed);
  if (first === undefined) return undefined;
  const done = effect.partial.succeed === 0 ? undefined : perform(first.request, context);
  return {
    ...whole,
    rules: [],
    gaps: {},
    facts: done?.facts ?? [],
    answer: reportOnLeft(whole.answer, done, first.left, isPush),
  };
}
