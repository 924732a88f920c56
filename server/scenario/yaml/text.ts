// The text of a file, within bounds: a file that is too large, is none, or is not UTF-8 is told, never thrown.
// Knows nothing of what the text says.
import { readFileSync, statSync } from 'node:fs';

/** A world beyond this is what `generate` is for. */
export const MOST_BYTES = 8 * 2 ** 20;

export function readText(file: string): { readonly text: string } | { readonly problem: string } {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { problem: `This is ${stats.isDirectory() ? 'a folder' : 'no regular file'}.` };
    if (stats.size > MOST_BYTES) return { problem: tooLarge(stats.size) };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

export function tooLarge(size: number): string {
  return `The file has ${size} bytes, and at most ${MOST_BYTES} are read: a large world is made by \`generate\`.`;
}

function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return 'The file is not UTF-8.';
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'There is no such file.';
  if (code === 'ELOOP') return 'The file is a link that leads back to itself.';
  return code === 'EACCES' || code === 'EPERM' ? 'The file may not be read.' : `The file cannot be read (${code}).`;
}
