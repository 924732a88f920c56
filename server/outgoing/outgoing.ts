// The one way out: requests to another server, with limits for everything that server decides.
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import type * as Undici from 'undici';
import { realTime } from '../engine/real-time.js';
import { type Connector, OutgoingProxy, proxyFor } from './through-proxy.js';
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

export interface OutgoingRequest {
  readonly method?: string;
  readonly path: string;
  /** Names and values alternate. A `Host` replaces the one of the server. */
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface OutgoingResponse {
  readonly status: number;
  readonly reason: string;
  /** As sent: names and values alternate. */
  readonly rawHeaders: readonly string[];
  /** Names in lower case; the values of repeated ones are joined. */
  readonly headers: Readonly<Record<string, string>>;
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
  readonly #tls: TlsOptions;
  readonly #patience: number;
  readonly #deadline: number;
  #opened: Opened | undefined;

  /** `target`: an http(s) URL; only its origin counts. */
  constructor(
    private readonly target: URL,
    private readonly options: OutgoingOptions = {},
  ) {
    const { tls = ofProcess, patience = 30_000, deadline = 4 * patience } = options;
    this.#tls = tls;
    this.#patience = patience;
    this.#deadline = deadline;
  }

  /** Sends a request unchanged. Rejects if there is no response, or if a proxy responds in the server's place. */
  async request({ method = 'GET', path, headers = [], body, signal }: OutgoingRequest): Promise<OutgoingResponse> {
    const ending = new AbortController();
    const late = () => ending.abort(new Overdue('complete response', this.#deadline));
    const timer = realTime.setTimeout(late, this.#deadline);
    const end = () => realTime.clearTimeout(timer);
    const aborting = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
    try {
      this.#opened ??= this.#open();
      const { pool, reader } = this.#opened;
      const asked = pool.request({
        method: method as Undici.Dispatcher.HttpMethod, // any token is one
        path: reader === undefined ? path : `${this.target.origin}${path}`,
        headers: [...named(headers, this.target.host), ...(reader?.authorization ?? [])],
        body: (body ?? null) as Readable | null, // whatever can be iterated
        signal: aborting,
        onInfo: countingInterim(),
        responseHeaders: 'raw',
      });
      const response = received(await Promise.race([asked, aborted(aborting)]));
      response.body.on('error', () => {}); // its reader gets it, too; without a reader it would end the process
      if (this.options.mayStream === true && isEventStream(response)) end();
      else response.body.once('close', end);
      const refusal = reader?.refusal(response.status, response.headers);
      if (refusal === undefined) return response;
      response.body.destroy();
      throw refusal;
    } catch (error) {
      end();
      throw this.explained(error as Error);
    }
  }

  /** The error of a request or of a response's body; that of a timeout says which one. */
  explained(error: Error): Error {
    const isTimeout = 'code' in error && TIMEOUTS.includes(String(error.code));
    return isTimeout ? new Overdue('response', this.#patience) : error;
  }

  /** Ends all connections. */
  close(): void {
    void this.#opened?.pool.destroy();
    this.#opened = undefined;
  }

  #open(): Opened {
    const { target, options } = this;
    const undici = loaded();
    const tls = { ...this.#tls, rejectUnauthorized: options.insecure !== true, timeout: this.#patience };
    const connect = endingWithError(undici.buildConnector(tls));
    const limits = {
      connections: options.maxSockets ?? null,
      headersTimeout: this.#patience,
      bodyTimeout: this.#patience,
      maxResponseSize: options.maxBytes ?? -1,
    };
    const url = proxyFor(target);
    if (url === undefined) return { pool: new undici.Pool(target.origin, { ...limits, connect }) };
    const proxy = new OutgoingProxy(undici, url, this.#patience);
    return target.protocol === 'https:'
      ? { pool: new undici.Pool(target.origin, { ...limits, connect: proxy.tunnel(connect) }) }
      : { pool: new undici.Pool(proxy.origin, { ...limits, connect: proxy.connect }), reader: proxy };
  }
}

interface Opened {
  readonly pool: Undici.Pool;
  /** The proxy that reads the requests and sends them on. */
  readonly reader?: OutgoingProxy;
}

/** Headers with a host: `host`, unless they have one. */
function named(headers: readonly string[], host: string): string[] {
  const others: string[] = [];
  let own = host;
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2);
    if (name.toLowerCase() === 'host') own = value || host;
    else others.push(name, value);
  }
  return ['Host', own, ...others];
}

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

/** Refuses too many interim responses, and those that are none: the response would never come. */
function countingInterim(): (info: { readonly statusCode: number }) => void {
  let count = 0;
  return ({ statusCode }) => {
    count += 1;
    if (statusCode < 100) throw new Error(`the response has the invalid status code ${statusCode}`);
    if (statusCode === 101)
      throw new Error('the server switches protocols (101), although the request did not ask for it');
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
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

function received({ statusCode, statusText, headers, body }: Undici.Dispatcher.ResponseData): OutgoingResponse {
  const rawHeaders = headers as unknown as string[]; // as asked for
  const joined = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const before = joined.get(name.toLowerCase());
    joined.set(name.toLowerCase(), before === undefined ? value : `${before}, ${value}`);
  }
  const reason = Buffer.from(statusText).toString('latin1'); // like the headers
  return { status: statusCode, reason, rawHeaders, headers: Object.fromEntries(joined), body };
}
