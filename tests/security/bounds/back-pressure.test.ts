// A client that sends without reading is cut off before it fills the server's memory; a slow reader gets every response.
import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { Admission } from '../../../server/engine/admission.js';
import { Holds } from '../../../server/engine/faults/holds.js';
import type { Log } from '../../../server/engine/log.js';
import { breakage } from '../../../server/http/breakage.js';
import { limitedServer } from '../../../server/http/connections/connections.js';
import type { Context } from '../../../server/http/incoming/context.js';
import { slowReaders } from '../../../server/http/slow-readers.js';
import { requestBytes } from '../../support/wire/raw-connection.js';
import { listening } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';
import { Deaf } from '../asking.js';

const LARGE = 'x'.repeat(16 * 1024 * 1024);
const limits = { requestTimeout: 60, headersTimeout: 20, maxConnections: 0 };

describe('back pressure', () => {
  let server: Server;
  let url: string;
  let close: () => Promise<void>;
  let admission: Admission;
  let warned: string[];
  const deaf = new Deaf();
  const log: Log = { info: () => {}, error: () => {}, warn: message => void warned.push(message) };
  beforeEach(() => {
    admission = new Admission();
    warned = [];
  });
  afterEach(async () => {
    deaf.end();
    await close();
  });

  async function serve(listener: RequestListener, patience?: number): Promise<void> {
    ({ server, close } = limitedServer(limits, listener, log, undefined, patience));
    url = await listening(server);
  }
  /** An application with these limits for its readers. */
  async function serveApp(
    respond: (ctx: Context) => void,
    { patience, most = Number.POSITIVE_INFINITY }: { readonly patience?: number; readonly most?: number } = {},
  ): Promise<void> {
    const app = new Koa();
    app.silent = true; // connections break on purpose
    app.use(slowReaders(log, admission, most) as Koa.Middleware);
    app.use(breakage(new Holds(), new AbortController().signal) as Koa.Middleware);
    app.use(ctx => respond(ctx as Context));
    await serve(app.callback(), patience);
  }
  const closed = (socket: Socket) =>
    new Promise<void>(resolve => {
      if (socket.closed) resolve();
      else socket.resume().once('close', () => resolve());
    });

  it('closes a connection on which more than a thousand requests wait', async () => {
    let begun = 0;
    await serve(() => {
      begun += 1;
    });
    await closed(await deaf.to(url, requestBytes('GET', '/').repeat(3_000)));
    expect(begun).to.equal(1);
  });

  const responses: Readonly<Record<string, (ctx: Context) => void>> = {
    'a text': ctx => {
      ctx.body = LARGE;
    },
    'a text in pieces, as a fault sends it': ctx => {
      const response = { status: 200, headers: {}, body: LARGE };
      ctx.state.broken = { breakage: { dribble: { bytes: 1024 * 1024, every: 1 } }, response, entry: 1 };
    },
  };
  for (const [what, respond] of Object.entries(responses))
    it(`cuts off a client that reads nothing of ${what}, and reads no further requests from it`, async () => {
      let begun = 0;
      await serveApp(
        ctx => {
          begun += 1;
          respond(ctx);
        },
        { patience: 200 },
      );
      const socket = await deaf.to(url, requestBytes('GET', '/'));
      await until(() => begun === 1);
      for (let i = 0; i < 5; i += 1) {
        socket.write(requestBytes('GET', '/')); // no sign that it reads
        await new Promise(resolve => setTimeout(resolve, 20));
      }
      await until(() => warned.length > 0);
      await closed(socket);
      await until(() => admission.responses === 0);
      expect(begun).to.equal(1);
      expect(warned).to.deep.equal(['a client that stopped reading its responses was disconnected']);
    });

  it('waits for a reader that reads a little now and then', async () => {
    await serveApp(responses['a text'] as (ctx: Context) => void, { patience: 1200 });
    const socket = await deaf.to(url, requestBytes('GET', '/', undefined, ['Connection: close']));
    let taken = 0;
    socket.on('data', chunk => {
      taken += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), taken < LARGE.length / 2 ? 12 : 0);
    });
    await closed(socket); // after more than that
    expect(taken).to.be.above(LARGE.length);
    expect(warned).to.deep.equal([]);
  });

  it('cuts off the connection that waited longest as soon as far too many bytes wait', async () => {
    await serveApp(responses['a text'] as (ctx: Context) => void, { most: 2 * LARGE.length });
    const first = await deaf.to(url, requestBytes('GET', '/'));
    for (let i = 1; i <= 3; i += 1) {
      await until(() => admission.responses >= Math.min(i, 2) * LARGE.length);
      if (i < 3) await deaf.to(url, requestBytes('GET', '/'));
    }
    await closed(first);
    expect(admission.responses).to.be.at.most(2 * LARGE.length);
    expect(warned).to.have.length(1);
  });
});
