// The JSON text of a value as the body of a response: a short one as text, a long one in pieces, as fast as the reader takes them and without blocking
// other requests.
import type { ServerResponse } from 'node:http';
import { Turn } from '../../engine/pieces.js';
import type { Stream } from '../exchange/response.js';
import { jsonPieces } from './json-pieces.js';

/** Texts with more characters are written in pieces. */
const SHORT = 262_144;

export function jsonBody(value: unknown): string | Stream {
  const pieces = jsonPieces(value);
  let text = '';
  for (;;) {
    const { done, value: piece } = pieces.next();
    if (done) return text;
    text += piece;
    if (text.length > SHORT) return response => writePieces(response, joined(text, pieces));
  }
}

function* joined(first: string, others: Iterable<string>): Generator<string> {
  yield first;
  yield* others;
}

/** A fast reader triggers `drain` at once, so time slices span all pieces. */
async function writePieces(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  const turn = new Turn();
  for (const piece of pieces) {
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
