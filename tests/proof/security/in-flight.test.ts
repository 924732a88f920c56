// Memory of the process for bodies that arrive a byte at a time. It has a small heap: with a buffer for each piece, it would end.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { built } from '../../support/processes/built.js';
import { endAll, launch } from '../../support/processes/command-line.js';
import { until } from '../../support/worlds/until.js';

const CHUNKS = 200_000;
/** Bytes that a piece takes, at least. */
const PIECE = 32;

describe('a body in pieces of one byte', function () {
  this.timeout(240_000);
  before(built);
  after(endAll);

  it('is counted with what its pieces take, and others are served meanwhile', async () => {
    const { url, signal } = await launch([], { env: { NODE_OPTIONS: '--max-old-space-size=128' } });
    const { hostname, port } = new URL(url);
    const received = async () =>
      ((await (await fetch(`${url}/_fake/health`)).json()) as { memory: { used: number } }).memory.used;
    const sockets: Socket[] = [];
    for (let i = 0; i < 4; i += 1) {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(
        'POST /rest/cwxapiextension/latest/groups/add-users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      for (let sent = 0; sent < CHUNKS; sent += 10_000)
        if (!socket.write('1\r\n \r\n'.repeat(10_000))) await once(socket, 'drain');
    }
    await until(async () => (await received()) >= 4 * CHUNKS * PIECE);
    for (const socket of sockets) socket.destroy();
    expect((await signal('SIGTERM')).code).to.equal(0);
  });
});
