// Finds the readings that a response of a foreign server agrees with, whatever its world. A reading is excluded only if no world, caller and other
// readings explain the response, so conclusions from many responses are never wrong. Pure.

import { refusalsOf, statusUnder } from '../../server/derive/reach.js';
import { isObject } from '../../server/domain/form/patch.js';
import { parsedJson } from '../../server/domain/json/parsed-json.js';
import { emptyWorld } from '../../server/domain/world/world.js';
import { errorBodyGaps } from '../../server/engine/request/api-response.js';
import type { Request } from '../../server/engine/request/request.js';
import { isResource, RequestState, type Stage } from '../../server/engine/request/stage.js';
import { body } from '../../server/engine/request/stages/json-body.js';
import { expand, query } from '../../server/engine/request/stages/query.js';
import { address, method } from '../../server/engine/request/stages/routing.js';
import { schemaErrors } from '../../server/engine/request/validate.js';
import { isResourceFamily } from '../../server/operations/address.js';
import type { ReplySpec } from '../../server/operations/endpoint.js';
import {
  defaultReadings,
  type GapId,
  layReadings,
  type Readings,
  readingNames,
} from '../../server/operations/gaps/gaps.js';
import type { Operation } from '../../server/operations/operation.js';
import { isRefused, Provenance } from '../../server/operations/provenance.js';
import { type RefusalCode, refusalSpec } from '../../server/operations/refusals.js';
import type { AnyOperation } from '../../server/operations/rest-api/resource.js';

/** A response to examine. */
export interface SeenResponse {
  readonly status: number;
  /** Absent: there was none. */
  readonly text?: string | undefined;
}

/** The readings that the response agrees with, for each gap that it says something about. */
export type Agreeing = Readonly<Partial<Record<GapId, readonly string[]>>>;

/** Readings of some gaps: one explanation of a response. */
type Explanation = Readonly<Partial<Record<GapId, string>>>;

/** Stages that depend only on the request and the readings. Caller, access and decision depend on the unknown world. */
const worldless: readonly Stage[] = [address, method, expand, query, body];
const worldlessCodes: ReadonlySet<RefusalCode> = new Set(
  worldless.flatMap(({ steps }) =>
    steps.flatMap(({ refusals = [] }) => (typeof refusals === 'function' ? [] : [...refusals])),
  ),
);

/** Servers in front of the real one use these statuses: their bodies say nothing about it. */
const OF_OTHERS: ReadonlySet<number> = new Set([401, 403, 413, 429]);

/** A context path may be any text, so nothing is concluded about it. */
const UNREPORTED: GapId = 'context-path';

/** `undefined`: the response fits no reading, so it says nothing about any. */
export function agreeingReadings(request: Request, response: SeenResponse): Agreeing | undefined {
  const { status } = response;
  if (request.endpoint === undefined || request.readings !== undefined) return {};
  if (request.address !== undefined && isResourceFamily(request.address.family)) return {};
  if (request.method === 'HEAD' || request.method === 'OPTIONS') return {};
  if (status < 200 || status >= 500 || (status >= 300 && status < 400) || status === 429) return {};
  const explanations = outcomesOf(request).flatMap(outcome => explanationsBy(outcome, response));
  if (explanations.length === 0) return undefined;
  return { ...narrowed(explanations), ...errorBodyReadings(request, response) };
}

/** A request after the world-independent stages, under readings of the gaps they asked. */
interface Outcome {
  readonly readings: Explanation;
  readonly operation: Operation | undefined;
  /** Absent: it passed all stages. */
  readonly refused?: { readonly status: number };
}

/** The outcomes of a request under all combinations of readings that its stages ask for. */
function outcomesOf(request: Request): Outcome[] {
  const outcomes: Outcome[] = [];
  const waiting: Explanation[] = [{}];
  for (let chosen = waiting.pop(); chosen !== undefined; chosen = waiting.pop()) {
    const outcome = outcomeUnder(request, chosen);
    if ('asks' in outcome) {
      const { asks } = outcome;
      for (const reading of candidatesOf(asks, request)) waiting.push({ ...chosen, [asks]: reading });
    } else outcomes.push(outcome);
  }
  return outcomes;
}

/** A stage asks for a gap without a chosen reading. */
class UnchosenGap extends Error {
  constructor(readonly gap: GapId) {
    super(gap);
  }
}

function outcomeUnder(request: Request, readings: Explanation): Outcome | { readonly asks: GapId } {
  const asking = new Proxy(readings, {
    get: (chosen, gap) => {
      const reading = chosen[gap as GapId];
      if (reading === undefined) throw new UnchosenGap(gap as GapId);
      return reading;
    },
  }) as Readings; // whatever gap is asked, a reading comes back, or somebody chooses one
  const progress = new RequestState(request, { world: emptyWorld, readings: asking, now: '' });
  const provenance = new Provenance(asking);
  try {
    for (const stage of worldless) {
      const decision = stage.run(progress, provenance);
      if (decision === undefined) continue;
      const operation = documented(progress.operation);
      return { readings, operation, ...(isRefused(decision) && { refused: { status: decision.status } }) };
    }
    return { readings, operation: documented(progress.operation) };
  } catch (error) {
    if (error instanceof UnchosenGap) return { asks: error.gap };
    throw error;
  }
}

