// Measures inside one process how fast a store appends, asked as a session asks: what comes for a sandbox while an append is under way goes into the
// next one, and a log that is too long is compacted. Knows no domain and no HTTP.
// Arguments: memory, file or fsync; the number of sandboxes; how many appends are wanted at a time; seconds; an empty folder.
import type { Format, Head, Store } from '../../server/engine/store.js';
import { fileStore } from '../../server/store/file/file-store.js';
import { memoryStore } from '../../server/store/memory.js';

type Kept = Store<string, string>;

/** Roughly what a change with its journal entry is as JSON. */
const RECORD = 'r'.repeat(1_190);
const MAX_RECORDS = 1_300;
const KEPT_RECORDS = 1_000;
const WARM_UP = 0.3;

const format: Format<string, string> = {
  version: 1,
  writeBase: text => ({ text }),
  readBase: async text => text,
  writeRecord: text => text,
  readRecord: text => text,
};

class Writer {
  #waiting: Array<() => void> = [];
  #isBusy = false;

  constructor(
    private readonly store: Kept,
    private readonly sandbox: string,
    private head: Head,
  ) {}

  append(): Promise<void> {
    return new Promise(done => {
      this.#waiting.push(done);
      if (!this.#isBusy) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting.splice(0);
      const appended = await this.store.append(
        this.sandbox,
        this.head,
        jobs.map(() => RECORD),
      );
      if (appended === 'gone' || 'behind' in appended) throw new Error(JSON.stringify(appended));
      this.head = appended.head;
      for (const done of jobs) done();
      await this.#shorten();
    }
    this.#isBusy = false;
  }

  async #shorten(): Promise<void> {
    const { last, from } = this.head;
    if (last - from <= MAX_RECORDS) return;
    const at = last - KEPT_RECORDS;
    const compacted = await this.store.compact(this.sandbox, this.head, { from: at, base: { at, value: 'base' } });
    if (typeof compacted === 'string') throw new Error(compacted);
    this.head = compacted;
  }
}

const [kind = '', sandboxes = '', inFlight = '', seconds = '', folder = ''] = process.argv.slice(2);
const store: Kept = kind === 'memory' ? memoryStore() : await fileStore({ folder, format, fsync: kind === 'fsync' });
const writers = await Promise.all(Array.from({ length: Number(sandboxes) }, (_, i) => writer(`job-${i}`)));
await load(WARM_UP);
const { taken, elapsed } = await load(Number(seconds));
await store.close();
taken.sort((a, b) => a - b);
const at = (share: number) => (taken[Math.floor(taken.length * share)] ?? Number.NaN) * 1_000;
console.log(JSON.stringify({ rate: taken.length / elapsed, p50: at(0.5), p99: at(0.99) }));

async function writer(sandbox: string): Promise<Writer> {
  const head = await store.create(sandbox, 'base');
  if (head === undefined) throw new Error(`${sandbox} is there already`);
  return new Writer(store, sandbox, head);
}

/** Milliseconds of each append, and the seconds of all. */
async function load(lasting: number): Promise<{ taken: number[]; elapsed: number }> {
  const times: number[] = [];
  const began = performance.now();
  const client = async (first: number) => {
    for (let i = first; performance.now() - began < lasting * 1_000; i += 7) {
      const asked = performance.now();
      await writers[i % writers.length]?.append();
      times.push(performance.now() - asked);
      if (times.length % 256 === 0) await new Promise(setImmediate); // as requests come from outside
    }
  };
  await Promise.all(Array.from({ length: Number(inFlight) }, (_, i) => client(i)));
  return { taken: times, elapsed: (performance.now() - began) / 1_000 };
}
