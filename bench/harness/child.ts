// A measured process: started afresh, waited for, asked what it has used, and stopped. None outlives the bench.
// Knows nothing of what is measured.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Question, Usage } from '../../tests/support/measuring/gauge.js';
import { type Processor, pinned } from '../../tests/support/measuring/machine.js';
import { builtScript, scratch } from './places.js';

export interface Program {
  /** A built script, below `dist`, and its arguments. */
  readonly script: string;
  readonly args?: readonly string[];
  /** Flags of Node itself. */
  readonly flags?: readonly string[];
  /** That it is held to; left out: the first. */
  readonly processor?: Processor | 'any';
  /** Without its gauge a process starts as a user's does, and can be asked nothing. */
  readonly gauge?: false;
}

/** Any server that is measured. */
export interface Server {
  readonly url: string;
  /** Processor time in microseconds and memory in bytes, so far. */
  usage(): Promise<Pick<Usage, 'cpu' | 'rss'>>;
  /** Halts the process: it takes no processor time until it continues. */
  halt(): void;
  continue(): void;
  stop(): Promise<void>;
}

export interface Running extends Server {
  ask(question: Question): Promise<Usage>;
}

const READY_WITHIN = 300_000;
const STOPPED_WITHIN = 5_000;
const alive = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of alive) signal(child, 'SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** Starts a server that says on standard output where it listens, as all that are measured here do. */
export async function start(program: Program): Promise<Running> {
  const { child, complaints } = launch(program, program.processor ?? 0);
  const url = await readyLine(child, complaints);
  return {
    url,
    ask: question => ask(child, question),
    usage: () => ask(child, { ask: 'usage' }),
    halt: () => signal(child, 'SIGSTOP'),
    continue: () => signal(child, 'SIGCONT'),
    stop: () => stop(child),
  };
}

/** Runs a program to its end and gives what it printed. */
export async function run(program: Program, processor: Processor | 'any'): Promise<string> {
  const { child, complaints } = launch(program, processor);
  return output(child, complaints);
}

/** Runs any command to its end, held to a processor. */
export function runCommand(command: readonly string[], processor: Processor | 'any'): Promise<string> {
  const complaints = newLog();
  return output(track(command, processor, complaints, false), complaints);
}

function launch(program: Program, processor: Processor | 'any'): { child: ChildProcess; complaints: string } {
  const hasGauge = program.gauge ?? true;
  const gauge = hasGauge ? ['--import', pathToFileURL(builtScript('tests/support/measuring/gauge.js')).href] : [];
  const script = builtScript(program.script);
  const command = [process.execPath, ...gauge, ...(program.flags ?? []), script, ...(program.args ?? [])];
  const complaints = newLog();
  return { child: track(command, processor, complaints, hasGauge), complaints };
}

let logs = 0;

/** Where one child complains. */
export function newLog(): string {
  logs += 1;
  return join(scratch, `complaints-${logs}.log`);
}

/** Starts a command as the leader of a group of processes, which ends with it, or with the bench. */
export function track(
  command: readonly string[],
  processor: Processor | 'any',
  complaints: string,
  channel: boolean,
): ChildProcess {
  const [file, ...args] = pinned(processor, command);
  const log = openSync(complaints, 'w');
  const child = spawn(file, args, {
    detached: true,
    stdio: ['ignore', 'pipe', log, ...(channel ? (['ipc'] as const) : [])],
  });
  closeSync(log);
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  return child;
}

function readyLine(child: ChildProcess, complaints: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => fail(`said nothing for ${READY_WITHIN / 1000} s`), READY_WITHIN);
    const fail = (problem: string) => {
      clearTimeout(late);
      signal(child, 'SIGKILL');
      reject(new Error(`${child.spawnargs.join(' ')}: ${problem}\n${readFileSync(complaints, 'utf8').slice(-2000)}`));
    };
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const url = /listening on (http:\/\/[^\s/]+)/.exec(said)?.[1];
      if (url === undefined) return;
      clearTimeout(late);
      resolve(url);
    });
    child.once('error', error => fail(error.message));
    child.once('exit', code => fail(`ended with ${code} before it listened`));
  });
}

function output(child: ChildProcess, complaints: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', code => {
      if (code === 0) resolve(said);
      else reject(new Error(`${child.spawnargs.join(' ')} ended with ${code}\n${readFileSync(complaints, 'utf8')}`));
    });
  });
}

function ask(child: ChildProcess, question: Question): Promise<Usage> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the measured process ended while it was asked'));
    child.once('exit', ended);
    child.once('message', response => {
      child.off('exit', ended);
      resolve(response as Usage); // the gauge sends nothing else
    });
    child.send(question);
  });
}

export function stop(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return resolve();
    const late = setTimeout(() => signal(child, 'SIGKILL'), STOPPED_WITHIN);
    child.once('exit', () => {
      clearTimeout(late);
      resolve();
    });
    signal(child, 'SIGTERM');
  });
}

/** To the child and all that it has started. */
export function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return; // it could not be started
  try {
    process.kill(-pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // they have ended already
  }
}
