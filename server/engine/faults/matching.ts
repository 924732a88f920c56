// Finds the armed faults or stubs that match a request, and the one that fires. Pure and deterministic.

import { pathOfPointer } from '../../domain/json/json-pointer.js';
import { keptFor } from '../../domain/kept-for.js';
import { ANONYMOUS } from '../../domain/world/world.js';
import { comparedForms, fitsPath, pathPattern } from '../../operations/address.js';
import { callerName } from '../../operations/operation-context.js';
import { isRefused, Provenance } from '../../operations/provenance.js';
import { nearestName } from '../nearest.js';
import { Budget } from '../patterns/budget.js';
import { bodyOf, boundedMismatches, type Mismatch } from '../patterns/match.js';
import type { RequestMatch } from '../patterns/matcher.js';
import type { Body, Query, Request } from '../request/request.js';
import type { Result } from '../request/result.js';
import type { DecisionContext } from '../request/stage.js';
import { callerOfRequest } from '../request/stages/caller.js';
import { isSecretName, redactText, redactUrl } from '../secrets.js';
import { type Armable, type Armed, rateLimitOf } from './armed.js';
import { randomOf } from './random.js';
import { type ArmedMatches, type Counted, isOverLimit } from './rate-limit.js';
import { type Stub, stubName } from './stub.js';

/** Which armed faults or stubs match a request, and which fires. `result`: the result without them; `seed`: that of the sandbox. */
export function matchArmed(
  armed: readonly Armed<Armable>[],
  request: Request,
  result: Result,
  context: DecisionContext,
  seed = 0,
): ArmedMatches {
  const asked = new MatchedRequest(request, result, context);
  const matched: number[] = [];
  new Budget().piece(() => {
    for (let i = 0; i < armed.length; i += 1) {
      const given = armed[i]?.given;
      if (given !== undefined && asked.isMeantBy(given)) matched.push(i);
    }
  });
  const isLimited = matched.some(i => rateLimitOf(armed[i] as Armed<Armable>) !== undefined); // it has matched
  const counted = isLimited ? { caller: asked.callerName ?? ANONYMOUS, at: context.now } : undefined;
  const fired = matched.find(i => isDue(armed[i], i, seed, counted));
  return { matched, ...(fired !== undefined && { fired }), ...(counted !== undefined && { counted }) };
}

/** The stub that lacks least to respond, as a sentence that says what it lacks; `undefined`: none is for such a path. */
export function nearestStub(
  stubs: readonly Armed<Stub>[],
  request: Request,
  result: Pick<Result, 'caller'>,
  context: DecisionContext,
): string | undefined {
  const asked = new MatchedRequest(request, result, context);
  const near = nearestName(
    asked.path,
    stubs.map(({ given }) => given.path),
  );
  const found = new Budget().piece(() =>
    stubs.flatMap(({ given }, i) => {
      const { path } = given;
      if (path !== near && !asked.isAt(segmentsOf(given))) return [];
      const lacks = [...asked.differences(given)];
      const says = lacks.length > 0 ? lacks.join('; ') : '`when` or `times` excludes this request';
      return [{ size: lacks.length, text: `The nearest stub, ${stubName(i, given)}, did not respond: ${says}.` }];
    }),
  );
  return found.sort((one, other) => one.size - other.size)[0]?.text;
}

/** Whether a stub is meant for a request that the fake does not model, even if it is not due. */
export function isStubbed(stubs: readonly Armed<Armable>[], request: Request, context: DecisionContext): boolean {
  const asked = new MatchedRequest(request, {}, context);
  return new Budget().piece(() => stubs.some(({ given }) => asked.isMeantBy(given)));
}

/** The properties of a request that faults and stubs compare, computed once. */
class MatchedRequest {
  #paths: readonly (readonly string[])[] | undefined;
  #caller: { readonly name: string | undefined } | undefined;

  constructor(
    private readonly request: Request,
    private readonly result: Pick<Result, 'operation' | 'caller'>,
    private readonly context: DecisionContext,
  ) {}

  isMeantBy(given: Armable): boolean {
    return this.differences(given).next().done === true;
  }

  /** What of the request is not as a fault or stub wants it, without secrets. */
  *differences(given: Armable): Generator<string, void> {
    const { method, path, caller, until, match } = given;
    const { operation: asked = 'none' } = this.result;
    const operation = 'operation' in given ? given.operation : undefined;
    if (operation !== undefined ? operation !== asked : path === undefined && asked === 'none')
      yield `the operation is ${asked}${operation === undefined ? '' : `, not ${operation}`}`;
    if (path !== undefined && !this.isAt(segmentsOf(given))) yield `the path is ${redactUrl(this.path)}`;
    if (method !== undefined && !this.#isBy(method)) yield `the method is ${this.request.method}, not ${method}`;
    if (caller !== undefined && caller !== this.callerName)
      yield `the caller is ${this.callerName ?? 'unknown'}, not ${caller}`;
    if (until !== undefined && Date.parse(this.context.now) >= Date.parse(until)) yield `it ended at ${until}`;
    if (match !== undefined) for (const { pointer, says } of this.#mismatches(match)) yield `${pointer} ${says}`;
  }

  #mismatches({ query, headers, body }: RequestMatch): Mismatch[] {
    const { request } = this;
    const named =
      headers && Object.fromEntries(Object.entries(headers).map(([name, one]) => [name.toLowerCase(), one]));
    return [
      ...(query === undefined ? [] : boundedMismatches(query, firstValues(request.query), true, ['query'])),
      ...(named === undefined ? [] : boundedMismatches(named, request.headers ?? {}, true, ['headers'])),
      ...(body === undefined ? [] : boundedMismatches(body, bodyValue(request.body), false, ['body'])),
    ].map(one => {
      const isSecret = pathOfPointer(one.pointer).some(isSecretName);
      return { ...one, says: isSecret ? 'is not the expected value' : redactText(one.says) };
    });
  }

  /** HEAD is GET without a body. */
  #isBy(wanted: string): boolean {
    const { method } = this.request;
    return method === wanted || (method === 'HEAD' && wanted === 'GET');
  }

  get path(): string {
    return this.request.url.split('?', 1)[0] ?? '';
  }

  isAt(wanted: readonly string[]): boolean {
    this.#paths ??= comparedForms(this.path);
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
}

/** The first of repeated parameters counts, as in operations. */
export function firstValues({ pairs }: Query): Readonly<Record<string, string>> {
  return Object.fromEntries([...pairs].reverse());
}

/** The body as matchers compare it: JSON, else text; `undefined` if there is neither. */
export function bodyValue(body: Body): unknown {
  return body.kind === 'json' || body.kind === 'not-json' ? bodyOf(body) : undefined;
}

/** The segments of its path. */
export const segmentsOf = keptFor(({ path = '' }: Armable) => pathPattern(path));

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
