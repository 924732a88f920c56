// What a sandbox makes of one request: the result of the operation or of a stub, what the firing fault makes of it, the changes, and the journal entry.
// Pure.
import { layReadings, type Readings, type SomeReadings } from '../../operations/gaps/gaps.js';
import { type Armed, rateLimitOf } from '../faults/armed.js';
import type { Fault } from '../faults/fault.js';
import { inject } from '../faults/injection.js';
import { isStubbed, matchArmed } from '../faults/matching.js';
import { firstItems, reportOnLeft } from '../faults/partial-push.js';
import { type ArmedMatches, limitHeaders } from '../faults/rate-limit.js';
import { isUnmodelled, responseByStub, withNearestStub } from '../faults/stubbing.js';
import { entryOf } from '../journal/compose-entry.js';
import { mergedHeaders } from '../request/headers.js';
import { identified } from '../request/login-cookie.js';
import { parseReadings } from '../request/readings.js';
import type { Request } from '../request/request.js';
import type { Result } from '../request/result.js';
import type { DecisionContext } from '../request/stage.js';
import { runStages } from '../request/stages/run-stages.js';
import { timeOn } from './clock.js';
import type { CurrentSandbox, SandboxDecision } from './sandbox-decision.js';
import { type Change, isFact, type State } from './state.js';

/** The result of a request, with the readings chosen for it, the nearest to the request first. */
export interface DecidedRequest {
  readonly result: Result;
  readonly pins: readonly SomeReadings[];
}

export type ForwardedResult = Pick<Result, 'response' | 'operation' | 'caller'> & Required<Pick<Result, 'forwarded'>>;

/** `machine`: the machine's time. `isLeak`: the request named no sandbox although there are several. */
export function decideRequest(
  asked: Request,
  { key, state, version: before, readings }: CurrentSandbox,
  machine: Date,
  isLeak: boolean,
): SandboxDecision<DecidedRequest> {
  const { world } = state;
  const at = timeOn(state.clock, machine);
  const isWithoutLogin = asked.cookie === undefined && asked.resource === undefined;
  const request = isWithoutLogin ? asked : identified(asked, key, at, world);
  const { result, changes } = runAmongFaults(request, { world, readings, now: at }, state);
  return {
    changes,
    result: { result, pins: pinsOf(request, state) },
    entry: (id, version) => entryOf(id, request, result, { at, world, before, version, isLeak }),
  };
}

/** Whether a stub of the sandbox is meant for a request for which it has no endpoint. */
export function isForStub(
  asked: Request,
  { key, state, readings }: Omit<CurrentSandbox, 'version' | 'history'>,
  machine: Date,
): boolean {
  const { world, stubs } = state;
  if (stubs.length === 0) return false;
  const now = timeOn(state.clock, machine);
  return isStubbed(stubs, identified(asked, key, now, world), { world, readings, now });
}

/** Changes nothing but the journal. */
export function decideForwarded(
  request: Request,
  answered: ForwardedResult,
  { state, version: before }: CurrentSandbox,
  machine: Date,
): SandboxDecision<DecidedRequest> {
  const { world } = state;
  const at = timeOn(state.clock, machine);
  const result: Result = { ...answered, facts: [], rules: [], gaps: {}, expand: [] };
  return {
    changes: [],
    result: { result, pins: [] },
    entry: (id, version) => entryOf(id, request, result, { at, world, before, version, isLeak: false }),
  };
}

/** Readings chosen closer to the request than the server's. */
function pinsOf({ readings }: Request, { origin, readings: own }: State): readonly SomeReadings[] {
  const pins = [own, origin.readings];
  if (readings === undefined) return pins;
  const chosen = parseReadings(readings);
  return 'problem' in chosen ? pins : [chosen.readings, ...pins];
}

/** The result of a request, and all changes. */
export interface RequestOutcome {
  readonly result: Result;
  readonly changes: readonly Change[];
}

