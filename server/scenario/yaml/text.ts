// Reads the text of a file within limits. Reports a file that is too large, not a regular file, or not UTF-8; never throws.
import { readFileSync, statSync } from 'node:fs';

/** Use `generate` for a larger world. */
export const MAX_BYTES = 8 * 2 ** 20;

export function readText(file: string): { readonly text: string } | { readonly problem: string } {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { problem: `This is ${stats.isDirectory() ? 'a folder' : 'no regular file'}.` };
    if (stats.size > MAX_BYTES) return { problem: tooLarge(stats.size) };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) };
  } catch (error) {
    return { problem: readFailure(error) };
  }
}

export function tooLarge(size: number): string {
  return `The file has ${size} bytes, but at most ${MAX_BYTES} are allowed: use \`generate\` for a large world.`;
}

/** Why a file cannot be read, as a sentence. */
export function readFailure(error: unknown): string {
  if (error instanceof TypeError) return 'The file is not UTF-8.';
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'There is no such file.';
  if (code === 'ELOOP') return 'The file is a link that leads back to itself.';
  return code === 'EACCES' || code === 'EPERM' ? 'The file is not readable.' : `The file cannot be read (${code}).`;
}
