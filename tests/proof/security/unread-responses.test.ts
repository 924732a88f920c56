// Many large responses at once that no client reads: the server goes on serving others.
// The server is a process of its own with a small heap: in an earlier version these requests ended one of twice the size.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { built } from '../../support/processes/built.js';
import { endAll, launch } from '../../support/processes/command-line.js';
import { requestBytes } from '../../support/wire/raw-connection.js';
import { entriesIn, send } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const READERS = 89;
/** Two pushes at a time and 32 that wait: the others may be refused with 503. */
const ADMITTED = 34;

describe('large responses that no client reads', function () {
  this.timeout(240_000);
  before(built);
  after(endAll);

  it('do not keep other clients from being served', async () => {
    const env = { NODE_OPTIONS: '--max-old-space-size=512' };
    const { url, signal } = await launch(['--journal', '1'], { env });
    const { hostname, port } = new URL(url);
    // All of these users and items are unknown: each gets a message of its own.
    const names = Array.from({ length: 10_000 }, (_, i) => i.toString(36).padStart(20, 'x'));
    const ids = names.map((_, i) => 50_000 + i);
    const body = JSON.stringify({ users: names, groups: names, filters: ids, dashboards: ids });
    const push = requestBytes('POST', '/rest/cwx-ppf/latest/push', body);
    const sockets: Socket[] = [];
    for (let i = 0; i < READERS; i += 1) {
      const socket = connect(Number(port), hostname).pause();
      socket.on('error', () => {}); // it ends with a reset
      await once(socket, 'connect');
      socket.write(push);
      sockets.push(socket);
    }
    const performed = async () => {
      return (await entriesIn({ url })).at(-1)?.id;
    };
    await until(async () => Number(await performed()) >= ADMITTED);
    expect((await send(`${url}/_fake/health`)).status).to.equal(200);
    for (const socket of sockets) socket.destroy();
    expect((await signal('SIGTERM')).code).to.equal(0);
  });
});
