// Output of whoever serves: it neither waits for its reader nor fails because of it. What is not taken is dropped and counted.
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { OutputStream, Process } from './command-process.js';

/** Characters that may wait for the reader. */
const MAX_WAITING = 1024 * 1024;

/** A function that writes texts. `report` gets the number of dropped texts when one is written again. */
export function droppingWriter(output: OutputStream, report: (dropped: number) => void): (text: string) => void {
  const counts = { dropped: 0, reported: 0 };
  return text => {
    if (!writeOrDrop(output, text)) counts.dropped += 1;
    else if (counts.dropped > counts.reported) {
      counts.reported = counts.dropped;
      report(counts.dropped);
    }
  };
}

const followed = new WeakSet<OutputStream>();

/** Whether the text was written or waits for its reader. */
function writeOrDrop(output: OutputStream, text: string): boolean {
  if (output.fd !== undefined && !(output instanceof Socket)) return isWritten(output.fd, text);
  if (!followed.has(output)) {
    followed.add(output);
    output.on('error', () => {}); // the reader has left
  }
  if (output.writableLength > MAX_WAITING) return false;
  output.write(text);
  return true;
}

/** For a file. Its stream would not recover from a full disk. */
function isWritten(fd: number, text: string): boolean {
  try {
    return writeSync(fd, text) === Buffer.byteLength(text);
  } catch {
    return false;
  }
}

/** Ends the process after a second if lines that nobody reads keep it alive. */
export function endUnread({ stderr, exit }: Process, code: number): void {
  const end = () => {
    if (stderr.writableLength > 0) exit(code);
  };
  setTimeout(end, 1_000).unref();
}
