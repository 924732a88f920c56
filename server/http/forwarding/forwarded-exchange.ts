// One request to another server and its response, both streaming. Only the client library and Koa frame messages.
import { finished, PassThrough, pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { connectionFailure, isCutShort } from '../../derive/text/connection-failure.js';
import { realTime } from '../../engine/real-time.js';
import { isBodiless } from '../../engine/request/api-response.js';
import { isEventStream, type Outgoing, type OutgoingResponse, Overdue } from '../../outgoing/outgoing.js';
import type { Context } from '../incoming/context.js';
import { RefusedRequest } from '../incoming/problem-details.js';
import type { ForwardedExchange, ForwardSettings } from './forward-settings.js';
import { MAX_EXAMINED } from './forwarded-entry.js';
import { isRewritable, type Rewriting } from './rewriting.js';
import { SeenMessage } from './seen-message.js';

/** How to forward one request. */
export interface Passing {
  /** Path and query, below the base URL of the other server. */
  readonly url: string;
  /** Whether a request header (lower case) is for this server only. */
  readonly isOwn: (name: string, value: string) => boolean;
  /** Whether a response header (lower case) is dropped. */
  readonly isHidden: (name: string) => boolean;
  /** Rewrites the response. Absent: it is passed on unchanged. */
  readonly rewriting: Rewriting | undefined;
  /** Called at the end of the exchange. */
  readonly ended: (exchange: ForwardedExchange) => void;
}

/** Bytes of a response that are kept: a recorded scenario answers with them. */
const MAX_KEPT = 64 * 1024;
/** Bytes that a compressed text may have. */
const MAX_UNPACKED = 64 * 1024 * 1024;

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
const LEFT = 'The client disconnected before the response was complete.';

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;
/** An empty body may say that it is compressed. */
const unpackers: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createGunzip({ finishFlush: Z_SYNC_FLUSH })],
  ['x-gzip', () => createGunzip({ finishFlush: Z_SYNC_FLUSH })],
  ['deflate', () => createInflate({ finishFlush: Z_SYNC_FLUSH })],
  ['br', () => createBrotliDecompress({ finishFlush: BROTLI_OPERATION_FLUSH })],
]);

/** There is no usable response. The message is a clause about the other server. */
class Unusable extends Error {
  constructor(
    message: string,
    readonly status = 502,
  ) {
    super(message);
  }
}

export class Forwarding {
  readonly #began = realTime.uptime();
  readonly #request: SeenMessage;
  #isOver = false;

  constructor(
    private readonly ctx: Context,
    private readonly settings: ForwardSettings,
    private readonly passing: Passing,
  ) {
    this.#request = new SeenMessage(ctx.req.headers, settings.examine === undefined ? 0 : MAX_EXAMINED);
  }

  /** Resolves when the response has begun. */
  async pass(outgoing: Outgoing, via: string): Promise<void> {
    const leaving = new AbortController();
    finished(this.ctx.res, () => leaving.abort(new Error(LEFT)));
    const response = await this.#ask(outgoing, via, leaving.signal).catch((error: Error) => error);
    if (response instanceof Error) throw this.#refusal(response);
    this.#respond(response, outgoing);
  }

