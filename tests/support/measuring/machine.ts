// The machine that was measured, and a way to pin a process to one of its processors.
import { spawnSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

/** The server has processor 0 to itself and the load processor 1, so that neither takes time from the other. */
export type Processor = 0 | 1;

const canPin = cpus().length > 1 && succeeds('taskset', ['-c', '0', 'true']);

/** The command line that runs a program on one processor; where that cannot be asked for, or it may run on any, the program as it is. */
export function pinned(processor: Processor | 'any', command: readonly string[]): readonly [string, ...string[]] {
  const [program = '', ...args] = command;
  return canPin && processor !== 'any' ? ['taskset', '-c', String(processor), program, ...args] : [program, ...args];
}

export function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}

export function describeMachine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const pinning = canPin
    ? 'server on processor 0, load on processor 1 (taskset)'
    : 'NOT pinned: taskset is absent or there is one processor, so server and load may take time from each other';
  return [
    `${processors[0]?.model.trim() || 'unknown processor'}, ${processors.length} processors, ${memory} GiB, ${type()} ${release()}`,
    `Node ${process.version}, commit ${commit()}, load average before ${loadavg()[0]?.toFixed(2)}`,
    pinning,
  ].join('; ');
}

function commit(): string {
  const head = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
  if (head.status !== 0) return 'unknown';
  const changes = spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).stdout;
  return `${head.stdout.trim()}${changes.trim() === '' ? '' : ' with uncommitted changes'}`;
}

function succeeds(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function workedOn(processor: Processor): number {
  const times = cpus()[processor]?.times;
  return times === undefined ? 0 : times.user + times.nice + times.sys;
}

const CALM = 0.15;
const CALM_WITHIN_MS = 60_000;

/** Waits for a second in which nobody else works much; gives up after a minute, or so many milliseconds. */
export async function calm(within = CALM_WITHIN_MS): Promise<void> {
  const last = performance.now() + within;
  while (performance.now() < last) {
    const [began, before] = [performance.now(), workedOn(0) + workedOn(1)];
    await new Promise(resolve => setTimeout(resolve, 1_000));
    if ((workedOn(0) + workedOn(1) - before) / (performance.now() - began) < CALM) return;
  }
}
