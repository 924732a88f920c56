// Parts of a fault or stub that contradict each other although each fits the schema: reported when it is armed, not when it fires.
import { headerNameError, headerValueError } from '../../derive/sending/sending.js';
import type { Path } from '../../domain/json/json-pointer.js';
import type { Armable } from '../../engine/faults/armed.js';
import { type Effect, type Fault, partsThat } from '../../engine/faults/fault.js';
import type { Stub } from '../../engine/faults/stub.js';
import { isBodiless } from '../../engine/request/api-response.js';
import type { ValueError } from '../yaml/problem.js';
import { endpointFor, reachesEndpoint } from './modelled-paths.js';

type Part = keyof Effect;

/** Parts of an effect that something else in a fault makes useless. */
interface Clash {
  readonly parts: readonly Part[];
  concerns(fault: Fault): boolean;
  message(part: Part, effect: Effect): string;
}

/** Operations whose first items can be done without the others. */
const inParts: readonly string[] = ['ppf.push', 'ppf.pull'];

const clashes: readonly Clash[] = [
  {
    parts: partsThat('responds'),
    concerns: ({ effect }) => effect.hangUp !== undefined,
    message: part => `hangUp ends the connection without a response, so ${part} has no effect: use one of the two.`,
  },
  {
    parts: partsThat('of body'),
    concerns: ({ effect: { status } }) => status !== undefined && isBodiless(status),
    message: (part, { status }) =>
      `A response with the status ${status} has no body, so ${part} has no effect: use another status, or omit ${part}.`,
  },
  {
    parts: ['truncateAt'],
    concerns: ({ effect: { body, truncateAt = 0, garble } }) =>
      body !== undefined && garble === undefined && truncateAt >= bytesOf(body),
    message: (_, { body, truncateAt }) =>
      `The body has only ${bytesOf(body)} bytes, so truncateAt ${truncateAt} has no effect: use a smaller number.`,
  },
  {
    parts: ['partial'],
    concerns: fault => !worksInParts(fault),
    message: () => `partial works only for the filters and dashboards of ${inParts.join(' and ')}.`,
  },
  {
    parts: partsThat('replaces', 'breaks'),
    concerns: fault => fault.effect.partial !== undefined && worksInParts(fault) && fault.phase !== 'after',
    message: part => `With ${part}, the request is not even partially applied: omit ${part}, or add "phase: after".`,
  },
  {
    parts: ['rateLimit'],
    concerns: ({ when }) => when !== undefined,
    message: () => 'A rate limit fires when it is reached, so "when" has no effect: omit it.',
  },
  {
    parts: ['rateLimit'],
    concerns: ({ phase }) => phase === 'after',
    message: () => 'A rate limit refuses requests before they are applied: omit "phase: after".',
  },
  {
    parts: ['retryAfter'],
    concerns: ({ effect }) => effect.rateLimit !== undefined,
    message: () => 'rateLimit sets the header Retry-After itself: omit retryAfter.',
  },
];

/** Contradictions within a fault, and headers that no response can carry. */
export function clashErrors(fault: Fault, at: Path, restApi?: boolean): ValueError[] {
  const { effect } = fault;
  const found = clashes.filter(({ concerns }) => concerns(fault));
  return [
    ...pathErrors(fault, at),
    ...headerErrors(effect, [...at, 'effect', 'headers']),
    ...found.flatMap(({ parts, message }) =>
      parts
        .filter(part => Object.hasOwn(effect, part))
        .map(part => ({ path: [...at, 'effect', part], message: message(part, effect) })),
    ),
    ...delayErrors(effect, [...at, 'effect']),
    ...misplacedErrors(fault, at, restApi),
  ];
}

function bytesOf(body: Effect['body']): number {
  return Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body));
}

function worksInParts({ operation, path }: Fault): boolean {
  const last = path?.split('/').at(-1) ?? '*';
  return operation === undefined ? ['*', 'push', 'pull'].includes(last) : inParts.includes(operation);
}

function headerErrors({ headers = {}, retryAfter }: Pick<Effect, 'headers' | 'retryAfter'>, at: Path): ValueError[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const isTwice = retryAfter !== undefined && name.toLowerCase() === 'retry-after';
    const message =
      headerNameError(name) ??
      headerValueError(value) ??
      (isTwice ? 'retryAfter sets this header already: use one of the two.' : undefined);
    return message === undefined ? [] : [{ path: [...at, name], message }];
  });
}

/** Paths that no request has, or none that a fault or a stub could answer. */
function pathErrors({ path }: Armable, at: Path): ValueError[] {
  if (path === undefined) return [];
  const one = (message: string): ValueError[] => [{ path: [...at, 'path'], message }];
  if (/[?#]/.test(path)) return one('A path cannot contain a query: it matches requests with any query.');
  if (/[^!-~]/.test(path)) return one(`The path must be percent-encoded, as in requests: write ${encodeURI(path)}.`);
  return /^(\/~[^/]*)?\/_fake(\/|$)/.test(path)
    ? one('The path is in the control API, which cannot have faults or stubs.')
    : [];
}

/** A successful response where the fake has no endpoint is not a fault. */
function misplacedErrors({ path, operation, effect: { status } }: Fault, at: Path, restApi?: boolean): ValueError[] {
  const isSuccess = status !== undefined && status < 400;
  if (path === undefined || operation !== undefined || !isSuccess || reachesEndpoint(path, restApi)) return [];
  const message = `The fake has no endpoint at ${path}. To return ${status} at this path, use a stub (under \`stubs\`) instead of a fault.`;
  return [{ path: [...at, 'effect', 'status'], message }];
}

/** Contradictions within a stub, and stubs that would never answer. */
export function stubClashErrors(stub: Stub, at: Path, restApi?: boolean): ValueError[] {
  const { status = 200, body } = stub;
  const message = `A response with the status ${status} has no body: use another status, or omit body.`;
  return [
    ...pathErrors(stub, at),
    ...modelledErrors(stub, at, restApi),
    ...headerErrors(stub, [...at, 'headers']),
    ...delayErrors(stub, at),
    ...(body !== undefined && isBodiless(status) ? [{ path: [...at, 'body'], message }] : []),
  ];
}

/** The fake answers requests itself where it can. */
function modelledErrors(stub: Stub, at: Path, restApi?: boolean): ValueError[] {
  const { path } = stub;
  if (path === '/') return [{ path: [...at, 'path'], message: 'The fake itself responds at /, with its front page.' }];
  const endpoint = endpointFor(stub, restApi);
  if (endpoint === undefined) return [];
  const methods = endpoint.operations.map(operation => operation.method).join(' and ');
  const message = `The fake itself responds to ${methods} ${path}. To replace its response, use a fault instead of a stub.`;
  return [{ path: [...at, 'path'], message }];
}

function delayErrors({ delay }: Pick<Stub, 'delay'>, at: Path): ValueError[] {
  const isTurned = Array.isArray(delay) && delay[0] > delay[1];
  return isTurned ? [{ path: [...at, 'delay'], message: 'The minimum must not be larger than the maximum.' }] : [];
}
