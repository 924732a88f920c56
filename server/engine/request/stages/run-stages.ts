// Performs one request on one world, through all stages. Pure: HTTP, scenarios and tests all use it.

import { isDeepStrictEqual } from 'node:util';
import type { Fact } from '../../../domain/facts.js';
import { type GapId, gapSpec } from '../../../operations/gaps/gaps.js';
import { callerName, type Decision } from '../../../operations/operation-context.js';
import { isAddressGap, isRefused, Provenance } from '../../../operations/provenance.js';
import type { Product } from '../../../operations/rest-api/resource.js';
import { type ApiResponse, refusalResponse, replyResponse } from '../api-response.js';
import { isOfResource, type Request, type RequestToResource } from '../request.js';
import type { Result } from '../result.js';
import { type DecisionContext, RequestState, type Stage } from '../stage.js';
import { browserPost, caller } from './caller.js';
import { accessStage, decideStage } from './decision.js';
import { body } from './json-body.js';
import { expand, query } from './query.js';
import { address, method, readings, sandbox } from './routing.js';

/** The stages in their order. Documents read from them what a request may be refused for, and by which gaps. */
export const stages: readonly Stage[] = [
  sandbox,
  readings,
  address,
  method,
  caller,
  browserPost,
  accessStage,
  expand,
  query,
  body,
  decideStage,
];

/** `namesGaps`: whether to find the gaps that decide, for which the stages run again under other readings. Without it the result names none. */
export function runStages(request: Request, context: DecisionContext, namesGaps = true): Result {
  const progress = new RequestState(request, context);
  const provenance = new Provenance(context.readings);
  const decision = decided(progress, provenance);
  const response = responseTo(progress, provenance, decision);
  const { operation, caller, expand } = progress;
  const isRefusal = isRefused(decision);
  const facts = isRefusal ? noFacts : decision.facts;
  return {
    response,
    facts,
    operation: operation?.id,
    caller,
    rules: provenance.rules,
    gaps: namesGaps ? decidingGaps(request, context, provenance, isRefusal, response, facts) : {},
    refused: isRefusal ? decision.refused : undefined,
    expand,
    product: isOfResource(request) ? productOf(request) : undefined,
  };
}

function decided(progress: RequestState, provenance: Provenance): Decision {
  for (const stage of stages) {
    const decision = stage.run(progress, provenance);
    if (decision !== undefined) return decision;
  }
  throw new Error('no stage has decided about the request'); // the last stage always decides
}

function responseTo(
  { request, methods, caller }: RequestState,
  provenance: Provenance,
  decision: Decision,
): ApiResponse {
  const response = isRefused(decision)
    ? refusalResponse(request, provenance, decision, methods)
    : replyResponse(request, decision.reply, methods);
  if (caller === undefined || !isOfResource(request)) return response;
  const name = encodeURIComponent(callerName(caller).toWellFormed());
  return { ...response, headers: { ...response.headers, 'X-AUSERNAME': name } }; // as both products do
}

function productOf({ endpoint }: RequestToResource): Product {
  return endpoint.family === 'confluence' ? 'confluence' : 'jira';
}

const noFacts: readonly Fact[] = Object.freeze([]);

/** The gaps of which another reading alone changes the response or the world, with their readings. */
function decidingGaps(
  request: Request,
  context: DecisionContext,
  provenance: Provenance,
  isRefusal: boolean,
  response: ApiResponse,
  facts: readonly Fact[],
): Result['gaps'] {
  const deciding: Partial<Record<GapId, string>> = {};
  for (const [gap, known] of provenance.asked) {
    const reading = provenance.chosen(gap);
    const isCertain = known === 'unless-refused' ? !isRefusal : known;
    const isDeciding = isCertain || isAddressGap(gap) || isOtherwise(request, context, gap, reading, response, facts);
    if (isDeciding) deciding[gap] = reading;
  }
  return deciding;
}

/** Whether another reading of a gap changes the outcome. The last readings of a gap refuse most, so they come first. */
function isOtherwise(
  request: Request,
  context: DecisionContext,
  gap: GapId,
  reading: string,
  response: ApiResponse,
  facts: readonly Fact[],
): boolean {
  const { readings } = gapSpec(gap);
  for (let i = readings.length - 1; i >= 0; i -= 1) {
    const name = readings[i]?.[0];
    if (name === reading) continue;
    const progress = new RequestState(request, context);
    const provenance = new Provenance(context.readings, { [gap]: name });
    const decision = decided(progress, provenance);
    const other = responseTo(progress, provenance, decision);
    if (other.status !== response.status || other.body !== response.body) return true;
    if (!isDeepStrictEqual(other.headers, response.headers)) return true;
    if (!isDeepStrictEqual(isRefused(decision) ? noFacts : decision.facts, facts)) return true;
  }
  return false;
}
