// The records of the database: their keys, and their values, which begin with a checksum of key and value.
// In the order of their keys: dropped sandboxes (d), heads (h), parts (p), the data of sandboxes (s), damaged sandboxes (x).
import { crc32 } from 'node:zlib';
import type { Head } from '../../engine/store.js';

export type Operation =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string };

/** The end of a log. Its record is written with every change. */
export interface LogEnd {
  /** Version of the format of its texts: logs of any other version are left alone. */
  readonly format: number;
  readonly head: Head;
  /** The part that its bases refer to. */
  readonly part?: string;
  /** Milliseconds. */
  readonly ttl?: number;
}

/** One record of each kind for a sandbox. */
export type Kind = 'd' | 'h' | 'x';

export const keyOf = (kind: Kind, sandbox: string) => `${kind}!${escaped(sandbox)}!`;
export const partKey = (name: string) => `p!${name}`;
export const baseKey = (sandbox: string, at: number) => `${dataOf(sandbox)}b!${padded(at)}`;
export const recordKey = (sandbox: string, number: number) => `${dataOf(sandbox)}r!${padded(number)}`;

/** The keys of a sandbox: its head, then its data. */
export const rangesOf = (sandbox: string) =>
  [keyOf('h', sandbox), dataOf(sandbox)].map(gte => ({ gte, lt: `${gte.slice(0, -1)}"` }));

/** The sandbox of a key; `undefined` if it has none. */
export function sandboxOf(key: string): string | undefined {
  const [kind, name] = key.split('!');
  try {
    return kind === 'p' || name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return undefined; // no key of ours
  }
}

export function put(key: string, text: string): Operation {
  return { type: 'put', key, value: `${checksum(key, text)}${text}` };
}

export function del(key: string): Operation {
  return { type: 'del', key };
}

/** `undefined`: the checksum is wrong. */
export function unseal(key: string, value: string): string | undefined {
  const text = value.slice(8);
  return value.slice(0, 8) === checksum(key, text) ? text : undefined;
}

export function checksum(key: string, text: string): string {
  return crc32(text, crc32(key)).toString(16).padStart(8, '0');
}

const escaped = (sandbox: string) => encodeURIComponent(sandbox).replaceAll('!', '%21');
const dataOf = (sandbox: string) => `s!${escaped(sandbox)}!`;
const padded = (number: number) => String(number).padStart(16, '0');
