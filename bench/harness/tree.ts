// Processes seen from outside, with all that they have started: a command from its start to its end, and what a running one has used (/proc).
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
const TICK_MICROSECONDS = 10_000; // Linux tells processor time in hundredths of a second, whatever the kernel counts in
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
    peakRss = Math.max(peakRss, usageOfTree(child.pid ?? 0).rss);
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

interface Stat {
  readonly parent: number;
  /** Microseconds, user and system. */
  readonly cpu: number;
  /** Bytes. */
  readonly rss: number;
}

/** Of a process and all below it that still run; zeros where the system does not tell. */
export function usageOfTree(root: number): Omit<Stat, 'parent'> {
  const parents = new Map<number, Stat>();
  for (const name of folders()) {
    const stat = statOf(name);
    if (stat !== undefined) parents.set(Number(name), stat);
  }
  const isOfTree = (pid: number): boolean =>
    pid === root || (parents.has(pid) && isOfTree(parents.get(pid)?.parent ?? 0));
  const ofTree = [...parents].filter(([pid]) => isOfTree(pid)).map(([, stat]) => stat);
  return {
    cpu: ofTree.reduce((sum, { cpu }) => sum + cpu, 0),
    rss: ofTree.reduce((sum, { rss }) => sum + rss, 0),
  };
}

function folders(): string[] {
  try {
    return readdirSync('/proc').filter(name => /^\d+$/.test(name));
  } catch {
    return []; // no Linux
  }
}

/** Of a process that may have ended meanwhile. */
function statOf(pid: string): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // the name before may hold anything
    const cpu = (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
    return { parent: Number(fields[1]), cpu, rss: Number(fields[21]) * PAGE };
  } catch {
    return undefined;
  }
}
