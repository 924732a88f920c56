// Writes the answers of the control API: a short one whole, a long one piece by piece, as fast as the reader takes it and as others can wait.
import type { ServerResponse } from 'node:http';
import { Turn } from '../../engine/pieces.js';
import { jsonPieces } from '../body/json-text.js';
import type { Context } from '../context.js';
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

/** A reader who takes everything at once makes `drain` come at once too, so turns are counted over all pieces. */
async function writeLong(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  const turn = new Turn();
  for (const piece of pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await caughtUp(response);
    if (turn.isOver) await turn.next();
  }
  response.end();
}

/** Resolves when the reader has taken what was written, or is gone. */
function caughtUp(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
    if (response.destroyed) done();
  });
}
