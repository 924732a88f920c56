// One request on one world, through all stages to its answer. Pure: HTTP, scenarios and tests all come through here.
// Knows no store, no clock and no HTTP library.
import type { Fact } from '../../domain/facts.js';
import type { RefusalCode } from '../../domain/refusals.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import type { Caller, Decision } from '../../operations/operation-context.js';
import { isRefused, Provenance } from '../../operations/provenance.js';
import type { Injected } from '../faults/fault.js';
import type { Forwarded } from '../journal/journal-entry.js';
import { type Answer, answerRefusal, answerReply } from './answer.js';
import type { Request } from './request.js';
import { type DecisionContext, Progress, type Stage } from './stage.js';
import { caller } from './stages/caller.js';
import { readings, sandbox } from './stages/conditions.js';
import { access, decide } from './stages/decision.js';
import { expand } from './stages/expansions.js';
import { isOfHost } from './stages/host-stages.js';
import { body } from './stages/json-body.js';
import { method } from './stages/method.js';
import { query } from './stages/query.js';
import { address } from './stages/served-address.js';

/** In the order in which a request comes through them: what can be refused, asked and named on the way is read off them. */
export const stages: readonly Stage[] = [
  sandbox,
  readings,
  address,
  method,
  caller,
  expand,
  access,
  query,
  body,
  decide,
];

/** What came of a request. Nothing has happened yet: the facts are what would happen. */
export interface Result {
  readonly answer: Answer;
  readonly facts: readonly Fact[];
  readonly operation?: string | undefined;
  readonly caller?: Caller | undefined;
  readonly rules: readonly string[];
  readonly gaps: Readonly<Partial<Record<GapId, string>>>;
  readonly refused?: RefusalCode | undefined;
  /** What `expand` asked for. */
  readonly expand: readonly string[];
  /** Whether it is the answer of a host's own resource. */
  readonly isHost: boolean;
  /** Absent: this is the answer of the operation itself. */
  readonly injected?: Injected;
  /** Absent: this server has answered. */
  readonly forwarded?: Forwarded;
}

export function perform(request: Request, context: DecisionContext): Result {
  const progress = new Progress(request, context);
  const provenance = new Provenance(context.readings);
  for (const stage of stages) {
    const decision = stage.run(progress, provenance);
    if (decision !== undefined) return resultOf(progress, decision, provenance);
  }
  throw new Error('no stage has decided about the request'); // the last one always does
}

function resultOf(progress: Progress, decision: Decision, provenance: Provenance): Result {
  const { request, operation, caller, expand, methods } = progress;
  const isRefusal = isRefused(decision);
  return {
    answer: isRefusal
      ? answerRefusal(request, provenance, decision, methods)
      : answerReply(request, decision.reply, methods),
    facts: isRefusal ? [] : decision.facts,
    operation: operation?.id,
    caller,
    rules: provenance.rules,
    gaps: provenance.gaps,
    refused: isRefusal ? decision.refused : undefined,
    expand,
    isHost: isOfHost(request),
  };
}
