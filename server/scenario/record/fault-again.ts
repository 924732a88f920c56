// The fault that was put in the place of an answer, as a step arms it for itself alone: its trigger and the others have done their part.
import type { Effect, Fault } from '../../engine/fault.js';
import { urlWithin } from '../../engine/retelling.js';
import type { OperationId } from '../../operations/catalog.js';
import type { Replayed } from '../capsule/replay.js';

/** How an answer goes over the wire, which is no part of it. */
const ofConnection: readonly (keyof Effect)[] = ['delay', 'hangUp', 'truncateAt', 'dribble'];

/** `undefined`: the answer is what it is without a fault. `broken`: there was no answer, and nothing happened. */
export function onceAgain({ entry, before, performance }: Replayed): Fault | undefined | 'broken' {
  const { injected } = performance;
  const place = injected === undefined ? Number.NaN : Number.parseInt(injected.name, 10);
  const fault = before.faults[place - 1]?.fault;
  if (fault === undefined) return undefined;
  const { effect, phase = 'before' } = fault;
  const isBroken = effect.hangUp !== undefined || effect.truncateAt !== undefined;
  if (isBroken && phase === 'before') return 'broken';
  const rest = Object.fromEntries(
    Object.entries(effect).filter(([key]) => !ofConnection.includes(key as keyof Effect)),
  );
  if (Object.keys(rest).length === 0) return undefined;
  const about =
    entry.operation === undefined
      ? { path: urlWithin(entry).split('?', 1)[0] ?? '' }
      : { operation: entry.operation as OperationId }; // the catalogue has it
  return { ...about, times: 1, ...(phase === 'after' && { phase }), effect: rest };
}
