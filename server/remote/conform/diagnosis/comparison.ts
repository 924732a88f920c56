// One step as a server answered it, beside the answer of a correct server that follows the same readings: whether and how they part.
import { isObject } from '../../../domain/form/patch.js';
import type { Family } from '../../../operations/operation.js';
import { bodyOf } from '../../../scenario/play/judging.js';
import type { Played } from '../../../scenario/play/player.js';
import type { Received } from '../../../scenario/play/target.js';
import { familyOf } from '../../target/family.js';

/** What a server did in the place of what it should have done. */
export type Deviation =
  /** It does not serve what should be there: 404, 405, 410, 501 or a redirect. */
  | 'unserved'
  /** 401 or 403 for somebody who may. */
  | 'denied'
  /** Another status of 4XX for a request that is right. */
  | 'refused'
  /** 409 where something should change. */
  | 'conflict'
  /** A status of 5XX. */
  | 'error'
  /** It was done, with another status of 2XX. */
  | 'status'
  /** It was done, and the answer says something else. */
  | 'content'
  /** The answer is right, and what the hosts' own resources then show is not. */
  | 'effect'
  /** It was done and should have been refused. */
  | 'accepted'
  /** It was refused, with another status of 4XX. */
  | 'refused otherwise';

export interface Comparison {
  /** The file of the suite. */
  readonly file: string;
  readonly played: Played;
  readonly family: Family | undefined;
  /** The operation that a correct server performs; empty where it performs none. */
  readonly operation: string;
  /** What decides its answer there, in the order in which it is asked. */
  readonly rules: readonly string[];
  /** The gaps that are read for it. */
  readonly gaps: readonly string[];
  /** The status of that answer. */
  readonly due: number;
  /** What a correct server reports, where it reports something: the message without the name at its end. */
  readonly report: string;
  /** Absent: the answer is what the step expects. */
  readonly deviation?: Deviation;
  /** It broke, and did something else when it was asked again. */
  readonly isUnsettled?: true;
}

/** `undefined` where a correct server has no answer to compare with, or not the one that the step expects. */
export function compare(file: string, played: Played, reference: Played | undefined): Comparison | undefined {
  const right = reference?.received;
  if (reference?.outcome !== 'held' || right === undefined || played.outcome === 'skipped') return undefined;
  const status = played.received?.status;
  return {
    file,
    played,
    family: familyOf(played.step),
    operation: right.headers['x-fake-operation'] ?? '',
    rules: listed(right.headers['x-fake-rules']),
    gaps: listed(right.headers['x-fake-gaps']).map(choice => choice.split('=')[0] ?? ''),
    due: right.status,
    report: reportIn(right),
    ...(played.outcome === 'failed' &&
      status !== undefined && { deviation: deviationOf(right.status, status, played) }),
  };
}

function listed(header = ''): string[] {
  return header.split(', ').filter(one => one !== '');
}

function reportIn(answer: Received): string {
  const body = bodyOf(answer);
  const [message] = isObject(body) && Array.isArray(body.messages) ? body.messages : [];
  return typeof message === 'string' ? message.replace(/ \S+$/, '') : '';
}

function deviationOf(due: number, status: number, { differences }: Played): Deviation {
  if (differences.every(({ of }) => of === 'world')) return 'effect';
  if (status >= 500 && status !== 501) return 'error';
  if (due >= 400 && ![404, 405].includes(due) && [404, 405, 501].includes(status)) return 'unserved';
  if (due >= 400) return status < 300 ? 'accepted' : 'refused otherwise';
  if (status < 300) return status === due ? 'content' : 'status';
  if (status < 400 || [404, 405, 410, 501].includes(status)) return 'unserved';
  if (status === 401 || status === 403) return 'denied';
  return status === 409 ? 'conflict' : 'refused';
}
