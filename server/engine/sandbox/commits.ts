// Decides changes of one sandbox and appends them in order. Changes that arrive during an append go into the next one together; if another process
// was faster, they are decided again.

import type { JournalEntry, NewJournalEntry } from '../journal/journal-entry.js';
import { type Batch, type Forget, type SeenNotes, type Store, StoreError } from '../store.js';
import { isReset, type Sandbox } from './cached-sandbox.js';
import type { MemoryBudget } from './memory-budget.js';
import { type Changed, type Deciding, Draft, type Present } from './present.js';
import type { Change, State } from './state.js';

export type SandboxStore = Store<State, readonly Change[], NewJournalEntry>;

/** Maximum lost races of a change. */
const MAX_TRIES = 100;

/** Maximum decisions in one append. */
const MAX_TOGETHER = 256;

interface Job {
  readonly decide: (present: Present) => Deciding<unknown>;
  readonly done: (changed: Changed<unknown> | 'gone') => void;
  readonly failed: (error: unknown) => void;
}

/** A decided job, with its indexes in the batch. */
interface Decided {
  readonly job: Job;
  readonly result: unknown;
  readonly version: number;
  /** Index of its note, from 1; 0: none. */
  readonly note: number;
}

export class Commits {
  #waiting: Job[] = [];
  #isBusy = false;
  /** The last note at the last append. */
  #appended: SeenNotes = { run: 0, last: 0 };

  constructor(
    private readonly sandbox: Sandbox,
    private readonly store: SandboxStore,
    private readonly memory: MemoryBudget,
    /** Called for background failures; the next change tries again. */
    private readonly troubled: (error: unknown) => void,
  ) {}

  /** Decides on the latest state and appends. `gone`: the sandbox was dropped. Rejects with a `StoreError`. */
  change<T>(decide: (present: Present) => Deciding<T>): Promise<Changed<T> | 'gone'> {
    return new Promise((resolve, reject) => {
      const done = resolve as (changed: Changed<unknown> | 'gone') => void; // the result of `decide`
      this.#waiting.push({ decide, done, failed: reject });
      if (!this.#isBusy) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting.splice(0, MAX_TOGETHER);
      try {
        this.#waiting.unshift(...(await this.#commit(jobs)));
      } catch (error) {
        for (const job of jobs) job.failed(error);
      }
    }
    this.#isBusy = false;
  }

  /** Appends what the first jobs decide, and returns those that must wait for another append. */
  async #commit(jobs: readonly Job[]): Promise<readonly Job[]> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { sandbox, store } = this;
      const { head } = sandbox;
      const { decided, batch, draft, left } = this.#decide(jobs);
      if (batch.entries.length === 0 && batch.notes.length === 0 && batch.forget === undefined) {
        for (const { job, result, version } of decided) job.done({ result, version, entry: 0 });
        return left;
      }
      const appended = await store.append(sandbox.name, head, batch, sandbox.journal.seen);
      if (appended === 'gone') {
        for (const { job } of decided) job.done('gone');
        return left;
      }
      if ('behind' in appended) {
        sandbox.catchUp(appended.behind, appended.behind.base === undefined);
        continue;
      }
      if (sandbox.head === head) sandbox.settleAll(draft.steps, appended.head);
      else await this.#catchUp().catch(this.troubled); // it may have been read meanwhile, and be partly known
      this.#appended = { run: appended.run, last: appended.lastNote };
      const first = appended.lastNote - batch.notes.length + 1;
      sandbox.note(appended.run, first, batch.notes);
      for (const { job, result, version, note } of decided)
        job.done({ result, version, entry: note === 0 ? 0 : first + note - 1 });
      await this.#shorten().catch(this.troubled);
      return left;
    }
    throw new StoreError(
      'busy',
      `sandbox ${this.sandbox.name} changed ${MAX_TRIES} times while one change was decided`,
    );
  }

  /** A change that begins or clears a journal is appended alone. */
  #decide(jobs: readonly Job[]) {
    const { sandbox, memory } = this;
    const check = (before: State, after: State) => memory.check(sandbox.name, before, after);
    const draft = new Draft(sandbox, sandbox.server, check);
    const notes: JournalEntry[] = [];
    const decided: Decided[] = [];
    let count = 0;
    let forget: Forget | undefined;
    for (const job of jobs) {
      const deciding = attempt(job, () => job.decide(draft));
      const isAlone = deciding !== undefined && (deciding.forget !== undefined || deciding.changes.some(isReset));
      if (isAlone && decided.length > 0) break;
      count += 1;
      if (deciding === undefined) continue;
      const { changes, result, note } = deciding;
      if (changes.length > 0 && attempt(job, () => draft.take(changes)) === undefined) continue;
      const { version } = draft;
      if (note !== undefined) notes.push(note(this.sandbox.journal.lastId + notes.length + 1, version));
      decided.push({ job, result, version, note: note === undefined ? 0 : notes.length });
      forget = deciding.forget;
      if (isAlone) break;
    }
    forget ??= this.sandbox.journal.forgettable(this.#lastNote);
    const entries = draft.steps.map(({ changes }) => changes);
    const batch: Batch<readonly Change[], JournalEntry> = {
      entries,
      notes,
      ...(entries[0]?.some(isReset) && { newRunAt: 0 }),
      ...(forget !== undefined && { forget }),
    };
    return { decided, batch, draft, left: jobs.slice(count) };
  }

  /** The latest journal entry, as far as this process knows. */
  get #lastNote(): number {
    const { run, lastId } = this.sandbox.journal;
    return this.#appended.run === run.from ? Math.max(lastId, this.#appended.last) : lastId;
  }

  async #catchUp(): Promise<void> {
    const tail = await this.store.since(this.sandbox.name, this.sandbox.seen);
    if (tail?.head.log === this.sandbox.head.log) this.sandbox.catchUp(tail, tail.base === undefined);
  }

  /** Compacts the log if it is too long. */
  async #shorten(): Promise<void> {
    const { sandbox, store } = this;
    const { excess, head, journal } = sandbox;
    if (journal.isFarBehind) await this.#catchUp();
    if (excess === undefined) return;
    const compacted = await store.compact(sandbox.name, head, excess.version, excess.state);
    if (typeof compacted === 'object' && sandbox.head === head) sandbox.compacted(compacted);
  }
}

/** Runs a job; `undefined` if it fails, which rejects that job only. */
function attempt<T>({ failed }: Job, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    failed(error);
    return undefined;
  }
}
