// The store for several processes: logs in Redis or Valkey, one server or a Cluster.
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
import { deafLog, Refusals, type StoreLog } from '../refused-changes.js';
import { Appending } from './appending.js';
import { Attempts, deadlineIn } from './connection/attempts.js';
import { EngineClock } from './connection/engine-clock.js';
import { Keys } from './connection/key-names.js';
import type { ServerNode } from './connection/node.js';
import { Readiness } from './connection/readiness.js';
import { clientMaker } from './connection/redis-client.js';
import { Servers } from './connection/servers.js';
import { readRedisUrl } from './connection/url.js';
import { Watching } from './connection/watching.js';
import { headArguments, LogAccess, seenArguments } from './log-access.js';
import { COMPACT, CREATE, DROP, SINCE } from './scripts/log-scripts.js';
import { Parts } from './shared-parts.js';

interface RedisOptions<Base, Entry> {
  readonly url: string;
  readonly format: Format<Base, Entry>;
  /** Milliseconds for one verb, and without a response after which a connection is replaced. Default: 5000. */
  readonly timeout?: number;
  /** Called when the engine goes away or comes back, refuses changes, or may evict keys. */
  readonly log?: StoreLog;
}

/** Connects in the background. Throws a `StoreError` if the URL is invalid, or the client is not installed. */
export function redisStore<Base, Entry>(options: RedisOptions<Base, Entry>): Store<Base, Entry> {
  return new RedisStore(options);
}

class RedisStore<Base, Entry> implements Store<Base, Entry> {
  readonly name: string;
  readonly isShared = true;
  readonly #timeout: number;
  readonly #clock = new EngineClock();
  readonly #watching: Watching;
  readonly #servers: Servers;
  readonly #refusals: Refusals;
  readonly #attempts: Attempts;
  readonly #readiness: Readiness;
  readonly #access: LogAccess<Base, Entry>;
  readonly #appending: Appending<Base, Entry>;

  constructor({ url, format, timeout = 5000, log = deafLog }: RedisOptions<Base, Entry>) {
    const address = readRedisUrl(url);
    if (typeof address === 'string') throw new StoreError('refused', `the URL of the store is wrong: ${address}`);
    this.name = address.shown;
    this.#timeout = timeout;
    const keys = new Keys(address.prefix);
    this.#servers = new Servers(address, clientMaker(address, timeout), log);
    this.#watching = new Watching(this.#servers);
    this.#refusals = new Refusals(address.shown, log);
    this.#attempts = new Attempts(this.#servers, this.#clock, this.#refusals, keys);
    this.#readiness = new Readiness(this.#servers, this.#attempts, this.#watching, keys, timeout, log);
    this.#access = new LogAccess(format, keys, new Parts(this.#attempts, keys, timeout), this.#attempts);
    this.#appending = new Appending(this.#access, timeout);
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
    const { format, parts, keys } = this.#access;
    const { text, part } = format.writeBase(base);
    const log = this.#appending.id();
    if (part !== undefined && ttl !== undefined) await parts.share(part, ttl);
    const own = part !== undefined && ttl === undefined ? await parts.packed(part) : '';
    const { channel, part: key } = keys.of(sandbox);
    const args = [log, text, part?.name ?? '', ttl === undefined ? '' : String(ttl), channel, own];
    const given = { args, furtherKeys: [key] };
    const [how] = await this.#access.run(sandbox, CREATE, given, deadlineIn(this.#timeout));
    return how === 'taken' ? undefined : { last: 0, id: log, log, from: 0, base: 0 };
  }

  append(sandbox: string, head: Head, records: readonly Entry[]): Promise<Appended<Base, Entry>> {
    return this.#appending.append(sandbox, head, records);
  }

  async since(sandbox: string, seen?: Seen, isOnlyLook = false): Promise<Tail<Base, Entry> | undefined> {
    const deadline = deadlineIn(this.#timeout);
    const args = [...seenArguments(seen), isOnlyLook ? '1' : '0'];
    const outcome = await this.#access.run(sandbox, SINCE, { args }, deadline);
    return outcome[0] === 'gone' ? undefined : this.#access.tail(sandbox, outcome, deadline);
  }

  async compact(sandbox: string, head: Head, { from, base }: Cut<Base>): Promise<Head | 'behind' | 'gone'> {
    const text = base === undefined ? '' : this.#access.format.writeBase(base.value).text;
    const next = { ...head, from, base: base?.at ?? head.base };
    const args = [...headArguments(head), String(from), String(next.base), text, this.#appending.id()];
    const [how] = await this.#access.run(sandbox, COMPACT, { args }, deadlineIn(this.#timeout));
    return how === 'gone' || how === 'behind' ? how : next;
  }

  async drop(sandbox: string): Promise<boolean> {
    const { channel, part, dropped } = this.#access.keys.of(sandbox);
    const given = { args: [this.#appending.id(), channel], furtherKeys: [part, dropped] };
    const [how] = await this.#access.run(sandbox, DROP, given, deadlineIn(this.#timeout));
    return how === 'done';
  }

  async list(): Promise<readonly string[]> {
    const { keys } = this.#access;
    const names = await this.#attempts.everywhere(node => namesOn(node, keys.pattern), deadlineIn(this.#timeout));
    return [...new Set(names.flat())].map(name => keys.sandboxOf(name)); // a log whose slot is moving may be listed twice
  }

  watch(sandbox: string, listener: () => void): () => void {
    const { channel, tag } = this.#access.keys.of(sandbox);
    return this.#watching.watch(channel, tag, listener);
  }

  async close(): Promise<void> {
    this.#refusals.end();
    this.#servers.end();
  }
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
