// Requests that came together over one connection have to be performed in the order in which they came (RFC 9112, 9.3.2): a body that takes longer to
// read lets no other pass. Knows nothing of what is asked.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from './context.js';

/** Lets a request begin when everything before it on its connection has been answered. A closed connection gets no further requests. */
export const inTurn: Middleware = (ctx, next) => {
  if (isItsTurn(ctx.res)) return next();
  return itsTurn(ctx.req, ctx.res).then(() => (ctx.req.destroyed ? undefined : next()));
};

/** Until its turn an answer has no connection. */
export function isItsTurn({ socket }: ServerResponse): boolean {
  return socket !== null;
}

/** Resolves also when the connection closes. */
export function itsTurn(req: IncomingMessage, res: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      res.off('socket', end);
      req.off('close', end);
      resolve();
    };
    res.once('socket', end);
    req.once('close', end); // not of the socket: hundreds of requests may wait for it
    if (req.destroyed) end();
  });
}
