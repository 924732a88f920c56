// Servers with a defect each, which the fuzz has to find. Each is the real one behind a faulty layer or with a faulty part.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { silentLog } from '../../../server/engine/log.js';
import { type Assembled, assemble } from '../../../server/process/server.js';
import { listen } from '../../../server/process/start.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../../server/settings/settings.js';
import { MAX_BODY } from '../../fuzz/cases/asked.js';
import type { Subject } from '../../fuzz/subject.js';

/** Spoils a server before it listens. */
export type Defect = (server: Assembled) => void;

/** One of this many shapes of requests is answered with 500. */
export const failingSeldom =
  (shapes: number): Defect =>
  ({ app }) =>
    app.middleware.unshift((ctx, next) => {
      if (shapeOf(ctx.req) % shapes === 0) {
        const { res } = ctx;
        const writeHead = res.writeHead.bind(res);
        res.writeHead = ((_: number, list: string[]) => writeHead(500, list)) as typeof res.writeHead;
      }
      return next();
    });

/** One of this many responses declares a byte too many, or too few. */
export const lying =
  (shapes: number, by: 1 | -1): Defect =>
  ({ app }) =>
    app.middleware.unshift((ctx, next) => {
      if (shapeOf(ctx.req) % shapes === 0) {
        const { res } = ctx;
        const writeHead = res.writeHead.bind(res);
        res.writeHead = ((...head: Parameters<typeof writeHead>) => {
          const length = Number(res.getHeader('Content-Length'));
          if (length > 1) res.setHeader('Content-Length', length + by);
          return writeHead(...head);
        }) as typeof res.writeHead;
      }
      return next();
    });

/** A sender that ends its side within a body never gets a response. */
export const holding: Defect = ({ app }) =>
  app.middleware.unshift((ctx, next) => {
    if (ctx.req.headers['content-length'] !== undefined) ctx.req.socket.removeAllListeners('end');
    return next();
  });

/** One of this many requests is performed twice. */
export const repeating =
  (every: number): Defect =>
  ({ session }) => {
    const once = session.respond.bind(session);
    let count = 0;
    session.respond = async (...asked) => {
      count += 1;
      if (count % every === 0) await once(...asked);
      return once(...asked);
    };
  };

/** Requests do not wait for those before them on their connection. */
export const overtaking: Defect = ({ app }) => {
  const spoiled = new WeakSet<Server>();
  app.middleware.unshift((ctx, next) => {
    const { server } = ctx.req.socket as Socket & { readonly server: Server }; // as Node sets it
    if (!spoiled.has(server)) server.prependListener('request', (_, response) => hurry(response));
    spoiled.add(server);
    return next();
  });
};

/** Signals that the turn of a response has come. */
function hurry(response: ServerResponse): void {
  const once = response.once.bind(response);
  response.once = ((event: string, listener: () => void) => {
    if (event !== 'socket') return once(event, listener);
    listener();
    return response;
  }) as typeof response.once;
}

/** A response has a header with a line end in it. */
export const splitting =
  (shapes: number): Defect =>
  ({ app }) =>
    app.middleware.unshift(async (ctx, next) => {
      await next();
      if (shapeOf(ctx.req) % shapes === 0) ctx.req.socket.write('HTTP/1.1 200 OK\nX: y\r\n\r\n');
    });

/** A number that is the same for requests of the same method, target and headers, whatever the port. */
function shapeOf({ method = '', url = '', rawHeaders }: IncomingMessage): number {
  let hash = 7;
  for (const letter of [method, url, ...rawHeaders.filter(text => !/^127\.0\.0\.1:\d+$/.test(text))].join('\n'))
    hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}

export async function servedWith(defect?: Defect): Promise<Subject> {
  const bugs: string[] = [];
  const log = {
    ...silentLog,
    error: (message: string, details?: object) => void bugs.push(`${message} ${JSON.stringify(details)}`),
  };
  const settings = settingsFrom(undefined, { port: '0', 'max-body': String(MAX_BODY), 'max-sandboxes': '500' });
  const assembled = await assemble(settings, log);
  if (isProblems(assembled)) throw new Error(JSON.stringify(assembled.problems));
  defect?.(assembled);
  const running = await listen(assembled, settings, log);
  return {
    port: Number(new URL(running.url).port),
    bugs: () => bugs,
    stop: async () => {
      await running.stop();
      return undefined;
    },
  };
}
