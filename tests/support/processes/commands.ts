// cwx-fake inside the process of a test, with an input, output, environment and signals of its own: for tests in which the process is not the subject.
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { expect } from 'chai';
import { main } from '../../../cli/main.js';
import type { Process } from '../../../server/process/command-process.js';
import { bareEnvironment, type Ended, type Launched, type Surroundings } from './command-line.js';

/** `columns`: standard output is a terminal of that width. */
type Inside = Pick<Surroundings, 'cwd' | 'env'> & { readonly columns?: number };

const servers = new Set<Launched>();

export function run(args: readonly string[], inside: Inside = {}): Promise<Ended> {
  return begin(args, inside).ended;
}

/** What a command prints that succeeds without complaints. */
export async function printedBy(running: Promise<Ended>): Promise<string> {
  const { stdout, ...end } = await running;
  expect(end, stdout).to.deep.equal({ code: 0, stderr: '' });
  return stdout;
}

/** The complaint of a command that prints nothing else and ends with this code. */
export async function refusalOf(running: Promise<Ended>, code = 2): Promise<string> {
  const { stderr, ...end } = await running;
  expect(end, stderr).to.deep.equal({ code, stdout: '' });
  return stderr;
}

/** Starts cwx-fake on a free port and resolves when it says that it listens. */
export async function launch(args: readonly string[] = [], inside: Inside = {}): Promise<Launched> {
  const hasPort = args.includes('--port') || inside.env?.CWX_FAKE_PORT !== undefined;
  const { signals, stdout, stderr, ended } = begin(['serve', ...(hasPort ? [] : ['--port', '0']), ...args], inside);
  await Promise.race([stdout.says(/\n/), ended]);
  const url = /^cwx-fake listening on (\S+) \(scenario .*\)\n/.exec(stdout.text)?.[1];
  if (url === undefined) throw new Error(`it does not listen: ${stdout.text}${stderr.text}`);
  const server: Launched = {
    url,
    ended,
    stdout: () => stdout.text,
    stderr: () => stderr.text,
    says: pattern => stderr.says(pattern),
    signal: name => {
      signals.emit(name, name);
      return ended;
    },
  };
  servers.add(server);
  void ended.finally(() => servers.delete(server));
  return server;
}

export async function endAll(): Promise<void> {
  await Promise.all([...servers].map(server => server.signal('SIGTERM')));
}

/** Starts cwx-fake, with what a test needs to read it and to end it. */
export function begin(args: readonly string[], { cwd, env, columns }: Inside = {}) {
  const stderr = new Output();
  const stdout = Object.assign(new Output(), columns !== undefined && { isTTY: true, columns });
  const signals = new EventEmitter();
  const leave = enter(cwd);
  const process: Process = {
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: { ...bareEnvironment(), ...env },
    on: (name, listener) => signals.on(name, listener),
    once: (name, listener) => signals.once(name, listener),
    off: (name, listener) => signals.off(name, listener),
    pid: 0,
    kill: () => needsProcess(),
    cwd: () => globalThis.process.cwd(),
    exit: () => needsProcess(),
  };
  const ended = main(args, process)
    .finally(leave)
    .then((code): Ended => ({ code, stdout: stdout.text, stderr: stderr.text }));
  return { signals, stdout, stderr, ended };
}

function needsProcess(): never {
  throw new Error('this ends the process: test it by command-line.ts');
}

/** Keeps what is written, and tells who waits for it. */
class Output extends Writable {
  text = '';
  readonly #written = new EventEmitter();

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8');
    this.#written.emit('text');
    done();
  }

  says(pattern: RegExp): Promise<void> {
    return new Promise(resolve => {
      const look = () => {
        if (!pattern.test(this.text)) return;
        this.#written.off('text', look);
        resolve();
      };
      this.#written.on('text', look);
      look();
    });
  }
}

const home = process.cwd();
let inside = 0;

/** A process has one working directory: commands that run at once share it. */
function enter(cwd = home): () => void {
  if (inside > 0 && process.cwd() !== cwd) throw new Error(`a command still runs in ${process.cwd()}, not in ${cwd}`);
  inside += 1;
  process.chdir(cwd);
  return () => {
    inside -= 1;
    if (inside === 0) process.chdir(home);
  };
}
