// Which readings an answer of a server that is not ours agrees with, whatever its world is. A reading is excluded only where no world, no caller
// and no readings of other gaps explain the answer: what is concluded from many answers is then never wrong. Pure.

import { refusalsOf, statusUnder } from '../../derive/reach.js';
import { isObject } from '../../domain/form/patch.js';
import { type RefusalCode, refusalSpec } from '../../domain/refusals.js';
import { emptyWorld } from '../../domain/world.js';
import { errorBodyGaps } from '../../engine/request/answer.js';
import type { Request } from '../../engine/request/request.js';
import { Progress, type Stage } from '../../engine/request/stage.js';
import { expand } from '../../engine/request/stages/expansions.js';
import { body } from '../../engine/request/stages/json-body.js';
import { method } from '../../engine/request/stages/method.js';
import { query } from '../../engine/request/stages/query.js';
import { address } from '../../engine/request/stages/served-address.js';
import { misfits } from '../../engine/request/validate.js';
import { isHost } from '../../operations/address.js';
import { defaultReadings, type GapId, layReadings, type Readings, readingNames } from '../../operations/gaps/gaps.js';
import { type AnyOperation, isResource } from '../../operations/hosts/resource.js';
import type { Operation, ReplySpec } from '../../operations/operation.js';
import { isRefused, Provenance } from '../../operations/provenance.js';

/** An answer as it is looked at. */
export interface SeenAnswer {
  readonly status: number;
  /** Absent: there was none. */
  readonly text?: string | undefined;
}

/** For each gap that the answer tells something about, the readings that it agrees with. */
export type Agreeing = Readonly<Partial<Record<GapId, readonly string[]>>>;

/** The readings of some gaps: one way in which an answer can have come about. */
type Explanation = Readonly<Partial<Record<GapId, string>>>;

/** Stages that look at nothing but the request and the readings. Caller, access and decision look at a world, which nobody here knows. */
const worldless: readonly Stage[] = [address, method, expand, query, body];
const worldlessCodes: ReadonlySet<RefusalCode> = new Set(
  worldless.flatMap(({ steps }) =>
    steps.flatMap(({ refusals = [] }) => (typeof refusals === 'function' ? [] : [...refusals])),
  ),
);

/** Servers in front of the real one answer with these themselves: their bodies tell nothing of it. */
const OF_OTHERS: ReadonlySet<number> = new Set([401, 403, 413, 429]);

/** A context path is known where it is configured, and any text may be one: nothing is concluded about it. */
const UNTOLD: GapId = 'context-path';

/** `undefined`: the answer fits no reading, so it tells nothing of any. */
export function agreeingReadings(request: Request, answer: SeenAnswer): Agreeing | undefined {
  const { status } = answer;
  if (request.endpoint === undefined || request.readings !== undefined) return {};
  if (request.address !== undefined && isHost(request.address.family)) return {};
  if (request.method === 'HEAD' || request.method === 'OPTIONS') return {};
  if (status < 200 || status >= 500 || (status >= 300 && status < 400) || status === 429) return {};
  const explanations = outcomesOf(request).flatMap(outcome => explanationsBy(outcome, answer));
  if (explanations.length === 0) return undefined;
  return { ...narrowed(explanations), ...errorBodyReadings(request, answer) };
}

/** A request after the stages that look at no world, under readings of the gaps that they asked. */
interface Outcome {
  readonly readings: Explanation;
  readonly operation: Operation | undefined;
  /** Absent: it passed them all. */
  readonly refused?: { readonly status: number };
}

/** What becomes of a request under all readings of the gaps that its stages ask, each combination once. */
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

/** A gap is asked for which no reading has been chosen yet. */
class Asked extends Error {
  constructor(readonly gap: GapId) {
    super(gap);
  }
}

