// How a server starts on a Redis that is not there yet, that refuses it, that holds another version's data, or without the client package.
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { scratch } from '../../support/files/scratch.js';
import { built, packageFolder } from '../../support/processes/built.js';
import { beginning, endAll, run } from '../../support/processes/command-line.js';
import { hasRedis, RedisServer } from '../../support/redis/redis-servers.js';
import { ADD, Replica } from '../../support/redis/replicas.js';
import { freePort } from '../../support/wire/ports.js';
import { send, sendJson, serving } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

if (hasRedis())
  describe('a server that starts on a Redis', function () {
    this.timeout(60_000);
    const engines: RedisServer[] = [];
    before(built);
    afterEach(async () => {
      endAll();
      await Promise.all(engines.splice(0).map(engine => engine.stop()));
    });
    const started = async (...given: Parameters<typeof RedisServer.start>) => {
      const engine = await RedisServer.start(...given);
      engines.push(engine);
      return engine;
    };

    it('waits for one that is down, reports it, and is ready when it serves and not before', async () => {
      const engine = await started();
      await engine.kill9();
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const server = beginning(['serve', '--port', String(port), '--store', engine.url]);
      await server.says(/waiting for the store/);
      expect(server.stderr())
        .to.include(engine.url)
        .and.match(/cannot be reached|not connected yet/);
      const { status, json } = await send(`${url}/_fake/health`);
      expect(status).to.equal(503);
      expect(json).to.include({ status: 'waiting', store: engine.url, scenario: 'small-team' });
      expect((json as { trouble: string }).trouble).to.match(/cannot be reached|not connected yet/);
      const early = sendJson(`${url}${ADD}`, 'POST', { group: 'customers', users: ['alice'] });
      expect(server.stdout()).to.equal('');
      await engine.restart();
      expect((await early).status).to.be.oneOf([200, 503]);
      await until(() => server.stdout() !== '');
      expect(server.stdout()).to.equal(`cwx-fake listening on ${url} (scenario small-team)\n`);
      expect((await send(`${url}/_fake/health`)).status).to.equal(200);
      expect((await new Replica({ url }).add('a', 'alice')).status).to.equal(200);
      server.child.kill('SIGTERM');
      expect((await server.ended).code).to.equal(0);
    });

    it('gives up on one that stays down: exit code 4, with a message', async () => {
      const engine = await started();
      await engine.kill9();
      const { code, stdout, stderr } = await run([
        'serve',
        '--port',
        '0',
        '--store',
        engine.url,
        '--store-timeout',
        '1',
      ]);
      expect(stdout).to.equal('');
      expect(stderr).to.include(`the store ${engine.url} was not available within 1 seconds: Redis at 127.0.0.1:`);
      expect(code).to.equal(4);
    });

    it('reports a refusal at once: exit code 2, without the password', async () => {
      const engine = await started({ password: 'right-one' });
      const bare = engine.url.replace(':right-one@', '');
      const wrong = engine.url.replace('right-one', 'wrong-one');
      const [none, other] = await Promise.all(
        [bare, wrong].map(store => run(['serve', '--port', '0'], { env: { CWX_FAKE_STORE: store } })),
      );
      expect(none?.stderr).to.include('wants a password: redis://user:password@host:port');
      expect(other?.stderr).to.include('does not take this user and password');
      expect([none?.code, other?.code]).to.deep.equal([2, 2]);
      expect(`${none?.stdout}${other?.stdout}`).to.equal('');
      expect(`${none?.stderr}${other?.stderr}`).not.to.match(/(right|wrong)-one/);
    });

    it('names the missing package to install: exit code 2', async () => {
      const engine = await started();
      const copy = scratch();
      for (const part of ['dist', 'fixtures', 'scenarios', 'contracts', 'package.json'])
        cpSync(join(packageFolder, part), join(copy.path, part), { recursive: true });
      mkdirSync(join(copy.path, 'node_modules'));
      for (const name of readdirSync(join(packageFolder, 'node_modules')))
        if (name !== '@redis' && !name.startsWith('.'))
          symlinkSync(join(packageFolder, 'node_modules', name), join(copy.path, 'node_modules', name));
      const program = join(copy.path, 'dist/server/cli.js');
      const { code, stderr } = await run(['serve', '--port', '0', '--store', engine.url], { program });
      expect(stderr).to.equal('a store in Redis needs a package that is not there: npm install @redis/client@6\n');
      expect(code).to.equal(2);
      expect((await run(['guide'], { program })).code).to.equal(0);
      copy.drop();
    });

    it("leaves another version's data unchanged, and reports it", async () => {
      const engine = await started();
      const one = await serving(undefined, { store: engine.url });
      await new Replica(one).add('old', 'alice');
      await new Replica(one).add('mine', 'alice');
      await one.stop();
      await engine.cli('hset', 'cwx:{old}:m', 'f', '99.99');
      const before = await contents(engine);
      const other = await serving(undefined, { store: engine.url });
      const replica = new Replica(other);
      const asked = await replica.add('old', 'carol');
      expect(asked.status).to.equal(503);
      expect(asked.headers.get('retry-after')).to.equal(null);
      expect((asked.json as { message: string }).message).to.match(
        /^sandbox old was written by another version of this program: its format is 99\.99, and not /,
      );
      const read = await replica.control('GET', '/sandboxes/old/world');
      expect([read.status, read.headers.get('retry-after')]).to.deep.equal([503, null]);
      expect((await replica.control('POST', '/sandboxes/old/reset')).status).to.equal(503);
      expect(await contents(engine)).to.deep.equal(before);
      expect((await replica.add('mine', 'carol')).status, 'others are served').to.equal(200);
      expect((await send(`${replica.url}/_fake/health`)).status).to.equal(200);
      await other.stop();
    });
  });

/** The keys kept of the sandbox `old`. */
async function contents(engine: RedisServer): Promise<readonly string[]> {
  const [meta, base, entries] = await Promise.all([
    engine.cli('hgetall', 'cwx:{old}:m'),
    engine.cli('get', 'cwx:{old}:b'),
    engine.cli('lrange', 'cwx:{old}:e', '0', '-1'),
  ]);
  return [meta, base, entries];
}
