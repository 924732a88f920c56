// One request on one world: address, caller, access, validation, decision, answer. Pure: HTTP, scenarios and tests all come through here.
// Knows no store, no clock and no HTTP library.
import type { Fact } from '../../domain/facts.js';
import type { RefusalCode } from '../../domain/refusals.js';
import type { World } from '../../domain/world.js';
import { allowed, bind } from '../../operations/bindings.js';
import type { GapId, Readings } from '../../operations/gaps.js';
import { layReadings } from '../../operations/gaps.js';
import type { Input, Operation } from '../../operations/operation.js';
import {
  type Caller,
  type Decision,
  isRefused,
  OperationContext,
  Provenance,
  type Refused,
  type ReplyValue,
} from '../../operations/operation-context.js';
import type { Injected } from '../fault.js';
import { type Answer, answerOptions, answerRefusal, answerReply } from './answer.js';
import { callerOf } from './caller.js';
import { expansions } from './expansions.js';
import { validInput } from './input.js';
import { parseReadings } from './readings.js';
import type { Request } from './request.js';
import { checkAddress, refuseUnknownPath } from './served-address.js';

/** What a request is performed on. */
export interface DecisionContext {
  readonly world: World;
  readonly readings: Readings;
  /** The sandbox's time, as an ISO 8601 instant in UTC. */
  readonly now: string;
}

/** What came of a request. Nothing has happened yet: the facts are what would happen. */
export interface Result {
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

export function perform(request: Request, context: DecisionContext): Result {
  if (request.readings === undefined) return route(request, context, new Provenance(context.readings));
  const chosen = parseReadings(request.readings);
  const provenance = new Provenance(
    'problem' in chosen ? context.readings : layReadings(context.readings, chosen.readings),
  );
  if ('problem' in chosen) return refusal(request, provenance, provenance.refuse('unknown-reading', chosen.problem));
  return route(request, context, provenance);
}

/** Finds out which operation is meant, if it is served there. */
function route(request: Request, context: DecisionContext, provenance: Provenance): Result {
  const { address, endpoint } = request;
  if (address === undefined || endpoint === undefined)
    return refusal(request, provenance, refuseUnknownPath(request, provenance));
  const misplaced = checkAddress(address, provenance);
  if (misplaced !== undefined) return refusal(request, provenance, misplaced);
  if (request.method === 'OPTIONS')
    return { answer: answerOptions(allowed(endpoint, provenance)), facts: [], ...traced(provenance) };
  const operation = bind(endpoint, request.method, provenance);
  if (isRefused(operation)) return refusal(request, provenance, operation, allowed(endpoint, provenance));
  return operate(operation, request, context, provenance);
}

function operate(operation: Operation, request: Request, context: DecisionContext, provenance: Provenance): Result {
  const caller = callerOf(request.credentials, context.world, provenance);
  if (isRefused(caller)) return { ...refusal(request, provenance, caller), operation: operation.id };
  const expand = expansions(request.query, provenance);
  const ruling = isRefused(expand)
    ? { decision: expand, provenance }
    : decide(operation, request, context, caller, provenance);
  const { decision } = ruling;
  const { rules, gaps } = ruling.provenance;
  const known = { operation: operation.id, caller, rules, gaps, expand: isRefused(expand) ? [] : expand };
  if (isRefused(decision)) return { ...refusal(request, ruling.provenance, decision), ...known };
  const { reply, facts } = decision;
  return { answer: answerReply(operation.family, reply), facts, ...known };
}

/** A decision with the provenance that led to it. */
interface Ruling {
  readonly decision: Decision;
  readonly provenance: Provenance;
}

/** Access, validation, and then the operation itself. Of a request that is neither permitted nor valid a gap may say which of the two counts. */
function decide(
  operation: Operation,
  request: Request,
  context: DecisionContext,
  caller: Caller,
  provenance: Provenance,
): Ruling {
  const { access } = operation;
  const unchecked = access.order === undefined ? provenance : provenance.branch();
  const denied = access.check(new OperationContext(context.world, undefined, caller, context.now, provenance));
  if (denied !== undefined && access.order === undefined) return { decision: denied, provenance };
  const input = validInput(operation, request, denied === undefined ? provenance : unchecked);
  if (denied !== undefined) {
    if (!isRefused(input) || access.order === undefined) return { decision: denied, provenance };
    const order = unchecked.reading(access.order);
    provenance.reading(access.order);
    return order === '400-first' ? { decision: input, provenance: unchecked } : { decision: denied, provenance };
  }
  if (isRefused(input)) return { decision: input, provenance };
  const given = new OperationContext<Input<never, never, never>, string, RefusalCode, GapId, ReplyValue>(
    context.world,
    input as Input<never, never, never>,
    caller,
    context.now,
    provenance,
  ); // validated against the operation's own schemas
  return { decision: operation.decide(given), provenance };
}

function refusal(request: Request, provenance: Provenance, refused: Refused, methods?: readonly string[]): Result {
  return {
    answer: answerRefusal(request, provenance, refused, methods),
    facts: [],
    refused: refused.refused,
    ...traced(provenance),
  };
}

function traced(provenance: Provenance) {
  return { rules: provenance.rules, gaps: provenance.gaps, expand: [] };
}
