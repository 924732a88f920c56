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
  /** Whether a stub answered. */
  readonly stub?: boolean;
  /** Whether there is no such operation. */
  readonly unmatched?: boolean;
  /** Only entries with a higher id. */
  readonly since?: number;
  /** Return at most this many entries, newest last. */
  readonly limit?: number;
}

export function matches(entry: JournalEntry, filter: JournalFilter): boolean {
  const { operation, path, status, rule, gap, caller, fault, stub, unmatched, since } = filter;
  return (
    (operation === undefined || entry.operation === operation) &&
    (path === undefined || fitsPath(pathPattern(path), comparedForms(entry.url.split('?', 1)[0] ?? ''))) &&
    (status === undefined || entry.response.status === status) &&
    (rule === undefined || entry.rules.includes(rule)) &&
    (gap === undefined || Object.hasOwn(entry.gaps, gap)) &&
    (caller === undefined || entry.caller === caller) &&
    (fault === undefined || (entry.fault !== undefined) === fault) &&
    (stub === undefined || (entry.stub !== undefined) === stub) &&
    (unmatched === undefined || isUnmatched(entry) === unmatched) &&
    (since === undefined || entry.id > since)
  );
}

function isUnmatched({ operation, refused }: JournalEntry): boolean {
  return operation === undefined && refused !== undefined; // otherwise it requested the methods of one
}
