// Parts of a fault or stub that contradict each other although each fits the schema: reported when it is armed, not when it fires.
import { headerNameError, headerValueError } from '../../derive/sending/sending.js';
import type { Path } from '../../domain/json/json-pointer.js';
import type { Armable } from '../../engine/faults/armed.js';
import type { Effect, Fault } from '../../engine/faults/fault.js';
import type { Stub } from '../../engine/faults/stub.js';
import { isBodiless } from '../../engine/request/api-response.js';
import type { ValueError } from '../yaml/problem.js';
import { endpointFor, reachesEndpoint } from './modelled-paths.js';

type Part = keyof Effect;

/** Operations whose first items can be done without the others. */
const inParts: readonly string[] = ['ppf.push', 'ppf.pull'];

/** Contradictions within a fault, and headers that no response can carry. */
export function clashErrors(fault: Fault, at: Path, restApi?: boolean): ValueError[] {
  const { effect } = fault;
  return [
    ...pathErrors(fault, at),
    ...headerErrors(effect, [...at, 'effect', 'headers']),
    ...[...withoutResponse(effect), ...bodiless(effect), ...uncut(effect), ...inPart(fault), ...unlimited(fault)].map(
      ([part, message]) => ({
        path: [...at, 'effect', part],
        message,
      }),
    ),
    ...delayErrors(effect, [...at, 'effect']),
    ...misplacedErrors(fault, at, restApi),
  ];
}

type Clash = readonly [part: Part, message: string];

function among(effect: Effect, parts: readonly Part[]): Part[] {
  return parts.filter(part => Object.hasOwn(effect, part));
}

function withoutResponse(effect: Effect): Clash[] {
  if (effect.hangUp === undefined) return [];
  const ofAResponse = [
    'status',
    'headers',
    'body',
    'retryAfter',
    'truncateAt',
    'garble',
    'dribble',
    'rateLimit',
  ] as const;
  return among(effect, ofAResponse).map(part => [
    part,
    `hangUp ends the connection without a response, so ${part} has no effect: use one of the two.`,
  ]);
}

function bodiless(effect: Effect): Clash[] {
  const { status } = effect;
  if (status === undefined || !isBodiless(status)) return [];
  return among(effect, ['body', 'truncateAt', 'garble', 'dribble']).map(part => [
    part,
    `A response with the status ${status} has no body, so ${part} has no effect: use another status, or omit ${part}.`,
  ]);
}

/** The length of a body given here is known. */
function uncut({ body, truncateAt, garble }: Effect): Clash[] {
  if (body === undefined || truncateAt === undefined || garble !== undefined) return [];
  const bytes = Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body));
  if (truncateAt < bytes) return [];
  return [
    [
      'truncateAt',
      `The body has only ${bytes} bytes, so truncateAt ${truncateAt} cuts nothing off: use a smaller number.`,
    ],
  ];
}

function inPart({ effect, operation, path, phase = 'before' }: Fault): Clash[] {
  if (effect.partial === undefined) return [];
  const last = path?.split('/').at(-1) ?? '*';
  const isElsewhere = operation === undefined ? !['*', 'push', 'pull'].includes(last) : !inParts.includes(operation);
  if (isElsewhere)
    return [['partial', `partial works only for the filters and dashboards of ${inParts.join(' and ')}.`]];
  if (phase === 'after') return [];
  return among(effect, ['status', 'body', 'retryAfter', 'hangUp', 'truncateAt', 'garble', 'rateLimit']).map(part => [
    part,
    `With ${part} nothing is applied, not even partially, unless the fault has "phase: after".`,
  ]);
}

/** A rate limit decides itself when it fires, and with which wait. */
function unlimited({ effect, when, phase }: Fault): Clash[] {
  if (effect.rateLimit === undefined) return [];
  if (when !== undefined)
    return [['rateLimit', 'A rate limit fires when it is reached, so "when" has no effect: omit it.']];
  if (phase === 'after')
    return [['rateLimit', 'A rate limit refuses requests before they are applied: omit "phase: after".']];
  return among(effect, ['retryAfter']).map(part => [
    part,
    'rateLimit sets the header Retry-After itself: omit retryAfter.',
  ]);
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
  if (/[?#]/.test(path)) return one('A path has no query: requests match with any query.');
  if (/[^!-~]/.test(path)) return one(`Requests have encoded paths: write ${encodeURI(path)}.`);
  return /^(\/~[^/]*)?\/_fake(\/|$)/.test(path) ? one('The control API has no faults and no stubs.') : [];
}

/** A successful response where the fake has no endpoint is not a fault. */
function misplacedErrors({ path, operation, effect: { status } }: Fault, at: Path, restApi?: boolean): ValueError[] {
  const isSuccess = status !== undefined && status < 400;
  if (path === undefined || operation !== undefined || !isSuccess || reachesEndpoint(path, restApi)) return [];
  const message = `The fake has no endpoint at ${path}: to answer there with ${status}, use a stub (stubs) instead of a fault.`;
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
  if (path === '/') return [{ path: [...at, 'path'], message: 'The fake answers at / itself, with its front page.' }];
  const endpoint = endpointFor(stub, restApi);
  if (endpoint === undefined) return [];
  const methods = endpoint.operations.map(operation => operation.method).join(' and ');
  const message = `The fake answers ${methods} ${path} itself: use a fault (faults) to replace its response.`;
  return [{ path: [...at, 'path'], message }];
}

function delayErrors({ delay }: Pick<Stub, 'delay'>, at: Path): ValueError[] {
  const isTurned = Array.isArray(delay) && delay[0] > delay[1];
  return isTurned ? [{ path: [...at, 'delay'], message: 'The minimum is larger than the maximum.' }] : [];
}
