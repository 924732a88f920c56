// The filter of the journal, part of the address so that it can be shared.
import type { Entry } from '../client/wire.js';

export interface Filter {
  readonly text: string;
  readonly operation: string;
  readonly status: string;
  /** One of `onlyKinds`. */
  readonly only: string;
}

const kinds: Readonly<Record<string, (entry: Entry) => boolean>> = {
  failed: ({ response }) => response.status >= 400,
  guessed: ({ gaps }) => guessesOf(gaps).length > 0,
  faulty: ({ fault }) => fault !== undefined,
  changing: ({ facts }) => facts.length > 0,
  forwarded: ({ forwarded }) => forwarded !== undefined,
  stubbed: ({ stub }) => stub !== undefined,
  unmatched: ({ operation, forwarded, stub }) => (operation ?? forwarded ?? stub) === undefined,
};

export const onlyKinds = Object.keys(kinds);

export function filterIn(query: URLSearchParams): Filter {
  const at = (name: string) => query.get(name) ?? '';
  return { text: at('text'), operation: at('operation'), status: at('status'), only: at('only') };
}

export function matching(entries: readonly Entry[], { text, operation, status, only }: Filter): readonly Entry[] {
  const wanted = text.toLowerCase();
  if (wanted === '' && operation === '' && status === '' && only === '') return entries;
  return entries.filter(
    entry =>
      (operation === '' || entry.operation === operation) &&
      (status === '' || String(entry.response.status).startsWith(status)) &&
      (only === '' || kinds[only]?.(entry) === true) &&
      (wanted === '' || isAbout(entry, wanted)),
  );
}

function isAbout(entry: Entry, wanted: string): boolean {
  const { url, caller = '', operation = '', request, response, rules, gaps, forwarded } = entry;
  const texts = [url, caller, operation, request.body ?? '', response.body ?? '', forwarded?.to ?? ''];
  return [...texts, ...rules, ...Object.keys(gaps)].some(text => text.toLowerCase().includes(wanted));
}

/** Whether a rule is shown outside the details: those that every request at the address meets are not. */
export function isTelling(rule: string): boolean {
  return !rule.startsWith('address.') || rule === 'address.case-sensitive';
}

/** Every request meets address gaps: they are shown only in the details. */
export function guessesOf(gaps: Entry['gaps']): string[] {
  return Object.keys(gaps).filter(gap => gap !== 'wiki-prefix' && gap !== 'context-path');
}

/** How many requests each guess decided. */
export function guessCounts(entries: readonly Entry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { gaps } of entries) for (const gap of guessesOf(gaps)) counts.set(gap, (counts.get(gap) ?? 0) + 1);
  return counts;
}
