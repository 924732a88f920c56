// What came as a body, told apart in all its kinds. Plain JSON is read here, and everything else by koa-bodyparser.
// Never refuses: whether a body matters is for the operation to say.
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { bodyFrom, notJson } from '../engine/body-bytes.js';
import type { Body } from '../engine/request/request.js';
import type { BodyFailure, Context, Middleware, RequestState } from './context.js';

const ABSENT: Body = { kind: 'absent' };
const EMPTY: Body = { kind: 'empty' };
/** How much of a body that is too large is read and thrown away, in bodies, so that the sender gets the answer and no reset connection. */
const DRAINED_BODIES = 32;
/** How long that may take. */
const DRAIN_MS = 5_000;

/** Gives the body of a request to `done`: at once where there is none. `failed` is told of bugs only: what cannot be read is a body too. */
export type ReadBody = (ctx: Context, done: (body: Body) => void, failed: (error: unknown) => void) => void;

/** `limit` in bytes. */
export function bodyReader(limit: number): ReadBody {
  let loading: Promise<Middleware> | undefined;
  const parser = () => {
    loading ??= bodyParserFor(limit);
    return loading;
  };
  return (ctx, done, failed) => {
    const { headers } = ctx.req;
    const length = headers['content-length'];
    if (headers['transfer-encoding'] !== undefined) readTheRest(ctx, parser, limit).then(done, failed);
    else if (length === undefined) done(ABSENT);
    else if (length === '0') done(EMPTY);
    else if (Number(length) <= limit && isPlainJson(headers)) collect(ctx.req, done);
    else readTheRest(ctx, parser, limit).then(done, failed);
  };
}

/** Puts what came as a body into the one typed entry. */
export function withBody(read: ReadBody): Middleware {
  return async (ctx, next) => {
    ctx.state.body = await new Promise<Body>((resolve, reject) => read(ctx, resolve, reject));
    if (ctx.state.isLast) ctx.set('Connection', 'close');
    return next();
  };
}

async function readTheRest(ctx: Context, parser: () => Promise<Middleware>, limit: number): Promise<Body> {
  if (Number(ctx.req.headers['content-length']) > limit) {
    await drain(ctx, limit);
    return { kind: 'too-large', limit };
  }
  spellEncoding(ctx.req);
  const broken = cutOff(ctx);
  const parse = await parser();
  const received: Buffer[] = [];
  ctx.req.on('data', (chunk: Buffer) => received.push(chunk)); // nothing flows before there is a listener, and two are there at once
  await Promise.race([parse(ctx, async () => {}), broken]);
  const { failure } = ctx.state;
  if (failure?.status === 413) await drain(ctx, limit);
  const encoding = ctx.req.headers['content-encoding'] ?? 'identity';
  const arrived = { bytes: Buffer.concat(received), encoding, limit };
  return failure === undefined ? parsed(ctx, arrived) : failed(failure, arrived);
}

/** The names of codings have no case, and x-gzip is gzip (RFC 9110, 8.4.1); koa-bodyparser knows them in one spelling. */
function spellEncoding({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']?.toLowerCase();
  if (encoding !== undefined) headers['content-encoding'] = encoding === 'x-gzip' ? 'gzip' : encoding;
}

/** Loaded with the first body that is not plain JSON: the server starts sooner without. */
async function bodyParserFor(limit: number): Promise<Middleware> {
  const { default: bodyParser } = await import('koa-bodyparser');
  const options = {
    enableTypes: ['json'],
    detectJSON: () => true,
    strict: false,
    onProtoPoisoning: 'ignore',
    jsonLimit: String(limit),
    onerror: (error: Error, ctx: { state: RequestState; request: { body?: unknown } }) => {
      ctx.state.failure = error as BodyFailure; // what koa-bodyparser throws
      ctx.request.body = {};
    },
  };
  return bodyParser(options);
}

/** Resolves when the connection breaks before the body is whole: an unpacker in between would not hear of it. */
function cutOff({ req, state }: Context): Promise<void> {
  return new Promise(resolve => {
    req.once('close', () => {
      if (req.complete) return;
      state.failure ??= new Error('request aborted');
      resolve();
    });
  });
}

function isPlainJson({ 'content-type': type, 'content-encoding': encoding }: IncomingHttpHeaders): boolean {
  if (type === undefined || encoding !== undefined) return false;
  return type === 'application/json' || /^application\/json; ?charset=utf-8$/i.test(type);
}

/** Most bodies come in one piece. */
function collect(request: IncomingMessage, done: (body: Body) => void): void {
  let first: Buffer | undefined;
  let more: Buffer[] | undefined;
  request.on('data', (chunk: Buffer) => {
    if (first === undefined) first = chunk;
    else if (more === undefined) more = [first, chunk];
    else more.push(chunk);
  });
  request.on('end', () => done(bodyFrom(more === undefined ? (first ?? Buffer.alloc(0)) : Buffer.concat(more))));
  request.on('error', error => done({ kind: 'cut-short', problem: error.message }));
}

/** A body as it came over the wire. */
interface Arrived {
  readonly bytes: Buffer;
  readonly encoding: string;
  readonly limit: number;
}

function parsed(ctx: Context, arrived: Arrived): Body {
  const text = String(ctx.request.rawBody ?? '');
  if (text === '') return EMPTY;
  return hasOddBytes(text, arrived) ? { kind: 'not-utf8' } : { kind: 'json', value: ctx.request.body, text };
}

function failed(failure: BodyFailure, arrived: Arrived): Body {
  const { body: text, message, status } = failure;
  if (status === 413) return { kind: 'too-large', limit: arrived.limit };
  if (status === 415) return { kind: 'encoding', problem: message };
  if (text === undefined) {
    const isUnpackable = status === undefined && arrived.encoding !== 'identity';
    return { kind: 'cut-short', problem: isUnpackable ? `it is no whole ${arrived.encoding} (${message})` : message };
  }
  return hasOddBytes(text, arrived) ? { kind: 'not-utf8' } : notJson(text, message);
}

/** The parser puts U+FFFD for bytes that are no UTF-8; whether one was sent as such, only the bytes tell. */
function hasOddBytes(text: string, { bytes, encoding, limit }: Arrived): boolean {
  if (!text.includes('\uFFFD')) return false;
  const bound = { maxOutputLength: limit + 1 };
  if (encoding === 'br') return !isUtf8(brotliDecompressSync(bytes, bound));
  const isPacked = encoding === 'gzip' || encoding === 'deflate';
  return !isUtf8(isPacked ? unzipSync(bytes, bound) : bytes);
}

/** Reads on and throws away, to the end or to a bound, and lets the connection end after the answer. */
function drain(ctx: Context, limit: number): Promise<void> {
  ctx.state.isLast = true;
  const { req } = ctx;
  return new Promise(resolve => {
    let read = 0;
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, DRAIN_MS);
    req.unpipe(); // an unpacker that has stopped would hold the rest up
    req.removeAllListeners('data');
    req.on('data', (chunk: Buffer) => {
      read += chunk.length;
      if (read > limit * DRAINED_BODIES) done();
    });
    req.once('end', done).once('close', done).once('error', done);
    if (req.readableEnded) done();
    req.resume();
  });
}
