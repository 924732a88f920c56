// A connection for subscriptions to channels of one server, separate from the one for commands.

import type { HostPort } from '../url.js';
import type { Client, MakeClient } from './redis-client.js';

export interface Hearing {
  /** A message on a channel, or a possibly missed one. */
  readonly said: (channel: string) => void;
  /** The server has ended a subscription: its slot has moved. */
  readonly left: (channel: string) => void;
  /** Messages on all channels of a server may have been missed. */
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
    client.on('error', () => {}); // the command connection reports the error; this one reconnects by itself
    client.on('ready', () => hearing.missed(server));
    client.on('sharded-channel-moved', (channel: string) => hearing.left(channel));
    client.on('__MOVED', (all: { readonly SHARDED: ReadonlyMap<string, unknown> }) => {
      for (const channel of all.SHARDED.keys()) hearing.left(channel);
    });
    client.on('connect', () => this.#isEnded && client.destroy()); // it was closed while connecting
    client.connect().catch(() => {}); // it retries for ever
  }

  /** Resolves when the channel is subscribed; rejects if this server does not have its slot. */
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
