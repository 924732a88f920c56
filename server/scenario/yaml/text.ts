// Reads the text of a file within limits. Reports a file that is too large, not a regular file, or not UTF-8; never throws.
import { readFileSync, statSync } from 'node:fs';

/** Use `generate` for a larger world. */
export const MAX_BYTES = 8 * 2 ** 20;
/** A running server reads a file in one piece while others wait. */
export const MAX_BYTES_RUNNING = 2 ** 20;

/** `largest`: in bytes. */
export function readText(file: string, largest = MAX_BYTES): { readonly text: string } | { readonly problem: string } {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { problem: `This is ${stats.isDirectory() ? 'a folder' : 'no regular file'}.` };
    if (stats.size > largest) return { problem: tooLarge(stats.size, largest) };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) };
  } catch (error) {
    return { problem: readFailure(error) };
  }
}

export function tooLarge(size: number, largest: number): string {
  if (largest === MAX_BYTES)
    return `The file has ${size} bytes, but at most ${largest} are allowed: use \`generate\` for a large world.`;
  return `The file has ${size} bytes, and a running server loads at most ${largest}: use \`generate\` for a large world, or start the server with this file.`;
}

/** Why a file cannot be read, as a sentence. */
export function readFailure(error: unknown): string {
  if (error instanceof TypeError) return 'The file is not UTF-8.';
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'There is no such file.';
  if (code === 'ELOOP') return 'The file is a link that leads back to itself.';
  return code === 'EACCES' || code === 'EPERM' ? 'The file is not readable.' : `The file cannot be read (${code}).`;
}
