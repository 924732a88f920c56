// What a sandbox makes of one request: its result, the changes, and the journal entry. Pure.
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import { isStubbed } from '../faults/matching.js';
import { entryOf } from '../journal/compose-entry.js';
import { identified } from '../request/login-cookie.js';
import { parseReadings } from '../request/readings.js';
import type { Request } from '../request/request.js';
import type { Result } from '../request/result.js';
import { timeOn } from './clock.js';
import { runAmongFaults } from './run-among-faults.js';
import type { CurrentSandbox, SandboxDecision } from './sandbox-decision.js';
import type { State } from './state.js';

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
