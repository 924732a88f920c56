// One request on one world: address, caller, access, validation, decision, answer. Pure: HTTP, scenarios and tests all come through here.
// Knows no store, no clock and no HTTP library.
import type { Fact } from '../../domain/facts.js';
import type { RefusalCode } from '../../domain/refusals.js';
import type { World } from '../../domain/world.js';
import { allowed, bind } from '../../operations/bindings.js';
import {
  type Caller,
  Case,
  type Decision,
  isRefused,
  type Refused,
  type ReplyValue,
  Trace,
} from '../../operations/case.js';
import type { GapId, Readings } from '../../operations/gaps.js';
import { layReadings } from '../../operations/gaps.js';
import type { Input, Operation } from '../../operations/operation.js';
import type { Injected } from '../fault.js';
import { type Answer, answerOptions, answerRefusal, answerReply } from './answer.js';
import { callerOf } from './caller.js';
import { expansions } from './expansions.js';
import { validInput } from './input.js';
import { parseReadings } from './readings.js';
import type { Request } from './request.js';
import { checkAddress, refuseUnknownPath } from './served-address.js';

/** What a request is performed on. */
export interface Scene {
  readonly world: World;
  readonly readings: Readings;
  /** The sandbox's time, as an ISO 8601 instant in UTC. */
  readonly now: string;
}

/** What came of a request. Nothing has happened yet: the facts are what would happen. */
export interface Performance {
  readonly answer: Answer;
  readonly facts: readonly Fact[];
  readonly operation?: string;
  readonly caller?: Caller;
  readonly rules: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  readonly refused?: RefusalCode;
  /** What `expand` asked for. */
  readonly expand: readonly string[];
  /** Absent: this is the answer of the operation itself. */
  readonly injected?: Injected;
}

export function perform(request: Request, scene: Scene): Performance {
  if (request.readings === undefined) return route(request, scene, new Trace(scene.readings));
  const chosen = parseReadings(request.readings);
  const trace = new Trace('problem' in chosen ? scene.readings : layReadings(scene.readings, chosen.readings));
  if ('problem' in chosen) return refusal(request, trace, trace.refuse('unknown-reading', chosen.problem));
  return route(request, scene, trace);
}

/** Finds out which operation is meant, if it is served there. */
function route(request: Request, scene: Scene, trace: Trace): Performance {
  const { address, endpoint } = request;
  if (address === undefined || endpoint === undefined)
    return refusal(request, trace, refuseUnknownPath(request, trace));
  const misplaced = checkAddress(address, trace);
  if (misplaced !== undefined) return refusal(request, trace, misplaced);
  if (request.method === 'OPTIONS')
    return { answer: answerOptions(allowed(endpoint, trace)), facts: [], ...traced(trace) };
  const operation = bind(endpoint, request.method, trace);
  if (isRefused(operation)) return refusal(request, trace, operation, allowed(endpoint, trace));
  return operate(operation, request, scene, trace);
}

function operate(operation: Operation, request: Request, scene: Scene, trace: Trace): Performance {
  const caller = callerOf(request.credentials, scene.world, trace);
  if (isRefused(caller)) return { ...refusal(request, trace, caller), operation: operation.id };
  const expand = expansions(request.query, trace);
  const ruling = isRefused(expand) ? { decision: expand, trace } : decide(operation, request, scene, caller, trace);
  const { decision } = ruling;
  const { rules, gaps } = ruling.trace;
  const known = { operation: operation.id, caller, rules, gaps, expand: isRefused(expand) ? [] : expand };
  if (isRefused(decision)) return { ...refusal(request, ruling.trace, decision), ...known };
  const { reply, facts } = decision;
  return { answer: answerReply(operation.family, reply), facts, ...known };
}

/** A decision with the trace that led to it. */
interface Ruling {
  readonly decision: Decision;
  readonly trace: Trace;
}

/** Access, validation, and then the operation itself. Of a request that is neither permitted nor valid a gap may say which of the two counts. */
function decide(operation: Operation, request: Request, scene: Scene, caller: Caller, trace: Trace): Ruling {
  const { access } = operation;
  const unchecked = access.order === undefined ? trace : trace.branch();
  const denied = access.check(new Case(scene.world, undefined, caller, scene.now, trace));
  if (denied !== undefined && access.order === undefined) return { decision: denied, trace };
  const input = validInput(operation, request, denied === undefined ? trace : unchecked);
  if (denied !== undefined) {
    if (!isRefused(input) || access.order === undefined) return { decision: denied, trace };
    const order = unchecked.reading(access.order);
    trace.reading(access.order);
    return order === '400-first' ? { decision: input, trace: unchecked } : { decision: denied, trace };
  }
  if (isRefused(input)) return { decision: input, trace };
  const given = new Case<Input<never, never, never>, string, RefusalCode, GapId, ReplyValue>(
    scene.world,
    input as Input<never, never, never>,
    caller,
    scene.now,
    trace,
  ); // validated against the operation's own schemas
  return { decision: operation.decide(given), trace };
}

function refusal(request: Request, trace: Trace, refused: Refused, methods?: readonly string[]): Performance {
  return {
    answer: answerRefusal(request, trace, refused, methods),
    facts: [],
    refused: refused.refused,
    ...traced(trace),
  };
}

function traced(trace: Trace) {
  return { rules: trace.rules, gaps: trace.gaps, expand: [] };
}
