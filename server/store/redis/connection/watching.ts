// Who listens to which channel, and at which node it is heard: in a Cluster at the one that has its slot, wherever that goes. Knows no logs.

import type { ServerNode } from './node.js';
import type { Nodes } from './nodes.js';
import type { Hearing } from './subscriber.js';

const PAUSE_MS = 50;

interface Channel {
  readonly tag: string;
  readonly listeners: Set<() => void>;
  /** Where it is heard; absent: nowhere at present. */
  node: ServerNode | undefined;
  isPlacing: boolean;
}

export class Watching {
  readonly #channels = new Map<string, Channel>();
  #isEnded = false;

  constructor(private readonly nodes: () => Nodes | Promise<Nodes>) {}

  readonly hearing: Hearing = {
    said: channel => tell(this.#channels.get(channel)),
    left: channel => this.#lost(channel),
    missed: server => {
      for (const channel of this.#channels.values()) if (channel.node?.name === server) tell(channel);
    },
  };

  /** Calls `listener` when the channel says something, and each time when something may have been missed. */
  watch(name: string, tag: string, listener: () => void): () => void {
    const channel: Channel = this.#channels.get(name) ?? {
      tag,
      listeners: new Set(),
      node: undefined,
      isPlacing: false,
    };
    this.#channels.set(name, channel);
    const own = () => listener(); // one that watches twice hears twice
    channel.listeners.add(own);
    if (channel.node === undefined) void this.#place(name, channel);
    else queueMicrotask(() => channel.listeners.has(own) && own());
    return () => {
      channel.listeners.delete(own);
      if (channel.listeners.size > 0 || this.#channels.get(name) !== channel) return;
      this.#channels.delete(name);
      this.#leave(name, channel);
    };
  }

  /** Slots may have moved. */
  follow(): void {
    const nodes = this.nodes();
    if (nodes instanceof Promise) return;
    for (const [name, channel] of this.#channels) {
      if (channel.node === undefined || channel.node === nodes.of(channel.tag)) continue;
      this.#leave(name, channel);
      void this.#place(name, channel);
    }
  }

  end(): void {
    this.#isEnded = true;
    this.#channels.clear();
  }

  #lost(name: string): void {
    const channel = this.#channels.get(name);
    if (channel === undefined) return;
    channel.node = undefined;
    void this.#place(name, channel);
  }

  /** Until it is heard somewhere, or nobody listens any longer. */
  async #place(name: string, channel: Channel): Promise<void> {
    if (channel.isPlacing) return;
    channel.isPlacing = true;
    while (this.#isWanted(name, channel) && !(await this.#isHeard(name, channel))) {
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS).unref());
    }
    channel.isPlacing = false;
  }

  /** Whether it is heard at the node that should have it. */
  async #isHeard(name: string, channel: Channel): Promise<boolean> {
    let nodes: Nodes | undefined;
    try {
      nodes = await this.nodes();
      const node = nodes.of(channel.tag);
      if (node === undefined) throw new Error('no node has this slot');
      await node.subscribe(name);
      if (!this.#isWanted(name, channel)) {
        if (this.#channels.get(name) === undefined) this.#leave(name, { ...channel, node });
        return true;
      }
      channel.node = node;
      tell(channel);
      return true;
    } catch {
      void nodes?.look(); // it is tried again, and what is wrong with the node is told by the other connection
      return false;
    }
  }

  #isWanted(name: string, channel: Channel): boolean {
    return !this.#isEnded && this.#channels.get(name) === channel;
  }

  #leave(name: string, channel: Channel): void {
    const { node } = channel;
    channel.node = undefined;
    node?.unsubscribe(name).catch(() => {}); // the connection is gone, and with it the subscription
  }
}

function tell(channel: Channel | undefined): void {
  for (const listener of channel?.listeners ?? []) listener();
}
