// Reads the text of a file within limits. Reports a file that is too large, not a regular file, or in another encoding; never throws.

import { lstatSync, readFileSync, statSync } from 'node:fs';
import { isNativeError } from 'node:util/types';

/** Use `generate` for a larger world. */
export const MAX_BYTES = 8 * 2 ** 20;
/** A running server reads a file in one piece while others wait. */
export const MAX_BYTES_RUNNING = 2 ** 20;

/** `largest`: in bytes. */
export function readText(file: string, largest = MAX_BYTES): { readonly text: string } | { readonly problem: string } {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { problem: `This is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}.` };
    if (stats.size > largest) return { problem: tooLarge(stats.size, largest) };
    return { text: decodedText(readFileSync(file)) };
  } catch (error) {
    const isBroken = (error as NodeJS.ErrnoException).code === 'ENOENT' && isLink(file);
    return { problem: isBroken ? 'This is a symbolic link to a file that does not exist.' : readFailure(error) };
  }
}

function isLink(file: string): boolean {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false; // there is no file
  }
}

/** Text in an encoding that is not read. */
class EncodingError extends Error {
  constructor(encoding: string) {
    super(`${encoding} Save it as UTF-8, for example in your editor or with iconv.`);
  }
}

/** The text of bytes in UTF-8, or in UTF-16 with a byte order mark, as PowerShell writes it. Throws an error for `readFailure`. */
export function decodedText(bytes: Buffer): string {
  const mark = bytes.subarray(0, 4).toString('hex');
  if (mark === 'fffe0000' || mark === '0000feff') throw new EncodingError('The file is UTF-32.');
  const encoding = mark.startsWith('fffe') ? 'utf-16le' : mark.startsWith('feff') ? 'utf-16be' : 'utf-8';
  if (encoding === 'utf-8' && bytes.subarray(0, 4).includes(0))
    throw new EncodingError('The file is UTF-16 without a byte order mark, or it is not text.');
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new EncodingError(
      encoding === 'utf-8'
        ? 'The file is neither UTF-8 nor UTF-16 with a byte order mark. It is probably Windows-1252 or Latin-1.'
        : `The file is not valid ${encoding.toUpperCase()}.`,
    );
  }
}

export function tooLarge(size: number, largest: number): string {
  if (largest === MAX_BYTES)
    return `The file has ${size} bytes, but at most ${largest} are allowed. For a large world, use \`generate\`.`;
  return `The file has ${size} bytes, but a running server loads at most ${largest}. For a large world, use \`generate\`, or start the server with this file.`;
}

/** Why a file cannot be read, as a sentence. */
export function readFailure(error: unknown): string {
  if (error instanceof EncodingError) return error.message;
  const code = isNativeError(error) && 'code' in error ? String(error.code) : String(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'No such file or folder.';
  if (code === 'ELOOP') return 'The file is a link that leads back to itself.';
  return code === 'EACCES' || code === 'EPERM' ? 'The file is not readable.' : `The file cannot be read (${code}).`;
}