function outcomeUnder(request: Request, readings: Explanation): Outcome | { readonly asks: GapId } {
  const asking = new Proxy(readings, {
    get: (chosen, gap) => {
      const reading = chosen[gap as GapId];
      if (reading === undefined) throw new Asked(gap as GapId);
      return reading;
    },
  }) as Readings; // whatever gap is asked, a reading comes back, or somebody chooses one
  const progress = new Progress(request, { world: emptyWorld, readings: asking, now: '' });
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
    if (error instanceof Asked) return { asks: error.gap };
    throw error;
  }
}

/** The document says nothing of a host's own resources. */
function documented(operation: AnyOperation | undefined): Operation | undefined {
  return operation === undefined || isResource(operation) ? undefined : operation;
}

/** Of a context path also the one that the request has, and one that it has not. */
function candidatesOf(gap: GapId, { address: at }: Request): string[] {
  if (gap !== UNTOLD) return readingNames(gap);
  return [...readingNames(gap), ...(at?.context ? [at.context] : []), '/~'];
}

/** All ways in which the answer can have come about after this outcome. */
function explanationsBy({ readings, operation, refused }: Outcome, answer: SeenAnswer): Explanation[] {
  const { status } = answer;
  const own = refused !== undefined && refused.status === status ? [{}] : [];
  // caller and access are asked before query and body, and may have refused what these would refuse
  const others = operation === undefined || status < 400 ? [] : refusalExplanations(operation, status, readings);
  const replies = refused !== undefined || operation === undefined ? [] : replyExplanations(operation, answer);
  return [...own, ...others, ...replies].flatMap(further => joined(readings, further));
}

/** Refusals that look at a world, or at the caller, with the readings that they take. */
function refusalExplanations(operation: Operation, status: number, known: Explanation): Explanation[] {
  const later = [...operation.access.refusals, ...operation.refusals];
  const codes = refusalsOf(operation).flatMap(({ code }) =>
    worldlessCodes.has(code) && !later.includes(code) ? [] : [code],
  );
  return codes.flatMap(code => {
    const { gap } = refusalSpec(code) as { gap?: GapId }; // a test holds the table against the ledger
    if (gap === undefined) return refusalSpec(code).status === status ? [{}] : [];
    const candidates = known[gap] === undefined ? readingNames(gap) : [known[gap] as string];
    return candidates
      .filter(reading => statusUnder(code, layReadings(defaultReadings, { [gap]: reading })) === status)
      .map(reading => ({ [gap]: reading }));
  });
}

function replyExplanations({ replies }: Operation, answer: SeenAnswer): Explanation[] {
  return replies.filter(reply => fits(reply, answer)).map(({ under = {} }) => under);
}

function fits({ status, body: schema }: ReplySpec, answer: SeenAnswer): boolean {
  if (status !== answer.status) return false;
  const { text = '' } = answer;
  if (schema === undefined) return text === '';
  const value = parsed(text);
  return value !== undefined && misfits(schema.json, value).length === 0;
}

/** Both together, unless they take different readings of one gap. */
function joined(one: Explanation, other: Explanation): Explanation[] {
  const clash = Object.entries(other).some(([gap, reading]) => (one[gap as GapId] ?? reading) !== reading);
  return clash ? [] : [{ ...one, ...other }];
}

/** The gaps of which every explanation takes a reading, each with all that are taken. */
function narrowed(explanations: readonly Explanation[]): Agreeing {
  const [first = {}] = explanations;
  const told = (Object.keys(first) as GapId[]).flatMap(gap => {
    const taken = explanations.map(explanation => explanation[gap]);
    if (gap === UNTOLD || taken.includes(undefined)) return [];
    const readings = readingNames(gap).filter(name => taken.includes(name));
    return readings.length === readingNames(gap).length ? [] : [[gap, readings] as const];
  });
  return Object.fromEntries(told) as Agreeing;
}

/** What the body of a refusal tells of how refusals are written. */
function errorBodyReadings({ address: at }: Request, { status, text = '' }: SeenAnswer): Agreeing {
  if (status < 400 || OF_OTHERS.has(status) || at === undefined || isHost(at.family)) return {};
  const gap = errorBodyGaps[at.family];
  const value = parsed(text);
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON is no answer that the document has
  }
}
