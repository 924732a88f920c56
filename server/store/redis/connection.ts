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
/** Milliseconds after which a client is replaced again, at the earliest. */
const REST_MS = 1000;
/** Errors that follow the one of each server. */
const SUMMARY = /None of the sentinels are available|All the root nodes are unavailable/;

export class StoreConnection {
  #client: RedisConnection | undefined;
  #isConnecting = false;
  #restsUntil = 0;
  #isClosed = false;
  #lastError: unknown = new StoreError('busy', 'Redis is not connected yet');
  #looking: NodeJS.Timeout | undefined;
  readonly #open = new Set<RedisConnection>();
  readonly #make: () => readonly [commands: RedisConnection, subscriber: RedisConnection];

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
    try {
      if (this.#client === undefined) throw this.#lastError;
      return await this.#inTime(call(this.#client));
    } catch (error) {
      const isOffline = isNativeError(error) && error.constructor.name === 'ClientOfflineError';
      const isReadOnly = isNativeError(error) && error.message.startsWith('READONLY');
      if (!isReadOnly) throw storeErrorOf(isOffline ? this.#lastError : error, this.address.where);
      if (this.address.kind !== 'server')
        throw failed('away', this.address.where, 'has just got another master', error);
      void this.#connect(); // the host name may belong to another server by now
      throw storeErrorOf(error, this.address.where);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#client = undefined;
    this.#lastError = new StoreError('away', 'the store is closed');
    for (const client of this.#open) client.destroy();
  }

  /** Tries until it succeeds; then the client keeps the connection by itself. Replaces the present client. */
  async #connect(): Promise<void> {
    if (this.#isConnecting || realTime.uptime() < this.#restsUntil) return;
    this.#isConnecting = true;
    const old = [...this.#open];
    for (let isDone = false; !isDone && !this.#isClosed; ) {
      const [commands, subscriber] = this.#opened();
      try {
        await Promise.all([...new Set([commands, subscriber])].map(client => client.connect()));
        await this.#inTime(subscriber.subscribe(this.wiring.channel, message => this.wiring.heard(message)));
        if (!this.#isClosed) this.#client = commands;
        isDone = true;
      } catch (error) {
        if (!SUMMARY.test(String(error))) this.#trouble(error);
        this.#end([commands, subscriber]);
        await new Promise(resolve => realTime.setTimeout(resolve, LONGEST_PAUSE_MS));
      }
    }
    realTime.setTimeout(() => this.#end(old), this.wiring.timeout).unref(); // calls that are under way may end
    this.#restsUntil = realTime.uptime() + REST_MS;
    this.#isConnecting = false;
  }

  #opened(): readonly [RedisConnection, RedisConnection] {
    const made = this.#make();
    for (const client of new Set(made)) {
      this.#open.add(client);
      for (const event of ['error', 'node-error']) client.on(event, error => this.#trouble(error));
      const missed = () => this.wiring.heard(undefined);
      for (const event of ['ready', 'node-ready'])
        client.on(event, () => realTime.setTimeout(missed, SETTLING_MS).unref());
    }
    return made;
  }

  #trouble(error: unknown): void {
    if (this.#isClosed) return;
    this.#lastError = error;
    if (this.#looking === undefined) this.#looking = realTime.setTimeout(() => this.#look(), SETTLING_MS).unref();
  }

  #look(): void {
    this.#looking = undefined;
    this.wiring.troubled();
  }

  #end(clients: readonly RedisConnection[]): void {
    for (const client of clients) {
      this.#open.delete(client);
      client.destroy();
    }
  }

  #inTime<T>(promise: Promise<T>): Promise<T> {
    const { timeout } = this.wiring;
    return new Promise((resolve, reject) => {
      const timer = realTime.setTimeout(() => {
        // a Cluster of 6.3.1 waits for ever for a node that was away when it was first needed, and does not look for its successor
        if (this.address.kind === 'cluster') void this.#connect();
        reject(failed('away', this.address.where, `did not respond within ${timeout} ms; a change may have been made`));
      }, timeout);
      promise.then(resolve, reject).finally(() => realTime.clearTimeout(timer));
    });
  }
}
