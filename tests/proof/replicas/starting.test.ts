// How a server starts on a Redis that is not there yet, stays down, or refuses it.

import { expect } from 'chai';
import { built } from '../../support/processes/built.js';
import { beginning, endAll, run } from '../../support/processes/command-line.js';
import { hasRedis, RedisServer } from '../../support/redis/redis-servers.js';
import { ADD, Replica } from '../../support/redis/replicas.js';
import { freePort } from '../../support/wire/ports.js';
import { send, sendJson } from '../../support/wire/server.js';
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
      const flags = ['--port', '0', '--store', engine.url, '--store-timeout', '1'];
      const { code, stdout, stderr } = await run(['serve', ...flags]);
      expect(stdout).to.equal('');
      expect(stderr).to.include(`the store ${engine.url} was still unavailable after 1 s: Redis at 127.0.0.1:`);
      expect(code).to.equal(4);
    });

    it('reports a refusal at once: exit code 2, without the password', async () => {
      const engine = await started({ password: 'right-one' });
      const bare = engine.url.replace(':right-one@', '');
      const wrong = engine.url.replace('right-one', 'wrong-one');
      const [none, other] = await Promise.all(
        [bare, wrong].map(store => run(['serve', '--port', '0'], { env: { CWX_FAKE_STORE: store } })),
      );
      expect(none?.stderr).to.include('requires a password: redis://user:password@host:port');
      expect(other?.stderr).to.include('rejects this user and password');
      for (const ended of [none, other]) expect(ended?.code).to.equal(2);
      expect(`${none?.stdout}${other?.stdout}`).to.equal('');
      expect(`${none?.stderr}${other?.stderr}`).not.to.match(/(right|wrong)-one/);
    });
  });
