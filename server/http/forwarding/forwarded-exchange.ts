// One request to another server and its response, both streaming. Only the client library and Koa frame messages.
import { once } from 'node:events';
import { validateHeaderValue } from 'node:http';
import { finished, PassThrough, pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';
import { connectionFailure, isCutShort } from '../../derive/text/connection-failure.js';
import { realTime } from '../../engine/real-time.js';
import { isBodiless } from '../../engine/request/api-response.js';
import { type Headers, isEventStream, type Outgoing, type OutgoingResponse, Overdue } from '../../outgoing/outgoing.js';
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

const LEFT = 'The client disconnected before the response was complete.';

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
  /** Whether the head of the other server's response has come. */
  #hasBegun = false;
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
    try {
      await this.#respond(await this.#ask(outgoing, via, leaving.signal), outgoing);
    } catch (caught) {
      const error = outgoing.explained(caught as Error);
      const status = error instanceof Unusable ? error.status : error instanceof Overdue ? 504 : 502;
      const detail = this.#problem(error);
      this.#end(status, { problem: detail });
      throw new RefusedRequest({ status, title: 'No usable response from the other server', detail });
    }
  }

  async #ask(outgoing: Outgoing, via: string, signal: AbortSignal): Promise<OutgoingResponse> {
    const { req } = this.ctx;
    const { rewriting, isOwn, url } = this.passing;
    if (req.headers.via?.includes(via))
      throw new Unusable('sends requests back to this server: a forwarding loop', 508);
    const isDropped = (name: string, value: string) => name === 'host' || name === 'expect' || isOwn(name, value);
    const headers = passedOn(req.headers, isDropped);
    if (rewriting !== undefined) headers['accept-encoding'] = 'identity'; // spares unpacking
    const response = await outgoing.request({
      method: req.method ?? '',
      path: `${new URL(this.settings.target).pathname.replace(/\/$/, '')}${url}`,
      headers: { ...headers, via: headers.via === undefined ? via : `${headers.via}, ${via}` },
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
      for await (const first of req.iterator({ destroyOnReturn: false })) {
        const { readableLength } = req;
        const chunk = readableLength === 0 ? first : Buffer.concat([first, req.read(readableLength)]); // one of a byte takes as much as a large one
        this.#request.add(chunk);
        yield chunk;
      }
      this.#request.isComplete = true;
    } finally {
      req.resume(); // what the other server no longer reads
    }
  }

  async #respond(response: OutgoingResponse, outgoing: Outgoing): Promise<void> {
    const { ctx } = this;
    this.#hasBegun = true;
    const { status, headers, body } = response;
    const { isHidden } = this.passing;
    const isText = isRewritable(headers) && headers['content-range'] === undefined;
    const unpack = isText ? unpacking(headers) : undefined;
    const isPlain = isText && [undefined, 'identity'].includes(headers['content-encoding']?.toString());
    const rewriting = isPlain || unpack !== undefined ? this.passing.rewriting : undefined;
    const seen = new SeenMessage(headers, this.settings.examine === undefined ? MAX_KEPT : MAX_EXAMINED);
    const complete = () => {
      seen.isComplete = true;
      this.#end(status, { response: seen });
    };
    const changed = [...(unpack ? ['content-encoding'] : []), ...(unpack || rewriting ? ['content-length'] : [])];
    const begin = () => {
      ctx.status = status;
      const own = ctx.res.getHeaderNames();
      const isDropped = (name: string) => isHidden(name) || own.includes(name) || changed.includes(name);
      for (const [name, value] of Object.entries(passedOn(headers, isDropped)))
        ctx.set(
          name,
          typeof value === 'string' ? this.#rewritten(name, value) : value.map(one => this.#rewritten(name, one)),
        );
    };
    if (ctx.method === 'HEAD' || isBodiless(status)) {
      begin();
      body.resume();
      complete();
      return;
    }
    async function* copied(source: Readable) {
      for await (const chunk of rewriting?.body(source) ?? source) {
        seen.add(chunk);
        if (unpack !== undefined && seen.size > MAX_UNPACKED)
          throw new Error(`it has more than ${MAX_UNPACKED} bytes when decompressed`);
        yield chunk;
      }
      complete(); // before the client sees the end
    }
    const passed = new PassThrough();
    const stages = [body, ...(unpack === undefined ? [] : [unpack]), copied, passed] as PassThrough[]; // or generators
    pipeline(stages, error => {
      if (error && ctx.body === passed) this.#end(status, { problem: this.#problem(outgoing.explained(error)) });
    });
    if (!isEventStream(response)) await once(passed, 'readable'); // what fails before its first byte gets a refusal
    if (passed.errored) throw passed.errored;
    begin();
    ctx.body = passed;
    if (headers['content-type'] === undefined) ctx.remove('Content-Type'); // Koa has guessed one
    if (isEventStream(response)) ctx.flushHeaders(); // the first event may be far away
  }

  #rewritten(name: string, value: string): string {
    return this.passing.rewriting?.header(name, value) ?? value;
  }

  #problem(error: Error): string {
    const { target, trusting } = this.settings;
    return isLeft(error) ? LEFT : `${target} ${failureOf(error, trusting, this.#hasBegun)}.`;
  }

  #end(status: number, outcome: Pick<ForwardedExchange, 'response' | 'problem'>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { method = '' } = this.ctx.req;
    const { url, ended } = this.passing;
    ended({ method, url, request: this.#request, status, duration: realTime.uptime() - this.#began, ...outcome });
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
function problemIn({ status, headers }: OutgoingResponse): string | undefined {
  if (status > 599) return `responded with the invalid status code ${status}`;
  try {
    for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, String(value));
    return undefined;
  } catch {
    return 'sent a control character in a header';
  }
}

/** Decompresses a body, which may be empty; `undefined` if it is not compressed, or in a way that is not known. */
function unpacking({ 'content-encoding': coding }: Headers): Transform | undefined {
  switch (String(coding).toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}

/** Headers without hop-by-hop ones and those that are dropped. `Connection` cannot drop the length of a body. */
function passedOn(
  headers: Headers,
  isDropped: (name: string, value: string) => boolean,
): Record<string, string | string[]> {
  const named = String(headers.connection ?? '')
    .split(',')
    .map(name => name.trim().toLowerCase());
  const isHop = (name: string) => HOP_BY_HOP.has(name) || (named.includes(name) && name !== 'content-length');
  const kept = Object.entries(headers).flatMap(([name, value = '']) => {
    const values = [value].flat().filter(one => !isHop(name) && !isDropped(name, one));
    return values.length === 0 ? [] : [[name, values.length === 1 ? String(values[0]) : values] as const];
  });
  return Object.fromEntries(kept);
}
