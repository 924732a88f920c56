// Commits changes of sandboxes: decides on the current state, appends to the store, applies, and adds the journal entry. If the store answers at once,
// so does a commit. Otherwise commits that arrive during an append go into the next one together, and they are decided again if another process was
// faster.
import type { Readings } from '../../operations/gaps/gaps.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import type { Reach } from '../sandbox/history.js';
import { type Committed, type Present, readingsIn, type SandboxDecision } from '../sandbox/sandbox-decision.js';
import { advanceAll, type Change, type Checkpoint, type SandboxRecord, type State } from '../sandbox/state.js';
import { type Appended, type Head, type OrLater, StoreError } from '../store.js';
import { type CachedSandbox, isReset, type SandboxStore } from './cached-sandbox.js';
import type { MemoryBudget } from './memory-budget.js';
import type { Observer } from './observer.js';
import type { SandboxCache } from './sandbox-cache.js';

type Decide<T> = (present: Present) => SandboxDecision<T>;

/** Maximum lost races of a change. */
const MAX_TRIES = 100;

/** Maximum decisions in one append. */
const MAX_TOGETHER = 256;

interface Job {
  readonly decide: Decide<unknown>;
  readonly done: (committed: Committed<unknown> | 'gone') => void;
  readonly failed: (error: unknown) => void;
}

export class Committer {
  /** The commits that wait for the append of their sandbox. */
  readonly #waiting = new Map<CachedSandbox, Job[]>();

  constructor(
    private readonly store: SandboxStore,
    private readonly cache: SandboxCache,
    private readonly memory: MemoryBudget,
    private readonly observer: Observer | undefined,
  ) {}

  /** `gone`: the sandbox was dropped. Throws or rejects with what `decide` throws, or with a `StoreError`; then nothing has changed. */
  commit<T>(sandbox: CachedSandbox, decide: Decide<T>): OrLater<Committed<T> | 'gone'> {
    this.cache.makeRoom(sandbox);
    const waiting = this.#waiting.get(sandbox);
    if (waiting !== undefined) return new Promise((done, failed) => waiting.push({ decide, done, failed } as Job)); // `done` gets the result of `decide`
    const draft = new Draft(sandbox, this.memory);
    const committed = draft.add(decide);
    if (draft.records.length === 0) return committed;
    const appended = this.store.append(sandbox.name, sandbox.head, draft.records);
    if (appended instanceof Promise)
      return new Promise((done, failed) => {
        const jobs = [{ decide, done, failed } as Job];
        void this.#commitAll(sandbox, jobs, { draft, results: [committed], appended });
      });
    if (appended !== 'gone' && 'behind' in appended)
      throw new Error(`sandbox ${sandbox.name} has two writers in this process`);
    if (appended !== 'gone') sandbox.append(draft.records, draft.states, appended.head);
    this.#follow(sandbox, appended === 'gone');
    if (appended === 'gone') return 'gone';
    void this.#compact(sandbox);
    return committed;
  }

