// Writes files atomically: if the process is killed, either the old or the new content is there.
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Whether a regular file exists that an earlier run may have left: not a pipe, a device or an inherited descriptor. */
export function isKept(file: string): boolean {
  return existsSync(file) && statSync(file).isFile() && ownStream(file) === undefined;
}

/**
 * Writes a file atomically: to `.cwx-fake-….tmp` in the same folder, which it then renames. Keeps links and the mode of the
 * file; writes to a pipe or a device directly. Throws the error of the system, and leaves no temporary file.
 */
export function writeWhole(file: string, text: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  const stream = found?.isFile() === true ? ownStream(file) : undefined;
  // A pipe, a device or an inherited descriptor cannot be replaced; a folder gives its own error.
  if (stream !== undefined || (found !== undefined && !found.isFile())) {
    writeFileSync(stream ?? file, text);
    return;
  }
  replace(found === undefined ? endOfLinks(file) : realpathSync(file), text, found);
}

function replace(place: string, text: string, found: Stats | undefined): void {
  if (found !== undefined) closeSync(openSync(place, 'r+')); // whether it may be written: renaming asks only the folder
  const beside = join(dirname(place), `.cwx-fake-${randomUUID()}.tmp`);
  try {
    writeFileSync(beside, text, { flag: 'wx' });
    if (found !== undefined) chmodSync(beside, found.mode);
    renameSync(beside, place);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

const streams: Readonly<Record<string, number>> = { '/dev/stdout': 1, '/dev/stderr': 2 };

/** The descriptor for a path such as /dev/fd/3: its file may have no name. */
function ownStream(file: string): number | undefined {
  const path = resolve(file);
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1];
  return number === undefined ? streams[path] : Number(number);
}

/** The target of a dangling link; cycles were detected before. */
function endOfLinks(file: string): string {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? endOfLinks(resolve(dirname(file), readlinkSync(file))) : file;
}
