// Turns errors of Redis and of connections into errors of the store that say what is wrong, and what would be right.
import { isNativeError } from 'node:util/types';
import { StoreError, type StoreFailure } from '../../engine/store.js';

/** The first words of errors of Redis that pass. */
const PASSING = /^(?:LOADING|CLUSTERDOWN|TRYAGAIN|MASTERDOWN|BUSY|NOREPLICAS) /;

export const IN_CLUSTER = 'is part of a Cluster: its URL must begin with redis+cluster://';

/** Errors of Redis that need other words than its own. */
const REPLIES: ReadonlyArray<readonly [pattern: RegExp, failure: StoreFailure, words: string]> = [
  [/^READONLY /, 'refused', 'is a read-only replica: give the address of its master'],
  [/^OOM /, 'full', 'has no memory left (maxmemory)'],
  [/^MISCONF /, 'full', 'refuses changes because it cannot write to its disk'],
  [/^NOAUTH /, 'refused', 'requires a password: redis://user:password@host:port'],
  [/^WRONGTYPE |WRONGTYPE Operation/, 'format', 'has a key with data of an unexpected type'],
  [/^(MOVED|ASK|CROSSSLOT) /, 'refused', IN_CLUSTER],
  [/cluster support disabled/, 'refused', 'is not a Cluster: its URL must begin with redis:// or rediss://'],
  [/unknown command '?HELLO/i, 'refused', 'is older than Redis 7.0'],
  [/unknown command '?SENTINEL/i, 'refused', 'is not a Sentinel: its URL must begin with redis:// or redis+cluster://'],
  [/No such master with that name/, 'refused', 'watches no master with that name'],
];

/** `where`: the hosts of the URL. An error without a reply of Redis leaves open whether a change was made. */
export function storeErrorOf(error: unknown, where: string): StoreError {
  if (error instanceof StoreError) return error;
  const message = isNativeError(error) ? error.message : String(error);
  const known = REPLIES.find(([pattern]) => pattern.test(message));
  if (known !== undefined) return failed(known[1], where, known[2], error);
  const brief = message.length > 160 ? `${message.slice(0, 160)} …` : message;
  if (/^NOPERM |can't run this command|can't access |ACL failure/i.test(message))
    return failed('refused', where, `does not allow this user: ${brief.replace(/^NOPERM /, '')}`, error);
  if (PASSING.test(message) || isReply(error))
    return failed(PASSING.test(message) ? 'away' : 'refused', where, `responds with the error ${brief}`, error);
  return failed('away', where, reasonOf(error, message), error);
}

export function failed(failure: StoreFailure, where: string, words: string, cause?: unknown): StoreError {
  return new StoreError(failure, `Redis at ${where} ${words}`, { cause });
}

function reasonOf(error: unknown, message: string): string {
  if (error instanceof AggregateError && message === '')
    return error.errors.map(one => reasonOf(one, String(one))).join(', ');
  if (/^Socket (closed|timeout)|^Disconnects client/.test(message))
    return 'closed the connection, or did not respond; a change may have been made';
  if (message.startsWith('Unknown RESP type')) return 'is not a Redis server';
  const { code = message } = error as NodeJS.ErrnoException; // errors of Node's sockets have one
  return `cannot be reached: ${code}`;
}

/** Error classes of the client, recognized by name: the client is not loaded here. */
function isReply(error: unknown): boolean {
  return isNativeError(error) && ['ErrorReply', 'SimpleError', 'BlobError'].includes(error.constructor.name);
}
