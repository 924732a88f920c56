// What an error of Redis or of the connection means: another try, or the end in words. Knows no verbs.
import { StoreError, type StoreFailure } from '../../../engine/store.js';

/** `isUnknown`: it may have been done. */
export type Meaning =
  | { readonly next: 'again'; readonly isUnknown: boolean; readonly failure: StoreFailure; readonly words: string }
  | { readonly next: 'fail'; readonly failure: StoreFailure; readonly words: string }
  | { readonly next: 'moved' | 'ask'; readonly slot: number; readonly host: string; readonly port: number };

/** What passes by itself, and what to say where it does not in time. */
const PASSING: Readonly<Record<string, readonly [StoreFailure, string]>> = {
  LOADING: ['away', 'is still reading its data from disk'],
  CLUSTERDOWN: ['away', 'says that its Cluster is down: some slots have no node'],
  TRYAGAIN: ['away', 'is moving the keys to another node'],
  MASTERDOWN: ['away', 'has lost its master'],
  BUSY: ['away', 'is busy with a script of somebody else'],
  UNBLOCKED: ['away', 'has just become a replica'],
  READONLY: ['refused', 'is a replica that cannot be written to: name its master'],
};

export const IN_CLUSTER = 'is part of a Cluster: its URL begins with redis+cluster://';

const LASTING: Readonly<Record<string, readonly [StoreFailure, string]>> = {
  OOM: ['full', 'has no memory left (maxmemory)'],
  MISCONF: ['full', 'takes no changes since it cannot write to its disk'],
  NOREPLICAS: ['full', 'takes no changes since too few replicas are connected (min-replicas-to-write)'],
  NOAUTH: ['refused', 'wants a password: redis://user:password@host:port'],
  WRONGPASS: ['refused', 'does not take this user and password'],
  NOPERM: ['refused', 'does not allow this user'],
  DENIED: ['refused', 'is in protected mode: it takes no connections from other machines without a password'],
  WRONGTYPE: ['format', 'has something else under the name of a key'],
  CROSSSLOT: ['refused', IN_CLUSTER],
};

/** Errors of a server that keep it from being used until somebody changes something. */
export function isRefusal(error: unknown): boolean {
  const meaning = meaningOf(error);
  return meaning.next === 'fail' && meaning.failure === 'refused';
}

/** Why a server takes no changes from anybody, where an error says so. */
export function refusalOfChanges(error: unknown): string | undefined {
  const meaning = meaningOf(error);
  if (!('words' in meaning)) return undefined;
  return meaning.failure === 'full' || meaning.words === PASSING.READONLY?.[1] ? meaning.words : undefined;
}

export function meaningOf(error: unknown): Meaning {
  const message = error instanceof Error ? error.message : String(error);
  const [, code = '', rest = ''] = /^([A-Z]+)\b ?(.*)$/s.exec(message) ?? [];
  if (code === 'MOVED' || code === 'ASK') return redirection(code, rest);
  if (isPermission(code, message))
    return { next: 'fail', failure: 'refused', words: `${LASTING.NOPERM?.[1]}: ${brief(rest)}` };
  const lasting = LASTING[code] ?? lastingOf(message);
  if (lasting !== undefined) return { next: 'fail', failure: lasting[0], words: lasting[1] };
  const passing = PASSING[code];
  if (passing !== undefined) return { next: 'again', isUnknown: false, failure: passing[0], words: passing[1] };
  if (isReply(error)) return { next: 'fail', failure: 'refused', words: `answers: ${brief(message)}` };
  const isUnsent = error instanceof Error && error.constructor.name === 'ClientOfflineError';
  return { next: 'again', isUnknown: !isUnsent, failure: 'away', words: isUnsent ? 'cannot be reached' : told(error) };
}

/** Why a connection cannot be made, in words. */
export function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '' } = error as NodeJS.ErrnoException; // errors of Node's sockets have one
  const meaning = isReply(error) ? meaningOf(error) : undefined;
  if (meaning !== undefined && 'words' in meaning) return meaning.words;
  if (error instanceof AggregateError && error.message === '') return error.errors.map(told).join(', ');
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'cannot be reached: there is no host of that name';
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER') return 'cannot be reached: it speaks no TLS there';
  if (error.message.startsWith('Unknown RESP type')) return 'is no Redis: something else answers there';
  return `cannot be reached: ${code === '' ? error.message : code}`;
}

function redirection(code: 'MOVED' | 'ASK', rest: string): Meaning {
  const [slot = '', place = ''] = rest.split(' ');
  const colon = place.lastIndexOf(':');
  const [host, port] = [place.slice(0, colon), Number(place.slice(colon + 1))];
  return { next: code === 'MOVED' ? 'moved' : 'ask', slot: Number(slot), host, port };
}

/** Within a script it is told in other words by Redis 7.0. */
function isPermission(code: string, message: string): boolean {
  return (
    code === 'NOPERM' ||
    /can't run this command|can't access (?:at least one of the keys|the keys)|ACL failure/i.test(message)
  );
}

/** Errors without a code of their own. */
function lastingOf(message: string): readonly [StoreFailure, string] | undefined {
  if (message.includes('cluster support disabled'))
    return ['refused', 'is no Cluster: its URL begins with redis:// or rediss://'];
  if (/unknown command '?HELLO/i.test(message)) return ['refused', 'is older than Redis 7.0'];
  if (message.includes('DB index is out of range')) return ['refused', 'has no database of that number'];
  return undefined;
}

/** Classes of the client, told by name: it is not loaded here. */
function isReply(error: unknown): boolean {
  return error instanceof Error && ['ErrorReply', 'SimpleError', 'BlobError'].includes(error.constructor.name);
}

const brief = (text: string) => (text.length > 160 ? `${text.slice(0, 160)} …` : text);

export function storeErrorOf(failure: StoreFailure, where: string, words: string, cause?: unknown): StoreError {
  return new StoreError(failure, `Redis at ${where} ${words}`, { cause });
}
