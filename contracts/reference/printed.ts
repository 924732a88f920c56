// What a command prints, in this process: to a pipe, or to a terminal of so many columns.
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { main } from '../../cli/main.js';
import type { Process } from '../../server/process/command-process.js';

/** Without the blank lines at its end. */
export async function printed(argv: readonly string[], columns?: number): Promise<string> {
  let text = '';
  const stream = new Writable({
    write: (chunk, _, done) => {
      text += String(chunk);
      done();
    },
  });
  const stdout = columns === undefined ? stream : Object.assign(stream, { isTTY: true, columns });
  const signals = new EventEmitter();
  const never = () => {
    throw new Error('what is printed here ends no process');
  };
  const process: Process = {
    stdin: Readable.from([]),
    stdout,
    stderr: stdout,
    env: {},
    pid: 0,
    on: (name, listener) => signals.on(name, listener),
    once: (name, listener) => signals.once(name, listener),
    off: (name, listener) => signals.off(name, listener),
    kill: never,
    cwd: () => '.',
    exit: never,
  };
  await main(argv, process);
  return text.trimEnd();
}
