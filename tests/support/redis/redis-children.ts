// Starts processes that have a store of their own in Redis, and reads what they print.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolder } from '../processes/built.js';
import { bundle } from '../processes/bundle.js';
import { endsWithTest } from '../processes/left-behind.js';
import { until } from '../worlds/until.js';
import type { ChildTask } from './redis-child.js';

export interface RedisChild {
  /** The lines that it has said. */
  lines(): readonly string[];
  /** Resolves once it has said so many lines; rejects where it ends before. */
  says(count: number): Promise<void>;
  /** The exit code when it ends by itself. */
  readonly ended: Promise<number | null>;
  /** Ends it by -9, and resolves when all that it said is there. */
  kill9(): Promise<void>;
}

const living = new Set<ChildProcess>();
/** Below the package, so that what is there finds what it depends on. */
const folder = join(packageFolder, 'node_modules', '.cache', `cwx-fake-redis-children-${process.pid}`);
let program: string | undefined;

/** As one file of JavaScript, since a process starts much sooner with that. */
function bundled(): string {
  endsWithTest('folder', folder);
  mkdirSync(folder, { recursive: true });
  const out = join(folder, 'child.mjs');
  bundle(fileURLToPath(new URL('redis-child.ts', import.meta.url)), out);
  return out;
}

export async function redisChild(task: ChildTask): Promise<RedisChild> {
  program ??= bundled();
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'] });
  living.add(child);
  let said = '';
  let complaints = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    said += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    complaints += text;
  });
  const closed = once(child, 'close').then(() => void living.delete(child));
  const lines = () => said.split('\n').slice(0, -1); // the last is not whole yet
  return {
    lines,
    says: async count => {
      await until(() => lines().length >= count || child.exitCode !== null);
      if (lines().length < count) throw new Error(`it ended after ${lines().length} lines: ${complaints}`);
    },
    ended: closed.then(() => child.exitCode),
    kill9: () => {
      child.kill('SIGKILL');
      return closed;
    },
  };
}

/** For `after`: ends every child that a test has left behind. */
export function endChildren(): void {
  for (const child of living) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  program = undefined;
}
