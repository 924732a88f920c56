// Sends a response over a connection that a fault breaks: late, in pieces, cut off, or not at all.

import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { realTime } from '../../engine/real-time.js';
import { isBodiless } from '../../engine/request/api-response.js';
import type { Breakage } from '../../engine/request/result.js';
import { usualReaderLimits } from '../connections/unread-responses.js';

/** Whether a response is not sent in one piece. */
export function isSentInPieces({ hangUp, truncateAt, dribble }: Breakage): boolean {
  return hangUp === true || truncateAt !== undefined || dribble !== undefined;
}

/** Waits for milliseconds, at most until the client leaves. `ending`: the server stops, and pauses end. */
export function pause(res: ServerResponse, ms: number, ending: AbortSignal): Promise<void> {
  return waited(res, ending, end => {
    const timer = realTime.setTimeout(end, ms);
    return () => realTime.clearTimeout(timer);
  });
}

/** Waits until `end` is called. `hold` gets it, and returns a function that stops that. */
export function held(res: ServerResponse, hold: (end: () => void) => () => void, ending: AbortSignal): Promise<void> {
  return waited(res, ending, hold);
}

/** Waits until the client reads. */
function drained(res: ServerResponse, ending: AbortSignal): Promise<void> {
  return waited(res, ending, end => {
    res.once('drain', end);
    return () => res.off('drain', end);
  });
}

/** `begin` returns a function that stops it. */
function waited(res: ServerResponse, ending: AbortSignal, begin: (end: () => void) => () => void): Promise<void> {
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

/** Sends a response with these headers (names and values alternate), in pieces or in part. */
export async function breakOff(
  res: ServerResponse,
  { status, body }: { readonly status: number; readonly body?: string | undefined },
  headers: readonly string[],
  { hangUp, truncateAt, dribble }: Breakage,
  ending: AbortSignal,
): Promise<void> {
  const isHead = res.req.method === 'HEAD';
  if (hangUp) return end(res);
  const bytes = Buffer.from(body ?? '');
  const length = body === undefined && !isBodiless(status) ? ['Content-Length', '0'] : [];
  res.writeHead(status, [...headers, ...length]);
  res.flushHeaders();
  const sent = isHead ? Buffer.alloc(0) : bytes.subarray(0, truncateAt);
  for (let at = 0; at < sent.length && !res.destroyed; ) {
    if (at > 0) await pause(res, dribble?.every ?? 0, ending);
    if (res.writableNeedDrain) await drained(res, ending);
    const size = dribble === undefined || ending.aborted ? sent.length : dribble.bytes;
    if (!res.destroyed) res.write(sent.subarray(at, at + size));
    at += size;
  }
  if (sent.length < bytes.length && !isHead) end(res);
  else res.end();
}

/** Flushes what was written, then ends the connection within the response. In process there is no connection. */
function end(res: ServerResponse): void {
  const { socket } = res;
  if (!(socket instanceof Socket)) return void res.destroy();
  socket.setTimeout(usualReaderLimits.patience); // a client that does not read would keep it open
  socket.destroySoon();
}
