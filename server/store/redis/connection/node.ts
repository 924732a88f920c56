// One server of Redis: a connection for commands, and one for subscriptions if needed.
import { realTime } from '../../../engine/real-time.js';
import { isRefusal, reasonText } from './failures.js';
import type { Client, MakeClient } from './redis-client.js';
import type { HostPort } from './url.js';

/** RESP 3 values: strings, numbers, lists; bytes if requested. */
export type Reply = unknown;

interface Sending {
  /** The keys are migrating to this server. */
  readonly isAsking?: boolean;
  /** Strings in the reply are bytes. */
  readonly asBytes?: boolean;
}

const BLOB = 36; // the RESP type of a string: '$'
const AS_BYTES = { typeMapping: { [BLOB]: Buffer } };
const MIN_LIFE_MS = 1000;

export class ServerNode {
  readonly name: string;
  /** The last error while it was unreachable. */
  lastError: unknown;
  #trouble: string | undefined = 'is not connected yet';
  #since: number | undefined = realTime.uptime();
  #client: Client;
  #subscriber: Client | undefined;
  #madeAt = 0;
  #isEnded = false;

  constructor(
    readonly host: HostPort,
    private readonly make: MakeClient,
    private readonly changed: () => void,
  ) {
    this.name = nameOf(host);
    this.#client = this.#connect();
  }

  /** Why it is unavailable at present, after its name; `undefined`: it is available. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  set trouble(words: string | undefined) {
    if (words === this.#trouble) return;
    this.#trouble = words;
    this.#since = words === undefined ? undefined : (this.#since ?? realTime.uptime());
    this.changed();
  }

  /** Since when it is unavailable, by `performance.now()`. */
  get troubledSince(): number | undefined {
    return this.#since;
  }

  /** Whether it stays unavailable until an administrator changes something. */
  get isRefusing(): boolean {
    return this.#trouble !== undefined && isRefusal(this.lastError);
  }

  get isReady(): boolean {
    return this.#client.isReady;
  }

  async send(args: readonly (string | Buffer)[], { isAsking, asBytes }: Sending = {}): Promise<Reply> {
    const client = this.#client;
    const sent = () => client.sendCommand([...args], asBytes ? AS_BYTES : undefined);
    return isAsking ? (await Promise.all([client.sendCommand(['ASKING']), sent()]))[1] : sent();
  }

  /**
   * The connection for subscriptions; `listen` is called with a new one. Not that of the commands: Redis closes a connection with subscriptions that has
   * 32 MB of unread replies (client-output-buffer-limit).
   */
  subscriber(listen: (client: Client) => void): Client {
    if (this.#subscriber !== undefined) return this.#subscriber;
    const client = this.#open(() => this.#isEnded);
    client.on('error', () => {}); // the command connection reports the error
    listen(client);
    this.#subscriber = client;
    return client;
  }

  /** Reconnects: the host name may mean another server by now. */
  renew(): void {
    if (this.#isEnded || realTime.uptime() - this.#madeAt < MIN_LIFE_MS) return;
    this.#client.destroy();
    this.#client = this.#connect();
  }

  end(): void {
    this.#isEnded = true;
    this.trouble = 'is no longer used';
    this.#client.destroy();
    this.#subscriber?.destroy();
  }

  #connect(): Client {
    this.#madeAt = realTime.uptime();
    const isPast = () => this.#isEnded || client !== this.#client;
    const client = this.#open(isPast);
    client.on('error', error => {
      if (isPast()) return;
      this.lastError = error;
      if (!client.isReady) this.trouble = reasonText(error);
    });
    client.on('ready', () => {
      if (!isPast()) this.trouble = undefined;
    });
    return client;
  }

  #open(isPast: () => boolean): Client {
    const client = this.make(this.host);
    client.on('connect', () => isPast() && client.destroy()); // it was closed while connecting
    client.connect().catch(() => {}); // it retries for ever, and reports each failure by an event
    return client;
  }
}

export function nameOf({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
