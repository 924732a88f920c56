// The meaning of errors of Redis and of connections: retry, or fail with a message.
import { StoreError, type StoreFailure } from '../../../engine/store.js';

export interface Failure {
  readonly next: 'again' | 'fail';
  /** It may have been done. */
  readonly isUnknown: boolean;
  readonly failure: StoreFailure;
  readonly words: string;
}

/** Another node has the keys, or is about to get them. */
export interface Redirection {
  readonly next: 'moved' | 'ask';
  readonly slot: number;
  readonly host: string;
  readonly port: number;
}

export const IN_CLUSTER = 'is part of a Cluster: its URL must begin with redis+cluster://';

/** What Redis answers, with the message if it is final, or lasts too long. */
const ERRORS: ReadonlyArray<
  readonly [pattern: RegExp, next: Failure['next'], failure: StoreFailure, words: string | ((brief: string) => string)]
> = [
  [/^LOADING /, 'again', 'away', 'is still reading its data from disk'],
  [/^CLUSTERDOWN /, 'again', 'away', 'reports that its Cluster is down: some slots have no node'],
  [/^TRYAGAIN /, 'again', 'away', 'is moving the keys to another node'],
  [/^MASTERDOWN /, 'again', 'away', 'has lost its master'],
  [/^BUSY /, 'again', 'away', 'is busy running a script'],
  [/^UNBLOCKED /, 'again', 'away', 'has just become a replica'],
  [/^READONLY /, 'again', 'refused', 'is a read-only replica: give the address of its master'],
  [/^OOM /, 'fail', 'full', 'has no memory left (maxmemory)'],
  [/^MISCONF /, 'fail', 'full', 'refuses changes because it cannot write to its disk'],
  [/^NOREPLICAS /, 'fail', 'away', 'refuses changes because too few replicas are connected (min-replicas-to-write)'],
  [/^NOAUTH /, 'fail', 'refused', 'requires a password: redis://user:password@host:port'],
  [/^WRONGPASS /, 'fail', 'refused', 'rejects this user and password'],
  [
    /^NOPERM |can't run this command|can't access (?:at least one of )?the keys|ACL failure/i, // Redis 7.0 words it differently within a script
    'fail',
    'refused',
    brief => `does not allow this user: ${brief.replace(/^NOPERM /, '')}`,
  ],
  [
    /^DENIED /,
    'fail',
    'refused',
    'is in protected mode: without a password, it accepts no connections from other machines',
  ],
  [/^WRONGTYPE /, 'fail', 'format', 'has a key with data of an unexpected type'],
  [/^CROSSSLOT /, 'fail', 'refused', IN_CLUSTER],
  [/cluster support disabled/, 'fail', 'refused', 'is not a Cluster: its URL must begin with redis:// or rediss://'],
  [/unknown command '?HELLO/i, 'fail', 'refused', 'is older than Redis 7.0'],
  [/DB index is out of range/, 'fail', 'refused', 'has no database with that number'],
];

/** Errors of a server that need an administrator. */
export function isRefusal(error: unknown): boolean {
  const meaning = meaningOf(error);
  return meaning.next === 'fail' && meaning.failure === 'refused';
}

/** Why a server refuses all changes, if that is the error. */
export function refusalOfChanges(error: unknown): string | undefined {
  const meaning = meaningOf(error);
  if (!('words' in meaning)) return undefined;
  const isOfChanges = meaning.failure === 'full' || /^(READONLY|NOREPLICAS) /.test(String((error as Error).message));
  return isOfChanges ? meaning.words : undefined;
}

export function meaningOf(error: unknown): Failure | Redirection {
  const message = error instanceof Error ? error.message : String(error);
  const [, next, slot, host = '', port] = /^(MOVED|ASK) (\d+) (.*):(\d+)$/.exec(message) ?? [];
  if (next !== undefined)
    return { next: next === 'ASK' ? 'ask' : 'moved', slot: Number(slot), host, port: Number(port) };
  const brief = message.length > 160 ? `${message.slice(0, 160)} …` : message;
  for (const [pattern, then, failure, words] of ERRORS) {
    if (pattern.test(message))
      return { next: then, isUnknown: false, failure, words: typeof words === 'string' ? words : words(brief) };
  }
  if (isReply(error))
    return { next: 'fail', isUnknown: false, failure: 'refused', words: `responds with the error ${brief}` };
  const isUnsent = error instanceof Error && error.constructor.name === 'ClientOfflineError';
  const words = isUnsent ? 'cannot be reached' : reasonText(error);
  return { next: 'again', isUnknown: !isUnsent, failure: 'away', words };
}

/** Why a connection fails, in words. */
export function reasonText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '' } = error as NodeJS.ErrnoException; // errors of Node's sockets have one
  const meaning = isReply(error) ? meaningOf(error) : undefined;
  if (meaning !== undefined && 'words' in meaning) return meaning.words;
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonText).join(', ');
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'cannot be reached: unknown host';
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return 'cannot be reached: it does not speak TLS on that port';
  if (error.message.startsWith('Unknown RESP type')) return 'is not a Redis server';
  return `cannot be reached: ${code === '' ? error.message : code}`;
}

/** Error classes of the client, recognized by name: the client is not loaded here. */
function isReply(error: unknown): boolean {
  return error instanceof Error && ['ErrorReply', 'SimpleError', 'BlobError'].includes(error.constructor.name);
}

export function storeErrorOf(failure: StoreFailure, where: string, words: string, cause?: unknown): StoreError {
  return new StoreError(failure, `Redis at ${where} ${words}`, { cause });
}
