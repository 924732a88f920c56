// A command as a user feels it: from its start to its end, with all processes that it starts. Knows nothing of what it does.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface Felt {
  readonly milliseconds: number;
  /** Bytes of all its processes together at the most, looked at every 20 ms; 0 where the system does not tell (/proc). */
  readonly peakRss: number;
  readonly stdout: string;
}

const LOOK_MS = 20;
const PAGE = 4096;
const alive = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** Runs it to its end, which must be a good one. It is held to no processor. */
export async function feel([program = '', ...args]: readonly string[]): Promise<Felt> {
  const began = performance.now();
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PACT_DO_NOT_TRACK: 'true' },
  });
  alive.add(child);
  let peakRss = 0;
  const looking = setInterval(() => {
    peakRss = Math.max(peakRss, rssOfTree(child.pid ?? 0));
  }, LOOK_MS);
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', text => {
    stdout += text;
  });
  child.stderr.on('data', text => {
    stderr += text;
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  clearInterval(looking);
  alive.delete(child);
  const milliseconds = performance.now() - began;
  if (code !== 0)
    throw new Error(`${program} ${args.join(' ')} ended with ${code}\n${stdout.slice(-2000)}${stderr.slice(-2000)}`);
  return { milliseconds, peakRss, stdout };
}

function rssOfTree(root: number): number {
  const parents = new Map<number, { parent: number; rss: number }>();
  for (const name of folders()) {
    const stat = statOf(name);
    if (stat !== undefined) parents.set(Number(name), stat);
  }
  const isOfTree = (pid: number): boolean =>
    pid === root || (parents.has(pid) && isOfTree(parents.get(pid)?.parent ?? 0));
  return [...parents].reduce((sum, [pid, { rss }]) => (isOfTree(pid) ? sum + rss : sum), 0);
}

function folders(): string[] {
  try {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name));
  } catch {
    return []; // no Linux
  }
}

/** Of a process that may have ended meanwhile. */
function statOf(pid: string): { parent: number; rss: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // the name before may hold anything
    return { parent: Number(fields[1]), rss: Number(fields[21]) * PAGE };
  } catch {
    return undefined;
  }
}
