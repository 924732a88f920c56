// The text of a message that another server has sent.
import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { SeenMessage } from './upstream.js';

/** Of decompressed text. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Decompressed; `undefined` if it is no text, or too large. */
export function upstreamText({ bytes, headers, isWhole }: SeenMessage): string | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity' || !isWhole) return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
  try {
    return unpackers[encoding]?.(bytes, { maxOutputLength: MAX_BYTES }).toString('utf8');
  } catch {
    return undefined; // it is not what it says, and nothing is concluded of it
  }
}

const unpackers: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};
