// Free ports for servers that have to be told theirs. Below those that the system gives away by itself, so that one which is started again finds its own still free.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** A port of 127.0.0.1 on which nobody listens at present. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
