// The one way out: requests to another server, with limits for everything that server decides.
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import type * as Undici from 'undici';
import { connectionFailure } from '../derive/text/connection-failure.js';
import { realTime } from '../engine/real-time.js';
import { checkedProxy, proxyFor, proxyName } from './through-proxy.js';
import type { TlsOptions } from './tls-options.js';

export interface OutgoingOptions {
  /** Maximum open connections. Default: no limit. */
  readonly maxSockets?: number;
  /** Whether to accept untrusted certificates. */
  readonly insecure?: boolean;
  /** Default: those of the process. */
  readonly tls?: TlsOptions | undefined;
  /** Milliseconds for a connection, for the start of a response, and for each pause in it. Default: 30 seconds. */
  readonly patience?: number;
  /** Milliseconds for a whole exchange. Default: four times `patience`. */
  readonly deadline?: number;
  /** Whether a stream of events may last longer. */
  readonly mayStream?: boolean;
  /** Bytes of a response. Default: no limit. */
  readonly maxBytes?: number;
}

/** Names are in lower case in a response; the values of repeated ones are a list. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface OutgoingRequest {
  readonly method?: string;
  readonly path: string;
  /** A `Host` replaces the one of the server. */
  readonly headers?: Headers;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface OutgoingResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Must be read or destroyed. */
  readonly body: Readable;
}

/** The other server took too long. */
export class Overdue extends Error {
  constructor(
    readonly what: 'response' | 'complete response',
    readonly ms: number,
  ) {
    super(`no ${what} within ${ms / 1000} s`);
  }
}

/** Maximum number of 1xx responses before a response. */
const MAX_INTERIM = 20;

const require = createRequire(import.meta.filename);

/** Loads undici at the first request. The platform's `fetch` keeps its own agent if it is initialized before. */
function loaded(): typeof Undici {
  Reflect.get(globalThis, 'Headers');
  return require('undici');
}

let ofProcess: TlsOptions = {};

/** Shows servers that ask for a certificate this one, in the whole process. */
export function useClientCertificate(shown: TlsOptions): void {
  ofProcess = shown;
}

/** Keeps connections to one server open. */
export class Outgoing {
  readonly #patience: number;
  readonly #deadline: number;
  readonly #proxy: string | undefined;
  #dispatcher: Undici.Dispatcher | undefined;

  /** `target`: an http(s) URL; only its origin counts. */
  constructor(
    private readonly target: URL,
    private readonly options: OutgoingOptions = {},
  ) {
    const { patience = 30_000, deadline = 4 * patience } = options;
    this.#patience = patience;
    this.#deadline = deadline;
    this.#proxy = proxyFor(target);
  }

  /** Sends a request unchanged. Rejects if there is no response. */
  async request({ method = 'GET', path, headers, body, signal }: OutgoingRequest): Promise<OutgoingResponse> {
    const ending = new AbortController();
    const late = () => ending.abort(new Overdue('complete response', this.#deadline));
    const timer = realTime.setTimeout(late, this.#deadline);
    const end = () => realTime.clearTimeout(timer);
    const aborting = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
    try {
      this.#dispatcher ??= this.#open();
      const asked = this.#dispatcher.request({
        origin: this.target.origin,
        method: method as Undici.Dispatcher.HttpMethod, // any token is one
        path,
        headers: headers ?? null,
        body: (body ?? null) as Readable | null, // whatever can be iterated
        signal: aborting,
        onInfo: countingInterim(),
      });
      const { statusCode: status, ...response } = await Promise.race([asked, aborted(aborting)]);
      response.body.on('error', () => {}); // its reader gets it, too; without a reader it would end the process
      if (this.options.mayStream === true && isEventStream(response)) end();
      else response.body.once('close', end);
      return { status, ...response };
    } catch (error) {
      end();
      const explained = this.explained(error as Error);
      if (this.#proxy === undefined || aborting.aborted || explained instanceof Overdue) throw explained;
      throw new Error(`through ${proxyName(this.#proxy)}: ${connectionFailure(explained)}`);
    }
  }

  /** The error of a request or of a response's body; that of a timeout says which one. */
  explained(error: Error): Error {
    const isTimeout = 'code' in error && TIMEOUTS.includes(String(error.code));
    return isTimeout ? new Overdue('response', this.#patience) : error;
  }

  /** Ends all connections. */
  close(): void {
    void this.#dispatcher?.destroy();
    this.#dispatcher = undefined;
  }

  #open(): Undici.Dispatcher {
    const { target, options } = this;
    const undici = loaded();
    const tls = { ...(options.tls ?? ofProcess), rejectUnauthorized: options.insecure !== true };
    const limits = {
      connections: options.maxSockets ?? null,
      headersTimeout: this.#patience,
      bodyTimeout: this.#patience,
      maxResponseSize: options.maxBytes ?? -1,
    };
    const timeout = this.#patience;
    if (this.#proxy === undefined)
      return new undici.Pool(target.origin, {
        ...limits,
        connect: endingWithError(undici.buildConnector({ ...tls, timeout })),
      });
    return new undici.ProxyAgent({
      ...limits,
      uri: checkedProxy(this.#proxy),
      proxyTunnel: target.protocol === 'https:', // many proxies tunnel to port 443 alone
      requestTls: { ...tls, timeout },
      proxyTls: { timeout },
      factory: (origin, others) => new undici.Pool(origin, { ...others, ...limits }),
    });
  }
}

type Connector = ReturnType<typeof Undici.buildConnector>;

/** Connections that an error ends: TLS goes on after an alert, so that the reason would be lost. */
function endingWithError(connect: Connector): Connector {
  return (options, done) =>
    connect(options, (...outcome) => {
      const [, socket] = outcome;
      socket?.once('error', (error: Error) => socket.destroy(error));
      done(...outcome);
    });
}

const TIMEOUTS = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'];

/** Refuses too many interim responses, and those that are none: the response might never come. */
function countingInterim(): (info: { readonly statusCode: number }) => void {
  let count = 0;
  return ({ statusCode }) => {
    count += 1;
    if (statusCode < 100) throw new Error(`the response has the invalid status code ${statusCode}`);
    if (count > MAX_INTERIM) throw new Error(`the server sent more than ${MAX_INTERIM} interim responses (1xx)`);
  };
}

/** Rejects with the signal, also while a request waits for a connection. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** Whether a response lasts as long as there are events. */
export function isEventStream({ headers }: Pick<OutgoingResponse, 'headers'>): boolean {
  return String(headers['content-type']).startsWith('text/event-stream');
}
