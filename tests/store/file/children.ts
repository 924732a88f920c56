// Child processes for the tests beside it. Each is bundled into one file, so it starts at once. None outlives its test.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../support/processes/bundle.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** Bundles a program beside this file into one file of JavaScript in a folder. */
export function program(name: string, folder: string): string {
  const out = join(folder, `${name}.mjs`);
  bundle(join(here, `${name}.ts`), out);
  symlinkSync(packages, join(folder, 'node_modules'));
  return out;
}

export interface Child {
  readonly pid: number;
  /** Sends it a line and waits for its next one. */
  ask(line: string): Promise<string>;
  /** Kills it at once. */
  kill(): Promise<void>;
}

export function child(
  file: string,
  args: readonly string[] = [],
  shell = '',
): Child & { readonly process: ChildProcess } {
  const command = [process.execPath, file, ...args];
  const started =
    shell === ''
      ? spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
      : spawn('sh', ['-c', `${shell}; exec "$@"`, 'sh', ...command], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  const ended = once(started, 'exit');
  return {
    process: started,
    pid: started.pid ?? -1,
    ask: async line => {
      started.stdin.write(`${line}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`the process ended instead of answering ${line}`);
      return value;
    },
    kill: async () => {
      started.kill('SIGKILL');
      await ended;
    },
  };
}
