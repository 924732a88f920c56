// Parts: large texts that several logs share, named by a hash. A part outlives every log that refers to it. A log that never expires has its own.
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Part, StoreError } from '../../engine/store.js';
import type { Attempts, Deadline } from './connection/attempts.js';
import type { Keys } from './connection/key-names.js';

/** Shorter texts are stored uncompressed. */
const WORTH_PACKING = 1024;
const PLAIN = Buffer.from('t');
const PACKED = Buffer.from('z');

const zip = promisify(gzip);
const unzip = promisify(gunzip);

export class Parts {
  constructor(
    private readonly attempts: Attempts,
    private readonly keys: Keys,
  ) {}

  /** The text of a part that a log keeps itself. */
  async packed({ text }: Part): Promise<string> {
    return (await pack(text())).toString('base64');
  }

  /** Stores a part if it is not there. It outlives a log that expires after `ttl` milliseconds without use. */
  async share({ name, text }: Part, ttl: number): Promise<void> {
    const { tag, key } = this.keys.ofPart(name);
    const left = await this.attempts.command(tag, ['PTTL', key]);
    if (Number(left) < 0) {
      const packed = await pack(text()); // the deadline begins afterwards: packing a large world takes seconds
      const command = ['SET', key, packed, 'NX', 'PX', String(2 * ttl)];
      if ((await this.attempts.command(tag, command)) !== null) return;
    }
    await this.#extend(name, ttl);
  }

  /** A log was used that refers to a shared part. If this fails, there is time until the next use. */
  renew(name: string, ttl: number): void {
    this.#extend(name, ttl).catch(() => {});
  }

  /** `sandbox`: of a log that keeps the part itself. Rejects with a `StoreError` (`lost`) if there is none of that name. */
  async read(name: string, sandbox: string | undefined, deadline: Deadline): Promise<string> {
    const shared = this.keys.ofPart(name);
    const own = sandbox === undefined ? undefined : this.keys.of(sandbox);
    const { tag, key } = own === undefined ? shared : { tag: own.tag, key: own.part };
    const value = await this.attempts.command(tag, ['GET', key], deadline);
    if (!Buffer.isBuffer(value))
      throw new StoreError('lost', `Redis does not have part ${name}, which a sandbox refers to`);
    try {
      const bytes = own === undefined ? value : Buffer.from(value.toString('latin1'), 'base64');
      const text = bytes.subarray(1);
      return (bytes[0] === PACKED[0] ? await unzip(text) : text).toString('utf8');
    } catch (cause) {
      throw new StoreError('lost', `the part ${name} in Redis cannot be unpacked`, { cause });
    }
  }

  async #extend(name: string, ttl: number): Promise<void> {
    const { tag, key } = this.keys.ofPart(name);
    await this.attempts.command(tag, ['PEXPIRE', key, String(2 * ttl), 'GT']);
  }
}

async function pack(text: string): Promise<Buffer> {
  const plain = Buffer.from(text, 'utf8');
  if (plain.length < WORTH_PACKING) return Buffer.concat([PLAIN, plain]);
  return Buffer.concat([PACKED, await zip(plain, { level: 1 })]);
}
