// A fault that replaced a response, for a step that arms it for itself only, without its trigger.
import type { Effect, Fault } from '../../engine/faults/fault.js';
import { urlWithin } from '../../engine/look-back/replay-entry.js';
import { bodyOf } from '../../engine/patterns/match.js';
import type { AnyOperationId } from '../../operations/catalog/catalog.js';
import type { Replayed } from './replay.js';

/** Delays do not matter. */
const ofTime: readonly (keyof Effect)[] = ['delay', 'hold', 'dribble'];

/** `undefined`: the response is the same without a fault. */
export function onceAgain({ entry, before, result }: Replayed): Fault | undefined {
  const fault = firedIn({ before, result });
  if (fault === undefined) return undefined;
  const { phase } = fault;
  const effect = settled(fault.effect, result);
  const rest = Object.fromEntries(Object.entries(effect).filter(([key]) => !ofTime.includes(key as keyof Effect)));
  if (Object.keys(rest).length === 0) return undefined;
  const about =
    entry.operation === undefined
      ? { path: urlWithin(entry).split('?', 1)[0] ?? '' }
      : { operation: entry.operation as AnyOperationId }; // the catalog has it
  return { ...about, times: 1, ...(phase !== undefined && { phase }), effect: rest };
}

/** A rate limit has refused: the step has the same response without its counts, garbled or not. */
function settled(effect: Effect, { response: { status, headers, body } }: Replayed['result']): Effect {
  const { rateLimit, garble, ...rest } = effect;
  if (rateLimit === undefined) return effect;
  const shown = body === undefined || body === '' ? {} : { body: bodyOf({ text: body }) };
  return { status, retryAfter: Number(headers['Retry-After'] ?? 0), ...rest, ...shown };
}

/** Whether the fault ended the connection before the response was complete. */
export function endedEarly({ entry, result }: Pick<Replayed, 'entry' | 'result'>): boolean {
  const { hangUp, truncateAt } = result.injected?.breakage ?? {};
  const bytes = entry.method === 'HEAD' ? 0 : Buffer.byteLength(entry.response.body ?? '');
  return hangUp === true || (truncateAt !== undefined && truncateAt < bytes);
}

function firedIn({ before, result: { injected } }: Pick<Replayed, 'before' | 'result'>): Fault | undefined {
  return injected === undefined ? undefined : before.faults[Number.parseInt(injected.name, 10) - 1]?.given;
}
