// A lock on a folder for one process. Each candidate listens on a socket of its own in the folder; the socket of a killed process refuses
// connections. Sockets mean nothing to other machines, so their files are also touched every second. Names are never reused, so that only dead
// sockets are deleted.
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import type { Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './file-error.js';
import { closing, isDead, listen, type Way, wayTo } from './sockets.js';

/** Subfolder of the sockets. */
const FOLDER = 'lock';
/** Followed by the machine and a random name. */
const SOCKET = 'socket-';
/** Beside the owner's socket; contains its process id. */
const OWNER = 'owner-';
/** A socket that does not listen yet, and would look dead. */
const EARLY = 'early-';
/** Bytes of a socket name. */
const NAME = SOCKET.length + 8 + 1 + 16;
/** Milliseconds to wait for simultaneous candidates that must give way. */
const PATIENCE = 5_000;
const BETWEEN = 5;
const MAX_TRIES = 20;
/** Milliseconds between two touches. */
const TOUCH = 1_000;
/** Milliseconds without a touch after which a process on another machine counts as dead. */
const SILENCE = 10_000;

/** Another process has the lock. */
export class Taken extends Error {
  constructor(readonly owner: string | undefined) {
    super(owner === undefined ? 'another process has it' : `the process ${owner} has it`);
  }
}

/** Releases a folder. */
export type Release = () => Promise<void>;

export interface Taking {
  /** Called when the socket has disappeared from the folder, so that another process may take it. */
  readonly lost?: () => void;
  /** Milliseconds. Default: 10 seconds. */
  readonly silence?: number;
}

/** Rejects with `Taken`, or with an error of the operating system. */
export function takeFolder(folder: string, taking: Taking = {}): Promise<Release> {
  const real = realpathSync(folder);
  return process.platform === 'win32' ? takePipe(real) : takeSockets(join(real, FOLDER), taking);
}

/** Windows removes a pipe together with its process. */
async function takePipe(folder: string): Promise<Release> {
  try {
    return closing(await listen(`\\\\.\\pipe\\cwx-fake-${shortOf(folder.toLowerCase())}`));
  } catch (error) {
    throw codeOf(error) === 'EADDRINUSE' || codeOf(error) === 'EACCES' ? new Taken(undefined) : error;
  }
}

async function takeSockets(place: string, { lost = () => {}, silence = SILENCE }: Taking): Promise<Release> {
  const own = `${machine()}-${randomBytes(8).toString('hex')}`;
  const server = await announce(place, own);
  const touching = touch(join(place, `${SOCKET}${own}`), lost);
  const release = async () => {
    clearInterval(touching);
    remove(place, own);
    await closing(server)();
    removeIfEmpty(place);
  };
  try {
    await outlast(place, own, silence);
    writeFileSync(join(place, `${OWNER}${own}`), String(process.pid));
    return release;
  } catch (error) {
    await release();
    throw error;
  }
}

/** Listens, and only then becomes visible to others. */
async function announce(place: string, own: string): Promise<Server> {
  for (let tries = 1; ; tries += 1) {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    let server: Server | undefined;
    try {
      server = await through(place, way => listen(join(way, `${EARLY}${own}`)));
      renameSync(join(place, `${EARLY}${own}`), join(place, `${SOCKET}${own}`));
      return server;
    } catch (error) {
      if (server !== undefined) await closing(server)();
      if (codeOf(error) !== 'ENOENT' || tries === MAX_TRIES) throw error; // otherwise the previous owner has just cleaned up
    }
  }
}

/** Shows other machines that this process lives. */
function touch(socket: string, lost: () => void): NodeJS.Timeout {
  return setInterval(() => {
    try {
      utimesSync(socket, new Date(), new Date());
    } catch (error) {
      if (codeOf(error) === 'ENOENT') lost(); // any other writer of the folder meets the error too
    }
  }, TOUCH).unref();
}

/**
 * Resolves when there is no other candidate. Of two candidates, the later one sees the earlier. Among those without the lock, the smallest name stays
 * and the others give way.
 */
async function outlast(place: string, own: string, silence: number): Promise<void> {
  for (const until = Date.now() + PATIENCE + silence; ; ) {
    const others = await livingBeside(place, own, silence);
    if (others.length === 0) return removeLeftovers(place);
    const owner = others.map(other => join(place, `${OWNER}${other}`)).find(existsSync);
    if (owner !== undefined) throw new Taken(textOf(owner));
    if (others.some(other => other < own) || Date.now() > until) throw new Taken(undefined);
    await sleep(BETWEEN);
  }
}

/** The names of the other living candidates; deletes dead ones. */
async function livingBeside(place: string, own: string, silence: number): Promise<readonly string[]> {
  const others = readdirSync(place).flatMap(file => {
    const name = file.slice(SOCKET.length);
    return file.startsWith(SOCKET) && name !== own ? [name] : [];
  });
  const living = others.map(async name => {
    const isOver = await (isHere(name)
      ? through(place, way => isDead(join(way, `${SOCKET}${name}`)))
      : isSilent(join(place, `${SOCKET}${name}`), silence));
    if (isOver) remove(place, name);
    return isOver ? [] : [name];
  });
  return (await Promise.all(living)).flat();
}

/** Whether a socket was not touched for too long. */
async function isSilent(socket: string, silence: number): Promise<boolean> {
  const touchedAt = () => statSync(socket, { throwIfNoEntry: false })?.mtimeMs;
  const first = touchedAt();
  for (const until = Date.now() + silence; Date.now() < until; await sleep(silence / 50))
    if (touchedAt() !== first) return touchedAt() === undefined;
  return true;
}

/** Leftovers of killed processes. A candidate whose file is deleted before it is visible starts again. */
function removeLeftovers(place: string): void {
  for (const file of readdirSync(place)) if (file.startsWith(EARLY)) rmSync(join(place, file), { force: true });
}

function remove(place: string, name: string): void {
  rmSync(join(place, `${OWNER}${name}`), { force: true });
  rmSync(join(place, `${SOCKET}${name}`), { force: true });
}

function removeIfEmpty(place: string): void {
  try {
    rmdirSync(place);
  } catch (error) {
    if (codeOf(error) === undefined) throw error; // another process is there already
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8') || undefined;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return undefined;
  }
}

/** Runs with a short path to a folder. */
async function through<T>(folder: string, act: (way: string) => Promise<T>): Promise<T> {
  const way: Way = wayTo(folder, NAME);
  try {
    return await act(way.path);
  } finally {
    way.end();
  }
}

/** Whether a name was created on this machine since it booted: then its socket shows whether its process lives. */
function isHere(name: string): boolean {
  return name.startsWith(`${machine()}-`);
}

/** The same in all containers of a machine until it is rebooted. */
function machine(): string {
  const boot = '/proc/sys/kernel/random/boot_id';
  return shortOf(existsSync(boot) ? readFileSync(boot, 'utf8') : hostname()).slice(0, 8);
}

function shortOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