  async #ask(outgoing: Outgoing, via: string, signal: AbortSignal): Promise<OutgoingResponse> {
    const { req } = this.ctx;
    const { rewriting, isOwn, url } = this.passing;
    const { host, pathname } = new URL(this.settings.target);
    if (req.headers.via?.includes(via))
      throw new Unusable('sends requests back to this server: a forwarding loop', 508);
    const replaced = ['host', 'expect', ...(rewriting === undefined ? [] : ['accept-encoding'])];
    const isDropped = (name: string, value: string) => replaced.includes(name) || isOwn(name, value);
    const headers = passedOn(req.rawHeaders, req.headers.connection, isDropped);
    if (rewriting !== undefined) headers.push('Accept-Encoding', 'identity'); // spares unpacking
    const response = await outgoing.request({
      method: req.method ?? '',
      path: `${pathname.replace(/\/$/, '')}${url}`,
      headers: ['Host', host, ...headers, 'Via', via],
      body: this.#body,
      signal,
    });
    const problem = problemIn(response);
    if (problem === undefined) return response;
    response.body.destroy();
    throw new Unusable(problem);
  }

  get #body(): AsyncIterable<Buffer> | undefined {
    const { 'transfer-encoding': coding, 'content-length': length = 0 } = this.ctx.req.headers;
    if (coding !== undefined || Number(length) > 0) return this.#arriving();
    this.#request.isComplete = true;
    return undefined;
  }

  async *#arriving(): AsyncGenerator<Buffer> {
    const { req } = this.ctx;
    try {
      for await (const chunk of inPieces(req, false)) {
        this.#request.add(chunk);
        yield chunk;
      }
      this.#request.isComplete = true;
    } finally {
      req.resume(); // what the other server no longer reads
    }
  }

  #respond(response: OutgoingResponse, outgoing: Outgoing): void {
    const { ctx } = this;
    const { status, reason, headers, body } = response;
    const { rewriting } = this.passing;
    const { isRewritable, unpack } = textIn(headers);
    const seen = new SeenMessage(headers, this.settings.examine === undefined ? MAX_KEPT : MAX_EXAMINED);
    const complete = () => {
      seen.isComplete = true;
      this.#end(status, { response: seen });
    };
    ctx.status = status;
    if (reason !== '') ctx.message = reason;
    this.#setHeaders(response, [
      ...(unpack === undefined ? [] : ['content-encoding']),
      ...(unpack !== undefined || (isRewritable && rewriting !== undefined) ? ['content-length'] : []),
    ]);
    if (ctx.method === 'HEAD' || isBodiless(status)) {
      body.resume();
      complete();
      return;
    }
    async function* copied(source: Readable) {
      const pieces = inPieces(source);
      for await (const chunk of (isRewritable && rewriting?.body(pieces)) || pieces) {
        seen.add(chunk);
        if (unpack !== undefined && seen.size > MAX_UNPACKED)
          throw new Error(`it has more than ${MAX_UNPACKED} bytes when decompressed`);
        yield chunk;
      }
      complete(); // before the client sees the end
    }
    const stages = [body, ...(unpack === undefined ? [] : [unpack()]), copied, new PassThrough()] as PassThrough[]; // or generators
    ctx.body = pipeline(stages, error => {
      if (error) this.#end(status, { problem: this.#problem(outgoing.explained(error), true) });
    });
    if (headers['content-type'] === undefined) ctx.remove('Content-Type'); // Koa has guessed one
    if (isEventStream(response)) ctx.flushHeaders(); // the first event may be far away
  }

  /** The response gets the headers, unless it has them already; repeated ones stay repeated. */
  #setHeaders({ rawHeaders, headers }: OutgoingResponse, dropped: readonly string[]): void {
    const { ctx } = this;
    const { isHidden, rewriting } = this.passing;
    const own = ctx.res.getHeaderNames();
    const isDropped = (name: string) => isHidden(name) || own.includes(name) || dropped.includes(name);
    const pairs = passedOn(rawHeaders, headers.connection, isDropped);
    for (let at = 0; at < pairs.length; at += 2) {
      const [name = '', value = ''] = pairs.slice(at, at + 2);
      ctx.append(name, rewriting?.header(name.toLowerCase(), value) ?? value);
    }
  }

  /** The error for the client, unless it has left. */
  #refusal(error: Error): RefusedRequest {
    const status = error instanceof Unusable ? error.status : error instanceof Overdue ? 504 : 502;
    const detail = this.#problem(error, false);
    this.#end(status, { problem: detail });
    return new RefusedRequest({ status, title: 'No usable response from the other server', detail });
  }

  #problem(error: Error, hasBegun: boolean): string {
    const { target, trusting } = this.settings;
    return isLeft(error) ? LEFT : `${target} ${failureOf(error, trusting, hasBegun)}.`;
  }

  #end(status: number, outcome: Pick<ForwardedExchange, 'response' | 'problem'>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { method = '' } = this.ctx.req;
    const { url, ended } = this.passing;
    ended({ method, url, request: this.#request, status, duration: realTime.uptime() - this.#began, ...outcome });
  }
}

/** What has arrived, in one piece each time: a chunk of one byte costs as much as a large one. */
async function* inPieces(source: Readable, destroyOnReturn = true): AsyncGenerator<Buffer> {
  for await (const first of source.iterator({ destroyOnReturn })) {
    const { readableLength } = source;
    yield readableLength === 0 ? first : Buffer.concat([first, source.read(readableLength)]);
  }
}

/** What is wrong with the other server, as a clause about it. */
function failureOf(error: Error, trusting: string, hasBegun: boolean): string {
  if (error instanceof Unusable) return error.message;
  if (error instanceof Overdue)
    return `did not ${error.what === 'response' ? 'respond' : 'complete its response'} within ${error.ms / 1000} s`;
  if (!hasBegun) return `cannot be reached: ${connectionFailure(error, trusting)}`;
  return isCutShort(error, true) ? 'broke off its response' : `sent an unusable response: ${connectionFailure(error)}`;
}

/** Whether the client is the cause of an error: of its own connection, or of a stream that nobody reads any more. */
function isLeft(error: Error): boolean {
  return [LEFT, 'aborted'].includes(error.message) || ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE');
}

/** Why a response cannot be passed on. The client library has checked the rest. */
function problemIn({ status, reason, headers, rawHeaders }: OutgoingResponse): string | undefined {
  if (status > 599) return `responded with the invalid status code ${status}`;
  if (UNPRINTABLE.test(reason)) return 'sent a control character in the status line';
  if (rawHeaders.some(text => UNPRINTABLE.test(text))) return 'sent a control character in a header';
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return status === 204 && hasBody ? 'responded 204 with a body, which HTTP forbids' : undefined;
}

/** Whether a body is text that can be read, and how it is decompressed. */
function textIn(headers: OutgoingResponse['headers']): {
  readonly isRewritable: boolean;
  readonly unpack?: () => Transform;
} {
  const { 'content-encoding': coding = 'identity', 'content-range': range } = headers;
  if (!isRewritable(headers) || range !== undefined) return { isRewritable: false };
  const unpack = unpackers.get(coding.toLowerCase());
  return { isRewritable: coding === 'identity' || unpack !== undefined, ...(unpack && { unpack }) };
}

/** Headers without hop-by-hop ones and those that are dropped; names and values alternate. `Connection` cannot drop the length of a body. */
function passedOn(
  rawHeaders: readonly string[],
  connection: string | undefined,
  isDropped: (name: string, value: string) => boolean,
): string[] {
  const named = (connection ?? '').split(',').map(name => name.trim().toLowerCase());
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    const lower = name.toLowerCase();
    const isHop = HOP_BY_HOP.has(lower) || (named.includes(lower) && lower !== 'content-length');
    if (!isHop && !isDropped(lower, value)) kept.push(name, value);
  }
  return kept;
}
