// The connection of a store to its engine: loads the client, and reports when trouble begins and ends.
import { StoreError } from '../../../engine/store.js';
import type { StoreLog } from '../../refused-changes.js';
import type { RedisAddress } from '../url.js';
import { Nodes } from './nodes.js';
import { loadClient } from './redis-client.js';
import type { Hearing } from './subscriber.js';

interface Connecting {
  readonly address: RedisAddress;
  /** Milliseconds without a response after which a connection is replaced. */
  readonly patience: number;
  readonly log: StoreLog;
  readonly hearing: Hearing;
  /** Slots may have moved. */
  readonly moved: () => void;
}

export class Connection {
  readonly #loading: Promise<Nodes>;
  #nodes: Nodes | undefined;
  #failure: StoreError | undefined;
  #isReported = false;
  #isEnded = false;

  constructor(private readonly connecting: Connecting) {
    this.#loading = this.#load();
    this.#loading.catch(() => {}); // each verb rejects with it
  }

  /** Rejects with a `StoreError` if the client cannot be loaded. */
  nodes(): Nodes | Promise<Nodes> {
    return this.#nodes ?? this.#loading;
  }

  get trouble(): string | undefined {
    if (this.#isEnded) return 'the store is closed';
    if (this.#failure !== undefined) return this.#failure.message;
    return this.#nodes === undefined ? `${this.connecting.address.shown} is not connected yet` : this.#nodes.trouble;
  }

  end(): void {
    this.#isEnded = true;
    this.#nodes?.end();
  }

  async #load(): Promise<Nodes> {
    const { address, patience, hearing, moved } = this.connecting;
    try {
      const make = await loadClient({ address, patience });
      if (this.#isEnded) throw new StoreError('away', 'the store is closed');
      this.#nodes = new Nodes(address, make, { changed: () => this.#tell(), moved, hearing });
      return this.#nodes;
    } catch (error) {
      this.#failure =
        error instanceof StoreError
          ? error
          : new StoreError('refused', `the client of Redis does not load: ${String(error)}`);
      throw this.#failure;
    }
  }

  #tell(): void {
    const { log, address } = this.connecting;
    const { trouble } = this;
    if ((trouble !== undefined) === this.#isReported || this.#isEnded) return;
    this.#isReported = trouble !== undefined;
    if (trouble === undefined) log.info(`the store ${address.shown} can be used again`);
    else log.warn(`the store ${address.shown} cannot be used: ${trouble}`);
  }
}
