// `cwx-fake serve` from its ready line to its end, as started from a shell or a CI job.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { built } from '../../support/processes/built.js';
import { endAll, type Launched, LENIENT, launch } from '../../support/processes/command-line.js';
import { refusalOf, run } from '../../support/processes/commands.js';
import { listening, send, sendJson } from '../../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const BODY = JSON.stringify({ group: 'customers', users: ['alice'] });

describe('cwx-fake serve', () => {
  before(built);
  after(endAll);

  it('prints one line on standard output once it answers', async () => {
    const server = await launch();
    expect(server.stdout()).to.equal(`cwx-fake listening on ${server.url} (scenario small-team)\n`);
    expect(server.url).to.match(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
    expect((await sendJson(server.url + ADD, 'POST', JSON.parse(BODY))).status).to.equal(200);
    const { code, stdout, stderr } = await server.signal('SIGTERM');
    expect({ code, stdout, stderr }).to.deep.equal({ code: 0, stdout: server.stdout(), stderr: LENIENT });
  });

  it('is what cwx-fake runs without a command', async () => {
    expect(await refusalOf(run(['--port', '0', '--nonsense']))).to.match(/^cwx-fake serve: .*--nonsense\n/);
    expect((await run(['nonsense', '--port', '0'])).stderr).to.contain('Unknown scenario "nonsense"');
  });

  it('reports a port in use, and exits with 2', async () => {
    const taken = createServer();
    const { port } = new URL(await listening(taken));
    expect(await refusalOf(run(['serve', '--port', port]))).to.equal(
      `port ${port} on 127.0.0.1 is already in use: choose another with --port, or a free one with --port 0\n`,
    );
    taken.close();
  });

  it('reports a host that is not of this machine, and exits with 2', async () => {
    for (const host of ['192.0.2.1', 'no-such-host.invalid']) {
      expect(await refusalOf(run(['serve', '--port', '0', '--host', host]))).to.equal(
        `${host} is not an address of this machine: choose another address with --host\n`,
      );
    }
  });

  it('refuses an empty host, which would listen everywhere, and one with a scheme, brackets or a port', async () => {
    expect(await refusalOf(run(['serve', '--port', '0', '--host', '']))).to.contain('--host cannot be ""');
    for (const host of ['[::1]', '127.0.0.1:8080', 'http://localhost'])
      expect(await refusalOf(run(['serve', '--port', '0', '--host', host]))).to.contain(`--host cannot be "${host}"`);
  });

  describe('when it is stopped', () => {
    let server: Launched;
    let sockets: Socket[];
    beforeEach(async () => {
      server = await launch();
      sockets = [];
    });
    afterEach(() => {
      for (const socket of sockets) socket.destroy();
    });
    const opened = async (bytes = ''): Promise<Socket> => {
      const { hostname, port } = new URL(server.url);
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      await once(socket, 'connect');
      if (bytes !== '') socket.write(bytes);
      await send(`${server.url}/_fake/health`); // so that the server has read what was sent before
      return socket;
    };
    const half = `POST ${ADD} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, 9)}`;

    it('does not wait for large responses that a fault sends in pieces, and nobody reads', async () => {
      const body = { key: 'ds', name: 'x'.repeat(200_000) };
      const faults = [{ path: '/rest/api/space', effect: { body, dribble: { bytes: 1, every: 0 } } }];
      await sendJson(`${server.url}/_fake/v1/sandboxes/default/faults`, 'PUT', { faults });
      for (let i = 0; i < 20; i += 1) (await opened(`GET /rest/api/space HTTP/1.1\r\nHost: localhost\r\n\r\n`)).pause();
      expect((await server.signal('SIGTERM')).code).to.equal(0);
    });

    it('exits with 0 on SIGINT', async () => {
      expect((await server.signal('SIGINT')).code).to.equal(0);
    });

    it('finishes requests in flight, and accepts no new ones', async () => {
      const socket = await opened(half);
      const answered = once(socket, 'data') as Promise<[Buffer]>;
      const ended = server.signal('SIGTERM');
      await refused(server.url);
      socket.write(BODY.slice(9));
      const [response] = await answered;
      expect(response.toString()).to.match(/^HTTP\/1\.1 200 /);
      expect((await ended).code).to.equal(0);
    });
  });

  it('exits with 0 if stopped the moment it prints its ready line', async () => {
    const codes = await Promise.all([1, 2].map(async () => (await (await launch()).signal('SIGTERM')).code));
    expect(codes).to.deep.equal([0, 0]);
  });
});

/** Resolves when the port is closed. */
async function refused(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), hostname);
    const outcome = await Promise.race([once(socket, 'connect'), once(socket, 'error')]).catch(() => 'refused');
    socket.destroy();
    if (outcome === 'refused') return;
  }
}
