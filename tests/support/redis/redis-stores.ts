// Stores in Redis as the tests of faults use them: opened with short patience, closed together, appended to as a replica does. Knows no engine's faults.
import { expect } from 'chai';
import { type Head, StoreError, type StoreFailure } from '../../../server/engine/store.js';
import { redisStore } from '../../../server/store/redis/redis-store.js';
import { type Kept, kept, type Plain, plainFormat } from '../../store/suite.js';
import { failure } from '../worlds/failure.js';

export interface Opening {
  /** Milliseconds for one verb; left out: so many that only what never comes is too late. */
  readonly timeout?: number;
  readonly format?: typeof plainFormat;
  /** Hears what the store has to tell. */
  readonly log?: (said: string) => void;
}

/** Stores of one test, which are closed with it. */
export class Stores {
  readonly #open: Kept[] = [];

  /** One that may not be ready yet. */
  make(url: string, { timeout = 8000, format = plainFormat, log = () => {} }: Opening = {}): Kept {
    const store = kept(redisStore({ url, format, timeout, log: { info: log, warn: log } }));
    this.#open.push(store);
    return store;
  }

  async open(url: string, opening: Opening = {}): Promise<Kept> {
    const store = this.make(url, opening);
    await store.ready();
    return store;
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map(store => store.close()));
  }
}

/** A log under a name that no other test has. */
export async function created(store: Kept, ttl?: number, base = 'base'): Promise<{ sandbox: string; head: Head }> {
  const sandbox = freshName();
  const head = await store.create(sandbox, base, ttl);
  if (head === undefined) throw new Error(`${sandbox} exists`);
  return { sandbox, head };
}

let names = 0;
export function freshName(): string {
  names += 1;
  return `log-${process.pid}-${names}`;
}

/** Appends to one log as a replica does: where another was faster, after what that brought. */
export class Appender {
  /** How often another was faster. */
  behind = 0;

  constructor(
    readonly store: Kept,
    readonly sandbox: string,
    public head: Head,
  ) {}

  async add(records: readonly Plain[]): Promise<void> {
    for (;;) {
      const outcome = await this.store.append(this.sandbox, this.head, records);
      if (outcome === 'gone') throw new Error(`${this.sandbox} is gone`);
      this.head = 'behind' in outcome ? outcome.behind.head : outcome.head;
      if (!('behind' in outcome)) return;
      this.behind += 1;
    }
  }
}

/** The base and all records of a log. */
export async function contents(store: Kept, sandbox: string) {
  const tail = await store.since(sandbox);
  if (tail === undefined) throw new Error(`${sandbox} is gone`);
  return { base: tail.base, records: tail.records, head: tail.head };
}

/** The first numbers of all records. */
export async function numbers(store: Kept, sandbox: string): Promise<number[]> {
  return (await contents(store, sandbox)).records.map(([first]) => Number(first));
}

/** What a verb rejects with, which is a `StoreError` for this reason. */
export async function refused(promise: Promise<unknown>, why: StoreFailure): Promise<StoreError> {
  const error = await failure(promise, StoreError);
  expect(error.failure, error.message).to.equal(why);
  return error;
}
