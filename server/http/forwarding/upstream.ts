// Forwards requests to another server unchanged, byte for byte and streaming.

import { randomBytes } from 'node:crypto';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { connectionFailure } from '../../derive/text/connection-failure.js';
import { realTime } from '../../engine/real-time.js';
import { Outgoing } from '../../outgoing/outgoing.js';
import type { TlsOptions } from '../../outgoing/tls-options.js';
import { PROBLEM, problemText } from '../exchange/problem-details.js';
import type { Rewriting } from './rewriting.js';

export interface UpstreamSettings {
  /** Base URL of the other server, without a trailing slash. */
  readonly target: string;
  /** Milliseconds for the start of a response, however much arrives before it, and for each pause in it. */
  readonly timeout: number;
  /** 0: no limit. */
  readonly maxConnections: number;
  /** Whether to accept untrusted certificates. */
  readonly insecure?: boolean;
  readonly tls?: TlsOptions | undefined;
  /** Advice for an untrusted certificate, as the end of a sentence. */
  readonly trusting: string;
}

/** How to forward one request. */
export interface Passing {
  /** Path and query, below the base URL. */
  readonly url: string;
  /** Whether a request header (lower case) is not forwarded; hop-by-hop headers never are. */
  readonly isOwn: (name: string, value: string) => boolean;
  /** The same for the response. */
  readonly isHidden?: (name: string) => boolean;
  /** Additional headers of the response; names and values alternate. */
  readonly further?: readonly string[];
  /** Rewrites the response. Absent: it is passed on unchanged. */
  readonly rewriting?: Rewriting | undefined;
  /** Bytes of the bodies that are kept. */
  readonly kept: Readonly<Record<'request' | 'response', number>>;
  /** Called at the end of the exchange. */
  readonly ended: (exchange: ForwardedExchange) => void;
}

/** The kept part of a message. */
export interface SeenMessage {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Whether `bytes` is complete. */
  readonly isWhole: boolean;
}

export interface ForwardedExchange {
  readonly method: string;
  /** Path and query, as forwarded. */
  readonly url: string;
  readonly request: SeenMessage;
  readonly status: number;
  /** Absent: the response is incomplete, and `problem` says why. */
  readonly response?: SeenMessage;
  readonly problem?: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** Hop-by-hop headers (RFC 9110, 7.6.1), besides those named in `Connection`. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const UNPRINTABLE = /[^\t\x20-\x7e\x80-\xff]/;
/** Maximum number of 1xx responses before a response. */
const MOST_INTERIM = 20;
/** Maximum duration of a response, in timeouts; an event stream may last longer. */
const MOST_TIMEOUTS = 20;

export class Upstream {
  readonly #target: URL;
  readonly #outgoing: Outgoing;
  /** This server's name in `Via` (RFC 9110, 7.6.3), to detect loops. */
  readonly #via = `1.1 cwx-fake-${randomBytes(4).toString('hex')}`;

  constructor(private readonly settings: UpstreamSettings) {
    const { target, maxConnections, insecure = false, tls } = settings;
    this.#target = new URL(target);
    this.#outgoing = new Outgoing(this.#target, {
      ...(maxConnections > 0 && { maxSockets: maxConnections }),
      insecure,
      tls,
    });
  }

  /** Ends all connections to it. */
  close(): void {
    this.#outgoing.close();
  }

  pass(req: IncomingMessage, res: ServerResponse, passing: Passing): void {
    const { target, timeout, trusting } = this.settings;
    const exchange = new Exchanging(req, res, passing);
    if (req.headers.via?.includes(this.#via)) {
      exchange.fail(`${target} sends requests back to this server: a forwarding loop.`, 508);
      return;
    }
    const asking = this.#ask(req, passing, response => answered(response));
    const stop = (problem: string, status?: number) => {
      exchange.fail(`${target} ${problem}.`, status);
      asking.destroy();
    };
    const limit = (ms: number, verb: string) => {
      const timer = realTime.setTimeout(() => stop(`did not ${verb} within ${ms / 1000} s`, 504), ms);
      exchange.onEnd(() => realTime.clearTimeout(timer));
      return timer;
    };
    asking.setTimeout(timeout, () => stop(`did not respond within ${timeout / 1000} s`, 504));
    let start: NodeJS.Timeout | undefined;
    asking.on('finish', () => {
      if (!res.headersSent) start = limit(timeout, 'respond');
    });
    let received: IncomingMessage | undefined;
    asking.on('error', (error: NodeJS.ErrnoException) => {
      if (received?.complete !== true) stop(`cannot be reached: ${connectionFailure(error, trusting)}`);
    });
    let interim = 0;
    asking.on('information', () => {
      interim += 1;
      if (interim > MOST_INTERIM) stop(`sent more than ${MOST_INTERIM} interim responses (1xx)`);
    });
    asking.on('upgrade', () => stop('switched protocols (101), although the request did not ask for it'));
    const answered = (response: IncomingMessage) => {
      realTime.clearTimeout(start);
      received = response;
      const problem = problemIn(response);
      if (problem !== undefined) return stop(problem);
      response.on('aborted', () => stop('broke off its response'));
      if (!isEventStream(response)) limit(timeout * MOST_TIMEOUTS, 'complete its response');
      exchange.response(response);
    };
    res.on('close', () => {
      if (res.writableFinished) return;
      exchange.fail('The client disconnected before the response was complete.');
      asking.destroy();
    });
    req.pipe(asking);
  }

  #ask(
    req: IncomingMessage,
    { url, isOwn, rewriting }: Passing,
    answered: (response: IncomingMessage) => void,
  ): ClientRequest {
    const { host, pathname } = this.#target;
    const isReplaced = (name: string) =>
      name === 'host' || name === 'expect' || (rewriting !== undefined && name === 'accept-encoding');
    const headers = passedOn(req, (name, value) => isReplaced(name) || isOwn(name, value));
    if (rewriting !== undefined) headers.push('Accept-Encoding', 'identity'); // compressed texts cannot be rewritten
    if (req.headers['transfer-encoding'] !== undefined) headers.push('Transfer-Encoding', 'chunked');
    const options = {
      ...(req.method !== undefined && { method: req.method }),
      path: `${pathname.replace(/\/$/, '')}${url}`,
      headers: ['Host', host, ...headers, 'Via', this.#via],
    };
    return this.#outgoing.request(options, answered);
  }
}

