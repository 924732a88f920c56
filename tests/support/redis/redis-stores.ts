// Stores in Redis for tests of faults: opened with a short timeout, closed together, appended to as a replica does.
import { expect } from 'chai';
import { type Head, StoreError, type StoreFailure } from '../../../server/engine/store.js';
import { redisStore } from '../../../server/store/redis/redis-store.js';
import { type Kept, kept, type Plain, plainFormat } from '../../store/suite.js';
import { TcpProxy } from '../wire/tcp-proxy.js';
import { failure } from '../worlds/failure.js';
import { until } from '../worlds/until.js';
import { RedisServer, type ServerOptions } from './redis-servers.js';

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

/** A server for the tests of a `describe`, and stores that are closed after each of them. */
export function redisForTests(options: ServerOptions = {}) {
  const stores = new Stores();
  let server: RedisServer | undefined;
  before(async () => {
    server = await RedisServer.start(options);
  });
  afterEach(() => stores.close());
  after(() => server?.stop());
  const started = () => server ?? expect.fail('it is not started');
  return {
    stores,
    get server() {
      return started();
    },
    /** A store on the server, ready for use. */
    open: (opening?: Opening) => stores.open(started().url, opening),
  };
}

/** The same, and a proxy through which stores reach the server at `url`. */
export function redisBehindProxy() {
  const redis = redisForTests();
  let proxy: TcpProxy | undefined;
  before(async () => {
    proxy = await TcpProxy.to(redis.server.port);
  });
  afterEach(() => proxy?.accept());
  after(() => proxy?.close());
  const started = () => proxy ?? expect.fail('it is not started');
  const url = () => `redis://127.0.0.1:${started().port}`;
  return {
    stores: redis.stores,
    get server() {
      return redis.server;
    },
    get proxy() {
      return started();
    },
    get url() {
      return url();
    },
    /** A store that reaches the server through the proxy, ready for use. */
    open: (opening?: Opening) => redis.stores.open(url(), opening),
  };
}

export interface Log {
  readonly sandbox: string;
  readonly head: Head;
}

/** Three stores append numbers to each log during `meanwhile`; then each log has the acknowledged numbers, each once. `more` waits for ten more in each. */
export async function underLoad(
  open: () => Promise<Kept>,
  logs: readonly Log[],
  meanwhile: (more: () => Promise<void>) => Promise<void>,
): Promise<void> {
  let isDone = false;
  const acknowledged = logs.map(() => new Set<number>());
  const running = [0, 1, 2].map(async which => {
    const store = await open();
    const appending = logs.map(async ({ sandbox, head }, log) => {
      const appender = new Appender(store, sandbox, head);
      for (let number = which; !isDone; number += 3) {
        await appender.add([[number]]);
        acknowledged[log]?.add(number);
        await new Promise(resolve => setTimeout(resolve, 2));
      }
    });
    await Promise.all(appending);
  });
  const more = async () => {
    const before = acknowledged.map(({ size }) => size);
    await until(() => acknowledged.every(({ size }, log) => size > (before[log] ?? 0) + 10));
  };
  const during = async () => {
    await more();
    await meanwhile(more);
    await more();
  };
  await Promise.race([during(), Promise.all(running)]).finally(() => {
    isDone = true;
  });
  await Promise.all(running);
  const store = await open();
  for (const [log, { sandbox }] of logs.entries())
    expect((await numbers(store, sandbox)).sort(byNumber)).to.deep.equal([...(acknowledged[log] ?? [])].sort(byNumber));
}

const byNumber = (one: number, other: number) => one - other;

/** A log under a name that no other test has. */
export async function created(store: Kept, ttl?: number, base = 'base'): Promise<Log> {
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
