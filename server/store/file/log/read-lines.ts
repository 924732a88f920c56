// Reads a file of any size line by line.
import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK = 2 ** 20;
const NEWLINE = 10;

interface ReadLine {
  /** Includes the line end. */
  readonly bytes: Buffer;
  /** Offset of the next line in bytes. */
  readonly end: number;
}

/** The terminated lines within the first bytes. */
export function* linesOf(path: string, most = Number.POSITIVE_INFINITY): Generator<ReadLine, void> {
  const file = openSync(path, 'r');
  try {
    let pending: Buffer[] = []; // parts of a line without its end
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
