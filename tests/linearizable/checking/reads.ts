// Checks that every read has a place in the order of the journal: after everything over when it began, before everything begun when it was over,
// and where the sandbox had the values it read.
import type { Order, Placed, Values } from './entries.js';
import { endOf, type Operation, tell } from './history.js';

/** The place of one event in the order. */
interface Mark {
  readonly at: number;
  readonly place: number;
  readonly operation: Operation;
}

/** Reads are placed as early as possible, in the order of their beginnings: if any placement exists, this one does. */
export function misplacedReads(sandbox: string, order: Order, operations: readonly Operation[]): string[] {
  const reads = operations
    .filter(({ response }) => response?.kind === 'cells' || response?.kind === 'number')
    .sort((a, b) => a.began - b.began);
  const byEnd = [...reads].sort((a, b) => endOf(a) - endOf(b));
  const over = new Overs(order.entries);
  const beginning = new Beginnings(order.entries);
  const places = new Map<Operation, number>();
  const findings: string[] = [];
  let earlier: Mark | undefined;
  let next = 0;
  for (const read of reads) {
    for (let other = byEnd[next]; other !== undefined && endOf(other) < read.began; other = byEnd[next]) {
      const place = places.get(other) ?? 0;
      if (earlier === undefined || place > earlier.place) earlier = { at: endOf(other), place, operation: other };
      next += 1;
    }
    const written = over.before(read.began);
    const least = (earlier?.place ?? 0) > (written?.place ?? 0) ? earlier : written;
    const most = beginning.after(endOf(read));
    const last = most === undefined ? order.entries.length : most.place - 1;
    const place = firstPlace(read, order, least?.place ?? 0, last);
    if (place !== undefined) places.set(read, place);
    else findings.push(`${sandbox}: ${whyNot(read, order, least, most, last)}`);
  }
  return findings;
}

/** The changes by their ends, each with the last place of all that were over by then. */
class Overs {
  readonly #marks: readonly Mark[];

  constructor(entries: readonly Placed[]) {
    const byEnd = entries.filter(({ operation }) => operation.ended !== undefined);
    byEnd.sort((a, b) => endOf(a.operation) - endOf(b.operation));
    let last: Placed | undefined;
    this.#marks = byEnd.map(entry => {
      if (last === undefined || entry.id > last.id) last = entry;
      return { at: endOf(entry.operation), place: last.id, operation: last.operation };
    });
  }

  before(moment: number): Mark | undefined {
    return this.#marks[countBelow(this.#marks.length, i => (this.#marks[i]?.at ?? 0) < moment) - 1];
  }
}

/** The changes by their beginnings, each with the first place of all that began since. */
class Beginnings {
  readonly #marks: readonly Mark[];

  constructor(entries: readonly Placed[]) {
    const byBeginning = [...entries].sort((a, b) => b.operation.began - a.operation.began);
    let first: Placed | undefined;
    const marks = byBeginning.map(entry => {
      if (first === undefined || entry.id < first.id) first = entry;
      return { at: entry.operation.began, place: first.id, operation: first.operation };
    });
    this.#marks = marks.reverse();
  }

  after(moment: number): Mark | undefined {
    return this.#marks[countBelow(this.#marks.length, i => (this.#marks[i]?.at ?? 0) < moment)];
  }
}

/** The first place from `least` to `last` at which the sandbox had the values it read. */
function firstPlace({ asked, response }: Operation, order: Order, least: number, last: number): number | undefined {
  if (response?.kind === 'cells') return placeOfCells(response.cells, order, least, last);
  if (response?.kind !== 'number') return undefined;
  for (let place = least; place <= last; place += 1)
    if ((asked.kind === 'recall' ? place : order.versions[place]) === response.number) return place;
  return undefined;
}

function placeOfCells(
  cells: ReadonlyMap<string, string>,
  order: Order,
  least: number,
  last: number,
): number | undefined {
  let place = least;
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (const [cell, value] of cells) {
      const next = placeOfValue(order.cells.get(cell), value, place, last);
      if (next === undefined) return undefined;
      if (next > place) isSettled = false;
      place = next;
    }
  }
  return place;
}

/** The first place from `least` to `last` at which a cell had a value. */
function placeOfValue(values: Values | undefined, value: string, least: number, last: number): number | undefined {
  if (values === undefined) return undefined;
  const { from } = values;
  const first = countBelow(from.length, i => (from[i] ?? 0) <= least) - 1;
  for (let i = first; i < from.length && (from[i] ?? 0) <= last; i += 1)
    if (values.values[i] === value) return Math.max(least, from[i] ?? 0);
  return undefined;
}

function whyNot(read: Operation, order: Order, least: Mark | undefined, most: Mark | undefined, last: number): string {
  const { response } = read;
  const bounds = [
    least === undefined ? '' : `began when place ${least.place} was reached by ${tell(least.operation)}`,
    most === undefined ? '' : `was over when entry ${most.place} began: ${tell(most.operation)}`,
  ];
  const when = bounds.filter(text => text !== '').join('; it ');
  if (response?.kind !== 'cells') return `${tell(read)} ${when}`;
  const odd = [...response.cells].flatMap(([cell, value]) => {
    if (placeOfValue(order.cells.get(cell), value, least?.place ?? 0, last) !== undefined) return [];
    return [`${cell} = "${value}"${lastTime(order.cells.get(cell), value)}`];
  });
  const saw = odd.length > 0 ? odd.join(', ') : 'cells that were never so together';
  return `${tell(read)} saw ${saw}; it ${when}`;
}

function lastTime(values: Values | undefined, value: string): string {
  const i = values?.values.lastIndexOf(value) ?? -1;
  if (values === undefined || i === -1) return ' (which it never was)';
  const until = values.from[i + 1];
  return ` (so from entry ${values.from[i]}${until === undefined ? ' on' : ` to entry ${until}`})`;
}

/** How many of the first `n` satisfy the condition; those that do come first. */
function countBelow(length: number, holds: (i: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
