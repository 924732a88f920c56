// Compares the answer to a step with that of a correct server with the same readings.
import { isObject } from '../../../domain/form/patch.js';
import { operationOf } from '../../../operations/catalog.js';
import type { Family } from '../../../operations/operation.js';
import { bodyOf } from '../../../scenario/play/judging.js';
import type { Played } from '../../../scenario/play/player.js';
import type { Received } from '../../../scenario/play/target.js';
import { isOfAnyStatus, isRefusal, mayBeRefused } from '../../target/expected-refusals.js';
import { familyOf } from '../../target/family.js';

/** How an answer deviates from the correct one. */
export type Deviation =
  /** Not served: 404, 405, 410, 501 or a redirect. */
  | 'unserved'
  /** 401 or 403 for a permitted caller. */
  | 'denied'
  /** Another 4XX for a valid request. */
  | 'refused'
  /** 409 for a valid change. */
  | 'conflict'
  /** 5XX. */
  | 'error'
  /** Done, with another 2XX. */
  | 'status'
  /** Done, with another body. */
  | 'content'
  /** The answer is right, but the hosts' own resources show another state afterwards. */
  | 'effect'
  /** Done, but should have been refused. */
  | 'accepted'
  /** Refused, with another 4XX. */
  | 'refused otherwise';

export interface Comparison {
  /** The file of the suite. */
  readonly file: string;
  readonly played: Played;
  readonly family: Family | undefined;
  /** The operation on a correct server; empty if none. */
  readonly operation: string;
  /** The deciding rules there, in their order. */
  readonly rules: readonly string[];
  /** The gaps that are read for it. */
  readonly gaps: readonly string[];
  /** Whether a reading has the state refused with 400, as a validation error is. */
  readonly isStateRefused?: boolean;
  /** The status of that answer. */
  readonly due: number;
  /** What a correct server says: the answer to a question, or the message, if any, without the name at its end. */
  readonly report: string;
  /** The answer to the same request was another one before, in this file. */
  readonly isAnsweredAnew?: boolean;
  /** What it sees is wrong, and was so before it. */
  readonly isCarried?: boolean;
  /** Absent: the answer is what the step expects. */
  readonly deviation?: Deviation;
  /** How an answer deviates that the step allows for. */
  readonly tolerated?: Deviation;
  /** A step of a probe whose answers fit no reading. */
  readonly isDoubtful?: true;
  /** It broke, and did something else when it was asked again. */
  readonly isUnsettled?: true;
}

/** `undefined` if a correct server gives no answer to compare with, or not the expected one. */
export function compare(file: string, played: Played, reference: Played | undefined): Comparison | undefined {
  const right = reference?.received;
  if (reference === undefined || !isAnsweredRight(reference) || right === undefined || played.outcome === 'skipped')
    return undefined;
  const status = played.received?.status;
  const isFailed = played.outcome === 'failed' && (reference.outcome === 'passed' || isOther(played, reference));
  const family = familyOf(played.step);
  const isTolerated = isRefusedToo(played, reference);
  const operation = right.headers['x-fake-operation'] ?? '';
  return {
    file,
    played,
    family,
    operation,
    rules: listed(right.headers['x-fake-rules']),
    gaps: listed(right.headers['x-fake-gaps']).map(choice => choice.split('=')[0] ?? ''),
    isStateRefused: listed(right.headers['x-fake-gaps']).some(choice => choice.endsWith('=400')),
    due: right.status,
    report: operation === 'spaces.is-unique' ? right.text : messageIn(right),
    ...(isFailed &&
      status !== undefined && { [isTolerated ? 'tolerated' : 'deviation']: deviationOf(right.status, status, played) }),
  };
}

/** Whether the answer is as expected, whatever the world is: that depends on which of the steps before it were played. */
function isAnsweredRight({ differences }: Played): boolean {
  return differences.every(({ of }) => of === 'world');
}

/** Whether the answer is wrong, or the world is not what it is on a correct server after the same steps. */
function isOther(played: Played, reference: Played): boolean {
  return !isAnsweredRight(played) || hasOtherWorld(played, reference);
}

/** Whether it finds the world to be otherwise than a correct server does after the same steps. */
function hasOtherWorld(played: Played, reference: Played | undefined): boolean {
  const unexpected = ({ differences }: Pick<Played, 'differences'>) =>
    JSON.stringify(differences.flatMap(({ of, pointer, found }) => (of === 'world' ? [[pointer, found]] : [])));
  return unexpected(played) !== unexpected(reference ?? { differences: [] });
}

/**
 * Whether a step failed only because it is refused in another way than by a correct server, or than it expects beside being served: the document gives
 * the status of a refusal for push and pull alone, and its body nowhere.
 */
export function isRefusedToo(played: Played, reference: Played | undefined): boolean {
  const { step, outcome, received } = played;
  const [status = 0, due = 0] = [received?.status, reference?.received?.status];
  if (outcome === 'failed' && isHeadingRefused(played)) return true;
  const isMoved = due >= 400 && status >= 300 && status < 400;
  if (outcome !== 'failed' || !(isRefusal(status) || isMoved)) return false;
  if (isRefusal(status) && isOfAnyStatus(step.expect)) return false;
  const isAlike = familyOf(step) === 'wiki' ? isRefusal(due) || mayBeRefused(step.expect) : status === due;
  return isAlike && !hasOtherWorld(played, reference);
}

/** A server need not serve the method of a heading, and may serve it at one address only. */
function isHeadingRefused({ step, received }: Played): boolean {
  const heading = operationOf(step.call ?? '')?.heading;
  return heading !== undefined && step.method === heading.method && [404, 405, 501].includes(received?.status ?? 0);
}

function listed(header = ''): string[] {
  return header.split(', ').filter(one => one !== '');
}

function messageIn(answer: Received): string {
  const body = bodyOf(answer);
  const [message] = isObject(body) && Array.isArray(body.messages) ? body.messages : [];
  return typeof message === 'string' ? message.replace(/ \S+$/, '') : '';
}

function deviationOf(due: number, status: number, { step, differences }: Played): Deviation {
  const isMoved = status >= 300 && status < 400;
  const isNotThere = isMoved || [404, 405, 410, 501].includes(status);
  const isBroken = status >= 500 && status !== 501;
  const isRefused = familyOf(step) === 'ppf' && isRefusal(status); // the wiki may refuse what changes nothing
  const isUndone = due < 300 && (isNotThere || isBroken || isRefused); // that nothing came of it says no more
  if (!isUndone && differences.every(({ of }) => of === 'world')) return 'effect';
  if (isBroken) return 'error';
  if (due === 400 && isMoved) return 'unserved';
  if (due >= 400 && ![404, 405].includes(due) && [404, 405, 501].includes(status)) return 'unserved';
  if (due >= 400) return status < 300 ? 'accepted' : 'refused otherwise';
  if (status < 300) return status === due ? 'content' : 'status';
  if (isNotThere) return 'unserved';
  if (status === 401 || status === 403) return 'denied';
  return status === 409 ? 'conflict' : 'refused';
}
