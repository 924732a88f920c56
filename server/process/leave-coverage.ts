// Writes the coverage of a fake to a file in a folder, to be collected from the processes of a test suite.

import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { CoverageCounter } from '../engine/journal/coverage.js';
import type { Log } from '../engine/log.js';
import { realTime } from '../engine/real-time.js';
import { writeWhole } from './whole-file.js';

/** A test runner may kill its workers: counts of the last milliseconds may be missing. */
const EVERY_MS = 50;

/** Writes after changes and at the end of the process; without a folder never. Returns a function for the last write. */
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
      log.warn('the coverage could not be written', { file, err: error });
    }
  };
  const timer = realTime.setInterval(write, EVERY_MS).unref();
  process.once('exit', write);
  write(); // also for a fake without requests
  return () => {
    realTime.clearInterval(timer);
    process.off('exit', write);
    write();
  };
}
