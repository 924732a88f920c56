// One server of Redis: a connection for commands, and one for subscriptions if needed.

import type { Script } from '../scripts/script.js';
import type { HostPort } from '../url.js';
import { reasonText } from './failures.js';
import type { Client, MakeClient } from './redis-client.js';
import { type Hearing, Subscriber } from './subscriber.js';

/** RESP 3 values: strings, numbers, lists; bytes if requested. */
export type Reply = unknown;
type Arguments = readonly (string | Buffer)[];

const BLOB = 36; // the RESP type of a string: '$'
const AS_BYTES = { typeMapping: { [BLOB]: Buffer } };
const MIN_LIFE_MS = 1000;

export class ServerNode {
  readonly name: string;
  #trouble: string | undefined;
  #troubledSince: number | undefined;
  /** The last error while it was unreachable. */
  lastError: unknown;
  #client: Client;
  #subscriber: Subscriber | undefined;
  #madeAt = 0;
  #isEnded = false;

  constructor(
    readonly host: HostPort,
    private readonly make: MakeClient,
    private readonly changed: (node: ServerNode) => void,
    private readonly hearing: Hearing,
  ) {
    this.name = nameOf(host);
    this.trouble = `Redis at ${this.name} is not connected yet`;
    this.#client = this.#connect();
  }

  /** Why it is unavailable at present; `undefined`: it is available. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  set trouble(words: string | undefined) {
    this.#trouble = words;
    this.#troubledSince = words === undefined ? undefined : (this.#troubledSince ?? performance.now());
  }

  /** Since when it is unavailable, by `performance.now()`. */
  get troubledSince(): number | undefined {
    return this.#troubledSince;
  }

  get isReady(): boolean {
    return this.#client.isReady;
  }

  async send(args: Arguments): Promise<Reply> {
    return this.#client.sendCommand([...args]);
  }

  /** Strings in the answer are bytes. `isAsking`: for a key that is migrating to this node. */
  async sendForBytes(args: Arguments, isAsking: boolean): Promise<Reply> {
    return isAsking ? this.#asking(args, AS_BYTES) : this.#client.sendCommand([...args], AS_BYTES);
  }

  /** Runs a script that Redis may or may not have loaded. */
  async run({ sha, text }: Script, args: Arguments): Promise<Reply> {
    const client = this.#client;
    try {
      return await client.sendCommand(['EVALSHA', sha, ...args]);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return client.sendCommand(['EVAL', text, ...args]);
    }
  }

  /** Runs a script on keys that are migrating to this node. */
  async runAsking({ text }: Script, args: Arguments): Promise<Reply> {
    return this.#asking(['EVAL', text, ...args]);
  }

  /** Resolves when the channel is subscribed; rejects if this node does not have its slot. */
  async subscribe(channel: string): Promise<void> {
    this.#subscriber ??= new Subscriber(this.host, this.name, this.make, this.hearing);
    await this.#subscriber.subscribe(channel);
  }

  async unsubscribe(channel: string): Promise<void> {
    await this.#subscriber?.unsubscribe(channel);
  }

  /** Reconnects: the host name may mean another server by now. */
  renew(): void {
    if (this.#isEnded || performance.now() - this.#madeAt < MIN_LIFE_MS) return;
    this.#client.destroy();
    this.#client = this.#connect();
  }

  end(): void {
    this.#isEnded = true;
    this.trouble = `Redis at ${this.name} is not used any longer`;
    this.#client.destroy();
    this.#subscriber?.end();
  }

  /** Both commands are sent together. */
  async #asking(args: Arguments, options?: typeof AS_BYTES): Promise<Reply> {
    const client = this.#client;
    const [, reply] = await Promise.all([client.sendCommand(['ASKING']), client.sendCommand([...args], options)]);
    return reply;
  }

  #connect(): Client {
    this.#madeAt = performance.now();
    const client = this.make(this.host, false);
    const isPast = () => this.#isEnded || client !== this.#client;
    client.on('connect', () => isPast() && client.destroy()); // it was closed while connecting
    client.on('error', error => {
      if (isPast()) return;
      this.lastError = error;
      if (!client.isReady) this.#become(`Redis at ${this.name} ${reasonText(error)}, trying again`);
    });
    client.on('ready', () => isPast() || this.#become(undefined));
    client.connect().catch(() => {}); // it retries for ever, and reports each failure by an event
    return client;
  }

  #become(trouble: string | undefined): void {
    const isNews = trouble !== this.trouble;
    this.trouble = trouble;
    if (isNews) this.changed(this);
  }
}

export function nameOf({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
