// Local sockets on which nothing is said: that somebody listens is all they tell. They keep no process alive.
import { closeSync, openSync, symlinkSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from './file-error.js';

/** The longest path of a socket on macOS, in bytes; Linux takes four more. */
const LONGEST = 103;

/** Another way to a folder, by which a socket in it can be named. */
export interface Way {
  readonly path: string;
  end(): void;
}

/** `longest`: the bytes of the longest name in the folder. */
export function wayTo(folder: string, longest: number, isLinux = process.platform === 'linux'): Way {
  if (Buffer.byteLength(folder) + 1 + longest <= LONGEST) return { path: folder, end() {} };
  if (isLinux) {
    const open = openSync(folder, 'r');
    return { path: `/proc/self/fd/${open}`, end: () => closeSync(open) };
  }
  const link = join(tmpdir(), `cwx-fake-${process.pid}-${Math.random().toString(36).slice(2, 8)}`);
  symlinkSync(folder, link);
  return { path: link, end: () => unlinkSync(link) };
}

/** Rejects with an error of the operating system. */
export function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(socket => socket.destroy());
    server.once('error', reject);
    server.listen({ path, exclusive: true }, () => resolve(server));
    server.unref();
  });
}

export function closing(server: Server): () => Promise<void> {
  return () => new Promise(resolve => server.close(() => resolve()));
}

/** Whether nobody can listen on it any more. In doubt it is alive: a stopped process answers nothing, and one of another user may not be asked. */
export function isDead(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', error => {
      socket.destroy();
      resolve(codeOf(error) === 'ECONNREFUSED' || codeOf(error) === 'ENOENT');
    });
  });
}