  /** The sandbox has changed, or is gone: the cache follows. */
  #follow(sandbox: CachedSandbox, isGone: boolean): void {
    if (isGone) this.cache.leave(sandbox, this.cache.whyGone(sandbox));
    else {
      this.memory.update(sandbox);
      this.cache.makeRoom(sandbox);
    }
  }

  /** Commits jobs, whose first append may be under way, and those that arrive meanwhile. */
  async #commitAll(sandbox: CachedSandbox, first: readonly Job[], underWay: UnderWay): Promise<void> {
    const waiting: Job[] = [];
    this.#waiting.set(sandbox, waiting);
    let jobs = first;
    let begun: UnderWay | undefined = underWay;
    while (jobs.length > 0) {
      try {
        await this.#commitTogether(sandbox, jobs, begun);
      } catch (error) {
        for (const { failed } of jobs) failed(error);
      }
      begun = undefined;
      jobs = waiting.splice(0, MAX_TOGETHER);
    }
    this.#waiting.delete(sandbox);
  }

  async #commitTogether(sandbox: CachedSandbox, jobs: readonly Job[], begun: UnderWay | undefined): Promise<void> {
    let next = begun;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { head } = sandbox;
      const { draft, results, appended } = next ?? this.#append(sandbox, jobs);
      const outcome = await appended;
      if (typeof outcome === 'object' && 'behind' in outcome) {
        sandbox.catchUp(outcome.behind);
        next = undefined;
        continue;
      }
      if (outcome !== 'gone' && draft.records.length > 0) {
        if (sandbox.head === head) sandbox.append(draft.records, draft.states, outcome.head);
        else await this.#catchUp(sandbox); // it was read meanwhile, and may be partly known
      }
      this.#follow(sandbox, outcome === 'gone');
      for (const [i, { done }] of jobs.entries()) {
        const result = results[i];
        if (result !== undefined) done(outcome === 'gone' ? 'gone' : result);
      }
      return this.#compact(sandbox);
    }
    throw new StoreError('busy', `sandbox ${sandbox.name} changed ${MAX_TRIES} times while one change was decided`);
  }

  #append(sandbox: CachedSandbox, jobs: readonly Job[]): UnderWay {
    const draft = new Draft(sandbox, this.memory);
    const results = jobs.map(({ decide, failed }) => {
      try {
        return draft.add(decide);
      } catch (error) {
        failed(error); // the others go on
        return undefined;
      }
    });
    const { head, name } = sandbox;
    return {
      draft,
      results,
      appended: draft.records.length === 0 ? { head } : this.store.append(name, head, draft.records),
    };
  }

  async #catchUp(sandbox: CachedSandbox): Promise<void> {
    try {
      const tail = await this.store.since(sandbox.name, sandbox.head);
      if (tail?.head.log === sandbox.head.log) sandbox.catchUp(tail);
    } catch (error) {
      this.observer?.troubled(error);
    }
  }

  /** Shortens the log if it is too long. */
  #compact(sandbox: CachedSandbox): OrLater<void> {
    const { surplus, head } = sandbox;
    if (surplus === undefined) return;
    const compacted = (outcome: Head | 'behind' | 'gone') => {
      if (typeof outcome === 'object' && sandbox.head === head) sandbox.compacted(outcome);
    };
    try {
      const outcome = this.store.compact(sandbox.name, head, surplus);
      if (outcome instanceof Promise) return outcome.then(compacted).catch(error => this.observer?.troubled(error));
      compacted(outcome);
    } catch (error) {
      this.observer?.troubled(error);
    }
  }
}

/** Decided commits, and the response of the store. */
interface UnderWay {
  readonly draft: Draft;
  /** `undefined`: the decision failed. */
  readonly results: ReadonlyArray<Committed<unknown> | undefined>;
  readonly appended: OrLater<Appended<Checkpoint, SandboxRecord>>;
}

/** Consecutive decisions before any of them is appended. */
class Draft implements Present {
  readonly records: SandboxRecord[] = [];
  /** The states after the records. */
  readonly states: State[] = [];
  /** Those of new versions. */
  readonly #versions: State[] = [];
  state: State;
  readings: Readings;
  #lastId: number;

  constructor(
    private readonly sandbox: CachedSandbox,
    private readonly memory: MemoryBudget,
  ) {
    this.state = sandbox.state;
    this.readings = sandbox.readings;
    this.#lastId = sandbox.journal.lastId;
  }

  get key(): string {
    return this.sandbox.key;
  }

  get version(): number {
    return this.sandbox.version + this.#versions.length;
  }

  get history(): Reach {
    const { history } = this.sandbox;
    const versions = this.#versions;
    if (versions.length === 0) return history;
    const at = (version: number) => (version > history.to ? versions[version - history.to - 1] : history.at(version));
    return { from: history.from, to: history.to + versions.length, at };
  }

  /** Adds a decision. Throws if it fails, or if there is no memory for it. */
  add<T>(decide: Decide<T>): Committed<T> {
    const { changes, result, entry, isClearing } = decide(this);
    if (changes.length > 0) this.#advance(changes);
    const { version } = this;
    if (changes.length === 0 && entry === undefined && isClearing === undefined) return { result, version, entry: 0 };
    if (entry !== undefined) this.#lastId += 1;
    const id = entry === undefined ? 0 : this.#lastId;
    this.records.push(recordOf(changes, entry?.(id, version), isClearing));
    this.states.push(this.state);
    return { result, version, entry: id };
  }

  #advance(changes: readonly Change[]): void {
    const { state: before, sandbox } = this;
    const state = this.memory.admit(sandbox.name, before, advanceAll(before, changes, this.history));
    this.#versions.push(state);
    this.state = state;
    if (state.readings !== before.readings) this.readings = readingsIn(state, sandbox.server);
    if (changes.some(isReset)) this.#lastId = 0;
  }
}

/** Spreading would be slow here. */
function recordOf(changes: readonly Change[], entry: JournalEntry | undefined, isClearing?: true): SandboxRecord {
  if (isClearing) return changes.length > 0 ? { changes, isClearing } : { isClearing };
  if (entry === undefined) return { changes };
  return changes.length > 0 ? { changes, entry } : { entry };
}
