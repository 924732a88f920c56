// Which of the armed faults a request meets, and which one is put in the place of its answer. Pure: the same request on the same faults always
// meets the same.
import { locate, sandboxIn } from '../operations/address.js';
import { callerName } from '../operations/operation-context.js';
import { isRefused, Provenance } from '../operations/provenance.js';
import type { Armed, Fault } from './fault.js';
import { randomOf } from './random.js';
import { callerOf } from './request/caller.js';
import type { Result } from './request/perform.js';
import type { Request } from './request/request.js';
import type { DecisionContext } from './request/stage.js';

export interface Meeting {
  /** The places of those that are about this request. */
  readonly met: readonly number[];
  /** The place of the one that fires: the first that is due. */
  readonly fired?: number;
}

/**
 * Which of the armed faults are about a request on a context, and which of them fires. `result`: what would come of it without them; `seed`:
 * that of the sandbox.
 */
export function meet(
  armed: readonly Armed[],
  request: Request,
  result: Result,
  context: DecisionContext,
  seed = 0,
): Meeting {
  const met = armed.flatMap(({ fault }, i) => (isAbout(fault, request, result, context) ? [i] : []));
  const fired = met.find(i => isDue(armed[i], i, seed));
  return { met, ...(fired !== undefined && { fired }) };
}

function isAbout(
  { operation, path, caller, until }: Fault,
  request: Request,
  result: Result,
  context: DecisionContext,
): boolean {
  return (
    (operation === undefined || operation === result.operation) &&
    (path === undefined || isAt(path, request)) &&
    (caller === undefined || caller === callerIn(request, result, context)) &&
    (until === undefined || Date.parse(context.now) < Date.parse(until))
  );
}

/** By name; who shows credentials that are wrong is nobody, and not anonymous either. */
function callerIn(
  { credentials }: Request,
  { caller }: Result,
  { world, readings }: DecisionContext,
): string | undefined {
  const known = caller ?? callerOf(credentials, world, new Provenance(readings)); // where there is no operation, nobody has asked yet
  return isRefused(known) ? undefined : callerName(known);
}

/** A path as it was sent, or as it is without its sandbox, or without its context as well. */
function isAt(pattern: string, { url }: Request): boolean {
  const [path = ''] = url.split('?', 1);
  const below = sandboxIn(path).path;
  const context = locate(path)?.context ?? '';
  const wanted = pattern.split('/');
  return [path, below, below.slice(context.length)].some(one => {
    const segments = one.split('/');
    return segments.length === wanted.length && wanted.every((part, i) => part === '*' || part === segments[i]);
  });
}

/** `met` and `fired` count the requests before this one. */
function isDue(armed: Armed | undefined, place: number, seed: number): boolean {
  if (armed === undefined) return false;
  const { fault, met, fired } = armed;
  const { times, when } = fault;
  if (times !== undefined && fired >= times) return false;
  const turn = met + 1;
  if (when === undefined) return true;
  if ('nth' in when) return turn === when.nth;
  if ('every' in when) return turn % when.every === 0;
  if ('first' in when) return turn <= when.first;
  return drawsOf(fault, place, turn, seed).fires < when.chance;
}

const FINE = 1_000_000_000;

/**
 * Two numbers from 0 up to 1 that belong to a turn of a fault, one for whether it fires and one for how long it delays: whoever arms the
 * same faults gets the same ones. Without a seed that of the sandbox and the place count, so that faults beside each other do not all fire on the same turns.
 */
export function drawsOf(
  { when }: Fault,
  place: number,
  turn: number,
  sandboxSeed = 0,
): { readonly fires: number; readonly delays: number } {
  const seed = when !== undefined && 'chance' in when ? when.seed : undefined;
  const random = randomOf((seed ?? sandboxSeed + place) + Math.imul(turn, 0x9e3779b9));
  return { fires: random(FINE) / FINE, delays: random(FINE) / FINE };
}
