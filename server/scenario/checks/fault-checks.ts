// Parts of a fault that contradict each other although each fits the schema: reported when the fault is armed, not when it fires.
import { headerNameError, headerValueError } from '../../derive/sending/sending.js';
import type { Path } from '../../domain/json/json-pointer.js';
import type { Effect, Fault } from '../../engine/faults/fault.js';
import { isBodiless } from '../../engine/request/answer.js';
import type { ValueError } from '../yaml/problem.js';

type Part = keyof Effect;

/** Operations whose first items can be done without the others. */
const inParts: readonly string[] = ['ppf.push', 'ppf.pull'];

/** Contradictions within a fault, and headers that no answer can carry. */
export function clashErrors(fault: Fault, at: Path): ValueError[] {
  const { effect } = fault;
  return [
    ...pathErrors(fault, at),
    ...headerErrors(effect, [...at, 'effect', 'headers']),
    ...[...answerless(effect), ...bodiless(effect), ...uncut(effect), ...inPart(fault), ...unlimited(fault)].map(
      ([part, message]) => ({
        path: [...at, 'effect', part],
        message,
      }),
    ),
    ...(Array.isArray(effect.delay) && effect.delay[0] > effect.delay[1]
      ? [{ path: [...at, 'effect', 'delay'], message: 'from is larger than to.' }]
      : []),
  ];
}

type Clash = readonly [part: Part, message: string];

function among(effect: Effect, parts: readonly Part[]): Part[] {
  return parts.filter(part => Object.hasOwn(effect, part));
}

function answerless(effect: Effect): Clash[] {
  if (effect.hangUp === undefined) return [];
  const ofAnAnswer = [
    'status',
    'headers',
    'body',
    'retryAfter',
    'truncateAt',
    'garble',
    'dribble',
    'rateLimit',
  ] as const;
  return among(effect, ofAnAnswer).map(part => [
    part,
    `hangUp ends the connection without an answer, so ${part} has no effect: use one of the two.`,
  ]);
}

function bodiless(effect: Effect): Clash[] {
  const { status } = effect;
  if (status === undefined || !isBodiless(status)) return [];
  return among(effect, ['body', 'truncateAt', 'garble', 'dribble']).map(part => [
    part,
    `An answer with the status ${status} has no body, so ${part} has no effect: use another status, or omit ${part}.`,
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

function headerErrors({ headers = {}, retryAfter }: Effect, at: Path): ValueError[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const isTwice = retryAfter !== undefined && name.toLowerCase() === 'retry-after';
    const message =
      headerNameError(name) ??
      headerValueError(value) ??
      (isTwice ? 'retryAfter sets this header already: use one of the two.' : undefined);
    return message === undefined ? [] : [{ path: [...at, name], message }];
  });
}

/** Paths that no request to an operation has. */
function pathErrors({ path }: Fault, at: Path): ValueError[] {
  if (path === undefined) return [];
  const one = (message: string): ValueError[] => [{ path: [...at, 'path'], message }];
  if (/[?#]/.test(path)) return one('A path has no query: the fault meets requests with any query.');
  return /^(\/~[^/]*)?\/_fake(\/|$)/.test(path) ? one('Faults apply to operations only, not to the control API.') : [];
}
