// Reads bodies of all kinds. JSON, compressed and chunked bodies are read here; other content types by koa-bodyparser. Never refuses: the operation
// decides whether its body matters.
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompress, unzip, type ZlibOptions } from 'node:zlib';
import type { Middleware } from 'koa';
import { type Admission, valuesIn } from '../../engine/admission.js';
import { bodyFrom } from '../../engine/request/body-bytes.js';
import type { Body } from '../../engine/request/request.js';
import { StoreError } from '../../engine/store.js';
import { ABSENT, type Arrival } from '../exchange/exchange.js';
import type { Context } from '../incoming/context.js';
import { ArrivingBody } from './arriving-body.js';

/** An error of koa-bodyparser and its readers. */
interface BodyFailure extends Error {
  readonly body?: string;
}

type Unpack = (bytes: Buffer, options: ZlibOptions, done: (error: Error | null, whole: Buffer) => void) => void;

/** Decompressors by content coding. */
const unpackers: ReadonlyMap<string, Unpack> = new Map([
  ['gzip', unzip],
  ['deflate', unzip],
  ['br', brotliDecompress],
]);

type Done = (arrival: Arrival) => void;

/** Values of a body. More would take many times the memory of its bytes. */
const MAX_VALUES = 100_000;

export class BodyReader {
  #loading: Promise<Middleware> | undefined;

  /** `limit` in bytes: of a body as received, and as decompressed. */
  constructor(
    private readonly limit: number,
    private readonly admission: Admission,
  ) {}

  /** Reads the body of a request; synchronously if there is none. An unreadable body is a kind of body; a `StoreError` says that there is no room. */
  read(ctx: Context, done: Done): void {
    const { headers } = ctx.req;
    const length = headers['content-length'];
    if ((length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined)
      this.#readSome(ctx, Number(length), done);
    else done(ABSENT);
  }

  /** The body that has arrived; bytes no longer count. Throws the error that has arrived instead. */
  parse(arrival: Arrival): Body {
    if (arrival instanceof Error) throw arrival;
    if (!Buffer.isBuffer(arrival)) return arrival;
    this.admission.bodies -= arrival.length;
    const isDense = arrival.length > MAX_VALUES && valuesIn(arrival) > MAX_VALUES;
    return isDense ? { kind: 'too-large', limit: MAX_VALUES, of: 'values' } : bodyFrom(arrival);
  }

  /** Bytes that are not parsed after all no longer count. */
  discard(arrival: Arrival): void {
    if (Buffer.isBuffer(arrival)) this.admission.bodies -= arrival.length;
  }

  /** `size`: Content-Length; `NaN` for a chunked body. */
  #readSome(ctx: Context, size: number, done: Done): void {
    const { headers } = ctx.req;
    const coding = codingIn(headers);
    const unpack = coding === IDENTITY ? undefined : unpackers.get(coding);
    if (unpack !== undefined) this.#collect(ctx, size, bytes => this.#unpack(bytes, coding, unpack, done), done);
    else if (coding !== IDENTITY && !(size > this.limit)) done(unreadable(coding));
    else if (Number.isNaN(size) || size > this.limit || isJson(headers))
      this.#collect(ctx, size, bytes => this.#keep(bytes, done), done);
    else this.#parseOther(ctx, size).then(done, done);
  }

  #collect(ctx: Context, size: number, use: (bytes: Buffer) => void, done: Done): void {
    const arriving = new ArrivingBody(this.limit, this.admission, arrived => {
      if (arrived === 'too-large') done(this.#tooLarge());
      else if (arrived === 'no-room') done(noRoom());
      else if (arrived instanceof Error) done({ kind: 'cut-short', problem: arrived.message });
      else use(arrived);
    });
    arriving.read(ctx.req, size);
  }

  #unpack(bytes: Buffer, coding: string, unpack: Unpack, done: Done): void {
    const { limit, admission } = this;
    admission.bodies += bytes.length;
    unpack(bytes, { maxOutputLength: limit }, (error: NodeJS.ErrnoException | null, whole) => {
      admission.bodies -= bytes.length;
      if (error === null) this.#keep(whole, done);
      else if (error.code === 'ERR_BUFFER_TOO_LARGE') done(this.#tooLarge());
      else done({ kind: 'cut-short', problem: `the ${coding} data is incomplete or invalid (${error.message})` });
    });
  }

  #keep(bytes: Buffer, done: Done): void {
    this.admission.bodies += bytes.length;
    done(bytes);
  }

  #tooLarge(): Body {
    return { kind: 'too-large', limit: this.limit };
  }

  /** Read by koa-bodyparser as latin1, one character for each byte: `bodyFrom` decides for all readers whether it is JSON. */
  async #parseOther(ctx: Context, size: number): Promise<Arrival> {
    this.#loading ??= loadParser(this.limit);
    const parse = await this.#loading;
    this.admission.bodies += size;
    await parse(ctx, async () => {});
    this.admission.bodies -= size;
    const failure: BodyFailure | undefined = ctx.state.failure;
    const text = failure === undefined ? String(ctx.request.rawBody) : failure.body;
    if (text === undefined) return { kind: 'cut-short', problem: failure?.message ?? 'nothing was received' };
    const bytes = Buffer.from(text, 'binary');
    this.admission.bodies += bytes.length;
    return bytes;
  }
}

/** Whether the rest of a body was not read, so that the connection cannot be used any more. */
export function isUnread(arrival: Arrival): boolean {
  return arrival instanceof StoreError || ('kind' in arrival && arrival.kind === 'too-large');
}

function noRoom(): StoreError {
  return new StoreError('busy', 'too many request bodies are arriving at once (--max-memory)');
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
    onerror: (error: Error, ctx: { state: { failure?: Error }; request: { body?: unknown } }) => {
      ctx.state.failure = error; // as thrown by koa-bodyparser
      ctx.request.body = {};
    },
  };
  return bodyParser(options);
}
