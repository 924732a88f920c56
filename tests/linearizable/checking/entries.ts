// Checks the journal as an order of all changes of a sandbox: complete, each change once, and each result as in the model
// and as answered.
import { type Change, step } from './cell.js';
import { endOf, type Operation, type SandboxHistory, tell, type Written } from './history.js';

/** The values of a cell from one place of the order on; place 0 is before the first entry. */
export interface Values {
  readonly from: readonly number[];
  readonly values: readonly string[];
}

/** One entry with its change. */
export interface Placed extends Written {
  readonly operation: Operation;
}

export interface Order {
  /** By number, without gaps: number n is at n - 1. */
  readonly entries: readonly Placed[];
  readonly cells: ReadonlyMap<string, Values>;
  /** The version at each place. */
  readonly versions: readonly number[];
  readonly findings: readonly string[];
}

interface GrowingValues {
  readonly from: number[];
  readonly values: string[];
}

/** An error ends the order if the rest would mean nothing. */
export function orderOf(history: SandboxHistory): Order {
  const findings: string[] = [];
  const entries = wholeEntries(history, findings);
  findings.push(...unkeptResponses(history, entries), ...reorderings(entries));
  return { entries, ...replayed(history, entries, findings), findings };
}

function wholeEntries({ sandbox, written, operations }: SandboxHistory, findings: string[]): readonly Placed[] {
  const asked = new Map(operations.map(operation => [operation.tag, operation]));
  const byId = new Map<number, Placed>();
  const byTag = new Map<string, Placed>();
  for (const entry of written) {
    const operation = asked.get(entry.tag);
    if (operation === undefined) {
      findings.push(`${sandbox}: entry ${entry.id} tells of ${entry.tag}, which nobody asked for`);
      continue;
    }
    const known = byId.get(entry.id);
    if (known !== undefined && !isSame(known, entry))
      findings.push(`${sandbox}: entry ${entry.id} is reported as ${show(known)} and as ${show(entry)}`);
    if (known !== undefined) continue;
    const other = byTag.get(entry.tag);
    if (other !== undefined)
      findings.push(`${sandbox}: applied twice, as entries ${other.id} and ${entry.id}: ${tell(operation)}`);
    const placed = { ...entry, operation };
    byId.set(entry.id, placed);
    byTag.set(entry.tag, placed);
  }
  const entries = [...byId.values()].sort((a, b) => a.id - b.id);
  const hole = entries.findIndex(({ id }, i) => id !== i + 1);
  if (hole === -1) return entries;
  findings.push(`${sandbox}: there is no entry ${hole + 1}, and there is an entry ${entries[hole]?.id}`);
  return entries.slice(0, hole);
}

/** Acknowledged changes that are missing or different in the journal. */
function unkeptResponses({ sandbox, operations }: SandboxHistory, entries: readonly Placed[]): string[] {
  const done = new Map(entries.map(entry => [entry.tag, entry]));
  return operations.flatMap(operation => {
    const { response } = operation;
    const refused = response?.kind === 'refused' ? done.get(operation.tag) : undefined;
    if (refused !== undefined) return [`${sandbox}: done as entry ${refused.id}: ${tell(operation)}`];
    if (response?.kind !== 'done' && response?.kind !== 'missed') return [];
    const entry = entries[response.entry - 1];
    if (entry === undefined)
      return [`${sandbox}: lost, the journal ends with entry ${entries.length}: ${tell(operation)}`];
    if (entry.tag !== operation.tag)
      return [`${sandbox}: entry ${entry.id} is that of ${tell(entry.operation)}, and also that of ${tell(operation)}`];
    if (entry.kind === response.kind) return [];
    return [`${sandbox}: entry ${entry.id} says ${entry.kind}: ${tell(operation)}`];
  });
}

/** Entries that come before one whose operation was over when theirs began. */
function reorderings(entries: readonly Placed[]): string[] {
  const found: string[] = [];
  let latest: Placed | undefined;
  for (const entry of entries) {
    if (latest !== undefined && endOf(entry.operation) < latest.operation.began)
      found.push(
        `entry ${latest.id} comes before entry ${entry.id}, and began when that was over: ${tell(latest.operation)}, ${tell(entry.operation)}`,
      );
    if (latest === undefined || entry.operation.began > latest.operation.began) latest = entry;
  }
  return found;
}

function replayed({ sandbox, cells }: SandboxHistory, entries: readonly Placed[], findings: string[]) {
  const all = new Map<string, GrowingValues>([...cells].map(([cell, value]) => [cell, { from: [0], values: [value] }]));
  const versions = [entries[0]?.before ?? 0];
  for (const { id, kind, before, version, operation } of entries) {
    const asked = operation.asked as Change; // only changes are recorded, as the tags of the entries were compared
    const values = all.get(asked.cell);
    const value = values?.values.at(-1);
    if (values === undefined || value === undefined) {
      versions.push(version);
      findings.push(`${sandbox}: nobody knows the cell of ${tell(operation)}`);
      continue;
    }
    const stepped = step(value, asked);
    const which = `${sandbox}: entry ${id}, ${tell(operation)}`;
    if (stepped.kind !== kind)
      findings.push(`${which} says ${kind}, and ${asked.cell} was "${value}" since entry ${values.from.at(-1)}`);
    if (before !== versions.at(-1))
      findings.push(`${which} was decided on version ${before}, and the entry before left version ${versions.at(-1)}`);
    if (version - before !== (stepped.value === value ? 0 : 1))
      findings.push(
        `${which} takes version ${before} to ${version}, and the cell from "${value}" to "${stepped.value}"`,
      );
    versions.push(version);
    if (stepped.value === value) continue;
    values.from.push(id);
    values.values.push(stepped.value);
  }
  return { cells: all, versions };
}

function isSame(a: Written, b: Written): boolean {
  return a.tag === b.tag && a.kind === b.kind && a.before === b.before && a.version === b.version;
}

function show({ tag, kind, before, version }: Written): string {
  return `${tag} ${kind} ${before} to ${version}`;
}
