// One run of the command that is a test suite: what came of it, what it wrote, and an end of everything that it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from '../../process/command-process.js';

export interface SuiteCommand {
  /** The program and its arguments; a single word with spaces is for the shell. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  /** Milliseconds that a run may take. */
  readonly timeout: number;
}

export interface SuiteRun {
  readonly outcome: 'passed' | 'failed' | 'timed-out' | 'interrupted';
  /** `exit code 1`, `SIGSEGV`, or that it did not end in time. */
  readonly ending: string;
  /** What it wrote on both streams, in the order of its arrival: the beginning and the end where it is long. */
  readonly output: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** The command cannot be started. */
export class NoSuchCommand extends Error {}

/** Characters that are kept of the beginning of an output, and as many of its end. */
const MOST_OUTPUT = 256 * 1024;

/** Milliseconds between asking processes to end and ending them. */
const GRACE_MS = 1_000;

/** Runs the command to its end. Rejects with `NoSuchCommand` where it cannot be started. */
export async function runSuite({ words, cwd, env, timeout }: SuiteCommand, signal: AbortSignal): Promise<SuiteRun> {
  const [program = '', ...args] = words;
  const shell = words.length === 1 && /\s/.test(program);
  const began = performance.now();
  // a group of its own, so that what it leaves behind can be ended with it
  const child = spawn(program, args, { cwd, env, shell, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = new Output(child);
  let why: 'timed-out' | 'interrupted' | undefined;
  const end = (reason: 'timed-out' | 'interrupted') => {
    why ??= reason;
    void endGroup(child);
  };
  const timer = setTimeout(() => end('timed-out'), timeout);
  const onAbort = () => end('interrupted');
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    const [code, by] = (await once(child, 'exit').catch(error => cannotStart(program, error))) as [
      number | null,
      NodeJS.Signals | null,
    ];
    const duration = performance.now() - began;
    await endGroup(child);
    const ending = why === 'timed-out' ? `no end within ${timeout / 1000} s` : (by ?? `exit code ${code}`);
    return { outcome: why ?? (code === 0 ? 'passed' : 'failed'), ending, output: await output.all(), duration };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function cannotStart(program: string, error: NodeJS.ErrnoException): never {
  const why = error.code === 'ENOENT' ? 'there is no such command' : error.message;
  throw new NoSuchCommand(`${JSON.stringify(program)} cannot be run: ${why}`, { cause: error });
}

/** Ends the processes of its group that are still there: at first kindly. */
async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (!signalled(pid, 'SIGTERM')) return;
  const deadline = performance.now() + GRACE_MS;
  while (performance.now() < deadline) {
    await new Promise(resolve => setTimeout(resolve, 10));
    if (!signalled(pid, 0)) return;
  }
  signalled(pid, 'SIGKILL');
}

/** Whether there was a process in the group to take it. */
function signalled(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false; // all of them have ended
  }
}

/** What a child writes, as far as it is kept. */
class Output {
  #head = '';
  #tail = '';
  readonly #ended: Promise<unknown>;

  constructor(private readonly child: ChildProcess) {
    this.#ended = once(child, 'close').catch(() => {}); // who starts it hears of an error
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', this.#take);
  }

  readonly #take = (text: string): void => {
    const room = MOST_OUTPUT - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail = (this.#tail + text.slice(room)).slice(-MOST_OUTPUT);
  };

  /** Of a child that has ended. A process that has left its group may hold the streams open: nobody waits for it. */
  async all(): Promise<string> {
    const { stdout, stderr } = this.child;
    const patience = setTimeout(() => {
      stdout?.destroy();
      stderr?.destroy();
    }, 200);
    await this.#ended;
    clearTimeout(patience);
    return this.#head + this.#tail;
  }
}
