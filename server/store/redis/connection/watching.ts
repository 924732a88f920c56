// Subscriptions of channels: in a Cluster at the node of the slot, wherever it moves.
import { realTime } from '../../../engine/real-time.js';
import { Listeners } from '../../listeners.js';
import type { ServerNode } from './node.js';
import type { Client } from './redis-client.js';
import type { Servers } from './servers.js';

const PAUSE_MS = 50;

interface Channel {
  readonly tag: string;
  /** The subscribed node; absent: none at present. */
  node: ServerNode | undefined;
  isMoving: boolean;
}

export class Watching {
  readonly #channels = new Map<string, Channel>();
  readonly #listeners = new Listeners();

  constructor(private readonly servers: Servers) {
    servers.moved = () => {
      for (const [name, channel] of this.#channels) void this.#move(name, channel);
    };
  }

  /** Calls `listener` on each message, and whenever one may have been missed. */
  watch(name: string, tag: string, listener: () => void): () => void {
    const channel = this.#channels.get(name) ?? { tag, node: undefined, isMoving: false };
    this.#channels.set(name, channel);
    const unwatch = this.#listeners.watch(name, listener);
    if (channel.node !== undefined) realTime.queueMicrotask(() => this.#listeners.tell(name));
    void this.#move(name, channel);
    return () => {
      unwatch();
      void this.#move(name, channel);
    };
  }

  /** Rejects if the node does not allow subscriptions. */
  async try(name: string, node: ServerNode): Promise<void> {
    await this.#ready(node).sSubscribe(name, this.#said);
    await this.#ready(node).sUnsubscribe(name, this.#said);
  }

  /** Until it is subscribed where its slot is, or nowhere if it has no listener. */
  async #move(name: string, channel: Channel): Promise<void> {
    if (channel.isMoving) return;
    channel.isMoving = true;
    while (!this.servers.isEnded) {
      const isWatched = this.#listeners.has(name);
      const node = isWatched ? this.servers.of(channel.tag) : undefined;
      if (node === channel.node && (node !== undefined || !isWatched)) break;
      try {
        this.#leave(name, channel);
        if (isWatched) await this.#subscribe(name, channel, node);
      } catch {
        // it is retried, and the command connection reports the node's error
        await new Promise(resolve => realTime.setTimeout(resolve, PAUSE_MS).unref());
      }
    }
    channel.isMoving = false;
    if (!this.#listeners.has(name) && this.#channels.get(name) === channel) this.#channels.delete(name);
  }

  async #subscribe(name: string, channel: Channel, node: ServerNode | undefined): Promise<void> {
    if (node === undefined) throw new Error('no node has this slot');
    await this.#ready(node).sSubscribe(name, this.#said);
    channel.node = node;
    this.#listeners.tell(name);
  }

  #leave(name: string, channel: Channel): void {
    const left = channel.node && this.#subscriber(channel.node).sUnsubscribe(name, this.#said);
    channel.node = undefined;
    left?.catch(() => {}); // the connection is gone, and with it the subscription
  }

  #ready(node: ServerNode): Client {
    const client = this.#subscriber(node);
    if (!client.isReady) throw new Error('not connected'); // it would wait in a queue, even when the slot has moved
    return client;
  }

  #subscriber(node: ServerNode): Client {
    return node.subscriber(client => {
      client.on('ready', () => {
        for (const [name, channel] of this.#channels) if (channel.node === node) this.#listeners.tell(name);
      });
      client.on('sharded-channel-moved', (name: string) => this.#lost(name));
      client.on('__MOVED', (all: { readonly SHARDED: ReadonlyMap<string, unknown> }) => {
        for (const name of all.SHARDED.keys()) this.#lost(name);
      });
    });
  }

  /** The server has ended a subscription: its slot has moved. */
  #lost(name: string): void {
    const channel = this.#channels.get(name);
    if (channel === undefined) return;
    channel.node = undefined;
    void this.#move(name, channel);
  }

  readonly #said = (_message: string, name: string) => this.#listeners.tell(name);
}
