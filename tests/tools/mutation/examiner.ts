// One worker process and the time it gets: an endless loop ends with the process, and the next question gets a new one.
import { type ChildProcess, fork } from 'node:child_process';
import type { Question, Reply } from './worker.js';

/** Each load of the subject stays in the memory of its process, so that a process is given up after as many. */
const LOADS = 100;

export interface Bundles {
  readonly worker: string;
  readonly suite: string;
  readonly subject: string;
  /** What the suite is opened with. */
  readonly files: readonly string[];
}

export class Examiner {
  #child: ChildProcess | undefined;
  #loads = 0;

  constructor(private readonly bundles: Bundles) {}

  /** The names of the pieces of the suite. */
  async names(): Promise<readonly string[]> {
    const { worker, suite, subject, files } = this.bundles;
    this.end();
    this.#loads = 0;
    this.#child = fork(worker, [suite, subject, ...files], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const first = await received<{ readonly names: readonly string[] }>(this.#child);
    if (first === undefined) throw new Error('the suite cannot be opened');
    return first.names;
  }

  /** What comes of a question; `timeout` where a piece takes more than `limit` milliseconds, `ended` where one takes the process down. */
  async ask(question: Question, limit: number): Promise<Reply | 'timeout' | 'ended'> {
    if (this.#child === undefined || this.#loads >= LOADS) await this.names();
    const child = this.#child;
    if (child === undefined) throw new Error('there is no worker');
    this.#loads += 1;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, limit);
    const reply = received<Reply>(child, () => timer.refresh());
    child.send(question);
    const came = await reply;
    clearTimeout(timer);
    if (came !== undefined) return came;
    this.#child = undefined;
    return isLate ? 'timeout' : 'ended';
  }

  end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

/** The next answer of a process, `passed` being called for what it tells on the way; `undefined` when it ends instead. */
function received<T>(child: ChildProcess, passed: () => void = () => {}): Promise<T | undefined> {
  return new Promise(resolve => {
    const settle = (message?: object) => {
      if (message !== undefined && 'passed' in message) return passed();
      child.off('message', settle);
      child.off('exit', gone);
      resolve(message as T | undefined); // the worker is ours
    };
    const gone = () => settle();
    child.on('message', settle);
    child.on('exit', gone);
  });
}
