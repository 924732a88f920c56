// Parts: large texts that several logs share, named by a hash. A part outlives every log that refers to it.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { StoreError } from '../../engine/store.js';
import { type Attempts, type Deadline, deadlineIn } from './connection/attempts.js';
import type { Keys } from './key-names.js';
import { KEEP_PART, RELEASE_PART } from './scripts/other-scripts.js';

/** Shorter texts are stored uncompressed. */
const WORTH_PACKING = 1024;
/** Milliseconds that a part exists without a log. */
const GRACE = 60_000;
const PLAIN = Buffer.from('t');
const PACKED = Buffer.from('z');

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Parts by name. */
export type LargeTexts = ReadonlyMap<string, string | (() => string)>;

export class Parts {
  /** Parts whose expiry could not be extended, with the idle time of their logs in milliseconds. */
  readonly #due = new Map<string, number>();

  constructor(
    private readonly attempts: Attempts,
    private readonly keys: Keys,
    private readonly timeout: number,
  ) {}

  /**
   * Stores parts, and keeps them for a log that expires after `ttl` milliseconds; default: until the log releases them. The deadline starts again for
   * each part: compressing and sending a large world takes seconds.
   */
  async write(parts: LargeTexts, log: string, ttl: number | undefined): Promise<void> {
    await Promise.all([...parts].map(([name, text]) => this.#write(name, text, log, ttl)));
  }

  /** A log without expiry no longer refers to these. If that fails now, they stay. */
  async release(names: Iterable<string>, log: string): Promise<void> {
    const releasing = [...names].map(name => {
      const { tag, key, holders } = this.keys.ofPart(name);
      const work = { script: RELEASE_PART, keys: [key, holders], args: [log, String(GRACE)] };
      return this.attempts.run(tag, work, deadlineIn(this.timeout));
    });
    await Promise.allSettled(releasing);
  }

  /** Rejects with a `StoreError` (`lost`) if there is none of that name. */
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

  /** Extends the expiry of parts whose log was used. Failures are retried with the next use. */
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
    if (set === null || ttl === undefined) await this.#keep(name, log, ttl); // another process was faster, for a log that may expire earlier
  }

  /** Whether the part exists. Keeps it for twice the log's idle time, because the log may be used just before it expires. */
  async #keep(name: string, log: string, ttl: number | undefined): Promise<boolean> {
    const { tag, key, holders } = this.keys.ofPart(name);
    const args = ttl === undefined ? ['', log] : [String(2 * ttl)];
    const deadline = deadlineIn(this.timeout);
    const [how] = await this.attempts.run(tag, { script: KEEP_PART, keys: [key, holders], args }, deadline);
    return how === 'done';
  }
}
