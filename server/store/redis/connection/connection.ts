// The connection of one store to its engine, from the first moment to the last: loads the client, knows the trouble, tells of its coming and going.
import { StoreError } from '../../../engine/store.js';
import type { StoreLog } from '../../refused-changes.js';
import type { RedisAddress } from '../url.js';
import { Nodes } from './nodes.js';
import { loadClient } from './redis-client.js';
import type { Hearing } from './subscriber.js';

export interface Connecting {
  readonly address: RedisAddress;
  /** Milliseconds without a sign of life after which a connection is given up and made anew. */
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
  #isTold = false;
  #isEnded = false;

  constructor(private readonly connecting: Connecting) {
    this.#loading = this.#load();
    this.#loading.catch(() => {}); // each verb rejects with it
  }

  /** Rejects with a `StoreError` where the client cannot be loaded. */
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
    if ((trouble !== undefined) === this.#isTold || this.#isEnded) return;
    this.#isTold = trouble !== undefined;
    if (trouble === undefined) log.info(`the store ${address.shown} can be used again`);
    else log.warn(`the store ${address.shown} cannot be used: ${trouble}`);
  }
}
