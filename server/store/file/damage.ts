// Finds the sandboxes of a database that are not as they were written.
import { StoreError } from '../../engine/store.js';
import {
  baseKey,
  COUNT_KEY,
  type Damage,
  type DatabaseOperation,
  headKey,
  type LogEnd,
  put,
  unseal,
} from './records.js';

export class FoundDamage {
  readonly sandboxes = new Map<string, LogEnd | Damage>();
  /** What is to be stored instead of newly found damaged sandboxes. */
  readonly marks: DatabaseOperation[] = [];
  readonly #parts = new Set<string>();
  /** Numbers of bases and records. */
  readonly #counts = new Map<string, number>();
  #hasUnreadable = false;
  #count: number | undefined;

  constructor(
    private readonly folder: string,
    private readonly format: number,
  ) {}

  /** Adds a record. Call in the order of keys. Throws a `StoreError` if another version of this program has written it. */
  add(key: string, value: string): void {
    const text = unseal(key, value);
    const [kind, name = ''] = key.split('!');
    if (text === undefined) this.#hasUnreadable = true;
    else if (key === COUNT_KEY) this.#count = Number(text);
    else if (kind === 'p') this.#parts.add(name);
    else if (kind === 'h') this.sandboxes.set(name, this.#own(JSON.parse(text) as LogEnd | Damage));
    else if (isIn(this.sandboxes.get(name), name, key)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    else this.#damage(name, 'its latest version cannot be read');
  }

  /** Compares the records with the ends of logs, and with the log of LevelDB if a part of it was skipped. Throws if the damage may be anywhere. */
  settle(skippedLog: string, isNew: boolean): void {
    const ends = [...this.sandboxes].flatMap(([sandbox, end]) => (isWhole(end) ? [[sandbox, end] as const] : []));
    for (const [sandbox, { head, part }] of ends) {
      const records = 1 + head.last - head.from;
      const missing = records - (this.#counts.get(sandbox) ?? 0);
      if (missing > 0) this.#damage(sandbox, `${missing} of its ${records} records cannot be read`);
      else if (part !== undefined && !this.#parts.has(part)) this.#damage(sandbox, 'its first state cannot be read');
    }
    for (const sandbox of lostIn(skippedLog, new Map(ends))) this.#damage(sandbox, 'its latest changes cannot be read');
    if (this.#hasUnreadable && this.marks.length === 0)
      throw new Error('some records are damaged, and nothing says whose they are');
    const { size } = this.sandboxes;
    if (this.#count === undefined && !isNew) throw new Error('the number of sandboxes is missing');
    if (size < (this.#count ?? 0)) throw new Error(`only ${size} of ${this.#count} sandboxes are there`);
  }

  /** Whether a record is sound, and not of a damaged log. Parts of worlds stay, though perhaps no log needs them any more. */
  isKept(key: string, value: string): boolean {
    const [kind, name = ''] = key.split('!');
    return unseal(key, value) !== undefined && (kind !== 's' || isWhole(this.sandboxes.get(name)));
  }

  #own(stored: LogEnd | Damage): LogEnd | Damage {
    if (!isWhole(stored) || stored.format === this.format) return stored;
    throw new StoreError(
      'format',
      `The sandboxes in ${this.folder} have format ${stored.format}, and this version of cwx-fake reads format ${this.format}: use the version that wrote them, or another folder`,
    );
  }

  /** The first damage counts. */
  #damage(sandbox: string, damage: string): void {
    const known = this.sandboxes.get(sandbox);
    if (known !== undefined && !isWhole(known)) return;
    this.sandboxes.set(sandbox, { damage });
    this.marks.push(put(headKey(sandbox), JSON.stringify({ damage } satisfies Damage)));
  }
}

export function isWhole(end: LogEnd | Damage | undefined): end is LogEnd {
  return end !== undefined && 'head' in end;
}

/** Whether a log with this end includes the base or record of a key. */
function isIn(end: LogEnd | Damage | undefined, sandbox: string, key: string): boolean {
  if (!isWhole(end)) return false;
  const [, , log, kind, number] = key.split('!');
  const { head } = end;
  if (kind === 'b') return key === baseKey(sandbox, head, head.base);
  return log === head.log && Number(number) > head.from && Number(number) <= head.last;
}

/** The sandboxes that have other changes in the log of LevelDB than in the database. */
function lostIn(levelLog: string, ends: ReadonlyMap<string, LogEnd>): Set<string> {
  const known = new Map([...ends].map(([sandbox, { head }]) => [head.log, { sandbox, last: head.last }]));
  const dropped = new Set([...levelLog.matchAll(/d![\w.-]{1,64}!([\w-]{1,64})!/g)].map(([, log]) => log));
  const lost = new Set<string>();
  for (const [, sandbox = '', log = '', number] of levelLog.matchAll(/s!([\w.-]{1,64})!([\w-]{1,64})![br]!(\d{16})/g)) {
    const kept = known.get(log);
    if (kept === undefined ? !dropped.has(log) && !ends.has(sandbox) : dropped.has(log) || Number(number) > kept.last)
      lost.add(kept?.sandbox ?? sandbox);
  }
  return lost;
}
