// A text that is made while it is read: a short one is written at once, a long one in pieces, as fast as the reader takes them and without blocking
// other requests.
import type { ServerResponse } from 'node:http';
import { Turn } from '../../engine/time-slicing.js';
import type { Stream } from '../exchange/response.js';

/** Characters of a piece, at least. A shorter text is written at once. */
const PIECE = 65_536;

export function streamedText(parts: Iterable<string>): string | Stream {
  const pieces = piecesOf(parts);
  const { value: first = '' } = pieces.next();
  return first.length < PIECE ? first : response => writePieces(response, first, pieces);
}

/** The last piece is shorter. */
function* piecesOf(parts: Iterable<string>): Generator<string, undefined> {
  let text = '';
  for (const part of parts) {
    text += part;
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** A fast reader triggers `drain` at once, so time slices span all pieces. */
async function writePieces(response: ServerResponse, first: string, others: Iterable<string>): Promise<void> {
  const turn = new Turn();
  if (!response.write(first)) await caughtUp(response);
  for (const piece of others) {
    if (response.destroyed) return;
    if (!response.write(piece)) await caughtUp(response);
    if (turn.isOver) await turn.next();
  }
  response.end();
}

/** Resolves when the reader has taken the text, or is gone. */
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
