// A connection that only listens: to channels of one server. Apart from the one for commands, whose answers would be mixed up with what is heard.

import type { HostPort } from '../url.js';
import type { Client, MakeClient } from './redis-client.js';

export interface Hearing {
  /** A channel said something, or may have. */
  readonly said: (channel: string) => void;
  /** The server tells of a channel no longer: its slot has moved. */
  readonly left: (channel: string) => void;
  /** All channels of a server may have said something in between. */
  readonly missed: (server: string) => void;
}

export class Subscriber {
  readonly #client: Client;
  #isEnded = false;

  constructor(
    host: HostPort,
    server: string,
    make: MakeClient,
    private readonly hearing: Hearing,
  ) {
    const client = make(host, true);
    this.#client = client;
    client.on('error', () => {}); // the other connection tells of the server; this one comes back by itself
    client.on('ready', () => hearing.missed(server));
    client.on('sharded-channel-moved', (channel: string) => hearing.left(channel));
    client.on('__MOVED', (all: { readonly SHARDED: ReadonlyMap<string, unknown> }) => {
      for (const channel of all.SHARDED.keys()) hearing.left(channel);
    });
    client.on('connect', () => this.#isEnded && client.destroy()); // it was ended while it was connecting
    client.connect().catch(() => {}); // it tries for ever
  }

  /** Resolves when the channel is heard; rejects where this server does not have its slot. */
  async subscribe(channel: string): Promise<void> {
    await this.#client.sSubscribe(channel, this.#heard);
  }

  async unsubscribe(channel: string): Promise<void> {
    await this.#client.sUnsubscribe(channel, this.#heard);
  }

  end(): void {
    this.#isEnded = true;
    this.#client.destroy();
  }

  readonly #heard = (_message: string, channel: string) => this.hearing.said(channel);
}
