// A filter of journal entries.
import { comparedForms, fitsPath, pathPattern } from '../../operations/address.js';
import type { JournalEntry } from './journal-entry.js';

export interface JournalFilter {
  readonly operation?: string;
  /** As sent, without its sandbox, or without its context path as well; `*` stands for one segment. */
  readonly path?: string;
  readonly status?: number;
  readonly rule?: string;
  readonly gap?: string;
  /** A user name, or `anonymous`. */
  readonly caller?: string;
  /** Whether a fault replaced the response. */
  readonly fault?: boolean;
  readonly stub?: boolean;
  /** Whether there is no such operation. */
  readonly unmatched?: boolean;
  /** Only entries with a higher id. */
  readonly since?: number;
  /** Return at most this many entries, newest last. */
  readonly limit?: number;
}

export function matcher(filter: JournalFilter): (entry: JournalEntry) => boolean {
  const { operation, path, status, rule, gap, caller, fault, stub, unmatched, since } = filter;
  const pattern = path === undefined ? undefined : pathPattern(path);
  return entry =>
    (operation === undefined || entry.operation === operation) &&
    (status === undefined || entry.response.status === status) &&
    (rule === undefined || entry.rules.includes(rule)) &&
    (gap === undefined || Object.hasOwn(entry.gaps, gap)) &&
    (caller === undefined || entry.caller === caller) &&
    (fault === undefined || (entry.fault !== undefined) === fault) &&
    (stub === undefined || (entry.stub !== undefined) === stub) &&
    (unmatched === undefined || isUnmatched(entry) === unmatched) &&
    (since === undefined || entry.id > since) &&
    (pattern === undefined || fitsPath(pattern, comparedForms(entry.url.split('?', 1)[0] ?? '', pattern.length + 1)));
}

function isUnmatched({ operation, refused }: JournalEntry): boolean {
  return operation === undefined && refused !== undefined; // otherwise it requested the methods of one
}
