// An answer over a connection that breaks on purpose: late, in pieces, cut off, or not at all. Decides nothing.
import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Breakage } from '../engine/fault.js';
import { type Answer, isBodiless } from '../engine/request/answer.js';
import type { Context } from './context.js';

/** Sends an answer, whose status and headers have been set, as a fault says. `ending`: the server stops, and nothing waits any more. */
export async function breakAnswer(
  ctx: Context,
  answer: Answer,
  breakage: Breakage,
  ending: AbortSignal,
): Promise<void> {
  if (breakage.delay !== undefined) await pause(ctx.res, breakage.delay, ending);
  if (breakage.hangUp || breakage.truncateAt !== undefined || breakage.dribble !== undefined)
    await breakOff(ctx, answer, breakage, ending); // else Koa can answer by itself
}

/** Milliseconds; not longer than the client stays. */
function pause(res: ServerResponse, ms: number, ending: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer);
      res.off('close', end);
      ending.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    res.once('close', end);
    ending.addEventListener('abort', end);
    if (ending.aborted || res.destroyed) end();
  });
}

async function breakOff(
  ctx: Context,
  { status, body = '' }: Answer,
  { hangUp, truncateAt, dribble }: Breakage,
  ending: AbortSignal,
): Promise<void> {
  const { res } = ctx;
  ctx.respond = false; // Koa keeps out of it
  if (hangUp) return end(res);
  const bytes = Buffer.from(body);
  if (!isBodiless(status)) res.setHeader('Content-Length', bytes.length);
  res.flushHeaders();
  const sent = ctx.method === 'HEAD' ? Buffer.alloc(0) : bytes.subarray(0, truncateAt);
  const size = dribble?.bytes ?? sent.length;
  for (let at = 0; at < sent.length && !res.destroyed; at += size) {
    if (at > 0) await pause(res, dribble?.every ?? 0, ending);
    if (!res.destroyed) res.write(sent.subarray(at, at + size));
  }
  if (sent.length < bytes.length && ctx.method !== 'HEAD') end(res);
  else res.end();
}

/** What has been written goes out first; then the connection ends, in the middle of the answer. Within a process there is none to end. */
function end(res: ServerResponse): void {
  if (res.socket instanceof Socket) res.socket.destroySoon();
  else res.destroy();
}
