// The connection of a store to Redis. The client reconnects and follows failovers itself; every call ends in time.
import { isNativeError } from 'node:util/types';
import { realTime } from '../../engine/real-time.js';
import { StoreError } from '../../engine/store.js';
import { failed, storeErrorOf } from './failures.js';
import { clientMaker, LONGEST_PAUSE_MS, type RedisConnection } from './redis-client.js';
import type { RedisAddress } from './url.js';

interface Wiring {
  readonly channel: string;
  /** Milliseconds for one call. */
  readonly timeout: number;
  /** Called with each message of the channel, and with `undefined` when some may have been missed. */
  heard(message: string | undefined): void;
  /** Called a moment after a connection was lost or could not be established; the store may be usable by then, or without it. */
  troubled(): void;
}

/** Milliseconds in which a client usually reconnects, or subscribes again. */
const SETTLING_MS = 100;
/** Errors that follow the one of each server. */
const SUMMARY = /None of the sentinels are available|All the root nodes are unavailable/;

export class StoreConnection {
  #client: RedisConnection | undefined;
  #isConnecting = false;
  #isClosed = false;
  #lastError: unknown = new StoreError('busy', 'Redis is not connected yet');
  #looking: NodeJS.Timeout | undefined;
  readonly #open = new Set<RedisConnection>();
  readonly #make: ReturnType<typeof clientMaker>;

  /** Connects in the background. Throws a `StoreError` if the package or a file is missing. */
  constructor(
    private readonly address: RedisAddress,
    private readonly wiring: Wiring,
  ) {
    this.#make = clientMaker(address, wiring.timeout);
    void this.#connect();
  }

  /** Rejects with a `StoreError`, at the latest after the timeout; then it may still be done. */
  async run<T>(call: (client: RedisConnection) => Promise<T>): Promise<T> {
    const { kind, where } = this.address;
    try {
      if (this.#client === undefined) throw this.#lastError;
      return await this.#inTime(call(this.#client));
    } catch (error) {
      const isReadOnly = isNativeError(error) && error.message.startsWith('READONLY');
      if (isReadOnly && kind !== 'server') throw failed('away', where, 'has just got another master', error);
      if (isReadOnly) void this.#connect(); // the host name may belong to another server by now
      const isOffline = isNativeError(error) && error.constructor.name === 'ClientOfflineError';
      throw storeErrorOf(isOffline ? this.#lastError : error, where);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#client = undefined;
    this.#lastError = new StoreError('away', 'the store is closed');
    this.#end(this.#open);
  }

  /** Replaces the present client. Tries until it succeeds; then the client keeps the connection by itself. */
  async #connect(): Promise<void> {
    if (this.#isConnecting) return;
    this.#isConnecting = true;
    const old = [...this.#open];
    while (!this.#isClosed && !(await this.#isConnected())) await pause(LONGEST_PAUSE_MS);
    await pause(this.wiring.timeout); // calls that are under way may end
    this.#end(old);
    this.#isConnecting = false;
  }

  async #isConnected(): Promise<boolean> {
    const clients = this.#make();
    const [commands, subscriber = commands] = clients;
    for (const client of clients) this.#listen(client);
    try {
      await Promise.all(clients.map(client => client.connect()));
      await this.#inTime(subscriber.subscribe(this.wiring.channel, message => this.wiring.heard(message)));
    } catch (error) {
      if (!SUMMARY.test(String(error))) this.#trouble(error);
      this.#end(clients);
      return false;
    }
    if (!this.#isClosed) this.#client = commands;
    return true;
  }

  #listen(client: RedisConnection): void {
    this.#open.add(client);
    for (const event of ['error', 'node-error']) client.on(event, error => this.#trouble(error));
    const missed = () => this.wiring.heard(undefined);
    for (const event of ['ready', 'node-ready'])
      client.on(event, () => realTime.setTimeout(missed, SETTLING_MS).unref());
  }

  #trouble(error: unknown): void {
    if (this.#isClosed) return;
    this.#lastError = error;
    this.#looking ??= realTime
      .setTimeout(() => {
        this.#looking = undefined;
        this.wiring.troubled();
      }, SETTLING_MS)
      .unref();
  }

  #end(clients: Iterable<RedisConnection>): void {
    for (const client of clients) if (this.#open.delete(client)) client.destroy();
  }

  #inTime<T>(promise: Promise<T>): Promise<T> {
    const { timeout } = this.wiring;
    return new Promise((resolve, reject) => {
      const timer = realTime.setTimeout(() => {
        // the client of a Cluster (6.3.1) waits for ever for a node that was away when it was first needed, and does not look for its successor
        if (this.address.kind === 'cluster') void this.#connect();
        reject(failed('away', this.address.where, `did not respond within ${timeout} ms; a change may have been made`));
      }, timeout);
      promise.then(resolve, reject).finally(() => realTime.clearTimeout(timer));
    });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => realTime.setTimeout(resolve, ms).unref());
}
