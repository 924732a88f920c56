// Checks that the history of a sandbox is linearizable: its journal is an order of all changes, and every read has a place in that order.

/** Named values of a sandbox, such as a link of a sidebar. */
export type Cells = Readonly<Record<string, string>>;

export interface Change {
  readonly cell: string;
  /** It is only done if the cell has this value. Absent: always. */
  readonly from?: string;
  readonly to: string;
}

/** A request, a change or a read, with its response. */
export interface Operation {
  /** Unique. */
  readonly tag: string;
  readonly change?: Change;
  /** By one clock. */
  readonly began: number;
  /** Absent: without a clear response. It may have been done, then or at any later time, or never. */
  readonly ended?: number;
  /** Of a change: the number of its journal entry, and whether it was done. */
  readonly entry?: number;
  readonly isDone?: boolean;
  /** Of a read. */
  readonly cells?: Cells;
}

/** A change as the journal records it. */
export interface Entry {
  readonly id: number;
  readonly tag: string;
  readonly isDone: boolean;
  readonly before: number;
  readonly version: number;
}

/** Each finding as a sentence; empty: it is linearizable. */
export function check(initial: Cells, operations: readonly Operation[], journal: readonly Entry[]): readonly string[] {
  const { findings, states, placed } = replay(initial, operations, journal);
  for (const { tag, entry, isDone } of operations) {
    if (entry === undefined) continue;
    const written = journal[entry - 1];
    if (written?.tag !== tag) findings.push(`${tag} was acknowledged as entry ${entry}, which is ${written?.tag}`);
    else if (written.isDone !== isDone)
      findings.push(`${tag} was acknowledged with another outcome than its entry has`);
  }
  return [...findings, ...misplacedReads(operations, states, placed)];
}

/** An operation with its place in the order: the number of entries until then, its own included. */
interface Placed extends Operation {
  readonly place: number;
}

/** Applies the journal to the model, and compares both. `states`: the cells after each number of entries. */
function replay(initial: Cells, operations: readonly Operation[], journal: readonly Entry[]) {
  const findings: string[] = [];
  const states: Cells[] = [initial];
  const placed = new Map<string, Placed>();
  const asked = new Map(operations.map(operation => [operation.tag, operation]));
  let latest: Placed | undefined;
  let version = journal[0]?.before ?? 0;
  for (const [i, { id, tag, isDone, before, version: after }] of journal.entries()) {
    const cells = states[i] ?? {};
    states.push(cells);
    const operation = asked.get(tag);
    const { change } = operation ?? {};
    if (id !== i + 1) findings.push(`entry ${id} is at place ${i + 1}`);
    if (placed.has(tag)) findings.push(`${tag} was applied twice, as entries ${placed.get(tag)?.place} and ${id}`);
    if (operation === undefined || change === undefined) {
      findings.push(`entry ${id} is ${tag}, which is no change that was asked for`);
      continue;
    }
    const place = { ...operation, place: i + 1 };
    placed.set(tag, place);
    if (latest !== undefined && endOf(operation) < latest.began)
      findings.push(
        `entry ${latest.place} (${latest.tag}) comes before entry ${id} (${tag}), and began when that was over`,
      );
    if (latest === undefined || operation.began > latest.began) latest = place;
    const fits = change.from === undefined || cells[change.cell] === change.from;
    if (fits) states[i + 1] = { ...cells, [change.cell]: change.to };
    if (fits !== isDone)
      findings.push(
        `entry ${id} (${tag}) was ${isDone ? '' : 'not '}done, and ${change.cell} was "${cells[change.cell]}"`,
      );
    if (before !== version) findings.push(`entry ${id} (${tag}) was decided on version ${before}, not on ${version}`);
    version += fits ? 1 : 0;
    if (after !== version) findings.push(`entry ${id} (${tag}) left version ${after}, not ${version}`);
  }
  return { findings, states, placed: [...placed.values()] };
}

/** Reads are placed as early as possible, in the order of their beginnings: if any placement exists, this one does. */
function misplacedReads(
  operations: readonly Operation[],
  states: readonly Cells[],
  changes: readonly Placed[],
): string[] {
  const findings: string[] = [];
  const over = [...changes];
  const reads = operations.filter(({ cells }) => cells !== undefined).sort((a, b) => a.began - b.began);
  for (const read of reads) {
    const first = Math.max(0, ...over.filter(other => endOf(other) < read.began).map(({ place }) => place));
    const end = Math.min(
      states.length,
      ...changes.filter(({ began }) => began > endOf(read)).map(({ place }) => place),
    );
    const found = states.slice(first, end).findIndex(cells => isSame(cells, read.cells ?? {}));
    if (found === -1)
      findings.push(
        `${read.tag} read ${JSON.stringify(read.cells)}, which was never so from entry ${first} to ${end - 1}`,
      );
    else over.push({ ...read, place: first + found });
  }
  return findings;
}

function endOf({ ended }: Operation): number {
  return ended ?? Number.POSITIVE_INFINITY;
}

function isSame(one: Cells, other: Cells): boolean {
  return Object.keys(one).every(cell => one[cell] === other[cell]);
}
