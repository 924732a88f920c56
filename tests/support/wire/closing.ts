// What a test opens, closed after it: the latest first.
import { createServer, type RequestListener } from 'node:http';
import { listening } from './server.js';

export interface Closing {
  push(...closes: ReadonlyArray<() => unknown>): void;
  /** The URL of another server with these responses. */
  upstream(listener: RequestListener): Promise<string>;
}

/** For each test of the enclosing `describe`. */
export function useClosing(): Closing {
  const open: Array<() => unknown> = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });
  const push = (...closes: ReadonlyArray<() => unknown>) => void open.push(...closes);
  return {
    push,
    upstream: listener => {
      const server = createServer(listener);
      push(() => {
        server.closeAllConnections();
        server.close();
      });
      return listening(server);
    },
  };
}