/** `namesGaps`: as for `runStages`. */
export function runAmongFaults(
  request: Request,
  context: DecisionContext,
  state: State,
  namesGaps = true,
): RequestOutcome {
  const { faults, stubs, origin } = state;
  const own = runStages(request, context, namesGaps);
  const { result, changes } =
    stubs.length > 0 && isUnmodelled(own)
      ? runStubs(own, request, context, state)
      : { result: own, changes: own.facts };
  if (faults.length === 0) return { result, changes };
  const { matched, ...meeting } = matchArmed(faults, request, result, context, origin.seed);
  const { fired } = meeting;
  if (matched.length === 0) return { result, changes };
  const counting: Change = { type: 'faults-matched', matched, ...meeting };
  const armed = fired === undefined ? undefined : faults[fired];
  if (armed === undefined || fired === undefined)
    return { result: limited(result, faults, matched, meeting), changes: [...changes, counting] };
  const partial = partially(request, context, result, armed.given);
  const injected = inject(partial ?? result, armed, fired, request, readingsFor(request, context));
  const others = changes.filter(change => !isFact(change));
  return { result: limited(injected, faults, matched, meeting), changes: [...injected.facts, ...others, counting] };
}

/** The result where the fake models nothing: of a stub if one is due. */
function runStubs(
  result: Result,
  request: Request,
  context: DecisionContext,
  { stubs, origin }: State,
): RequestOutcome {
  const { matched, fired } = matchArmed(stubs, request, result, context, origin.seed);
  const armed = fired === undefined ? undefined : stubs[fired];
  const other =
    armed === undefined || fired === undefined
      ? withNearestStub(result, stubs, request, context)
      : responseByStub(result, armed, fired, request, context.now);
  if (matched.length === 0) return { result: other, changes: result.facts };
  return {
    result: other,
    changes: [{ type: 'stubs-matched', matched, ...(fired !== undefined && { fired }) }],
  };
}

/** With the headers of the rate limit that refused the request, else of the first one that counted it. */
function limited(
  result: Result,
  faults: readonly Armed[],
  matched: readonly number[],
  { fired, counted }: Omit<ArmedMatches, 'matched'>,
): Result {
  const isLimit = (i: number) => faults[i] !== undefined && rateLimitOf(faults[i]) !== undefined;
  const armed = faults[fired !== undefined && isLimit(fired) ? fired : (matched.find(isLimit) ?? -1)];
  if (armed === undefined || counted === undefined) return result;
  const { 'Retry-After': retryAfter, ...others } = limitHeaders(armed, counted);
  const headers =
    fired !== undefined && faults[fired] === armed && retryAfter ? { ...others, 'Retry-After': retryAfter } : others;
  return { ...result, response: { ...result.response, headers: mergedHeaders(headers, result.response.headers) } };
}

/** The readings of the request, over those of the context. */
function readingsFor({ readings }: Request, context: DecisionContext): Readings {
  const chosen = readings === undefined ? { readings: {} } : parseReadings(readings);
  return 'problem' in chosen ? context.readings : layReadings(context.readings, chosen.readings);
}

/** The result for the first items only, which no rule decides; `undefined` if the fault is not `partial`, or the request would be refused. */
function partially(request: Request, context: DecisionContext, whole: Result, { effect }: Fault): Result | undefined {
  const isPush = whole.operation === 'ppf.push';
  if (effect.partial === undefined || whole.refused !== undefined || !(isPush || whole.operation === 'ppf.pull'))
    return undefined;
  const first = firstItems(request, effect.partial.succeed);
  if (first === undefined) return undefined;
  const done = effect.partial.succeed === 0 ? undefined : runStages(first.request, context);
  return {
    ...whole,
    rules: [],
    gaps: {},
    facts: done?.facts ?? [],
    response: reportOnLeft(whole.response, done, first.left, isPush),
  };
}
