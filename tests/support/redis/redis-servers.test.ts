// The servers that the tests of stores stand on: each does what its options say, and none outlives the test that started it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { expect } from 'chai';
import { TcpProxy } from '../wire/tcp-proxy.js';
import { until } from '../worlds/until.js';
import { hasRedis, RedisServer } from './redis-servers.js';

const withRedis = hasRedis() ? describe : describe.skip;

withRedis('a Redis of a test', () => {
  const started: RedisServer[] = [];
  const start = async (...options: Parameters<typeof RedisServer.start>) => {
    const server = await RedisServer.start(...options);
    started.push(server);
    return server;
  };
  afterEach(() => Promise.all(started.splice(0).map(server => server.stop())));

  it('forgets all when it is killed, unless it writes what it is told', async () => {
    for (const [persistence, left] of [
      ['none', ''],
      ['aof-everysec', 'here'],
      ['aof-always', 'here'],
    ] as const) {
      const server = await start({ persistence });
      const { port, pid } = server;
      await server.cli('set', 'key', 'here');
      await server.kill9();
      await server.restart();
      expect([server.port, await server.cli('get', 'key')]).to.deep.equal([port, left]);
      expect(server.pid).not.to.equal(pid);
    }
  });

  it('says nothing while it is held still, and goes on', async () => {
    const server = await start();
    server.pause();
    let isAnswered = false;
    const asked = server.cli('ping').then(response => {
      isAnswered = true;
      return response;
    });
    await new Promise(resolve => setTimeout(resolve, 100));
    expect(isAnswered).to.equal(false);
    server.resume();
    expect(await asked).to.equal('PONG');
  });

  it('says why it does not start', async () => {
    const error = await RedisServer.start({ lines: ['no-such-setting yes'] }).catch(String);
    expect(error).to.include('does not start').and.to.include('no-such-setting');
  });

  it('ends with its test, by -9 too, and its folder goes', async () => {
    const program = `
      const { RedisServer } = await import('${new URL('redis-servers.ts', import.meta.url)}');
      const { pid, folder } = await RedisServer.start();
      process.stdout.write(pid + ' ' + folder);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { stdio: 'pipe' });
    const [said] = await once(child.stdout, 'data');
    const [pid = '', folder = ''] = String(said).split(' ');
    expect([isAlive(Number(pid)), existsSync(folder)]).to.deep.equal([true, true]);
    child.kill('SIGKILL');
    await until(() => !isAlive(Number(pid)) && !existsSync(folder));
  });
});

describe('a proxy of a test', () => {
  let proxy: TcpProxy;
  const echo = createServer(socket => socket.on('error', () => {}).on('data', chunk => socket.write(chunk)));
  before(async () => {
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    const address = echo.address();
    if (address === null || typeof address === 'string') throw new Error('it has no port');
    proxy = await TcpProxy.to(address.port);
  });
  after(async () => {
    await proxy.close();
    echo.close();
  });

  const client = async () => {
    const socket = connect(proxy.port, '127.0.0.1');
    const seen = { text: '', isClosed: false, say: (text: string) => socket.write(text), end: () => socket.destroy() };
    socket
      .on('error', () => {})
      .on('close', () => {
        seen.isClosed = true;
      });
    socket.on('data', chunk => {
      seen.text += chunk;
    });
    await new Promise(resolve => socket.once('connect', resolve).once('close', resolve));
    return seen;
  };

  it('passes on, holds back, delays, loses, cuts and refuses', async () => {
    const one = await client();
    one.say('a');
    await until(() => one.text === 'a');
    proxy.hold();
    one.say('b');
    await new Promise(resolve => setTimeout(resolve, 30));
    expect(one.text).to.equal('a');
    proxy.release();
    await until(() => one.text === 'ab');
    proxy.delay(30);
    one.say('c');
    await until(() => one.text === 'abc');
    proxy.delay(0);
    const other = await client();
    const lost = proxy.loseResponseTo('secret');
    one.say('d');
    await until(() => one.text === 'abcd');
    one.say('a secret');
    await lost;
    await until(() => one.isClosed);
    expect([one.text, other.isClosed]).to.deep.equal(['abcd', false]);
    proxy.cut();
    await until(() => other.isClosed);
    await proxy.refuse();
    await until(async () => (await client()).isClosed);
    await proxy.accept();
    const third = await client();
    third.say('e');
    await until(() => third.text === 'e');
    third.end();
  });
});

/** One that has ended and that nobody has asked after yet counts as gone. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false; // there is no such process
  }
  return !isDefunct(pid);
}

function isDefunct(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false; // no such folder: the system tells it in another way, or it has just gone
  }
}
