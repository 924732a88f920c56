// Parts: large texts that many logs share, named by their contents. A part ends later than every log that refers to it. Knows no logs.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { StoreError } from '../../engine/store.js';
import type { Attempts } from './connection/attempts.js';
import { type Deadline, deadlineIn } from './connection/retry-state.js';
import type { Keys } from './key-names.js';
import { KEEP_PART, RELEASE_PART } from './scripts/other-scripts.js';

/** Shorter texts are kept as they are. */
const WORTH_PACKING = 1024;
/** Milliseconds that a part is there without a log that refers to it. */
const GRACE = 60_000;
const PLAIN = Buffer.from('t');
const PACKED = Buffer.from('z');

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Parts by name. */
export type LargeTexts = ReadonlyMap<string, string | (() => string)>;

export class Parts {
  /** Those whose end could not be put off, and the milliseconds that their logs may be idle. */
  readonly #due = new Map<string, number>();

  constructor(
    private readonly attempts: Attempts,
    private readonly keys: Keys,
    private readonly timeout: number,
  ) {}

  /**
   * Sees to it that parts are there, and outlive a log that may be idle for `ttl` milliseconds; left out: for ever, until the log releases them. The time
   * that the engine has begins with each thing that it is asked: a large world takes seconds to be written out and packed.
   */
  async write(parts: LargeTexts, log: string, ttl: number | undefined): Promise<void> {
    await Promise.all([...parts].map(([name, text]) => this.#write(name, text, log, ttl)));
  }

  /** A log without an end refers to these no longer. What fails now stays. */
  async release(names: Iterable<string>, log: string): Promise<void> {
    const releasing = [...names].map(name => {
      const { tag, key, holders } = this.keys.ofPart(name);
      const work = { script: RELEASE_PART, keys: [key, holders], args: [log, String(GRACE)] };
      return this.attempts.run(tag, work, deadlineIn(this.timeout));
    });
    await Promise.allSettled(releasing);
  }

  /** Rejects with a `StoreError` `lost` where there is none of that name. */
  async read(name: string, deadline: Deadline): Promise<string> {
    const { tag, key } = this.keys.ofPart(name);
    const bytes = await this.attempts.command(tag, ['GET', key], deadline);
    if (!Buffer.isBuffer(bytes))
      throw new StoreError('lost', `Redis has no part ${name} (any longer), to which a sandbox refers`);
    try {
      const text = bytes.subarray(1);
      return (bytes[0] === PACKED[0] ? await unpack(text) : text).toString('utf8');
    } catch (cause) {
      throw new StoreError('lost', `the part ${name} that Redis has cannot be unpacked`, { cause });
    }
  }

  /** Puts off the end of parts whose log has been used. What cannot be done now is done with the next. */
  renew(names: readonly string[], ttl: number): void {
    for (const name of names) this.#due.set(name, Math.max(ttl, this.#due.get(name) ?? 0));
    for (const [name, milliseconds] of this.#due) {
      this.#due.delete(name);
      this.#keep(name, '', milliseconds).catch(() => {
        this.#due.set(name, Math.max(milliseconds, this.#due.get(name) ?? 0));
      });
    }
  }

  async #write(name: string, text: string | (() => string), log: string, ttl: number | undefined): Promise<void> {
    if (await this.#keep(name, log, ttl)) return;
    const { tag, key } = this.keys.ofPart(name);
    const plain = Buffer.from(typeof text === 'string' ? text : text(), 'utf8');
    const bytes = plain.length < WORTH_PACKING ? [PLAIN, plain] : [PACKED, await pack(plain, { level: 1 })];
    const end = String(ttl === undefined ? GRACE : 2 * ttl);
    const packed = Buffer.concat(bytes);
    const set = await this.attempts.command(tag, ['SET', key, packed, 'NX', 'PX', end], deadlineIn(this.timeout));
    if (set === null || ttl === undefined) await this.#keep(name, log, ttl); // another was faster, for a log that may end earlier
  }

  /** Whether there is such a part. Twice the time of the log: it may be put off just before that is over. */
  async #keep(name: string, log: string, ttl: number | undefined): Promise<boolean> {
    const { tag, key, holders } = this.keys.ofPart(name);
    const args = ttl === undefined ? ['', log] : [String(2 * ttl)];
    const deadline = deadlineIn(this.timeout);
    const [how] = await this.attempts.run(tag, { script: KEEP_PART, keys: [key, holders], args }, deadline);
    return how === 'done';
  }
}
