// Local sockets on which nothing is said: that somebody listens is all they tell. They keep no process alive.
import { connect, createServer, type Server } from 'node:net';
import { codeOf } from './failure.js';

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
