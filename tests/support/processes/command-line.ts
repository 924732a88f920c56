// cwx-fake as a child process: run to its end, or started as a server that a test talks to and stops.
import { type ChildProcess, spawn } from 'node:child_process';
import { cli } from './built.js';

export interface Surroundings {
  readonly cwd?: string;
  /** Over the environment of the test, in which nothing is set for cwx-fake. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is started instead of the built command line. */
  readonly program?: string;
  /** What runs it. Default: this Node. */
  readonly runtime?: readonly string[];
  /** A command of the shell that stands before it, such as `ulimit -f 128`. */
  readonly shell?: string;
}

export interface Ended {
  /** The exit code; `null` where a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Launched {
  readonly url: string;
  readonly ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
  says(pattern: RegExp): Promise<void>;
  signal(name: NodeJS.Signals): Promise<Ended>;
}

/** What `serve` says of its profile unless another is chosen. */
export const LENIENT =
  'profile lenient: wiki operations need no credentials (wiki-auth=open). --profile strict requires them.\n';

const living = new Set<ChildProcess>();

export function run(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  return begin(args, surroundings).ended;
}

/** Starts cwx-fake on a free port and resolves when it says that it listens. */
export async function launch(args: readonly string[] = [], surroundings: Surroundings = {}): Promise<Launched> {
  const hasPort = args.includes('--port') || surroundings.env?.CWX_FAKE_PORT !== undefined;
  const begun = begin(['serve', ...(hasPort ? [] : ['--port', '0']), ...args], surroundings);
  const { child, ended, stdout, stderr } = begun;
  await Promise.race([heard(child, stdout, /\n/).catch(() => {}), ended]);
  const url = /^cwx-fake listening on (\S+) \(scenario .*\)\n/.exec(stdout())?.[1];
  if (url === undefined) throw new Error(`it does not listen: ${stdout()}${stderr()}`);
  return {
    url,
    ended,
    stdout,
    stderr,
    says: pattern => heard(child, stderr, pattern).then(() => {}),
    signal: name => {
      child.kill(name);
      return ended;
    },
  };
}

/** Starts cwx-fake without waiting for its end; `says` resolves once its standard error says this. */
export function beginning(args: readonly string[], surroundings: Surroundings = {}) {
  const begun = begin(args, surroundings);
  return { ...begun, says: (pattern: RegExp) => heard(begun.child, begun.stderr, pattern).then(() => {}) };
}

export function endAll(): void {
  for (const child of living) child.kill('SIGKILL');
}

function begin(
  args: readonly string[],
  { cwd, env, program = cli, runtime = [process.execPath], shell }: Surroundings,
) {
  const command = [...runtime, program, ...args];
  const [file = '', ...rest] = shell === undefined ? command : ['sh', '-c', `${shell}; exec "$@"`, 'sh', ...command];
  const child = spawn(file, rest, {
    cwd,
    env: { ...bareEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  living.add(child);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', text => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => {
      living.delete(child);
      resolve({ code, stdout: out, stderr: err });
    });
  });
  return { child, ended, stdout: () => out, stderr: () => err };
}

/** Resolves once a stream of a child has said something; a child that has ended says nothing more. */
function heard(child: ChildProcess, text: () => string, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!pattern.test(text())) return;
      child.stdout?.off('data', look);
      child.stderr?.off('data', look);
      resolve(text());
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('close', () => reject(new Error(`it ended and never said ${pattern}: ${text()}`)));
    look();
  });
}

export function bareEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('CWX_FAKE_')));
}
