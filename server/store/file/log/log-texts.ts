// Reads a log as raw texts with their parts, for rewriting it without decoding.
import { type PartText, StoreError } from '../../../engine/store.js';
import { failureOf, Unreadable } from '../disk/file-error.js';
import type { Digests } from '../part-files.js';
import { type FormatVersions, LogReader } from './log-reader.js';
import { linesOf } from './read-lines.js';
import type { TextLog, TextOfOne } from './written-log.js';

/** An intact log as texts, synchronously. Throws a `StoreError`. */
export function readTexts(path: string, sandbox: string, format: FormatVersions, bytes: number): TextLog {
  const { version, oldest } = format;
  const asTexts = { version, oldest, readBase: (text: string) => text, readEntry: textOfOne, readNote: textOfOne };
  const reader = new LogReader<string, TextOfOne, TextOfOne>(sandbox, asTexts, () => '');
  try {
    for (const line of linesOf(path, bytes)) void reader.take(line.bytes);
    const found = reader.found();
    if (found === undefined) throw new Unreadable('it does not hold its log any more');
    return { ...found.log, base: { text: found.log.base, parts: found.parts } };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw failureOf(`${path} could not be read`, error);
    throw new StoreError(error.failure, `${path} could not be read: ${error.message}`, { cause: error });
  }
}

function textOfOne(text: string, _: PartText, parts: Digests | undefined): TextOfOne {
  if (parts === undefined) return { text };
  const own = Object.entries(parts).filter(([name]) => text.includes(name));
  return own.length === 0 ? { text } : { text, parts: Object.fromEntries(own) };
}
