// The store for several processes: logs in Redis or Valkey, one server or a Cluster.
import {
  type Appended,
  type Batch,
  type Format,
  type Head,
  requireTtl,
  type Seen,
  type SeenNotes,
  type Store,
  StoreError,
  type Tail,
  type WrittenBase,
} from '../../engine/store.js';
import { deafLog, Refusals, type StoreLog } from '../refused-changes.js';
import { Appending } from './appending.js';
import { Attempts, type Deadline, deadlineIn } from './connection/attempts.js';
import type { Reply, ServerNode } from './connection/node.js';
import { Readiness } from './connection/readiness.js';
import { clientMaker } from './connection/redis-client.js';
import { Servers } from './connection/servers.js';
import { Watching } from './connection/watching.js';
import { EngineClock } from './engine-clock.js';
import { Keys } from './key-names.js';
import { LogAccess } from './log-access.js';
import { COMPACT, CREATE, DROP, SINCE } from './scripts/log-scripts.js';
import { Parts } from './shared-parts.js';
import { seenArguments } from './tails.js';
import { readRedisUrl } from './url.js';

interface RedisOptions<Base, Entry, Note> {
  readonly url: string;
  readonly format: Format<Base, Entry, Note>;
  /** Milliseconds for one verb, and without a response after which a connection is replaced. Default: 5000. */
  readonly timeout?: number;
  /** Called when the engine goes away or comes back, refuses changes, or may evict keys. */
  readonly log?: StoreLog;
}

/** Connects in the background. Throws a `StoreError` if the URL is invalid, or the client is not installed. */
export function redisStore<Base, Entry, Note>(options: RedisOptions<Base, Entry, Note>): Store<Base, Entry, Note> {
  return new RedisStore(options);
}

class RedisStore<Base, Entry, Note> implements Store<Base, Entry, Note> {
  readonly name: string;
  readonly isShared = true;
  readonly isImmediate = false;
  readonly #timeout: number;
  readonly #clock = new EngineClock();
  readonly #watching: Watching;
  readonly #servers: Servers;
  readonly #refusals: Refusals;
  readonly #attempts: Attempts;
  readonly #readiness: Readiness;
  readonly #access: LogAccess<Base, Entry, Note>;
  readonly #appending: Appending<Base, Entry, Note>;

  constructor({ url, format, timeout = 5000, log = deafLog }: RedisOptions<Base, Entry, Note>) {
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
    const written = format.writeBase(base);
    const log = this.#appending.id();
    await parts.write(written.parts, log, ttl);
    const end = ttl === undefined ? '' : String(ttl);
    const args = [log, log, written.text, namesOf(written), end, keys.of(sandbox).channel];
    const [how] = await this.#access.run(sandbox, CREATE, { args }, deadlineIn(this.#timeout));
    if (how !== 'taken') return { version: 0, id: log, log, from: 0 };
    if (ttl === undefined) await parts.release(written.parts.keys(), log);
    return undefined;
  }

  append(
    sandbox: string,
    head: Head,
    batch: Batch<Entry, Note>,
    seen?: SeenNotes,
  ): Promise<Appended<Base, Entry, Note>> {
    return this.#appending.append(sandbox, head, batch, seen);
  }

  async since(sandbox: string, seen?: Seen, isOnlyLook = false): Promise<Tail<Base, Entry, Note> | undefined> {
    return this.#since(sandbox, seen, isOnlyLook, deadlineIn(this.#timeout));
  }

  async compact(sandbox: string, head: Head, version: number, base: Base): Promise<Head | 'behind' | 'gone'> {
    const { format, parts } = this.#access;
    const written = format.writeBase(base);
    const { log, id, from } = head;
    if (!(await this.#access.refer(sandbox, log, written.parts, deadlineIn(this.#timeout)))) return 'gone';
    const args = [log, String(head.version), id, String(from), String(version), written.text, namesOf(written)];
    const given = { args: [...args, '0'], argsAgain: [...args, '1'] };
    const [how, now, before, ttl, after] = await this.#access.run(sandbox, COMPACT, given, deadlineIn(this.#timeout));
    if (how === 'done' && typeof ttl !== 'number') await parts.release(without(split(before), split(after)), log);
    return how === 'gone' || how === 'behind' ? how : { ...head, from: now as number }; // the answer of the script
  }

  async drop(sandbox: string): Promise<boolean> {
    const { channel, dropped } = this.#access.keys.of(sandbox);
    const given = { args: [this.#appending.id(), channel], furtherKeys: [dropped] };
    const [how, log, ttl, names] = await this.#access.run(sandbox, DROP, given, deadlineIn(this.#timeout));
    if (typeof log === 'string' && typeof ttl !== 'number') await this.#access.parts.release(split(names), log);
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

  async #since(sandbox: string, seen: Seen | undefined, isOnlyLook: boolean, deadline: Deadline) {
    const args = [...seenArguments(seen), isOnlyLook ? '1' : '0'];
    const outcome = await this.#access.run(sandbox, SINCE, { args }, deadline);
    return outcome[0] === 'gone' ? undefined : this.#access.tail(sandbox, outcome, deadline);
  }
}

function namesOf({ parts }: WrittenBase): string {
  return [...parts.keys()].join(' ');
}

/** The part names in the answer of a script. */
function split(names: Reply): readonly string[] {
  return typeof names === 'string' && names !== '' ? names.split(' ') : [];
}

function without(names: readonly string[], others: readonly string[]): ReadonlySet<string> {
  return new Set(names.filter(name => !others.includes(name)));
}

/** Keys scanned in one step, so that millions do not block the engine. */
const AT_ONCE = '1000';

/** The keys of one node that match a pattern. */
async function namesOn(node: ServerNode, pattern: string): Promise<readonly string[]> {
  const names: string[] = [];
  let cursor = '0';
  do {
    const reply = await node.send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', AT_ONCE]);
    const [next, found] = reply as [string, string[]]; // the format of SCAN's answer
    for (const name of found) names.push(name);
    cursor = next;
  } while (cursor !== '0');
  return names;
}
