// The store for several processes: logs in Redis or Valkey, one server or a Cluster.

import { silentLog } from '../../engine/log.js';
import { realTime } from '../../engine/real-time.js';
import {
  type Appended,
  type Cut,
  type Format,
  type Head,
  requireTtl,
  type Seen,
  type Store,
  StoreError,
  type Tail,
} from '../../engine/store.js';
import { Refusals, type StoreLog } from '../refused-changes.js';
import { uniqueIds } from '../unique-ids.js';
import { Attempts, type Deadline, type Outcome } from './connection/attempts.js';
import { Backoff } from './connection/backoff.js';
import { EngineClock } from './connection/engine-clock.js';
import { Keys } from './connection/key-names.js';
import type { Reply, ServerNode } from './connection/node.js';
import { Readiness } from './connection/readiness.js';
import { clientMaker } from './connection/redis-client.js';
import { APPEND, COMPACT, CREATE, DROP, SINCE } from './connection/scripts.js';
import { Servers } from './connection/servers.js';
import { readRedisUrl } from './connection/url.js';
import { Watching } from './connection/watching.js';
import { Parts } from './shared-parts.js';

interface RedisOptions<Base, Entry> {
  readonly url: string;
  readonly format: Format<Base, Entry>;
  /** Milliseconds for one verb, and without a response after which a connection is replaced. Default: 5000. */
  readonly timeout?: number;
  /** Called when the engine goes away or comes back, refuses changes, or may evict keys. */
  readonly log?: StoreLog;
}

/** Version of the keys. */
const LAYOUT = 4;

/** The response of a script about a tail, after its outcome. */
type TailResponse = readonly [
  log: string,
  last: number,
  id: string,
  from: number,
  base: number,
  ttl: number | null,
  text: string | null,
  records: readonly string[],
];

/** Connects in the background. Throws a `StoreError` if the URL is invalid, or the client is not installed. */
export function redisStore<Base, Entry>(options: RedisOptions<Base, Entry>): Store<Base, Entry> {
  return new RedisStore(options);
}

class RedisStore<Base, Entry> implements Store<Base, Entry> {
  readonly name: string;
  readonly isShared = true;
  readonly #format: Format<Base, Entry>;
  readonly #keys: Keys;
  readonly #clock = new EngineClock();
  readonly #servers: Servers;
  readonly #watching: Watching;
  readonly #refusals: Refusals;
  readonly #attempts: Attempts;
  readonly #readiness: Readiness;
  readonly #parts: Parts;
  readonly #backoff = new Backoff();
  readonly #newId = uniqueIds();
  /** The current append by sandbox. */
  readonly #underWay = new Map<string, Promise<void>>();

  constructor({ url, format, timeout = 5000, log = silentLog }: RedisOptions<Base, Entry>) {
    const address = readRedisUrl(url);
    if (typeof address === 'string') throw new StoreError('refused', `the URL of the store is invalid: ${address}`);
    this.name = address.shown;
    this.#format = format;
    this.#keys = new Keys(address.prefix);
    this.#servers = new Servers(address, clientMaker(address, timeout), log);
    this.#watching = new Watching(this.#servers);
    this.#refusals = new Refusals(address.shown, log);
    const version = `${LAYOUT}.${format.version}`;
    this.#attempts = new Attempts(this.#servers, this.#clock, this.#refusals, this.#keys, version, timeout);
    this.#readiness = new Readiness(this.#servers, this.#attempts, this.#watching, this.#keys, log);
    this.#parts = new Parts(this.#attempts, this.#keys);
  }

  get trouble(): string | undefined {
    return this.#servers.trouble ?? this.#refusals.trouble;
  }

  ready(): Promise<void> {
    return this.#readiness.wait();
  }

  now(): number {
    return this.#clock.now();
  }

  async create(sandbox: string, base: Base, ttl?: number): Promise<Head | undefined> {
    requireTtl(ttl);
    const { text, part } = this.#format.writeBase(base);
    const log = this.#newId();
    if (part !== undefined && ttl !== undefined) await this.#parts.share(part, ttl);
    const own = part !== undefined && ttl === undefined ? await this.#parts.packed(part) : '';
    const { channel, part: key } = this.#keys.of(sandbox);
    const args = [log, text, part?.name ?? '', ttl === undefined ? '' : String(ttl), channel, own];
    const [how] = await this.#attempts.run(sandbox, CREATE, { args, furtherKeys: [key] });
    return how === 'taken' ? undefined : { last: 0, id: log, log, from: 0, base: 0 };
  }

