// The filter of the journal, part of the address so that it can be shared.
import type { Entry } from '../client/wire.js';

export interface Filter {
  readonly text: string;
  readonly operation: string;
  readonly status: string;
  /**
   * `failed`: a status from 400; `guessed`: a guess decided; `faulty`: a fault did; `changing`: it changed the world; `forwarded`: another server responded; `stubbed`: a stub
   * did; `unmatched`: no operation, and neither of them.
   */
  readonly only: string;
}

export const onlyKinds = ['failed', 'guessed', 'faulty', 'changing', 'forwarded', 'stubbed', 'unmatched'] as const;

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
      (only === '' || isKind(entry, only)) &&
      (wanted === '' || isAbout(entry, wanted)),
  );
}

function isKind({ gaps, fault, facts, operation, forwarded, stub, response }: Entry, kind: string): boolean {
  if (kind === 'failed') return response.status >= 400;
  if (kind === 'guessed') return guessesOf(gaps).length > 0;
  if (kind === 'faulty') return fault !== undefined;
  if (kind === 'forwarded') return forwarded !== undefined;
  if (kind === 'stubbed') return stub !== undefined;
  if (kind === 'changing') return facts.length > 0;
  return [operation, forwarded, stub].every(serverResponse => serverResponse === undefined);
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
