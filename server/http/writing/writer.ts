// Writes the response of any exchange, then counts and logs it. It bypasses Koa's own answering, which would double its cost.
import { randomUUID } from 'node:crypto';
import type { Holds } from '../../engine/faults/holds.js';
import type { Log } from '../../engine/log.js';
import { realTime } from '../../engine/real-time.js';
import { isBodiless } from '../../engine/request/api-response.js';
import type { Exchange } from '../exchange/exchange.js';
import type { HeaderList, Response } from '../exchange/response.js';
import { traceparentIn } from '../incoming/request-ids.js';
import type { Metrics } from '../metrics/metrics.js';
import { breakOff, held, isSentInPieces, pause } from './breakage.js';

export interface WriterParts {
  readonly metrics: Metrics;
  readonly log: Log;
  readonly holds: Holds;
  /** Aborts when the server stops: delayed and held responses are then sent at once. */
  readonly ending: AbortSignal;
}

export class Writer {
  constructor(private readonly parts: WriterParts) {}

  /** Resolves when a response that takes time is written. */
  write(exchange: Exchange, response: Response): void | Promise<void> {
    const { body, breakage } = response;
    if (breakage !== undefined) return this.#writeBroken(exchange, response, breakage);
    if (typeof body === 'function') return this.#writeStream(exchange, response, body);
    this.#writeWhole(exchange, response, body);
  }

  #writeWhole(exchange: Exchange, response: Response, body: string | Buffer | undefined): void {
    const { req, res } = exchange.ctx;
    const { status } = response;
    const list = headersOf(exchange, response);
    const isHead = req.method === 'HEAD';
    if (body === undefined && !isBodiless(status) && !isHead) list.push('Content-Length', '0');
    res.writeHead(status, list);
    res.end(isHead ? undefined : body); // Node omits it on the wire, an app without a socket would not
    this.#count(exchange, status);
  }

  async #writeStream(exchange: Exchange, response: Response, stream: (res: Exchange['ctx']['res']) => Promise<void>) {
    const { res } = exchange.ctx;
    res.writeHead(response.status, headersOf(exchange, response));
    await stream(res);
    this.#count(exchange, response.status);
  }

  /** As a fault demands: late, in pieces, cut off, or not at all. */
  async #writeBroken(exchange: Exchange, response: Response, breakage: NonNullable<Response['breakage']>) {
    const { ctx } = exchange;
    const { ending, holds } = this.parts;
    const { hold } = breakage;
    if (hold !== undefined) await held(ctx.res, end => holds.add(exchange.sandbox ?? '', hold, end), ending);
    if (breakage.delay !== undefined) await pause(ctx.res, breakage.delay, ending);
    const body = response.body as string | undefined; // of an operation
    if (!isSentInPieces(breakage)) return this.#writeWhole(exchange, response, body);
    await breakOff(ctx.res, { status: response.status, body }, headersOf(exchange, response), breakage, ending);
    this.#count(exchange, response.status);
  }

  #count(exchange: Exchange, status: number): void {
    const duration = realTime.uptime() - exchange.began;
    this.parts.metrics.count(exchange, status, duration / 1000);
    if (exchange.sandbox !== undefined) this.#log(exchange, status, duration);
  }

  /** Requests to the control API and pages are not logged. */
  #log({ ctx, sandbox = '', route, result }: Exchange, status: number, duration: number): void {
    const { method = '', url = '', headers } = ctx.req;
    const path = route.kind === 'operation' ? route.place.address?.rest : undefined;
    this.parts.log.request?.({
      sandbox,
      method,
      url,
      path,
      status,
      duration,
      traceparent: traceparentIn(headers),
      result,
    });
  }
}

function headersOf(exchange: Exchange, response: Response): string[] {
  const { headers, body } = response;
  exchange.id = exchange.givenId ?? response.id ?? randomUUID();
  const list = ['X-Request-Id', exchange.id];
  if (exchange.isLast) list.push('Connection', 'close');
  for (const name in headers)
    if (body !== undefined || !DESCRIBING.has(name.toLowerCase())) list.push(name, headers[name] ?? '');
  if (body !== undefined && typeof body !== 'function') list.push('Content-Length', String(Buffer.byteLength(body)));
  if (exchange.route.kind === 'action') list.push('Cache-Control', 'no-store');
  if (response.cors !== undefined) addMissing(list, response.cors);
  if (response.explanation !== undefined) list.push(...response.explanation);
  return list;
}

function addMissing(list: string[], headers: HeaderList): void {
  for (let i = 0; i < headers.length; i += 2) {
    const [name = '', value = ''] = headers.slice(i, i + 2);
    if (!list.some((other, at) => at % 2 === 0 && other.toLowerCase() === name.toLowerCase())) list.push(name, value);
  }
}

/** Headers about a body, omitted if there is none. */
const DESCRIBING: ReadonlySet<string> = new Set(['content-type', 'content-length', 'transfer-encoding']);
