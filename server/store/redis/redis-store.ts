// The store for several processes: logs in Redis or Valkey. A script appends to a log if nobody else has; all processes hear of each change.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { silentLog } from '../../engine/log.js';
import { realTime } from '../../engine/real-time.js';
import {
  type Appended,
  type Cut,
  type Head,
  type LogFormat,
  type Seen,
  type SharedPart,
  type Store,
  StoreError,
  type Tail,
} from '../../engine/store.js';
import { Refusals, type StoreLog } from '../refused-changes.js';
import { StoreConnection } from './connection.js';
import { failed, IN_CLUSTER } from './failures.js';
import type { RedisConnection, ScriptName } from './redis-client.js';
import { type RedisAddress, readRedisUrl } from './url.js';

interface RedisOptions<Base, Entry> {
  readonly url: string;
  readonly format: LogFormat<Base, Entry>;
  /** Milliseconds for one verb, and without a response after which a connection is replaced. Default: 5000. */
  readonly timeout?: number;
  /** Called when Redis goes away or comes back, refuses changes, or may evict keys. */
  readonly log?: StoreLog;
}

/** Version of the keys and of the fields in them. */
const LAYOUT = 5;
/** Keys scanned in one step, so that millions do not block Redis. */
const AT_ONCE = 1000;
/** Milliseconds between two looks at the start. */
const LOOK_MS = 20;
/** A sandbox name that users cannot give. */
const TRIAL = 'ready:trial';

const zip = promisify(gzip);
const unzip = promisify(gunzip);

type Outcome = readonly [how: string, ...rest: unknown[]];

