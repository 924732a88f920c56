// The server under test: in a process of its own whose memory can be measured, as a user starts it; or in this one, with a
// defect.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Usage } from '../support/measuring/gauge.js';
import { MAX_BODY } from './cases/asked.js';

export interface Subject {
  readonly port: number;
  /** Bytes in use after a collection; absent if unknown. */
  held?(): Promise<number>;
  /** Its complaints: bugs in its log. */
  bugs(): readonly string[];
  /** Stops it; returns what it did wrong. */
  stop(): Promise<string | undefined>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const FLAGS = ['--port', '0', '--max-body', String(MAX_BODY), '--max-sandboxes', '500', '--log', 'json'];
const STARTED_WITHIN = 60_000;
/** The server itself gives requests in flight 30 s. */
const STOPPED_WITHIN = 40_000;

export async function servedAlone(script = 'cli/cli.ts'): Promise<Subject> {
  const args = [
    '--expose-gc',
    '--import',
    'tsx',
    '--import',
    './tests/support/measuring/gauge.ts',
    script,
    'serve',
    ...FLAGS,
  ];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  child.once('exit', () => process.off('exit', killed));
  const log: string[] = [];
  const lines = logLines(line => {
    if (isBug(line)) log.push(line);
  });
  child.stderr?.on('data', lines);
  const port = await portOf(child);
  return {
    port,
    held: () => held(child),
    bugs: () => log,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null)
        return `it had ended with ${child.exitCode ?? child.signalCode}`;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN);
      const [code, signal] = (await exited) as [number | null, string | null]; // the value `exit` reports
      clearTimeout(timer);
      return code === 0 ? undefined : `it ended with ${code ?? signal}`;
    },
  };
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (problem: string) => {
      child.kill('SIGKILL');
      reject(new Error(`the server under test ${problem}`));
    };
    const timer = setTimeout(() => fail('says nothing'), STARTED_WITHIN);
    const ended = (code: number | null) => fail(`ended with ${code} before it listened`);
    child.once('exit', ended);
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const port = /listening on http:\/\/[^:]+:(\d+)/.exec(said)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      child.off('exit', ended);
      resolve(Number(port));
    });
  });
}

/** The least of several measurements: memory not yet collected is not a leak. */
async function held(child: ChildProcess): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let look = 0; look < 4; look += 1) {
    await new Promise(resolve => setTimeout(resolve, 50));
    const answered = once(child, 'message');
    child.send({ ask: 'usage', collect: true });
    const [usage] = (await answered) as [Usage]; // the gauge sends nothing else
    least = Math.min(least, usage.heap + usage.external);
  }
  return least;
}

function logLines(take: (line: string) => void): (chunk: Buffer) => void {
  let left = '';
  return chunk => {
    const lines = `${left}${chunk.toString()}`.split('\n');
    left = lines.pop() ?? '';
    for (const line of lines) take(line);
  };
}

/** An error in the log, or Node's report of an uncaught one. */
function isBug(line: string): boolean {
  return /"level":(?:50|60|"error"|"fatal")/.test(line) || /^(?:Error|\w+Error|Uncaught|\(node:\d+\))/.test(line);
}
