// Commits changes of sandboxes, those of one sandbox in a queue: decides on the current state, appends to the store, applies, and adds the journal entry.
// If another process was faster, it catches up and decides again.

import { bytesIn, recordsIn } from '../../domain/world/world-size.js';
import type { Committed, CurrentSandbox, SandboxDecision } from '../sandbox/sandbox-decision.js';
import { advanceAll, type State } from '../sandbox/state.js';
import { StoreError } from '../store.js';
import { type CachedSandbox, isReset, type SandboxStore } from './cached-sandbox.js';
import type { Observer } from './observer.js';
import type { SandboxCache } from './sandbox-cache.js';

type Decide<T> = (present: CurrentSandbox) => SandboxDecision<T>;

/** Maximum lost races of a change. */
const MAX_TRIES = 100;
/** Records between two looks at the length of a log, unless its versions count more bytes than these. */
const LOOK_EVERY = 16;
const MUCH = 4 * 1024 * 1024;

export class Committer {
  /** Settles when all changes of a sandbox until now are done. */
  readonly #queues = new WeakMap<CachedSandbox, Promise<void>>();
  readonly #troubled = (error: unknown) => this.observer?.troubled(error);

  constructor(
    private readonly store: SandboxStore,
    private readonly cache: SandboxCache,
    /** Maximum records of a sandbox beyond those of its scenario. */
    private readonly maxRecords: number,
    private readonly observer: Observer | undefined,
  ) {}

  /** `gone`: the sandbox was dropped. Rejects with what `decide` throws, or with a `StoreError`; then nothing has changed. */
  commit<T>(sandbox: CachedSandbox, decide: Decide<T>): Promise<Committed<T> | 'gone'> {
    const earlier = this.#queues.get(sandbox) ?? Promise.resolve();
    const committed = earlier.then(() => this.#commit(sandbox, decide));
    const shortened = () => (isLong(sandbox) ? this.#compact(sandbox).catch(this.#troubled) : undefined);
    this.#queues.set(sandbox, committed.then(shortened, nothing)); // the caller gets the error
    return committed;
  }

  async #commit<T>(sandbox: CachedSandbox, decide: Decide<T>): Promise<Committed<T> | 'gone'> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { name, head, state: before, history, journal } = sandbox;
      const { changes, result, entry, isClearing } = decide(sandbox);
      const isChanging = changes.length > 0;
      const version = sandbox.version + (isChanging ? 1 : 0);
      if (!isChanging && entry === undefined && !isClearing) return { result, version, entry: 0 };
      const after = isChanging ? advanceAll(before, changes, history) : before;
      if (isChanging) this.#requireRoom(name, before, after);
      const id = entry === undefined ? 0 : 1 + (changes.some(isReset) ? 0 : journal.lastId);
      const record = { changes: isChanging ? changes : undefined, isClearing, entry: entry?.(id, version) };

      const appended = await this.store.append(name, head, [record]);
      if (appended === 'gone') {
        this.cache.leave(sandbox, this.cache.whyGone(sandbox));
        return 'gone';
      }
      if ('behind' in appended) {
        sandbox.catchUp(appended.behind);
        continue;
      }
      if (sandbox.head === head) sandbox.append(record, after, appended.head);
      else await this.#catchUp(sandbox).catch(this.#troubled); // it was read meanwhile, and the record may be known
      this.cache.makeRoom(sandbox);
      return { result, version, entry: id };
    }
    throw new StoreError('busy', `sandbox ${sandbox.name} changed ${MAX_TRIES} times while one change was decided`);
  }

  /** Throws a `StoreError` if the sandbox may not grow to a state. */
  #requireRoom(name: string, before: State, after: State): void {
    const records = recordsIn(after.world) - recordsIn(after.origin.world);
    if (records > this.maxRecords && recordsIn(after.world) > recordsIn(before.world))
      throw new StoreError(
        'limit',
        `the sandbox ${name} would have ${records} records more than its scenario, but --max-sandbox allows ${this.maxRecords}: delete some, or reset it`,
      );
    const isGrowing =
      bytesIn(after.world) > bytesIn(before.world) || (after.snapshots?.size ?? 0) > (before.snapshots?.size ?? 0);
    if (!isGrowing || !this.cache.isFull) return;
    const { used, limit } = this.cache.memory;
    throw new StoreError(
      'limit',
      `the sandboxes of this server use ${mebibytes(used)}, but --max-memory allows ${mebibytes(limit)}: reset or drop some`,
    );
  }

  async #catchUp(sandbox: CachedSandbox): Promise<void> {
    const tail = await this.store.since(sandbox.name, sandbox.head);
    if (tail?.head.log === sandbox.head.log) sandbox.catchUp(tail);
  }

  /** Shortens the log if it is worth the effort. */
  async #compact(sandbox: CachedSandbox): Promise<void> {
    const { head, surplus } = sandbox;
    if (surplus === undefined) return;
    const compacted = await this.store.compact(sandbox.name, head, surplus);
    if (typeof compacted === 'object' && sandbox.head === head) sandbox.compacted(compacted);
  }
}

function nothing(): void {}

/** Whether the log of a sandbox may be too long. */
function isLong({ head, history }: CachedSandbox): boolean {
  return head.last % LOOK_EVERY === 0 || history.bytes >= MUCH;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 102.4) / 10} MiB`;
}