/** One forwarded request and its response. */
class Exchanging {
  readonly #began = realTime.uptime();
  readonly #request: Beginning;
  #status = 502;
  #isOver = false;
  readonly #endings: Array<() => void> = [];

  constructor(
    private readonly req: IncomingMessage,
    private readonly res: ServerResponse,
    private readonly passing: Passing,
  ) {
    this.#request = new Beginning(req, passing.kept.request);
  }

  onEnd(listener: () => void): void {
    this.#endings.push(listener);
  }

  response(response: IncomingMessage): void {
    if (this.#isOver) return;
    const { res, passing } = this;
    const { isHidden = () => false, further = [], rewriting, kept } = passing;
    const seen = new Beginning(response, kept.response);
    this.#status = response.statusCode ?? 502;
    const body = this.req.method === 'HEAD' ? undefined : rewriting?.body(response.headers);
    const isDropped = (name: string) => isHidden(name) || (body !== undefined && name === 'content-length');
    const headers = passedOn(response, isDropped, (name, value) => rewriting?.header(name, value) ?? value);
    res.writeHead(this.#status, response.statusMessage, [...headers, ...further]);
    response.on('end', () => this.#end(this.#status, { response: seen.seen }));
    (body === undefined ? response : response.pipe(body)).pipe(res);
  }

  /** If no response has begun, the client gets an error; otherwise the response breaks off. */
  fail(problem: string, status = 502): void {
    if (this.#isOver) return;
    const { res } = this;
    const hasBegun = res.headersSent;
    if (hasBegun) res.destroy();
    else this.#responseItself(status, problem);
    this.#end(hasBegun ? this.#status : status, { problem });
  }

  #responseItself(status: number, detail: string): void {
    const text = problemText({ status, title: 'No usable response from the other server', detail });
    const own = ['Content-Type', PROBLEM, 'Content-Length', String(Buffer.byteLength(text))];
    this.res.writeHead(status, [...own, ...(this.passing.further ?? [])]);
    this.res.end(text);
  }

  #end(status: number, rest: Pick<ForwardedExchange, 'response' | 'problem'>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const listener of this.#endings) listener();
    const { method = '' } = this.req;
    const { url, ended } = this.passing;
    ended({ method, url, request: this.#request.seen, status, duration: realTime.uptime() - this.#began, ...rest });
  }
}

/** Why a response cannot be passed on. Node's parser has checked the rest. */
function problemIn({ statusCode = 0, statusMessage = '', headers, rawHeaders }: IncomingMessage): string | undefined {
  if (statusCode < 200 || statusCode > 599) return `responded with the invalid status code ${statusCode}`;
  if (UNPRINTABLE.test(statusMessage)) return 'sent a control character in the status line';
  if (rawHeaders.some(text => UNPRINTABLE.test(text))) return 'sent a control character in a header';
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = headers;
  const hasBody = coding !== undefined || Number(length) > 0;
  if (statusCode === 204 && hasBody) return 'responded 204 with a body, which HTTP forbids';
  return undefined;
}

function isEventStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/** Headers without hop-by-hop ones and those that are not forwarded; names and values alternate. */
function passedOn(
  { rawHeaders, headers }: IncomingMessage,
  stays: (name: string, value: string) => boolean,
  changed: (name: string, value: string) => string = (_, value) => value,
): string[] {
  const named = (headers.connection ?? '').split(',').map(name => name.trim().toLowerCase());
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !named.includes(lower) && !stays(lower, value))
      kept.push(name, changed(lower, value));
  }
  return kept;
}

/** Keeps the beginning of a message that flows by. */
class Beginning {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    private readonly message: IncomingMessage,
    private readonly most: number,
  ) {
    if (most === 0) return;
    message.on('data', (chunk: Buffer) => {
      if (this.#size < most) this.#chunks.push(chunk);
      this.#size += chunk.length;
    });
  }

  get seen(): SeenMessage {
    const { headers } = this.message;
    return {
      headers,
      bytes: Buffer.concat(this.#chunks),
      isWhole: this.#size <= this.most && this.most > 0 && this.message.complete,
    };
  }
}
