// The effect of a fault on a response: a replacement, or a broken connection. Pure.

import type { Readings } from '../../operations/gaps/gaps.js';
import { Provenance } from '../../operations/provenance.js';
import { type ApiResponse, isBodiless, refusalResponse } from '../request/api-response.js';
import { mergedHeaders } from '../request/headers.js';
import type { Request } from '../request/request.js';
import type { Breakage, Injected, Result } from '../request/result.js';
import type { Armed } from './armed.js';
import { type Effect, type Fault, faultName, partsThat } from './fault.js';
import { drawsOf } from './matching.js';

/**
 * The result if the armed fault at an index fires. `before`: nothing is applied unless the response arrives complete and unchanged. `after`: it is
 * applied.
 */
export function inject(
  result: Result,
  { given: fault, matched }: Armed,
  index: number,
  request: Request,
  readings: Readings,
): Result & { readonly injected: Injected } {
  const { effect, phase = 'before' } = fault;
  const isOwn = isLeftAsItWas(effect);
  const response = isOwn
    ? withHeaders(result.response, effect)
    : responseBy(effect, result.response, request, readings);
  const breakage = breakageOf(fault, index, matched + 1, response);
  const isWhole = breakage.hangUp === undefined && breakage.truncateAt === undefined;
  const isApplied = phase === 'after' || (isOwn && isWhole);
  const isDecided = isApplied && isOwn;
  const { refused, ...rest } = result;
  return {
    ...rest,
    facts: isApplied ? result.facts : [],
    ...(isDecided ? refused !== undefined && { refused } : { rules: [], gaps: {} }),
    response,
    injected: { name: faultName(index, fault), breakage },
  };
}

/** Whether status and body are those of the operation. */
function isLeftAsItWas(effect: Effect): boolean {
  return replacing.every(part => effect[part] === undefined);
}

const replacing = partsThat('replaces');

function responseBy(effect: Effect, own: ApiResponse, request: Request, readings: Readings): ApiResponse {
  const { rateLimit, retryAfter, body, garble } = effect;
  const { status = rateLimit !== undefined ? 429 : retryAfter === undefined ? own.status : 503 } = effect;
  const message = rateLimit === undefined ? 'Injected fault.' : 'Rate limit exceeded.';
  const standard =
    status === own.status ? own : refusalResponse(request, new Provenance(readings), { status, message });
  const replaced = withBody(standard, body);
  const shown = garble === undefined ? replaced.body : garbled(replaced.body ?? '');
  const { headers } = withHeaders(replaced, effect);
  const value = garble === undefined ? replaced.value : undefined;
  return { status, headers, ...(shown !== undefined && !isBodiless(status) && { body: shown, value }) };
}

/** A response with the given body: text unchanged, anything else as JSON. */
export function withBody(response: ApiResponse, body: unknown): ApiResponse {
  if (body === undefined) return response;
  const { status, headers } = response;
  return typeof body === 'string'
    ? { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, body }
    : { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body), value: body };
}

function withHeaders(response: ApiResponse, { headers = {}, retryAfter }: Effect): ApiResponse {
  const own = retryAfter === undefined ? headers : { 'Retry-After': String(retryAfter), ...headers };
  return { ...response, headers: mergedHeaders(response.headers, own) };
}

/** The first half, followed by invalid JSON. */
function garbled(text: string): string {
  return `${text.slice(0, Math.ceil(text.length / 2))}\uFFFD{`;
}

/** A response with no more bytes than the limit stays complete. */
function breakageOf(fault: Fault, place: number, turn: number, { body = '' }: ApiResponse): Breakage {
  const { delay, hold, hangUp, truncateAt, dribble } = fault.effect;
  const isCut = truncateAt !== undefined && truncateAt < Buffer.byteLength(body);
  return {
    ...(delay !== undefined && { delay: delayOf(delay, drawsOf(fault, place, turn).delays) }),
    ...(hold !== undefined && { hold }),
    ...(hangUp !== undefined && { hangUp }),
    ...(isCut && { truncateAt }),
    ...(dribble !== undefined && { dribble }),
  };
}

/** In milliseconds. `draw`: in [0, 1). */
export function delayOf(delay: NonNullable<Effect['delay']>, draw: number): number {
  if (typeof delay === 'number') return delay;
  const [from, to] = delay;
  return from + Math.floor(draw * (to - from + 1));
}
