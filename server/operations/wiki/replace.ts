// Replaces literal text by a list of pairs, in either order of reading, in several texts that follow one another. Nothing in a text is a
// pattern. Bounds its own work, so that no list keeps others waiting.

import { Meter, Needle } from '../../domain/search.js';
import { LONGEST_TEXT } from '../../domain/world/pages.js';
import { type Edit, edited, type Marked } from './visible-text.js';

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}
export type Scope = 'all' | 'first';

export interface Replaced {
  readonly texts: readonly Marked[];
  /** For each element of the list, whether the texts that it looks at have its oldText. */
  readonly found: readonly boolean[];
}

/** A list prepared for searches, which share one meter. */
export interface Prepared {
  readonly list: readonly Replacement[];
  readonly needles: readonly Needle[];
  readonly meter: Meter;
}

/** Maximum search steps of one request: enough for the longest page once. */
export const MAX_LOOKING = 2 ** 23 + 2 ** 20;
/** Maximum steps for building one result, each as long as a step of search. */
const MAX_MAKING = 2 ** 23;
/** Steps for each replaced occurrence. */
const PLACE = 32;
/** Characters that are copied in one step. */
const COPIED = 12;
/** What it costs to begin with a text, in steps of search. */
const TEXT = 4;

export function prepareReplacements(list: readonly Replacement[]): Prepared {
  const meter = new Meter(MAX_LOOKING);
  return { list, needles: list.map(({ oldText }) => new Needle(oldText, meter)), meter };
}

/** Sequential replacement. `undefined`: too much work, or a result longer than LONGEST_TEXT. */
export function replaceSequentially(
  texts: readonly Marked[],
  { list, needles, meter }: Prepared,
  scope: Scope,
): Replaced | undefined {
  const results = [...texts];
  let making = 0;
  const counts = list.map(() => 0);
  for (const [i, needle] of needles.entries()) {
    const { oldText, newText } = list[i] ?? NOTHING;
    const cost = PLACE + newText.length / COPIED;
    for (const [k, text] of results.entries()) {
      const found = counts[i] ?? 0;
      if (scope === 'first' && found > 0) break;
      const most = scope === 'first' ? 1 : Math.ceil((MAX_MAKING - making) / cost) + 1;
      const places = occurrences(text.text, needle, most);
      meter.steps += TEXT;
      if (places.length > 0) making += places.length * cost + sizeOf(text);
      if (making > MAX_MAKING || meter.isExceeded) return undefined;
      results[k] = edited(
        text,
        places.map(at => ({ at, oldText, newText })),
      );
      counts[i] = found + places.length;
    }
  }
  return bounded(
    results,
    counts.map(count => count > 0),
  );
}

/** All elements look at the texts as they were; where two match, the earlier place and then the earlier element wins. */
export function replaceSimultaneously(
  texts: readonly Marked[],
  { list, needles, meter }: Prepared,
  scope: Scope,
): Replaced | undefined {
  const found = list.map(() => false);
  const isDone = list.map(() => false);
  const results: Marked[] = [];
  let making = 0;
  for (const marked of texts) {
    const { text } = marked;
    const next = needles.map((needle, i) => (isDone[i] ? -1 : needle.indexIn(text)));
    for (const [i, place] of next.entries()) if (place !== -1) found[i] = true;
    const chosen: Edit[] = [];
    meter.steps += TEXT;
    making += sizeOf(marked);
    while (!meter.isExceeded) {
      const winner = earliest(next);
      if (winner === undefined) break;
      const { element, at } = winner;
      const { oldText, newText } = list[element] ?? NOTHING;
      chosen.push({ at, oldText, newText });
      isDone[element] = scope === 'first';
      making += PLACE + newText.length / COPIED + list.length;
      if (making > MAX_MAKING) return undefined;
      advance(text, needles, next, at + oldText.length);
      if (scope === 'first') next[element] = -1;
    }
    if (meter.isExceeded) return undefined;
    results.push(edited(marked, chosen));
  }
  return bounded(results, found);
}

function bounded(texts: readonly Marked[], found: readonly boolean[]): Replaced | undefined {
  return texts.reduce((sum, { text }) => sum + text.length, 0) > LONGEST_TEXT ? undefined : { texts, found };
}

/** What it costs to copy a text. */
function sizeOf({ text, marks }: Marked): number {
  return text.length / COPIED + marks.length;
}

/** Both lists of a prepared one have the same length. */
const NOTHING: Replacement = { oldText: '', newText: '' };

/** Occurrences from the left without overlaps; at most `most`. */
function occurrences(text: string, needle: Needle, most: number): number[] {
  const found: number[] = [];
  for (let at = needle.indexIn(text); at !== -1 && found.length < most; ) {
    found.push(at);
    if (found.length < most) at = needle.indexIn(text, at + needle.text.length);
  }
  return found;
}

function earliest(next: readonly number[]): { element: number; at: number } | undefined {
  let element = -1;
  let at = -1;
  for (let i = 0; i < next.length; i += 1) {
    const place = next[i] ?? -1;
    if (place === -1 || (at !== -1 && place >= at)) continue;
    element = i;
    at = place;
  }
  return at === -1 ? undefined : { element, at };
}

/** Advances every element to its next occurrence from `from`. */
function advance(text: string, needles: readonly Needle[], next: number[], from: number): void {
  for (const [element, needle] of needles.entries()) {
    const at = next[element] ?? -1;
    if (at !== -1 && at < from) next[element] = needle.indexIn(text, from);
  }
}
