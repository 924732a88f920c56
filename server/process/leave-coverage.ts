// Leaves the coverage of a fake as a file in a folder, for who collects it from the processes of a test suite.
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { CoverageCounter } from '../engine/journal/coverage.js';
import type { Log } from '../engine/log.js';
import { writeWhole } from '../report/whole-file.js';

/** A test runner may end its workers without an event: what they counted this many milliseconds before may be missing. */
const EVERY_MS = 50;

/** Writes whenever something was counted, and when the process ends; without a folder never. Returns what writes for the last time. */
export function leaveCoverage(folder: string | undefined, counter: CoverageCounter, log: Log): () => void {
  if (folder === undefined) return () => {};
  const file = join(resolve(folder), `coverage-${process.pid}-${randomBytes(4).toString('hex')}.json`);
  let written = -1;
  const write = () => {
    if (counter.requests === written) return;
    written = counter.requests;
    try {
      writeWhole(file, `${JSON.stringify(counter.present())}\n`);
    } catch (error) {
      log.warn('the coverage cannot be left', { file, err: error });
    }
  };
  const timer = setInterval(write, EVERY_MS).unref();
  process.once('exit', write);
  write(); // also of a fake that nobody asks
  return () => {
    clearInterval(timer);
    process.off('exit', write);
    write();
  };
}
