// Sends a response over a connection that a fault breaks: late, in pieces, cut off, or not at all.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Holds } from '../engine/faults/holds.js';
import { realTime } from '../engine/real-time.js';
import type { Breakage } from '../engine/request/result.js';
import { send } from './faked-apis.js';
import type { Middleware } from './incoming/context.js';

/** `ending`: aborts when the server stops; delayed and held responses are then sent at once. */
export function breakage(holds: Holds, ending: AbortSignal): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.state.broken === undefined) return;
    const { breakage: how, response, entry } = ctx.state.broken;
    const { hold, delay, hangUp, truncateAt, dribble } = how;
    const waited = (begin: Begin) => until(ctx.res, ending, begin);
    if (hold !== undefined) await waited(end => holds.add(ctx.state.sandbox ?? '', { hold, entry, end }));
    if (delay !== undefined) await waited(end => later(end, delay));
    send(ctx, response);
    const text = typeof ctx.body === 'string' ? ctx.body : ''; // nothing, if it has no body
    if (hangUp === true) {
      ctx.respond = false;
      cut(ctx.res);
    } else if (text !== '' && (truncateAt !== undefined || dribble !== undefined)) {
      const bytes = Buffer.from(text);
      ctx.body = Readable.from(inPieces(bytes, how, ctx.res, waited), { objectMode: false, highWaterMark: 1 });
      ctx.length = bytes.length;
      ctx.flushHeaders();
    }
  };
}

/** Begins to wait for `end` to be called; returns a function that stops that. */
type Begin = (end: () => void) => () => void;

/** Resolves when `end` is called, the client leaves, or the server stops. */
function until(res: ServerResponse, ending: AbortSignal, begin: Begin): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      stop();
      res.off('close', end);
      ending.removeEventListener('abort', end);
      resolve();
    };
    const stop = begin(end);
    res.once('close', end);
    ending.addEventListener('abort', end);
    if (ending.aborted || res.destroyed) end();
  });
}

/** `ms`: milliseconds. */
function later(end: () => void, ms: number): () => void {
  const timer = realTime.setTimeout(end, ms);
  return () => realTime.clearTimeout(timer);
}

async function* inPieces(
  bytes: Buffer,
  { truncateAt, dribble }: Breakage,
  res: ServerResponse,
  waited: (begin: Begin) => Promise<void>,
): AsyncGenerator<Buffer> {
  const sent = bytes.subarray(0, truncateAt);
  const size = dribble?.bytes ?? sent.length;
  for (let at = 0; at < sent.length; at += size) {
    if (at > 0) await waited(end => later(end, dribble?.every ?? 0));
    yield sent.subarray(at, at + size);
  }
  if (sent.length === bytes.length) return;
  cut(res);
  await once(res, 'close'); // the response has no end
}

/** Ends the connection within the response, after what was written. In process there is no connection. */
function cut(res: ServerResponse): void {
  const { socket } = res;
  if (socket instanceof Socket) socket.destroySoon();
  else res.destroy();
}
