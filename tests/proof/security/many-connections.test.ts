// Ten thousand idle connections: other clients are served meanwhile, the connections time out, and nothing is left of them.
// The server is a process of its own: both ends of ten thousand would need more descriptors than one process may have here.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { built } from '../../support/processes/built.js';
import { beginning, endAll, LENIENT } from '../../support/processes/command-line.js';
import { send } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const WANTED = 10_000;
const TIME = '4';
/** What a process needs otherwise. */
const SPARE = 500;

describe('ten thousand connections', function () {
  this.timeout(60_000);
  before(built);
  after(endAll);

  /** The limit of this machine for one process. */
  function allowed(): number {
    if (process.platform !== 'linux') return 200;
    const most = Number(/Max open files\s+\d+\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1024);
    return Math.min(WANTED, most - SPARE);
  }

  /** Opens them in batches, and counts those that end. */
  async function opened(url: string, count: number, ended: () => void): Promise<Socket[]> {
    const { hostname, port } = new URL(url);
    const sockets: Socket[] = [];
    while (sockets.length < count) {
      const some = Array.from({ length: Math.min(250, count - sockets.length) }, () => connect(Number(port), hostname));
      await Promise.all(
        some.map(socket => {
          socket
            .once('close', ended)
            .on('error', () => {})
            .resume();
          return new Promise(resolve => socket.once('connect', resolve).once('close', resolve));
        }),
      );
      sockets.push(...some);
    }
    return sockets;
  }

  it('leave room for others, and end', async () => {
    const count = allowed();
    const begun = beginning(['serve', '--port', '0', '--headers-timeout', TIME]);
    await until(() => /listening on \S+/.test(begun.stdout()));
    const url = /listening on (\S+)/.exec(begun.stdout())?.[1] ?? '';
    const bytes = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${begun.child.pid}/status`, 'utf8'))?.[1]) * 1024;
    const healthy = async () => expect((await send(`${url}/_fake/health`)).status).to.equal(200);
    await healthy();
    const journal = (await send(`${url}/_fake/v1/sandboxes/default/journal`)).text;
    const before = process.platform === 'linux' ? bytes() : 0;

    let closed = 0;
    const sockets = await opened(url, count, () => {
      closed += 1;
    });
    for (let i = 0; i < 20; i += 1) await healthy();
    const each = process.platform === 'linux' ? (bytes() - before) / count : 0;
    expect(each, 'bytes of memory for each').to.be.below(50_000);

    await until(() => closed === count);
    await healthy();
    expect(sockets.filter(({ bytesRead }) => bytesRead > 0)).to.deep.equal([]);
    expect((await send(`${url}/_fake/v1/sandboxes/default/journal`)).text).to.equal(journal);
    begun.child.kill('SIGTERM');
    expect(await begun.ended).to.include({ code: 0, stderr: LENIENT });
  });
});
