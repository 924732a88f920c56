// Reads every body as text, by koa-bodyparser. Never refuses one: the operation decides whether its body matters.
import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { type Admission, HEAVY_BODY, valuesIn } from '../engine/admission.js';
import { realTime } from '../engine/real-time.js';
import { type Body, bodyFrom, noBody } from '../engine/request/request.js';
import { StoreError } from '../engine/store.js';
import type { Context, Middleware } from './incoming/context.js';

/** Values of a body. More would take many times the memory of its bytes. */
const MAX_VALUES = 100_000;
/** Bytes that a piece of a body takes besides its own while it arrives. */
const PIECE = 64;
/** How much of a body that is too large is discarded, in multiples of the limit, so that the sender gets a response and not a reset connection. */
const DISCARDED_LIMITS = 32;
/** Maximum time for that. */
const DISCARD_MS = 5_000;

/** An error of koa-bodyparser and its readers. */
interface ReadingError extends Error {
  readonly type?: string;
  readonly status?: number;
}

/** `limit` in bytes: of a body as received, and as decompressed. */
export function readingBody(app: Pick<Koa, 'request'>, limit: number, admission: Admission): Middleware {
  app.request.is = () => 'text/plain'; // so koa-bodyparser reads bodies of any type, and of none
  let parse: Middleware | undefined;
  return async (ctx, next) => {
    const { 'content-length': length = '', 'transfer-encoding': chunked, 'content-encoding': coding } = ctx.req.headers;
    if (chunked !== undefined || Number(length) > 0) {
      parse ??= await parserOf(limit);
      const isSmall = Number(length) <= HEAVY_BODY && chunked === undefined && coding === undefined;
      const read = isSmall ? parse(ctx, nothingElse) : readWithin(limit, ctx, parse, admission);
      await read.catch(error => notRead(ctx, error, limit));
    }
    await next();
  };
}

/** The body of a request, parsed. Its text is not kept. */
export function parsedBody(ctx: Context): Body {
  const { request, state } = ctx;
  if (typeof request.rawBody === 'string') {
    const bytes = Buffer.from(request.rawBody, 'latin1');
    const isDense = bytes.length > MAX_VALUES && valuesIn(bytes) > MAX_VALUES;
    state.body = isDense ? { kind: 'too-large', limit: MAX_VALUES, of: 'values' } : bodyFrom(bytes);
  }
  request.body = undefined;
  request.rawBody = undefined;
  return state.body ?? noBody;
}

/** Whether parsing the body is heavy work. */
export function isLargeBody({ request: { rawBody } }: Context): boolean {
  return typeof rawBody === 'string' && rawBody.length > HEAVY_BODY;
}

/** Loaded with the first body, to keep the start fast. */
async function parserOf(limit: number): Promise<Middleware> {
  const { default: bodyParser } = await import('koa-bodyparser');
  const options = {
    enableTypes: ['text'],
    textLimit: String(limit),
    encoding: 'latin1', // a character for each byte: JSON is UTF-8, but what is not must be noticed
  };
  return bodyParser(options) as unknown as Middleware; // its types name another version of Koa's
}

const nothingElse = async () => {};

/** Reads a body that is large, compressed or of unknown length: what arrives is counted, and its reading ends with the connection. */
async function readWithin(limit: number, ctx: Context, parse: Middleware, admission: Admission): Promise<void> {
  const { req } = ctx;
  normalizeCoding(req);
  keepErrors(req);
  let received = 0;
  let kept = 0;
  let count = (_chunk: Buffer) => {};
  const interrupted = new Promise<never>((_, reject) => {
    count = ({ length }) => {
      received += length;
      kept += length + PIECE;
      admission.bodies += length + PIECE;
      if (received > limit) reject(new TooLarge());
      if (admission.isFull)
        reject(new StoreError('busy', 'too many request bodies are arriving at once (--max-memory)'));
    };
    req.on('data', count).once('error', reject);
  });
  try {
    await Promise.race([parse(ctx, nothingElse), interrupted]);
  } catch (error) {
    req.unpipe().removeAllListeners('data'); // the readers
    throw error;
  } finally {
    req.off('data', count);
    admission.bodies -= kept;
  }
}

/** A decompressor may find an error after its reader has left, for example in a checksum behind too many bytes. Unheard, it would end the process. */
function keepErrors(req: IncomingMessage): void {
  const pipe = req.pipe.bind(req);
  req.pipe = (decompressor, options) =>
    pipe(
      decompressor.on('error', () => {}),
      options,
    );
}

class TooLarge extends Error {
  readonly type = 'entity.too.large';
}

/** Names of codings are case-insensitive, and x-gzip is gzip (RFC 9110, 8.4.1); koa-bodyparser knows `gzip`. */
function normalizeCoding({ headers }: IncomingMessage): void {
  const coding = headers['content-encoding']?.toLowerCase();
  if (coding !== undefined) headers['content-encoding'] = coding === 'x-gzip' ? 'gzip' : coding || 'identity';
}

/** A body that could not be read is a kind of body. If the connection cannot be used any more, it closes after the response. */
async function notRead(ctx: Context, error: ReadingError, limit: number): Promise<void> {
  const { type, status, message } = error;
  if (error instanceof StoreError) {
    ctx.set('Connection', 'close');
    throw error;
  }
  if (type === 'entity.too.large') {
    ctx.set('Connection', 'close');
    ctx.state.body = { kind: 'too-large', limit };
    await discarded(ctx.req, limit * DISCARDED_LIMITS);
  } else if (status === 415) ctx.state.body = { kind: 'encoding', problem: message };
  else ctx.state.body = { kind: 'cut-short', problem: cutShort(ctx.req, error) };
}

/** Errors of the readers have a type, unlike those of a decompressor. */
function cutShort({ headers, aborted }: IncomingMessage, { type, message }: ReadingError): string {
  if (type !== undefined || aborted) return message;
  return `the ${headers['content-encoding']} data is incomplete or invalid (${message})`;
}

/** Reads on without keeping anything, until the end or the limits. */
async function discarded(req: IncomingMessage, most: number): Promise<void> {
  if (req.readableEnded || req.destroyed) return;
  await new Promise<void>(resolve => {
    let size = 0;
    const timer = realTime.setTimeout(() => done(), DISCARD_MS);
    const count = ({ length }: Buffer) => {
      size += length;
      if (size > most) done();
    };
    const done = () => {
      realTime.clearTimeout(timer);
      req.off('data', count);
      resolve();
    };
    req.on('data', count).once('end', done).once('close', done).resume();
  });
}
