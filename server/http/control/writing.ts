// Writes the answers of the control API: a short one whole, a long one piece by piece, as fast as the reader takes it and as others can wait.
import type { ServerResponse } from 'node:http';
import type { ActionProblem } from '../../control/action.js';
import { Turn } from '../../engine/pieces.js';
import { jsonPieces } from '../body/json-pieces.js';
import type { Context } from '../context.js';

/** Longer answers are written piece by piece, in characters. */
const SHORT = 262_144;

/** `contentType`: left out, JSON. Without a body: `undefined`. */
export async function write(
  ctx: Context,
  status: number,
  body: unknown,
  contentType = 'application/json',
): Promise<void> {
  const text = typeof body === 'string' || body === undefined ? body : shortText(body);
  const isShort = text === undefined || typeof text === 'string';
  if (isShort) ctx.body = text ?? null; // else Koa would take away how a long one is framed
  ctx.status = status;
  if (body !== undefined) ctx.set('Content-Type', contentType);
  ctx.set('Cache-Control', 'no-store');
  if (isShort) return;
  ctx.respond = false; // Koa keeps out of it
  await writeLong(ctx.res, text);
}

/** As RFC 9457 has it. */
export function writeProblem(ctx: Context, { status, title, detail, problems, more, retryAfter }: ActionProblem): void {
  ctx.body = JSON.stringify({ status, title, detail, ...(problems && { problems }), ...more });
  ctx.status = status;
  ctx.set({ 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' });
  if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter));
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
