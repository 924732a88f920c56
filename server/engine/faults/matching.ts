// Finds the armed faults or stubs that match a request, and the one that fires. Pure and deterministic.

import { ANONYMOUS } from '../../domain/world/world.js';
import { comparedForms, fitsPath, pathPattern } from '../../operations/address.js';
import { callerName } from '../../operations/operation-context.js';
import { isRefused, Provenance } from '../../operations/provenance.js';
import type { Request } from '../request/request.js';
import type { Result } from '../request/result.js';
import type { DecisionContext } from '../request/stage.js';
import { callerOfRequest } from '../request/stages/caller.js';
import { type Armable, type Armed, rateLimitOf } from './armed.js';
import { randomOf } from './random.js';
import { type Counted, isOverLimit } from './rate-limit.js';

export interface Meeting {
  /** Indexes of the matching ones. */
  readonly matched: readonly number[];
  /** Index of the one that fires: the first that is due. */
  readonly fired?: number;
  /** Who asked and when; absent unless a matching one is a rate limit. */
  readonly counted?: Counted;
}

/** Which armed faults or stubs match a request, and which fires. `result`: the result without them; `seed`: that of the sandbox. */
export function meet(
  armed: readonly Armed<Armable>[],
  request: Request,
  result: Result,
  context: DecisionContext,
  seed = 0,
): Meeting {
  const asked = new MatchedRequest(request, result, context);
  const matched: number[] = [];
  for (let i = 0; i < armed.length; i += 1) {
    const given = armed[i]?.given;
    if (given !== undefined && asked.isMeantBy(given)) matched.push(i);
  }
  const isLimited = matched.some(i => limitAt(armed, i) !== undefined);
  const counted = isLimited ? { caller: asked.callerName ?? ANONYMOUS, at: context.now } : undefined;
  const fired = matched.find(i => isDue(armed[i], i, seed, counted));
  return { matched, ...(fired !== undefined && { fired }), ...(counted !== undefined && { counted }) };
}

/** Whether a stub is meant for a request that the fake does not model, even if it is not due. */
export function isStubbed(stubs: readonly Armed<Armable>[], request: Request, context: DecisionContext): boolean {
  const asked = new MatchedRequest(request, {}, context);
  return stubs.some(({ given }) => asked.isMeantBy(given));
}

function limitAt(armed: readonly Armed<Armable>[], index: number): ReturnType<typeof rateLimitOf> {
  const one = armed[index];
  return one && rateLimitOf(one);
}

/** The properties of a request that faults and stubs compare, computed once. */
class MatchedRequest {
  #paths: readonly (readonly string[])[] | undefined;
  #caller: { readonly name: string | undefined } | undefined;
  #now: number | undefined;

  constructor(
    private readonly request: Request,
    private readonly result: Pick<Result, 'operation' | 'caller'>,
    private readonly context: DecisionContext,
  ) {}

  isMeantBy(given: Armable): boolean {
    const { method, path, caller, until } = given;
    const operation = 'operation' in given ? given.operation : undefined;
    return (
      (operation === undefined || operation === this.result.operation) &&
      (method === undefined || this.#isBy(method)) &&
      (path === undefined || this.#isAt(segmentsOf(given, path))) &&
      (caller === undefined || caller === this.callerName) &&
      (until === undefined || this.#instant < Date.parse(until))
    );
  }

  /** HEAD is GET without a body. */
  #isBy(wanted: string): boolean {
    const { method } = this.request;
    return method === wanted || (method === 'HEAD' && wanted === 'GET');
  }

  #isAt(wanted: readonly string[]): boolean {
    this.#paths ??= comparedForms(this.request.url.split('?', 1)[0] ?? '');
    return fitsPath(wanted, this.#paths);
  }

  /** By name; a caller whose credentials are refused is nobody, not anonymous. */
  get callerName(): string | undefined {
    if (this.#caller === undefined) {
      const { world, readings } = this.context;
      const known = this.result.caller ?? callerOfRequest(this.request, world, new Provenance(readings)); // without an operation, the caller is not known yet
      this.#caller = { name: isRefused(known) ? undefined : callerName(known) };
    }
    return this.#caller.name;
  }

  get #instant(): number {
    this.#now ??= Date.parse(this.context.now);
    return this.#now;
  }
}

const segments = new WeakMap<Armable, readonly string[]>();

/** The segments of its path, split once. */
function segmentsOf(given: Armable, path: string): readonly string[] {
  const known = segments.get(given) ?? pathPattern(path);
  segments.set(given, known);
  return known;
}

/** `matched` and `fired` count earlier requests. */
function isDue(armed: Armed<Armable> | undefined, place: number, seed: number, counted: Counted | undefined): boolean {
  if (armed === undefined) return false;
  const { given, matched, fired } = armed;
  const { times, when } = given;
  if (times !== undefined && fired >= times) return false;
  if (counted !== undefined && rateLimitOf(armed) !== undefined) return isOverLimit(armed, counted);
  const turn = matched + 1;
  if (when === undefined) return true;
  if ('nth' in when) return turn === when.nth;
  if ('every' in when) return turn % when.every === 0;
  if ('first' in when) return turn <= when.first;
  return drawsOf(given, place, turn, seed).fires < when.chance;
}

const FINE = 1_000_000_000;

/**
 * Two random numbers in [0, 1) for a match of a fault or stub: one decides whether it fires, the other its delay. They are reproducible. Without a seed of
 * its own, a fault uses the sandbox's seed and its index, so that neighbours do not fire together.
 */
export function drawsOf(
  { when }: Armable,
  place: number,
  turn: number,
  sandboxSeed = 0,
): { readonly fires: number; readonly delays: number } {
  const seed = when !== undefined && 'chance' in when ? when.seed : undefined;
  const random = randomOf((seed ?? sandboxSeed + place) + Math.imul(turn, 0x9e3779b9));
  return { fires: random(FINE) / FINE, delays: random(FINE) / FINE };
}