  /** One at a time: a log remembers only the last append of each writer, which is needed to recognize a retry. */
  async append(sandbox: string, head: Head, records: readonly Entry[]): Promise<Appended<Base, Entry>> {
    const deadline = this.#attempts.deadline();
    const before = this.#underWay.get(sandbox) ?? Promise.resolve();
    const appending = before.then(() => this.#append(sandbox, head, records, deadline));
    const settled = appending.then(ignore, ignore); // the caller gets the error; the next append does not
    this.#underWay.set(sandbox, settled);
    try {
      return await appending;
    } finally {
      if (this.#underWay.get(sandbox) === settled) this.#underWay.delete(sandbox);
    }
  }

  async since(sandbox: string, seen?: Seen, isOnlyLook = false): Promise<Tail<Base, Entry> | undefined> {
    const deadline = this.#attempts.deadline();
    const known = seen === undefined ? ['', '0', ''] : [seen.log, String(seen.last), seen.id];
    const outcome = await this.#attempts.run(sandbox, SINCE, { args: [...known, isOnlyLook ? '1' : '0'] }, deadline);
    return outcome[0] === 'gone' ? undefined : this.#tail(sandbox, outcome, deadline);
  }

  async compact(sandbox: string, head: Head, { from, base }: Cut<Base>): Promise<Head | 'behind' | 'gone'> {
    const text = base === undefined ? '' : this.#format.writeBase(base.value).text;
    const next = { ...head, from, base: base?.at ?? head.base };
    const args = [...argumentsOf(head), String(from), String(next.base), text, this.#newId()];
    const [how] = await this.#attempts.run(sandbox, COMPACT, { args });
    return how === 'gone' || how === 'behind' ? how : next;
  }

  async drop(sandbox: string): Promise<boolean> {
    const { channel, part, dropped } = this.#keys.of(sandbox);
    const given = { args: [this.#newId(), channel], furtherKeys: [part, dropped] };
    const [how] = await this.#attempts.run(sandbox, DROP, given);
    return how === 'done';
  }

  async list(): Promise<readonly string[]> {
    const names = await this.#attempts.everywhere(node => namesOn(node, this.#keys.pattern));
    return [...new Set(names.flat())].map(name => this.#keys.sandboxOf(name)); // a log whose slot is moving may be listed twice
  }

  watch(sandbox: string, listener: () => void): () => void {
    const { channel, tag } = this.#keys.of(sandbox);
    return this.#watching.watch(channel, tag, listener);
  }

  async close(): Promise<void> {
    this.#refusals.end();
    this.#servers.end();
  }

  async #append(
    sandbox: string,
    head: Head,
    records: readonly Entry[],
    deadline: Deadline,
  ): Promise<Appended<Base, Entry>> {
    const id = this.#newId();
    const [writer = '', number = ''] = id.split('-');
    // a record is stored after the id of its append, for comparison
    const elements = records.map(record => `${id} ${this.#format.writeRecord(record)}`);
    for (;;) {
      const turn = String(this.#backoff.wanted(sandbox));
      const writing = [writer, `a:${writer}`, number, id, turn, this.#keys.of(sandbox).channel];
      const args = [...argumentsOf(head), ...writing, ...elements];
      const outcome = await this.#attempts.run(sandbox, APPEND, { args }, deadline);
      if (outcome[0] !== 'wait')
        return this.#appended(sandbox, { ...head, last: head.last + records.length, id }, outcome, deadline);
      if (realTime.uptime() > deadline.at - deadline.timeout / 10)
        // another try could not be answered in time, so its result would be unknown
        throw new StoreError('busy', `sandbox ${sandbox} was busy with other changes for ${deadline.timeout} ms`);
      await this.#backoff.wait();
    }
  }

  /** `next`: the head if it is done. */
  async #appended(sandbox: string, next: Head, outcome: Outcome, deadline: Deadline): Promise<Appended<Base, Entry>> {
    const [how, part, ttl] = outcome;
    if (how === 'gone') return 'gone';
    if (how === 'past') throw new StoreError('away', `another server changed sandbox ${sandbox} first`);
    if (how === 'behind') {
      this.#backoff.lost(sandbox);
      return { behind: await this.#tail(sandbox, outcome, deadline) };
    }
    this.#backoff.won(sandbox);
    this.#renew(part, ttl);
    return { head: next };
  }

  /** The response of a script about a log. Rejects with a `StoreError` if the data cannot be read. */
  async #tail(sandbox: string, [, ...rest]: Outcome, deadline: Deadline): Promise<Tail<Base, Entry>> {
    const [log, last, id, from, base, ttl, text, records] = rest as unknown as TailResponse; // the format of the scripts was compared
    this.#renew(rest.at(-1), ttl);
    const owner = ttl === null ? sandbox : undefined;
    const read = (name: string) => this.#parts.read(name, owner, deadline);
    try {
      return {
        head: { last, id, log, from, base },
        ...(text !== null && { base: await this.#format.readBase(text, read) }),
        records: records.map(record => this.#format.readRecord(record.slice(record.indexOf(' ') + 1))),
        ...(ttl !== null && { ttl }),
      };
    } catch (cause) {
      if (cause instanceof StoreError) throw cause;
      const message = `the data of sandbox ${sandbox} in Redis cannot be read: ${String(cause)}`;
      throw new StoreError('lost', message, { cause });
    }
  }

  /** A script may have extended the expiry of a log: its part follows. */
  #renew(part: Reply, ttl: Reply): void {
    if (typeof part === 'string' && part !== '' && typeof ttl === 'number') this.#parts.renew(part, ttl);
  }
}

function ignore(): void {}

/** Script arguments for a head that the log must still have. */
function argumentsOf({ log, last, id, from, base }: Head): readonly string[] {
  return [log, String(last), id, String(from), String(base)];
}

/** Keys scanned in one step, so that millions do not block the engine. */
const AT_ONCE = '1000';

/** The keys of one node that match a pattern. */
async function namesOn(node: ServerNode, pattern: string): Promise<readonly string[]> {
  const names: string[] = [];
  let cursor = '0';
  do {
    const reply = await node.send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', AT_ONCE]);
    const [next, found] = reply as [string, string[]]; // the format of SCAN's response
    for (const name of found) names.push(name);
    cursor = next;
  } while (cursor !== '0');
  return names;
}
