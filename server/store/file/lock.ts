// Sees to it that one process at a time has a folder, whatever becomes of it: each that wants it listens on a socket of its own, and the socket of one
// that was killed refuses. No name is used twice, so that a dead one can be taken away and never a living one. Knows nothing of stores.
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
  writeFileSync,
} from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './failure.js';
import { closing, isDead, listen } from './sockets.js';

/** Of the sockets, in the folder that is taken. */
const FOLDER = 'lock';
/** The longest path of a socket on macOS, in bytes; Linux takes four more. */
const LONGEST = 103;
const SOCKET = 'socket-';
/** Beside the socket of the one that has the folder; in it the number of its process. */
const OWNER = 'owner-';
/** A socket that does not listen yet, and would be taken for dead. */
const EARLY = 'early-';
/** Milliseconds for which one waits for others that came at the same moment and have to give way. */
const PATIENCE = 5_000;
const BETWEEN = 5;
const MOST_TRIES = 20;

/** Another process has it. */
export class Taken extends Error {
  constructor(readonly owner: string | undefined) {
    super(owner === undefined ? 'another process has it' : `the process ${owner} has it`);
  }
}

/** Lets go of a folder. */
export type Release = () => Promise<void>;

/** Rejects with `Taken`, or with an error of the operating system. */
export function takeFolder(folder: string): Promise<Release> {
  const real = realpathSync(folder);
  return process.platform === 'win32' ? takePipe(real) : takeSockets(placeOf(real));
}

/** Windows takes a pipe away together with its process. */
async function takePipe(folder: string): Promise<Release> {
  try {
    return closing(await listen(`\\\\.\\pipe\\cwx-fake-${shortOf(folder.toLowerCase())}`));
  } catch (error) {
    throw codeOf(error) === 'EADDRINUSE' || codeOf(error) === 'EACCES' ? new Taken(undefined) : error;
  }
}

async function takeSockets(place: string): Promise<Release> {
  const own = randomBytes(8).toString('hex');
  const server = await announce(place, own);
  const release = async () => {
    remove(place, own);
    await closing(server)();
    removeIfEmpty(place);
  };
  try {
    await outlast(place, own);
    writeFileSync(join(place, `${OWNER}${own}`), String(process.pid));
    return release;
  } catch (error) {
    await release();
    throw error;
  }
}

/** Listens, and lets others see it only then. */
async function announce(place: string, own: string): Promise<Server> {
  const early = join(place, `${EARLY}${own}`);
  for (let tries = 1; ; tries += 1) {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    let server: Server | undefined;
    try {
      server = await listen(early);
      renameSync(early, join(place, `${SOCKET}${own}`));
      return server;
    } catch (error) {
      if (server !== undefined) await closing(server)();
      if (codeOf(error) !== 'ENOENT' || tries === MOST_TRIES) throw error; // else who had it has just cleaned up
    }
  }
}

/**
 * Resolves when nobody else is there. Whoever announces itself sees all who did so before, so that of two the later one sees the other. Among those who
 * have nothing yet the least name stays, and all others give way at once.
 */
async function outlast(place: string, own: string): Promise<void> {
  for (const until = Date.now() + PATIENCE; ; ) {
    const others = await livingBeside(place, own);
    if (others.length === 0) return removeLeftovers(place);
    const owner = others.map(other => join(place, `${OWNER}${other}`)).find(existsSync);
    if (owner !== undefined) throw new Taken(textOf(owner));
    if (others.some(other => other < own) || Date.now() > until) throw new Taken(undefined);
    await sleep(BETWEEN);
  }
}

/** The names of the others that are alive; takes the dead ones away. */
async function livingBeside(place: string, own: string): Promise<readonly string[]> {
  const living: string[] = [];
  for (const file of readdirSync(place)) {
    const name = file.slice(SOCKET.length);
    if (!file.startsWith(SOCKET) || name === own) continue;
    if (await isDead(join(place, file))) remove(place, name);
    else living.push(name);
  }
  return living;
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

/** Where the sockets of a folder are; in the system's temporary folder where its path is too long for one. */
function placeOf(folder: string): string {
  const places = [join(folder, FOLDER), join(realpathSync(tmpdir()), `cwx-fake-${shortOf(folder)}`)];
  const place = places.find(path => Buffer.byteLength(join(path, `${SOCKET}${'0'.repeat(16)}`)) <= LONGEST);
  if (place === undefined) throw new Error(`${tmpdir()} has too long a path for a socket: set TMPDIR to a shorter one`);
  return place;
}

function shortOf(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 16);
}
