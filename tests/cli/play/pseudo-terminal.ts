// A command in a real pseudo-terminal, by `script` of util-linux: what it writes there, and keys that are typed when something is seen.
import { spawn } from 'node:child_process';
import { hasProgram } from '../../support/processes/programs.js';

/** Whether there is a `script` to make terminals with. */
export function hasPseudoTerminal(): boolean {
  return hasProgram('script', 'bsdutils');
}

export interface Session {
  /** Everything that the terminal was sent. */
  readonly seen: string;
  /** The exit code of the command. */
  readonly code: number | null;
}

/** What is typed, or done with what has been seen so far. */
type Act = string | ((seen: string) => void);

/** Runs a shell command in a terminal of so many columns; each act is done once the text before it has been seen anew. */
export function inTerminal(
  command: string,
  acts: ReadonlyArray<readonly [seen: string, act: Act]>,
  { columns = 100, cwd, env = {} }: { columns?: number; cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Promise<Session> {
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 40; ${command}`, '/dev/null'], {
    cwd,
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = [...acts];
  let seen = '';
  let from = 0;
  child.stdout.setEncoding('utf8').on('data', text => {
    seen += text;
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const at = seen.indexOf(next[0], from);
      if (at === -1) break;
      from = at + next[0].length;
      if (typeof next[1] === 'string') child.stdin.write(next[1]);
      else next[1](seen);
      waiting.shift();
    }
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => resolve({ seen, code }));
  });
}
