// Whether the operations on one cell can have been done one after the other, each at a moment between its beginning and its response: the search of
// Wing and Gong with the memory of Lowe. It uses only requests, responses and times, neither journal nor versions.
import { step } from './cell.js';
import { endOf, type Operation, tell } from './history.js';

export interface Found {
  /** `undecided`: the search gave up. */
  readonly verdict: 'linearizable' | 'not-linearizable' | 'undecided';
  /** If there is none: the longest order found, and the operations that cannot follow it. */
  readonly clash?: string;
  /** Visited branches. */
  readonly looked: number;
}

/** One operation on the cell: the value afterwards; `undefined`: impossible at that point. */
interface Move {
  readonly operation: Operation;
  readonly began: number;
  readonly ended: number;
  readonly after: (value: string) => string | undefined;
  /** Leaves every value unchanged. A write that happens to find its own value does not count: later it would change another. */
  readonly isRead: boolean;
}

/** Everything up to `low` is placed, and of what follows `ahead`; of those with unknown outcome `taken`. Both ascending. */
interface Place {
  readonly low: number;
  readonly ahead: readonly number[];
  readonly taken: readonly number[];
  readonly value: string;
}

interface Frame {
  readonly choices: readonly Place[];
  next: number;
}

const MAX_BRANCHES = 1_000_000;

/** `operations`: those of one sandbox; those of other cells are skipped. */
export function search(cell: string, initial: string, operations: readonly Operation[], most = MAX_BRANCHES): Found {
  const moves = operations.flatMap(operation => moveOf(cell, operation) ?? []).sort((a, b) => a.began - b.began);
  const known = moves.filter(({ ended }) => ended !== Number.POSITIVE_INFINITY);
  const unknown = moves.filter(({ ended }) => ended === Number.POSITIVE_INFINITY);
  const seen = new Set<string>();
  let furthest: Place | undefined;
  let looked = 0;
  const frames: Frame[] = [{ choices: [{ low: 0, ahead: [], taken: [], value: initial }], next: 0 }];
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const chosen = frame.choices[frame.next];
    frame.next += 1;
    if (chosen === undefined) {
      frames.pop();
      continue;
    }
    const place = settled(chosen, known);
    if (place.low === known.length) return { verdict: 'linearizable', looked };
    const mark = `${place.low} ${place.ahead.join()} ${place.taken.join()} ${place.value}`;
    if (seen.has(mark)) continue;
    seen.add(mark);
    looked += 1;
    if (looked > most) return { verdict: 'undecided', looked };
    if (furthest === undefined || placed(place) > placed(furthest)) furthest = place;
    frames.push({ choices: choicesAt(place, known, unknown), next: 0 });
  }
  return { verdict: 'not-linearizable', looked, clash: clashAt(cell, furthest, known) };
}

function moveOf(cell: string, operation: Operation): Move | undefined {
  const { asked, response, began } = operation;
  const isRead = response?.kind === 'cells' || response?.kind === 'missed';
  const move = (after: Move['after']) => ({ operation, began, ended: endOf(operation), after, isRead });
  if (asked.kind === 'write' || asked.kind === 'swap') {
    if (asked.cell !== cell || response?.kind === 'refused') return undefined;
    return move(value => {
      const stepped = step(value, asked);
      return response === undefined || response.kind === stepped.kind ? stepped.value : undefined;
    });
  }
  if (response?.kind !== 'cells') return undefined;
  const read = response.cells.get(cell);
  return move(value => (value === read ? value : undefined));
}

/** Places all reads that can be next: whatever follows, they may come first. */
function settled(place: Place, known: readonly Move[]): Place {
  let { low } = place;
  const ahead = new Set(place.ahead);
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (const i of nextOf(low, ahead, known).candidates) {
      if (!known[i]?.isRead || known[i]?.after(place.value) === undefined) continue;
      ahead.add(i);
      isMore = true;
    }
    for (; ahead.has(low); low += 1) ahead.delete(low);
  }
  return { ...place, low, ahead: [...ahead].sort((a, b) => a - b) };
}

/** The unplaced operations that may be next: those begun before any of the others was over, which is at `limit`. */
function nextOf(low: number, ahead: ReadonlySet<number>, known: readonly Move[]) {
  let limit = Number.POSITIVE_INFINITY;
  const began: number[] = [];
  for (let i = low; i < known.length; i += 1) {
    const move = known[i];
    if (move === undefined || move.began > limit) break;
    if (ahead.has(i)) continue;
    began.push(i);
    limit = Math.min(limit, move.ended);
  }
  return { candidates: began.filter(i => (known[i]?.began ?? 0) < limit), limit };
}

/** Those with unknown outcome come last: most of the time they are not needed. */
function choicesAt(
  { low, ahead, taken, value }: Place,
  known: readonly Move[],
  unknown: readonly Move[],
): readonly Place[] {
  const { candidates, limit } = nextOf(low, new Set(ahead), known);
  const soonest = candidates.sort((a, b) => (known[a]?.ended ?? 0) - (known[b]?.ended ?? 0));
  const sure = soonest.flatMap(i => {
    const after = known[i]?.after(value);
    return after === undefined ? [] : [{ low, ahead: [...ahead, i].sort((a, b) => a - b), taken, value: after }];
  });
  const unsure = unknown.flatMap((move, i) => {
    const after = move.began < limit && !taken.includes(i) ? move.after(value) : undefined;
    if (after === undefined || after === value) return [];
    return [{ low, ahead, taken: [...taken, i].sort((a, b) => a - b), value: after }];
  });
  return [...sure, ...unsure];
}

function placed({ low, ahead }: Place): number {
  return low + ahead.length;
}

function clashAt(cell: string, place: Place | undefined, known: readonly Move[]): string {
  if (place === undefined) return `${cell}: nothing can be first`;
  const { candidates } = nextOf(place.low, new Set(place.ahead), known);
  const views = candidates.map(i => known[i]).map(move => (move === undefined ? '' : seenBy(cell, move)));
  return `${cell}: after ${placed(place)} operations its value can be "${place.value}", and none of these can be next: ${views.join('; ')}`;
}

function seenBy(cell: string, { operation }: Move): string {
  const { response } = operation;
  return response?.kind === 'cells' ? `${tell(operation)} which saw "${response.cells.get(cell)}"` : tell(operation);
}
