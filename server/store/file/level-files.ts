// Checks the files of a LevelDB before it is opened. LevelDB itself skips damaged changes of its log in silence, and aborts the process when it merges
// damaged tables. Formats: doc/log_format.md and doc/table_format.md of LevelDB.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK = 32_768;
const HEADER = 7;
/** Type and checksum of a block of a table. */
const TRAILER = 5;
const FOOTER = 48;
const MAGIC = 0xdb4775248b80fb57n;
const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let crc = n;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  return crc;
});

/** Makes damaged blocks of tables empty, and sets tables aside that cannot be read at all. Returns the bytes of changes that a damaged log has lost. */
export function checkFiles(place: string): Buffer[] {
  const skipped: Buffer[] = [];
  for (const file of existsSync(place) ? readdirSync(place) : []) {
    const path = join(place, file);
    if (file.endsWith('.log')) skipped.push(...skippedIn(readFileSync(path)));
    else if (file.endsWith('.ldb')) checkTable(path);
  }
  return skipped;
}

function checkTable(path: string): void {
  const bytes = readFileSync(path);
  const state = emptied(bytes);
  if (state === 'unreadable') renameSync(path, `${path}.damaged`);
  else if (state === 'changed') writeFileSync(path, bytes);
}

/** Makes the damaged blocks of a table empty. Tables with compressed blocks are of another program, and not checked. */
function emptied(bytes: Buffer): 'unreadable' | 'changed' | 'sound' {
  const footer = bytes.length - FOOTER;
  if (footer < 0 || bytes.readBigUInt64LE(bytes.length - 8) !== MAGIC) return 'unreadable';
  const [meta, index] = handlesIn(bytes.subarray(footer), 2);
  if (meta === undefined || index === undefined || endOf(meta) !== index[0] || endOf(index) !== footer)
    return 'unreadable';
  if (!isSound(bytes, index)) return 'unreadable';
  if (bytes[footer - TRAILER] !== 0) return 'sound';
  let isChanged = false;
  for (const block of blocksOf(bytes, index)) if (!isSound(bytes, block)) isChanged = empty(bytes, block);
  const filters = isSound(bytes, meta) ? blocksOf(bytes, meta) : undefined;
  if (filters?.every(filter => isSound(bytes, filter)) !== true) isChanged = empty(bytes, meta);
  return isChanged ? 'changed' : 'sound';
}

/** Where a block is: offset and length. */
type Handle = readonly [at: number, length: number];

const endOf = ([at, length]: Handle) => at + length + TRAILER;

function isSound(bytes: Buffer, block: Handle): boolean {
  const crc = endOf(block) - 4;
  return bytes.readUInt32LE(crc) === masked(crcOf(bytes, block[0], crc));
}

/** Writes a block without entries. */
function empty(bytes: Buffer, block: Handle): true {
  const crc = endOf(block) - 4;
  bytes.fill(0, block[0], crc);
  bytes.writeUInt32LE(masked(crcOf(bytes, block[0], crc)), crc);
  return true;
}

/** The handles in the values of a sound block. */
function blocksOf(bytes: Buffer, [from, length]: Handle): Handle[] {
  const handles: Handle[] = [];
  const end = from + length - 4 - 4 * bytes.readUInt32LE(from + length - 4); // then the restart points
  for (let at = from; at < end; ) {
    const [[, unshared, size], next] = numbersIn(bytes, at, 3);
    at = next + (unshared ?? 0) + (size ?? 0);
    handles.push(...handlesIn(bytes.subarray(next + (unshared ?? 0), at), 1));
  }
  return handles;
}

function handlesIn(bytes: Buffer, count: number): Handle[] {
  const [numbers] = numbersIn(bytes, 0, 2 * count);
  return Array.from({ length: count }, (_, i) => [numbers[2 * i] ?? 0, numbers[2 * i + 1] ?? 0]);
}

/** Numbers of variable length, and where the next byte is. */
function numbersIn(bytes: Buffer, from: number, count: number): [numbers: number[], next: number] {
  let at = from;
  const numbers = Array.from({ length: count }, () => {
    let number = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at] ?? 0;
      at += 1;
      number += (byte & 127) * factor;
      if (byte < 128) return number;
    }
  });
  return [numbers, at];
}

/**
 * The bytes of the changes in a log that LevelDB skips; not a last one that was not completely written. A log consists of blocks, a block of records:
 * checksum (4 bytes), length (2), type (1: whole, 2: first, 3: middle, 4: last), data.
 */
function skippedIn(bytes: Buffer): Buffer[] {
  const skipped: Buffer[] = [];
  let from: number | undefined; // where the skipped changes begin
  let begun = 0; // where the last change begins
  let isOpen = false; // whether its end is missing so far
  for (let at = 0; at + HEADER <= bytes.length; ) {
    const end = at - (at % BLOCK) + BLOCK;
    const state = end - at < HEADER ? 'end' : recordAt(bytes, at, end);
    if (state === 'cut off') break;
    if (state === 'bad') from ??= isOpen ? begun : at;
    if (typeof state === 'string') at = end;
    else {
      const type = bytes[at + 6];
      if (type === 1 || type === 2) {
        if (from !== undefined) skipped.push(bytes.subarray(from, at));
        from = undefined;
        begun = at;
      }
      isOpen = type === 2 || type === 3;
      at = state.next;
    }
  }
  return from === undefined ? skipped : [...skipped, bytes.subarray(from)];
}

function recordAt(bytes: Buffer, at: number, end: number): { readonly next: number } | 'bad' | 'cut off' | 'end' {
  const length = bytes.readUInt16LE(at + 4);
  if (length === 0 && bytes[at + 6] === 0) return 'end'; // zeros
  const next = at + HEADER + length;
  const expected = bytes.readUInt32LE(at);
  let crc = 0xffffffff;
  for (let i = at + 6; i < Math.min(next, end, bytes.length); i += 1) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[i] ?? 0)) & 255] ?? 0);
    if (i + 1 === next) return masked(~crc >>> 0) === expected ? { next } : 'bad';
    if (next > bytes.length && masked(~crc >>> 0) === expected) return 'bad'; // a whole record with a wrong length
  }
  return next > end || end <= bytes.length ? 'bad' : 'cut off';
}

function crcOf(bytes: Buffer, from: number, to: number): number {
  let crc = 0xffffffff;
  for (let i = from; i < to; i += 1) crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[i] ?? 0)) & 255] ?? 0);
  return ~crc >>> 0;
}

/** As LevelDB stores a CRC. */
function masked(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
