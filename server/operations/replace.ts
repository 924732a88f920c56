// Replacing literal text by a list of pairs, in either order of reading. Text is text: nothing in it is a pattern.
// Knows nothing of pages; bounds its own work so that no list can stop the server.

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}
export type Scope = 'all' | 'first';

export interface Replaced {
  readonly text: string;
  /** For each element of the list, how often its oldText was replaced. */
  readonly counts: readonly number[];
}

/** Characters that one request may make or look through: about half a second of work. */
export const MOST_WORK = 2 ** 29;
/** The longest text that may come out, in characters: a page that is longer than that was blown up, not written. */
export const MOST_TEXT = 2 ** 24;
/** What a place that is replaced costs besides its text, in characters: texts of many short matches would fill the memory otherwise. */
const PLACE_WORK = 2 ** 8;

/** Each element works on the result of the last. `undefined`: it would take more than MOST_WORK, or make more than MOST_TEXT. */
export function replaceSequentially(text: string, list: readonly Replacement[], scope: Scope): Replaced | undefined {
  let result = text;
  let work = 0;
  const counts: number[] = [];
  for (const { oldText, newText } of list) {
    const cost = newText.length + PLACE_WORK;
    work += result.length;
    const found = occurrences(result, oldText, scope === 'first' ? 1 : Math.ceil((MOST_WORK - work) / cost) + 1);
    work += found.length * cost;
    if (work > MOST_WORK) return undefined;
    result = rewrite(
      result,
      found.map(at => ({ at, oldText, newText })),
    );
    counts.push(found.length);
  }
  return result.length > MOST_TEXT ? undefined : { text: result, counts };
}

/** All elements look at the text as it was; where two match, the earlier place and then the earlier element wins. */
export function replaceSimultaneously(text: string, list: readonly Replacement[], scope: Scope): Replaced | undefined {
  if (text.length * list.length > MOST_WORK) return undefined;
  const counts = list.map(() => 0);
  const next = list.map(({ oldText }) => text.indexOf(oldText));
  const chosen: Edit[] = [];
  let work = 0;
  for (let from = 0; ; ) {
    const winner = earliest(next);
    if (winner === undefined) break;
    const { element, at } = winner;
    const { oldText, newText } = list[element] ?? { oldText: '', newText: '' };
    chosen.push({ at, oldText, newText });
    counts[element] = (counts[element] ?? 0) + 1;
    from = at + oldText.length;
    work += newText.length + list.length + PLACE_WORK;
    if (work > MOST_WORK) return undefined;
    advance(text, list, next, from, scope === 'first' ? element : undefined);
  }
  const result = rewrite(text, chosen);
  return result.length > MOST_TEXT ? undefined : { text: result, counts };
}

interface Edit extends Replacement {
  readonly at: number;
}

/** Where the text is found, from the left and without overlaps; no more than `most` places. */
function occurrences(text: string, oldText: string, most: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(oldText); at !== -1 && found.length < most; ) {
    found.push(at);
    at = text.indexOf(oldText, at + oldText.length);
  }
  return found;
}

function rewrite(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { at, oldText, newText } of edits) {
    pieces.push(text.slice(from, at), newText);
    from = at + oldText.length;
  }
  return pieces.join('') + text.slice(from);
}

function earliest(next: readonly number[]): { element: number; at: number } | undefined {
  let winner: { element: number; at: number } | undefined;
  for (const [element, at] of next.entries()) {
    if (at !== -1 && (winner === undefined || at < winner.at)) winner = { element, at };
  }
  return winner;
}

/** Moves every element on to its next place from `from` on; `spent` has had its one replacement. */
function advance(
  text: string,
  list: readonly Replacement[],
  next: number[],
  from: number,
  spent: number | undefined,
): void {
  for (const [element, { oldText }] of list.entries()) {
    const at = next[element] ?? -1;
    if (element === spent) next[element] = -1;
    else if (at !== -1 && at < from) next[element] = text.indexOf(oldText, from);
  }
}
