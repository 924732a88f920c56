// Reads bodies of all kinds. JSON, compressed and chunked bodies are read here; other content types by koa-bodyparser. Never refuses: the operation
// decides whether its body matters.
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompress, unzip, type ZlibOptions } from 'node:zlib';
import { bodyFrom } from '../../engine/request/body-bytes.js';
import type { Body } from '../../engine/request/request.js';
import { StoreError } from '../../engine/store.js';
import type { BodyFailure, Context, Middleware, RequestState } from '../context.js';
import { ArrivingBody } from './arriving-body.js';
import type { Outstanding } from './outstanding.js';

export const ABSENT: Body = { kind: 'absent' };
export const EMPTY: Body = { kind: 'empty' };

type Unpack = (bytes: Buffer, options: ZlibOptions, done: (error: Error | null, whole: Buffer) => void) => void;

/** Decompressors by content coding. */
const unpackers: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', unzip],
  ['deflate', unzip],
  ['br', brotliDecompress],
]);

/** The result, or the bytes of a whole body: they are parsed as late as possible, because parsed JSON needs more memory. */
export type Arrival = Body | Buffer;
type Done = (arrival: Arrival) => void;
type Failed = (error: unknown) => void;

export class BodyReader {
  #loading: Promise<Middleware> | undefined;

  /** `limit` in bytes: of a body as received, and as decompressed. */
  constructor(
    private readonly limit: number,
    private readonly outstanding: Outstanding,
  ) {}

  /**
   * Passes the body of a request to `done`: synchronously if there is none. An unreadable body is a kind of body too; `failed` gets bugs, and a
   * `StoreError` if there is no room.
   */
  read(ctx: Context, done: Done, failed: Failed): void {
    const { headers } = ctx.req;
    const length = headers['content-length'];
    if (length === '0') done(EMPTY);
    else if (length !== undefined || headers['transfer-encoding'] !== undefined)
      this.#readSome(ctx, Number(length), done, failed);
    else done(ABSENT);
  }

  /** `size`: Content-Length; `NaN` for a chunked body. */
  #readSome(ctx: Context, size: number, done: Done, failed: Failed): void {
    const { headers } = ctx.req;
    const coding = codingIn(headers);
    const unpack = coding === IDENTITY ? undefined : unpackers.get(coding);
    if (unpack !== undefined)
      this.#collect(ctx, size, bytes => this.#unpack(ctx, bytes, coding, unpack, done), done, failed);
    else if (coding !== IDENTITY && !(size > this.limit)) done(unreadable(coding));
    else if (Number.isNaN(size) || size > this.limit || isJson(headers)) this.#collect(ctx, size, done, done, failed);
    else this.#parse(ctx, size).then(done, failed);
  }

  #collect(ctx: Context, size: number, take: (bytes: Buffer) => void, done: Done, failed: Failed): void {
    const arriving = new ArrivingBody(this.limit, this.outstanding, arrived => {
      if (arrived === 'too-large') done(this.#tooLarge(ctx));
      else if (arrived === 'no-room') failed(this.#noRoom(ctx));
      else if (arrived instanceof Error) done({ kind: 'cut-short', problem: arrived.message });
      else take(arrived);
    });
    arriving.read(ctx.req, size);
  }

  #unpack(ctx: Context, bytes: Buffer, coding: string, unpack: Unpack, done: Done): void {
    const { limit, outstanding } = this;
    outstanding.bodies += bytes.length;
    unpack(bytes, { maxOutputLength: limit }, (error: NodeJS.ErrnoException | null, whole) => {
      outstanding.bodies -= bytes.length;
      if (error === null) done(whole);
      else if (error.code === 'ERR_BUFFER_TOO_LARGE') done(this.#tooLarge(ctx));
      else done({ kind: 'cut-short', problem: `it is no whole ${coding} (${error.message})` });
    });
  }

  #noRoom({ state }: Context): StoreError {
    state.isLast = true;
    return new StoreError(
      'busy',
      'so many bodies are arriving at once that there is no room for this one (--max-memory)',
    );
  }

  #tooLarge({ state }: Context): Body {
    state.isLast = true;
    return { kind: 'too-large', limit: this.limit };
  }

  /** Read by koa-bodyparser as latin1, one character for each byte: `bodyFrom` decides for all readers whether it is JSON. */
  async #parse(ctx: Context, size: number): Promise<Arrival> {
    this.#loading ??= loadParser(this.limit);
    const parse = await this.#loading;
    this.outstanding.bodies += size;
    await parse(ctx, async () => {});
    this.outstanding.bodies -= size;
    const { failure } = ctx.state;
    const text = failure === undefined ? String(ctx.request.rawBody) : failure.body;
    if (text === undefined) return { kind: 'cut-short', problem: failure?.message ?? 'nothing came' };
    return Buffer.from(text, 'binary');
  }
}

export function parsed(arrival: Arrival): Body {
  return Buffer.isBuffer(arrival) ? bodyFrom(arrival) : arrival;
}

/** Puts the body into the typed state of the context. */
export function withBody(reader: BodyReader): Middleware {
  return async (ctx, next) => {
    ctx.state.body = parsed(await new Promise<Arrival>((resolve, reject) => reader.read(ctx, resolve, reject)));
    if (ctx.state.isLast) ctx.set('Connection', 'close');
    return next();
  };
}

const IDENTITY = 'identity';

/** Names of codings are case-insensitive, and x-gzip is gzip (RFC 9110, 8.4.1). */
function codingIn({ 'content-encoding': given }: IncomingHttpHeaders): string {
  if (given === undefined || given === '') return IDENTITY;
  const coding = given.toLowerCase();
  return coding === 'x-gzip' ? 'gzip' : coding;
}

function isJson({ 'content-type': type }: IncomingHttpHeaders): boolean {
  return type === 'application/json' || (type !== undefined && /^application\/json; ?charset=utf-8$/i.test(type));
}

function unreadable(coding: string): Body {
  return { kind: 'encoding', problem: `Unsupported Content-Encoding: ${coding}` };
}

/** Loaded with the first body that needs it, to keep the start fast. */
async function loadParser(limit: number): Promise<Middleware> {
  const { default: bodyParser } = await import('koa-bodyparser');
  const options = {
    enableTypes: ['json'],
    detectJSON: () => true,
    strict: false,
    encoding: 'binary',
    onProtoPoisoning: 'ignore',
    jsonLimit: String(limit),
    onerror: (error: Error, ctx: { state: RequestState; request: { body?: unknown } }) => {
      ctx.state.failure = error as BodyFailure; // as thrown by koa-bodyparser
      ctx.request.body = {};
    },
  };
  return bodyParser(options);
}
