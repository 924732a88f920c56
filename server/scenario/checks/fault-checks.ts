// What of a fault does not go together, though each part of it fits the schema: told when it is armed, not when it fires.
// Knows no world.
import { headerNameFlaw, headerValueFlaw } from '../../derive/sending/sending.js';
import type { Effect, Fault } from '../../engine/faults/fault.js';
import { isBodiless } from '../../engine/request/answer.js';
import type { Flaw, Path } from '../yaml/problem.js';

type Part = keyof Effect;

/** The operations whose first items can be done without the others. */
const inParts: readonly string[] = ['ppf.push', 'ppf.pull'];

/** The parts of a fault that rule each other out, and headers that no answer can carry. */
export function clashFlaws(fault: Fault, at: Path): Flaw[] {
  const { effect } = fault;
  return [
    ...pathFlaws(fault, at),
    ...headerFlaws(effect, [...at, 'effect', 'headers']),
    ...[...answerless(effect), ...bodiless(effect), ...uncut(effect), ...inPart(fault)].map(([part, message]) => ({
      path: [...at, 'effect', part],
      message,
    })),
    ...(Array.isArray(effect.delay) && effect.delay[0] > effect.delay[1]
      ? [{ path: [...at, 'effect', 'delay'], message: 'The first of the two is the larger: write from and to.' }]
      : []),
  ];
}

type Clash = readonly [part: Part, message: string];

function among(effect: Effect, parts: readonly Part[]): Part[] {
  return parts.filter(part => Object.hasOwn(effect, part));
}

function answerless(effect: Effect): Clash[] {
  if (effect.hangUp === undefined) return [];
  const ofAnAnswer = ['status', 'headers', 'body', 'retryAfter', 'truncateAt', 'garble', 'dribble'] as const;
  return among(effect, ofAnAnswer).map(part => [
    part,
    `hangUp ends the connection without an answer, so that ${part} has none to change: take one of the two.`,
  ]);
}

function bodiless(effect: Effect): Clash[] {
  const { status } = effect;
  if (status === undefined || !isBodiless(status)) return [];
  return among(effect, ['body', 'truncateAt', 'garble', 'dribble']).map(part => [
    part,
    `An answer with the status ${status} has no body, and ${part} is about one: take another status, or leave it out.`,
  ]);
}

/** Of a body that is given here it is known how long it is. */
function uncut({ body, truncateAt, garble }: Effect): Clash[] {
  if (body === undefined || truncateAt === undefined || garble !== undefined) return [];
  const bytes = Buffer.byteLength(typeof body === 'string' ? body : JSON.stringify(body));
  if (truncateAt < bytes) return [];
  return [['truncateAt', `The body has ${bytes} bytes, so that nothing is cut off after ${truncateAt}: take fewer.`]];
}

function inPart({ effect, operation, path, phase = 'before' }: Fault): Clash[] {
  if (effect.partial === undefined) return [];
  const last = path?.split('/').at(-1) ?? '*';
  const isElsewhere = operation === undefined ? !['*', 'push', 'pull'].includes(last) : !inParts.includes(operation);
  if (isElsewhere)
    return [
      ['partial', `partial is about the filters and dashboards of ${inParts.join(' and ')}, and of nothing else.`],
    ];
  if (phase === 'after') return [];
  return among(effect, ['status', 'body', 'retryAfter', 'hangUp', 'truncateAt', 'garble']).map(part => [
    part,
    `With ${part} nothing is applied, not even a part, unless the fault has "phase: after".`,
  ]);
}

function headerFlaws({ headers = {}, retryAfter }: Effect, at: Path): Flaw[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const isTwice = retryAfter !== undefined && name.toLowerCase() === 'retry-after';
    const message =
      headerNameFlaw(name) ??
      headerValueFlaw(value) ??
      (isTwice ? 'retryAfter sets this header already: take one of the two.' : undefined);
    return message === undefined ? [] : [{ path: [...at, name], message }];
  });
}

/** Paths that no request to an operation has. */
function pathFlaws({ path }: Fault, at: Path): Flaw[] {
  if (path === undefined) return [];
  const one = (message: string): Flaw[] => [{ path: [...at, 'path'], message }];
  if (/[?#]/.test(path)) return one('A path ends before the query: requests are met whatever their query is.');
  return /^(\/~[^/]*)?\/_fake(\/|$)/.test(path)
    ? one('Faults are for the operations: the control API answers as ever.')
    : [];
}
