// One run of the test suite's command: its result, its output, and the end of every process that it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Environment } from '../../server/process/command-process.js';

export interface SuiteCommand {
  /** The program and its arguments; a single word with spaces is run by the shell. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  /** Timeout in milliseconds. */
  readonly timeout: number;
}

export interface CommandRun {
  readonly outcome: 'passed' | 'failed' | 'timed-out' | 'interrupted';
  /** `exit code 1`, `SIGSEGV`, or that it timed out. */
  readonly ending: string;
  /** Its output on both streams, in order of arrival; only the beginning and the end if it is long. */
  readonly output: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** The command cannot be started. */
export class NoSuchCommand extends Error {}

/** Characters kept of the beginning of an output, and as many of its end. */
const MAX_OUTPUT = 256 * 1024;

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 1_000;

/** Runs the command to its end. Rejects with `NoSuchCommand` if it cannot be started. */
export async function runSuite({ words, cwd, env, timeout }: SuiteCommand, signal: AbortSignal): Promise<CommandRun> {
  const [program = '', ...args] = words;
  const shell = words.length === 1 && /\s/.test(program);
  const began = performance.now();
  // own process group, so that its children can be ended with it
  const child = spawn(program, args, { cwd, env, shell, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = new Output(child);
  const late = AbortSignal.timeout(timeout);
  const ended = AbortSignal.any([signal, late]);
  const end = () => void endGroup(child);
  ended.addEventListener('abort', end);
  if (ended.aborted) end();
  const [code, by] = (await once(child, 'exit').catch(error => cannotStart(program, error))) as [
    number | null,
    NodeJS.Signals | null,
  ];
  ended.removeEventListener('abort', end);
  const duration = performance.now() - began;
  const isLate = ended.aborted && ended.reason === late.reason;
  const whole = ended.aborted ? (isLate ? 'timed-out' : 'interrupted') : code === 0 ? 'passed' : 'failed';
  await endGroup(child);
  const ending = isLate ? `timed out after ${timeout / 1000} s` : (by ?? `exit code ${code}`);
  return { outcome: whole, ending, output: await output.all(), duration };
}

function cannotStart(program: string, error: NodeJS.ErrnoException): never {
  const why = error.code === 'ENOENT' ? 'command not found' : error.message;
  throw new NoSuchCommand(`${JSON.stringify(program)} cannot be run: ${why}`, { cause: error });
}

/** Ends the remaining processes of the group: first with SIGTERM. */
async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (!signalled(pid, 'SIGTERM')) return;
  const deadline = performance.now() + GRACE_MS;
  while (performance.now() < deadline) {
    await new Promise(resolve => setTimeout(resolve, 10));
    if (!signalled(pid, 0)) return;
  }
  signalled(pid, 'SIGKILL');
}

/** Whether a process of the group got the signal. */
function signalled(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch {
    return false; // all of them have ended
  }
}

/** The kept output of a child. */
class Output {
  #head = '';
  #tail = '';
  readonly #ended: Promise<unknown>;

  constructor(private readonly child: ChildProcess) {
    this.#ended = once(child, 'close').catch(() => {}); // the caller gets the error
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', this.#take);
  }

  readonly #take = (text: string): void => {
    const room = MAX_OUTPUT - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail = (this.#tail + text.slice(room)).slice(-MAX_OUTPUT);
  };

  /** For a child that has ended: a process outside its group may keep the streams open, so do not wait for them. */
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
