// One server of Redis as this process is connected to it: one connection for commands, and ears where there is something to hear. Knows no keys.

import type { Script } from '../scripts/script.js';
import type { HostPort } from '../url.js';
import { told } from './failures.js';
import type { Client, MakeClient } from './redis-client.js';
import { type Hearing, Subscriber } from './subscriber.js';

/** Texts, numbers, lists, bytes where they were asked for, as RESP 3 gives them. */
export type Reply = unknown;
type Arguments = readonly (string | Buffer)[];

const BLOB = 36; // the type of a text in RESP: '$'
const AS_BYTES = { typeMapping: { [BLOB]: Buffer } };
const LEAST_LIFE_MS = 1000;

export class ServerNode {
  readonly name: string;
  #trouble: string | undefined;
  #troubledSince: number | undefined;
  /** The last error while it could not be reached. */
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

  /** Why it cannot be asked at present; `undefined`: it can. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  set trouble(words: string | undefined) {
    this.#trouble = words;
    this.#troubledSince = words === undefined ? undefined : (this.#troubledSince ?? performance.now());
  }

  /** Since when it cannot be asked, by `performance.now()`. */
  get troubledSince(): number | undefined {
    return this.#troubledSince;
  }

  get isReady(): boolean {
    return this.#client.isReady;
  }

  async send(args: Arguments): Promise<Reply> {
    return this.#client.sendCommand([...args]);
  }

  /** Texts in the answer are given as bytes. `isAsking`: for a key that is just coming to this node. */
  async sendForBytes(args: Arguments, isAsking: boolean): Promise<Reply> {
    return isAsking ? this.#asking(args, AS_BYTES) : this.#client.sendCommand([...args], AS_BYTES);
  }

  /** Runs a script that Redis may know or not. */
  async run({ sha, text }: Script, args: Arguments): Promise<Reply> {
    const client = this.#client;
    try {
      return await client.sendCommand(['EVALSHA', sha, ...args]);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return client.sendCommand(['EVAL', text, ...args]);
    }
  }

  /** Runs a script on keys that are just coming to this node. */
  async runAsking({ text }: Script, args: Arguments): Promise<Reply> {
    return this.#asking(['EVAL', text, ...args]);
  }

  /** Resolves when the channel is heard; rejects where this node does not have its slot. */
  async subscribe(channel: string): Promise<void> {
    this.#subscriber ??= new Subscriber(this.host, this.name, this.make, this.hearing);
    await this.#subscriber.subscribe(channel);
  }

  async unsubscribe(channel: string): Promise<void> {
    await this.#subscriber?.unsubscribe(channel);
  }

  /** Connects anew: the host name may stand for another server by now. */
  renew(): void {
    if (this.#isEnded || performance.now() - this.#madeAt < LEAST_LIFE_MS) return;
    this.#client.destroy();
    this.#client = this.#connect();
  }

  end(): void {
    this.#isEnded = true;
    this.trouble = `Redis at ${this.name} is not used any longer`;
    this.#client.destroy();
    this.#subscriber?.end();
  }

  /** Both commands go out next to each other. */
  async #asking(args: Arguments, options?: typeof AS_BYTES): Promise<Reply> {
    const client = this.#client;
    const [, reply] = await Promise.all([client.sendCommand(['ASKING']), client.sendCommand([...args], options)]);
    return reply;
  }

  #connect(): Client {
    this.#madeAt = performance.now();
    const client = this.make(this.host, false);
    const isPast = () => this.#isEnded || client !== this.#client;
    client.on('connect', () => isPast() && client.destroy()); // it was ended while it was connecting
    client.on('error', error => {
      if (isPast()) return;
      this.lastError = error;
      if (!client.isReady) this.#become(`Redis at ${this.name} ${told(error)}, trying again`);
    });
    client.on('ready', () => isPast() || this.#become(undefined));
    client.connect().catch(() => {}); // it tries for ever, and tells of each failure by an event
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
