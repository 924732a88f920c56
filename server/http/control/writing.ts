// Writes the answers of the control API: a short one whole, a long one piece by piece, as fast as the reader takes it and as others can wait.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { inPieces } from '../../engine/pieces.js';
import type { Context } from '../context.js';
import { jsonPieces } from '../json-text.js';
import type { ControlAnswer } from './endpoint.js';

/** Longer answers are written piece by piece, in characters. */
const SHORT = 262_144;

export async function write(ctx: Context, answer: ControlAnswer): Promise<void> {
  const { status, body, contentType = 'application/json', headers = {}, stream } = answer;
  const text = typeof body === 'string' || body === undefined ? body : shortText(body);
  if (typeof text === 'string') ctx.body = text;
  else if (text === undefined && stream === undefined) ctx.body = null;
  ctx.status = status;
  if (body !== undefined || stream !== undefined) ctx.set('Content-Type', contentType);
  ctx.set('Cache-Control', 'no-store');
  ctx.set(headers);
  if (typeof text === 'string' || (text === undefined && stream === undefined)) return;
  ctx.respond = false; // Koa keeps out of it
  await (text === undefined ? stream?.(ctx.res) : writeLong(ctx.res, text));
}

/** The text of a value; its pieces where it is long. */
function shortText(body: unknown): string | Iterable<string> {
  const pieces = jsonPieces(body);
  let text = '';
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return text;
    text += value;
    if (text.length > SHORT) return joined(text, pieces);
  }
}

function* joined(first: string, others: Iterable<string>): Generator<string> {
  yield first;
  yield* others;
}

async function writeLong(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  const left = pieces[Symbol.iterator]();
  while (!response.destroyed) {
    const isFull = await inPieces(filling(response, left));
    if (!isFull) break;
    await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}

/** Writes until there is nothing more, or the reader has to catch up: whether it has to. */
function* filling(response: ServerResponse, pieces: Iterator<string>): Generator<unknown, boolean> {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return false;
    if (!response.write(value)) return true;
    yield;
  }
}
