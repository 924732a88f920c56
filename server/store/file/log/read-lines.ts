// Reads a file line by line, however large it is. Knows nothing of what is in it.
import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK = 2 ** 20;
const NEWLINE = 10;

export interface ReadLine {
  /** With its end. */
  readonly bytes: Buffer;
  /** Where the next one begins, in bytes. */
  readonly end: number;
}

/** The lines that are terminated, of the first so many bytes. */
export function* linesOf(path: string, most = Number.POSITIVE_INFINITY): Generator<ReadLine, void> {
  const file = openSync(path, 'r');
  try {
    let pending: Buffer[] = []; // of a line whose end is yet to come
    let end = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const length = readSync(file, chunk, 0, CHUNK, null);
      if (length === 0) return;
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1 && at < length; at = chunk.indexOf(NEWLINE, from)) {
        const last = chunk.subarray(from, at + 1);
        const bytes = pending.length === 0 ? last : Buffer.concat([...pending, last]);
        pending = [];
        end += bytes.length;
        from = at + 1;
        if (end > most) return;
        yield { bytes, end };
      }
      if (from < length) pending.push(chunk.subarray(from, length));
    }
  } finally {
    closeSync(file);
  }
}

/** The first bytes of a file, as text. */
export function beginningOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(64);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}