/** The document does not describe the REST APIs of Confluence and Jira. */
function documented(operation: AnyOperation | undefined): Operation | undefined {
  return operation === undefined || isResource(operation) ? undefined : operation;
}

/** For context paths also the request's own, and a different one. */
function candidatesOf(gap: GapId, { address: at }: Request): string[] {
  if (gap !== UNREPORTED) return readingNames(gap);
  return [...readingNames(gap), ...(at?.context ? [at.context] : []), '/~'];
}

/** All explanations of the response after this outcome. */
function explanationsBy({ readings, operation, refused }: Outcome, response: SeenResponse): Explanation[] {
  const { status } = response;
  const own = refused !== undefined && refused.status === status ? [{}] : [];
  // caller and access are asked before query and body, and may have refused what these would refuse
  const others = operation === undefined || status < 400 ? [] : refusalExplanations(operation, status, readings);
  const replies = refused !== undefined || operation === undefined ? [] : replyExplanations(operation, response);
  return [...own, ...others, ...replies].flatMap(further => joined(readings, further));
}

/** Refusals that depend on the world or the caller, with their readings. */
function refusalExplanations(operation: Operation, status: number, known: Explanation): Explanation[] {
  const later = [...operation.access.refusals, ...operation.refusals];
  const codes = refusalsOf(operation).flatMap(({ code }) =>
    worldlessCodes.has(code) && !later.includes(code) ? [] : [code],
  );
  return codes.flatMap(code => {
    const { gap } = refusalSpec(code);
    if (gap === undefined) return refusalSpec(code).status === status ? [{}] : [];
    const candidates = known[gap] === undefined ? readingNames(gap) : [known[gap] as string];
    return candidates
      .filter(reading => statusUnder(code, layReadings(defaultReadings, { [gap]: reading })) === status)
      .map(reading => ({ [gap]: reading }));
  });
}

function replyExplanations({ replies }: Operation, response: SeenResponse): Explanation[] {
  return replies.filter(reply => fits(reply, response)).map(({ under = {} }) => under);
}

/** The document does not exclude further fields of a body that it shows; what a reading says is the whole body. */
function fits({ status, body: schema, under }: ReplySpec, response: SeenResponse): boolean {
  if (status !== response.status) return false;
  const { text = '' } = response;
  if (schema === undefined) return text === '';
  const value = parsedJson(text);
  if (value === undefined) return false;
  return schemaErrors(schema, value).every(({ keyword }) => keyword === 'additionalProperties' && under === undefined);
}

/** Combines two explanations, unless they need different readings of one gap. */
function joined(one: Explanation, other: Explanation): Explanation[] {
  const clash = Object.entries(other).some(([gap, reading]) => (one[gap as GapId] ?? reading) !== reading);
  return clash ? [] : [{ ...one, ...other }];
}

/** The gaps in every explanation, with all their readings there. */
function narrowed(explanations: readonly Explanation[]): Agreeing {
  const [first = {}] = explanations;
  const agreed = (Object.keys(first) as GapId[]).flatMap(gap => {
    const taken = explanations.map(explanation => explanation[gap]);
    if (gap === UNREPORTED || taken.includes(undefined)) return [];
    const readings = readingNames(gap).filter(name => taken.includes(name));
    return readings.length === readingNames(gap).length ? [] : [[gap, readings] as const];
  });
  return Object.fromEntries(agreed) as Agreeing;
}

/** The readings of error formats that the body of a refusal shows. */
function errorBodyReadings({ address: at }: Request, { status, text = '' }: SeenResponse): Agreeing {
  if (status < 400 || OF_OTHERS.has(status) || at === undefined || isResourceFamily(at.family)) return {};
  const gap = errorBodyGaps[at.family];
  const value = parsedJson(text);
  const shape =
    text === '' ? 'empty' : isObject(value) ? shapes.find(([, fields]) => hasJust(value, fields))?.[0] : undefined;
  return shape !== undefined && readingNames(gap).includes(shape) ? { [gap]: [shape] } : {};
}

const shapes = [
  ['confluence', ['statusCode', 'message', 'reason']],
  ['jira', ['errorMessages', 'errors']],
  ['messages', ['messages']],
] as const;

function hasJust(value: Readonly<Record<string, unknown>>, fields: readonly string[]): boolean {
  return Object.keys(value).length === fields.length && fields.every(field => Object.hasOwn(value, field));
}