/** The response of a script that reads. */
type Told = readonly [
  how: string,
  part: string,
  ttl: number | null,
  isRenewed: number,
  ...head: readonly [log: string, last: number, id: string, from: number, base: number],
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
  readonly #address: RedisAddress;
  readonly #format: LogFormat<Base, Entry>;
  readonly #version: string;
  readonly #log: StoreLog;
  readonly #connection: StoreConnection;
  readonly #refusals: Refusals;
  /** Its events are the keys of changed logs. */
  readonly #changes = new EventEmitter().setMaxListeners(0);
  /** Milliseconds by which the clock of Redis is ahead of this machine's. */
  #ahead = 0;
  #isClosed = false;

  constructor({ url, format, timeout = 5000, log = silentLog }: RedisOptions<Base, Entry>) {
    const address = readRedisUrl(url);
    this.name = address.shown;
    this.#address = address;
    this.#format = format;
    this.#version = `${LAYOUT}.${format.version}`;
    this.#log = log;
    this.#refusals = new Refusals(address.shown, log);
    this.#connection = new StoreConnection(address, {
      channel: this.#channel,
      timeout,
      heard: sandbox => {
        const changed = sandbox === undefined ? this.#changes.eventNames() : [this.#keysOf(sandbox)[0]];
        for (const key of changed) this.#changes.emit(key);
      },
      troubled: () => void this.#run(TRIAL, client => this.#probe(client, TRIAL)).catch(() => {}), // it is noticed there
    });
  }

  get trouble(): string | undefined {
    return this.#refusals.trouble;
  }

  async ready(): Promise<void> {
    for (;;) {
      try {
        return await this.#check();
      } catch (error) {
        const mayPass = error instanceof StoreError && error.retryAfter !== undefined;
        if (!mayPass || this.#isClosed) throw error;
      }
      await new Promise(resolve => realTime.setTimeout(resolve, LOOK_MS));
    }
  }

  now(): number {
    return realTime.now() + this.#ahead;
  }

  async create(sandbox: string, base: Base, ttl?: number): Promise<Head | undefined> {
    const { text, part } = this.#format.writeBase(base);
    if (part !== undefined && ttl !== undefined) await this.#share(part, ttl);
    const own = part !== undefined && ttl === undefined ? await pack(part.text()) : '';
    const log = randomUUID();
    const args = [this.#channel, sandbox, log, text, part?.name ?? '', ttl === undefined ? '' : String(ttl), own];
    const [how] = await this.#script('create', sandbox, args);
    return how === 'taken' ? undefined : { last: 0, id: log, log, from: 0, base: 0 };
  }

  async append(sandbox: string, head: Head, records: readonly Entry[]): Promise<Appended<Base, Entry>> {
    const id = randomUUID();
    const lines = records.map(record => `${id} ${this.#format.writeRecord(record)}`);
    const args = [this.#channel, sandbox, ...argumentsOf(head), id, ...lines];
    const outcome = await this.#script('append', sandbox, args);
    if (outcome[0] === 'gone') return 'gone';
    if (outcome[0] === 'behind') return { behind: await this.#tail(sandbox, outcome) };
    this.#renewPart(outcome);
    return { head: { ...head, last: head.last + records.length, id } };
  }

  async since(sandbox: string, seen?: Seen, isOnlyLook = false): Promise<Tail<Base, Entry> | undefined> {
    const known = seen === undefined ? ['', '0', ''] : [seen.log, String(seen.last), seen.id];
    const outcome = await this.#script('since', sandbox, [...known, isOnlyLook ? '1' : '0']);
    return outcome[0] === 'gone' ? undefined : this.#tail(sandbox, outcome);
  }

  async compact(sandbox: string, head: Head, { from, base }: Cut<Base>): Promise<Head | 'behind' | 'gone'> {
    const text = base === undefined ? '' : this.#format.writeBase(base.value).text;
    const next = { ...head, from, base: base?.at ?? head.base };
    const args = [...argumentsOf(head), String(from), String(next.base), text];
    const [how] = await this.#script('compact', sandbox, args);
    return how === 'gone' || how === 'behind' ? how : next;
  }

  async drop(sandbox: string): Promise<boolean> {
    return (await this.#script('drop', sandbox, [this.#channel, sandbox]))[0] === 'done';
  }

  async list(): Promise<readonly string[]> {
    const names = new Set<string>(); // a log whose slot is moving may be found twice
    const { prefix } = this.#address;
    for (let cursor = '0', isDone = false; !isDone; isDone = cursor === '0') {
      const options = { MATCH: `${prefix}:{*}:m`, COUNT: AT_ONCE, TYPE: 'hash' };
      const found = await this.#run(TRIAL, client => client.scan(cursor, options));
      for (const key of found.keys) names.add(key.slice(prefix.length + 2, -3));
      cursor = found.cursor;
    }
    return [...names].filter(name => /^[\w.-]+$/.test(name)); // other keys are not ours
  }

  watch(sandbox: string, listener: () => void): () => void {
    const [key] = this.#keysOf(sandbox);
    this.#changes.on(key, listener);
    return () => void this.#changes.off(key, listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refusals.end();
    this.#connection.close();
  }

  get #channel(): string {
    return `${this.#address.prefix}:changes`;
  }

  /** All keys of a sandbox have its name in braces, and thus the same slot in a Cluster. */
  #keysOf(sandbox: string): readonly [meta: string, base: string, records: string, part: string] {
    const stem = `${this.#address.prefix}:{${sandbox}}:`;
    return [`${stem}m`, `${stem}b`, `${stem}r`, `${stem}p`];
  }

  #keyOf(part: string): string {
    return `${this.#address.prefix}:{part:${part}}`;
  }

  async #run<T>(sandbox: string, call: (client: RedisConnection) => Promise<T>): Promise<T> {
    try {
      return await this.#connection.run(call);
    } catch (error) {
      if (error instanceof StoreError) this.#noticed(sandbox, error);
      throw error;
    }
  }

  async #script(script: ScriptName, sandbox: string, args: readonly string[]): Promise<Outcome> {
    const given = [this.#version, ...args];
    const reply = await this.#run(sandbox, client => client[script](this.#keysOf(sandbox), given));
    const [how, rest] = reply as Outcome; // the format of every script's response
    if (how === 'lost' || how === 'format') throw unreadable(sandbox, how, String(rest), this.#version);
    return reply as Outcome;
  }

  /** Health and log report a failure until Redis accepts a harmless change again. */
  #noticed(sandbox: string, { failure, message }: StoreError): void {
    if (failure !== 'away' && failure !== 'full' && failure !== 'refused') return;
    this.#refusals.refused(message, () => this.#connection.run(client => this.#probe(client, sandbox)));
  }

  async #probe(client: RedisConnection, sandbox: string): Promise<void> {
    await client.set(`${this.#keysOf(sandbox)[0]}:trial`, '', { PX: 1 });
    await client.ping();
  }

  /** Uses everything that the store needs once, and leaves nothing. */
  async #check(): Promise<void> {
    const info = await this.#run(TRIAL, client => client.info());
    const said = (field: string) => new RegExp(`^${field}:(\\S*)`, 'm').exec(info)?.[1];
    if (Number.parseInt(said('redis_version') ?? '', 10) < 7)
      throw failed('refused', this.#address.where, 'is older than Redis 7.0');
    if (this.#address.kind === 'server' && said('cluster_enabled') === '1')
      throw failed('refused', this.#address.where, IN_CLUSTER);
    const name = `${TRIAL}-${randomUUID()}`; // servers that start at the same time do not meet
    const keys = this.#keysOf(name);
    const key = this.#keyOf(name);
    const log = [this.#version, this.#channel, name, 'trial'];
    await this.#run(name, async client => {
      await client.set(key, '', { NX: true, PX: 1000 });
      await client.pExpire(key, 1, 'GT');
      await client.pTTL(key);
      await client.get(key);
      await client.create(keys, [...log, '', '', '1000', '']);
      await client.append(keys, [...log, '0', 'trial', '0', '0', 'first', 'first record']);
      await client.since(keys, [this.#version, '', '0', '', '0']);
      await client.compact(keys, [this.#version, 'trial', '1', 'first', '0', '0', '1', '1', 'base']);
      await client.drop(keys, log.slice(0, 3));
      await client.scan('0', { COUNT: 1 });
      const [seconds, micros] = await client.time();
      this.#ahead = Math.round(Number(seconds) * 1000 + Number(micros) / 1000 - realTime.now());
    });
    const policy = said('maxmemory_policy');
    if (policy === undefined || policy === 'noeviction') return;
    this.#log.warn(
      `Redis at ${this.#address.where} has the maxmemory-policy ${policy}: when its memory is full, it evicts parts of sandboxes, which are then lost. Set maxmemory-policy to noeviction`,
    );
  }

  /** The response of a script about a log. Rejects with a `StoreError` if the data cannot be read. */
  async #tail(sandbox: string, outcome: Outcome): Promise<Tail<Base, Entry>> {
    this.#renewPart(outcome);
    const [, , ttl, , log, last, id, from, base, text, records] = outcome as unknown as Told; // the format of the scripts was compared
    const key = (name: string) => (ttl === null ? this.#keysOf(sandbox)[3] : this.#keyOf(name));
    try {
      return {
        head: { last, id, log, from, base },
        ...(text !== null && { base: await this.#format.readBase(text, name => this.#part(name, key(name))) }),
        records: records.map(record => this.#format.readRecord(record.slice(record.indexOf(' ') + 1))),
        ...(ttl !== null && { ttl }),
      };
    } catch (cause) {
      if (cause instanceof StoreError) throw cause;
      const message = `the data of sandbox ${sandbox} in Redis cannot be read: ${String(cause)}`;
      throw new StoreError('lost', message, { cause });
    }
  }

  /** Stores a part for logs that expire after `ttl` milliseconds without use, unless it is there. It outlives them. */
  async #share({ name, text }: SharedPart, ttl: number): Promise<void> {
    const key = this.#keyOf(name);
    const extend = () => this.#run(name, client => client.pExpire(key, 2 * ttl, 'GT'));
    await extend(); // first, so that it does not end meanwhile
    if ((await this.#run(name, client => client.pTTL(key))) >= 0) return;
    const packed = await pack(text());
    const set = await this.#run(name, client => client.set(key, packed, { NX: true, PX: 2 * ttl }));
    if (set === null) await extend();
  }

  /** If a script has put off the end of a log, that of its shared part follows. If this fails, there is time until the next use. */
  #renewPart(outcome: Outcome): void {
    const [, part, ttl, isRenewed] = outcome;
    if (typeof part !== 'string' || part === '' || typeof ttl !== 'number' || isRenewed !== 1) return;
    this.#run(part, client => client.pExpire(this.#keyOf(part), 2 * ttl, 'GT')).catch(() => {});
  }

  async #part(name: string, key: string): Promise<string> {
    const packed = await this.#run(name, client => client.get(key));
    if (packed === null) throw new StoreError('lost', `Redis does not have part ${name}, which a sandbox refers to`);
    return (await unzip(Buffer.from(packed, 'base64'))).toString('utf8');
  }
}

/** Script arguments for a head that the log must still have. */
function argumentsOf({ log, last, id, from, base }: Head): readonly string[] {
  return [log, String(last), id, String(from), String(base)];
}

function unreadable(sandbox: string, how: 'lost' | 'format', theirs: string, ours: string): StoreError {
  const words = {
    lost: 'is damaged: Redis has lost some of its keys (see maxmemory-policy)',
    format: `was written by another version of cwx-fake: its format is ${theirs}, but this version reads format ${ours}`,
  };
  return new StoreError(how, `sandbox ${sandbox} ${words[how]}`);
}

async function pack(text: string): Promise<string> {
  return (await zip(text, { level: 1 })).toString('base64');
}
