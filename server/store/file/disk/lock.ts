// Sees to it that one process at a time has a folder, whatever becomes of it: each that wants it listens on a socket of its own in the folder, and the
// socket of one that was killed refuses. A socket tells nothing to another machine, so its file is also touched every second. No name is used twice, so
// that a dead one can be taken away and never a living one. Knows nothing of stores.
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

/** Of the sockets, in the folder that is taken. */
const FOLDER = 'lock';
/** Followed by the machine and a random name. */
const SOCKET = 'socket-';
/** Beside the socket of the one that has the folder; in it the number of its process. */
const OWNER = 'owner-';
/** A socket that does not listen yet, and would be taken for dead. */
const EARLY = 'early-';
/** Bytes of the name of a socket. */
const NAME = SOCKET.length + 8 + 1 + 16;
/** Milliseconds for which one waits for others that came at the same moment and have to give way. */
const PATIENCE = 5_000;
const BETWEEN = 5;
const MOST_TRIES = 20;
/** Milliseconds between two touches. */
const TOUCH = 1_000;
/** Milliseconds without a touch after which the process of another machine is taken for dead. */
const SILENCE = 10_000;

/** Another process has it. */
export class Taken extends Error {
  constructor(readonly owner: string | undefined) {
    super(owner === undefined ? 'another process has it' : `the process ${owner} has it`);
  }
}

/** Lets go of a folder. */
export type Release = () => Promise<void>;

export interface Taking {
  /** Is told when the socket is gone from the folder, so that another process can take it. */
  readonly lost?: () => void;
  /** Milliseconds; left out: 10 seconds. */
  readonly silence?: number;
}

/** Rejects with `Taken`, or with an error of the operating system. */
export function takeFolder(folder: string, taking: Taking = {}): Promise<Release> {
  const real = realpathSync(folder);
  return process.platform === 'win32' ? takePipe(real) : takeSockets(join(real, FOLDER), taking);
}

/** Windows takes a pipe away together with its process. */
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

/** Listens, and lets others see it only then. */
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
      if (codeOf(error) !== 'ENOENT' || tries === MOST_TRIES) throw error; // else who had it has just cleaned up
    }
  }
}

/** Lets other machines see that this process lives. */
function touch(socket: string, lost: () => void): NodeJS.Timeout {
  return setInterval(() => {
    try {
      utimesSync(socket, new Date(), new Date());
    } catch (error) {
      if (codeOf(error) === 'ENOENT') lost(); // anything else who writes to the folder meets too
    }
  }, TOUCH).unref();
}

/**
 * Resolves when nobody else is there. Whoever announces itself sees all who did so before, so that of two the later one sees the other. Among those who
 * have nothing yet the least name stays, and all others give way at once.
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

/** The names of the others that are alive; takes the dead ones away. */
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

/** Whether nobody touches a socket for so long. */
async function isSilent(socket: string, silence: number): Promise<boolean> {
  const touchedAt = () => statSync(socket, { throwIfNoEntry: false })?.mtimeMs;
  const first = touchedAt();
  for (const until = Date.now() + silence; Date.now() < until; await sleep(silence / 50))
    if (touchedAt() !== first) return touchedAt() === undefined;
  return true;
}

/** What those left who were killed before anybody saw them. One that is about to announce itself begins again. */
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
    if (codeOf(error) === undefined) throw error; // somebody else is there already
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

/** Does something with a short path to a folder. */
async function through<T>(folder: string, act: (way: string) => Promise<T>): Promise<T> {
  const way: Way = wayTo(folder, NAME);
  try {
    return await act(way.path);
  } finally {
    way.end();
  }
}

/** Whether a name was given on this machine since it was started: then its socket tells whether its process lives. */
function isHere(name: string): boolean {
  return name.startsWith(`${machine()}-`);
}

/** The same in all containers of a machine, and another after it has been started again. */
function machine(): string {
  const boot = '/proc/sys/kernel/random/boot_id';
  return shortOf(existsSync(boot) ? readFileSync(boot, 'utf8') : hostname()).slice(0, 8);
}

function shortOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
