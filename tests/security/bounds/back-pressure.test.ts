// A client that sends without reading fills its own socket, not the server's memory, and is cut off; a slow reader gets every response.
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { Admission } from '../../../server/engine/admission.js';
import type { Log } from '../../../server/engine/log.js';
import { limitedServer } from '../../../server/http/connections/connections.js';
import { type ReaderLimits, usualReaderLimits } from '../../../server/http/connections/unread-responses.js';
import { RawConnection, requestBytes, responsesIn } from '../../support/wire/raw-connection.js';
import { listening } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const LARGE = 'x'.repeat(16 * 1024 * 1024);
const limits = { requestTimeout: 60, headersTimeout: 20, maxConnections: 0 };

describe('back pressure', () => {
  let server: Server;
  let url: string;
  let close: () => Promise<void>;
  let admission: Admission;
  let warned: string[];
  let sockets: Socket[];
  beforeEach(() => {
    admission = new Admission();
    warned = [];
    sockets = [];
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await close();
  });

  async function serve(listener: RequestListener, readers: Partial<ReaderLimits> = {}): Promise<void> {
    const log: Log = { info: () => {}, error: () => {}, warn: message => void warned.push(message) };
    ({ server, close } = limitedServer(limits, listener, log, admission, { ...usualReaderLimits, ...readers }));
    url = await listening(server);
  }
  /** A connection that reads nothing until it is resumed. */
  async function deaf(bytes: string): Promise<Socket> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => {}); // its end may be a reset
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(bytes);
    return socket;
  }
  const closed = (socket: Socket) =>
    new Promise<void>(resolve => {
      if (socket.closed) resolve();
      else socket.resume().once('close', () => resolve());
    });

  it('leaves requests in the socket that cannot be answered yet', async () => {
    let answerFirst = () => {};
    let begun = 0;
    await serve(({ url: path }, response) => {
      begun += 1;
      if (path === '/first') answerFirst = () => response.end('first');
      else response.end(path);
    });
    let come = 0;
    server.on('request', () => {
      come += 1;
    });
    const connection = await RawConnection.to(url);
    connection.write(requestBytes('GET', '/first'));
    const count = 20_000;
    for (let i = 0; i < count; i += 1000)
      connection.write(Array.from({ length: 1000 }, (_, at) => requestBytes('GET', `/${i + at}`)).join(''));
    await until(() => come > 64);
    for (let i = 0; i < 20; i += 1) await new Promise(resolve => setImmediate(resolve));
    expect(begun).to.equal(1);
    expect(come).to.be.below(2000);
    answerFirst();
    const received = await connection.until(text => text.endsWith(`\r\n\r\n/${count - 1}`));
    connection.close();
    const bodies = responsesIn(received).map(({ body }) => body);
    expect(bodies).to.deep.equal(['first', ...Array.from({ length: count }, (_, i) => `/${i}`)]);
  });

  it('counts an unread response, reads no further requests, and cuts the connection', async () => {
    let begun = 0;
    await serve(
      (_, response) => {
        begun += 1;
        response.end(LARGE);
      },
      { patience: 200 },
    );
    const first = await deaf(requestBytes('GET', '/'));
    const second = await deaf(requestBytes('GET', '/'));
    await until(() => begun === 2);
    expect(admission.responses).to.be.within(2, 2 * (LARGE.length + 1000));
    for (let i = 0; i < 10; i += 1) {
      first.write(requestBytes('GET', '/')); // no sign that it reads
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    await until(() => admission.responses === 0);
    await Promise.all([closed(first), closed(second)]);
    expect(begun).to.equal(2);
    expect(warned).to.deep.equal(['a client that stopped reading its responses was disconnected']);
  });

  it('waits for a reader that reads a little now and then', async () => {
    await serve((_, response) => response.end(LARGE), { patience: 700 });
    const socket = await deaf(requestBytes('GET', '/', undefined, ['Connection: close']));
    let taken = 0;
    socket.on('data', chunk => {
      taken += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), taken < LARGE.length / 2 ? 12 : 0);
    });
    const began = performance.now();
    await closed(socket);
    expect(taken).to.be.above(LARGE.length);
    expect(performance.now() - began).to.be.above(700);
    expect(warned).to.deep.equal([]);
  });

  it('has less patience while many bytes wait', async () => {
    await serve((_, response) => response.end(LARGE), { haste: 100, plenty: LARGE.length * 1.5 });
    const first = await deaf(requestBytes('GET', '/'));
    await until(() => admission.responses > 0);
    await new Promise(resolve => setTimeout(resolve, 250));
    expect(warned).to.have.length(0);
    const second = await deaf(requestBytes('GET', '/'));
    await until(() => admission.responses === 0);
    await Promise.all([closed(first), closed(second)]);
    expect(warned).to.have.length(1);
  });

  it('cuts off the connection that waited longest as soon as far too many bytes wait', async () => {
    await serve((_, response) => response.end(LARGE), { most: 2 * LARGE.length });
    const first = await deaf(requestBytes('GET', '/'));
    await until(() => admission.responses > 0);
    const one = admission.responses;
    const others: Socket[] = [];
    for (let i = 2; i <= 4; i += 1) {
      others.push(await deaf(requestBytes('GET', '/')));
      await until(() => admission.responses >= Math.min(i, 2) * one * 0.5);
    }
    await closed(first);
    expect(admission.responses).to.be.at.most(2 * LARGE.length);
    expect(warned).to.have.length(1);
  });

  it('does not extend the time of a connection because others arrive', async () => {
    await serve((_, response) => response.end(LARGE), { haste: 300, plenty: 0, most: Number.POSITIVE_INFINITY });
    let cutOff = 0;
    server.on('connection', socket =>
      socket.once('close', () => {
        cutOff += 1;
      }),
    );
    for (let i = 0; i < 10; i += 1) {
      await deaf(requestBytes('GET', '/'));
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    expect(cutOff).to.be.at.least(3);
    await until(() => cutOff === 10);
    expect(admission.responses).to.equal(0);
  });

  it('keeps a connection whose response has been read, and ends it when it is idle for long', async () => {
    await serve((_, response) => response.end(LARGE), { patience: 600 });
    const connection = await RawConnection.to(url);
    for (let i = 1; i <= 2; i += 1) {
      connection.write(requestBytes('GET', '/'));
      await connection.until(received => received.length > i * LARGE.length);
      await until(() => admission.responses === 0);
      await new Promise(resolve => setTimeout(resolve, 800));
      expect(connection.isClosed).to.equal(false);
    }
    connection.close();
    expect(warned).to.deep.equal([]);
  });
});
