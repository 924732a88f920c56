// The records of the database. By their keys: heads (h), the count (n), parts (p), then bases and records of logs (s). A value is a checksum, the key and the text:
// the key is there twice, so that a damaged byte never hides whose record it was.
import { crc32 } from 'node:zlib';
import type { Head } from '../../engine/store.js';

export type DatabaseOperation =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string };

/** Keys after `gt` and before `lt`. */
export interface Range {
  readonly gt?: string;
  readonly lt?: string;
}

/** The end of a log. Its record is written with every change. */
export interface LogEnd {
  /** Version of the format of its texts. */
  readonly format: number;
  readonly head: Head;
  /** The part that its bases refer to. */
  readonly part?: string;
  /** Milliseconds. */
  readonly ttl?: number;
}

/** Stored instead of the end of a log whose data cannot be trusted. */
export interface Damage {
  readonly damage: string;
}

/** The number of sandboxes, damaged ones included: without it, nothing would miss those that LevelDB does not find. */
export const COUNT_KEY = 'n!';
export const headKey = (sandbox: string) => `h!${sandbox}!`;
export const partKey = (name: string) => `p!${name}`;
export const baseKey = (sandbox: string, { log }: Head, at: number) => `s!${sandbox}!${log}!b!${padded(at)}`;
export const recordKey = (sandbox: string, { log }: Head, number: number) => `s!${sandbox}!${log}!r!${padded(number)}`;

/** Only LevelDB's log keeps it: there, it distinguishes a log that was dropped from one that is missing. */
export const dropOf = (sandbox: string, { log }: Head): DatabaseOperation[] => {
  const key = `d!${sandbox}!${log}!`;
  return [put(key, ''), del(key)];
};

/** The keys of a log: its head, then its bases and records. No character of a name is below the quote. */
export const rangesOf = (sandbox: string): Range[] =>
  ['h', 's'].map(kind => ({ gt: `${kind}!${sandbox}`, lt: `${kind}!${sandbox}"` }));

export function put(key: string, text: string): DatabaseOperation {
  return { type: 'put', key, value: sealed(key, text) };
}

export function del(key: string): DatabaseOperation {
  return { type: 'del', key };
}

/** The text of a value; `undefined`: it is damaged. */
export function unseal(key: string, value: string): string | undefined {
  const text = value.slice(8 + key.length);
  return value === sealed(key, text) ? text : undefined;
}

function sealed(key: string, text: string): string {
  return `${crc32(text, crc32(key)).toString(16).padStart(8, '0')}${key}${text}`;
}

const padded = (number: number) => String(number).padStart(16, '0');
