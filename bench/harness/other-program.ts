// Servers that are not the bench's own: they get their port by a flag, are asked until they answer, and are watched from outside.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { newLog, type Program, type Server, signal, start, stop, track } from './child.js';
import { send } from './requests.js';

export interface OtherProgram {
  /** The command line of a server that listens on this port of 127.0.0.1. */
  command(port: number): readonly string[];
}

const READY_WITHIN = 60_000;
const ASK_AGAIN_MS = 5;
const MAX_SAID = 2_000;
const PAGE = 4096;
const TICK_MICROSECONDS = 10_000; // Linux tells processor time in hundredths of a second

/** Starts a server and waits until it has answered a request with 2xx. */
export async function startAnswering(program: Program | OtherProgram, request: string): Promise<Server> {
  if ('command' in program) return startOther(program, request);
  const server = await start(program);
  const status = await send(server.url, request);
  if (isGood(status)) return server;
  await server.stop();
  throw new Error(`${program.script} answered ${status} to ${request}`);
}

async function startOther({ command }: OtherProgram, request: string): Promise<Server> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const complaints = newLog();
  const child = track(command(port), 0, complaints, false);
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-MAX_SAID);
  });
  const last = await untilAnswered(url, request, child);
  if (!isGood(Number(last))) {
    await stop(child);
    const lines = said + readFileSync(complaints, 'utf8').slice(-MAX_SAID);
    throw new Error(`${child.spawnargs.join(' ')}\nto ${request}: ${last}\n${lines}`);
  }
  return {
    url,
    usage: async () => usageOf(child),
    halt: () => signal(child, 'SIGSTOP'),
    continue: () => signal(child, 'SIGCONT'),
    stop: () => stop(child),
  };
}

/** What became of the last try: a status, or why there was none. */
async function untilAnswered(url: string, request: string, child: ChildProcess): Promise<string> {
  const began = performance.now();
  let isOver = false;
  for (const event of ['exit', 'error']) {
    child.once(event, () => {
      isOver = true;
    });
  }
  for (;;) {
    const last = await send(url, request).then(String, String);
    if (isGood(Number(last)) || isOver || performance.now() - began > READY_WITHIN) return last;
    await new Promise(resolve => setTimeout(resolve, ASK_AGAIN_MS));
  }
}

/** Of a process and those that it has started, as /proc tells; NaN without it. */
function usageOf({ pid }: ChildProcess): { cpu: number; rss: number } {
  const stats = new Map(processes().map(one => [one.pid, one]));
  const isOfTree = (one: Stat | undefined): boolean =>
    one !== undefined && (one.pid === pid || isOfTree(stats.get(one.parent)));
  const ofTree = [...stats.values()].filter(isOfTree);
  if (ofTree.length === 0) return { cpu: Number.NaN, rss: Number.NaN };
  return { cpu: ofTree.reduce((sum, { cpu }) => sum + cpu, 0), rss: ofTree.reduce((sum, { rss }) => sum + rss, 0) };
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** Microseconds, user and system. */
  readonly cpu: number;
  /** Bytes. */
  readonly rss: number;
}

function processes(): Stat[] {
  const pids = existsSync('/proc') ? readdirSync('/proc').filter(name => /^\d+$/.test(name)) : [];
  return pids.flatMap(pid => {
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // the name before may hold anything
      const cpu = (Number(fields[11]) + Number(fields[12])) * TICK_MICROSECONDS;
      return [{ pid: Number(pid), parent: Number(fields[1]), cpu, rss: Number(fields[21]) * PAGE }];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a listening socket has no port');
  return address.port;
}
