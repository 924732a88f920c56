// A Redis without memory: changes are refused and nothing is half done, reads work, and changes resume when there is memory.
import { expect } from 'chai';
import { type Running, start } from '../../../server/process/start.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../../server/settings/settings.js';
import { hasRedis, RedisServer } from '../../support/redis/redis-servers.js';
import { Replica } from '../../support/redis/replicas.js';
import { send, serving } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

if (hasRedis())
  describe('replicas whose Redis is full', function () {
    this.timeout(30_000);
    let engine: RedisServer;
    const running: Running[] = [];
    afterEach(async () => {
      await Promise.all(running.splice(0).map(({ stop }) => stop()));
      await engine.stop();
    });

    it('refuse changes with 507 and Retry-After, answer reads, and resume when there is memory', async () => {
      engine = await RedisServer.start({ policy: 'noeviction' });
      for (const _ of [1, 2]) running.push(await serving(undefined, { store: engine.url }));
      const replicas = running.map(one => new Replica(one));
      const [first, second] = replicas as [Replica, Replica];
      await first.add('kept', 'alice');
      await engine.cli('config', 'set', 'maxmemory', '1mb'); // it uses more than that by itself
      const refused = await Promise.all([
        first.add('kept', 'carol'),
        second.add('kept', 'carol'),
        send(`${second.url}/~kept/rest/api/space`),
        second.control('PATCH', '/sandboxes/kept/world', { groups: { customers: null } }),
        second.control('POST', '/sandboxes/kept/reset'),
        first.control('POST', '/sandboxes', { name: 'new' }),
        second.control('POST', '/sandboxes/kept/fork', { name: 'new' }),
      ]);
      for (const { status, headers, text } of refused) {
        expect(status, text).to.equal(507);
        expect(headers.get('retry-after')).to.equal('1');
        expect(text).to.include(`Redis at 127.0.0.1:${engine.port} has no memory left (maxmemory)`);
      }
      for (const replica of replicas) {
        expect(await replica.customers('kept')).to.deep.equal(['alice']);
        expect((await replica.control('GET', '/sandboxes/new')).status).to.equal(404);
        expect((await replica.read<{ entries: object[] }>('/sandboxes/kept/journal')).entries).to.have.length(1);
        const { status, json } = await send(`${replica.url}/_fake/health`);
        expect(status).to.equal(503);
        expect(json).to.include({ trouble: `Redis at 127.0.0.1:${engine.port} has no memory left (maxmemory)` });
      }
      expect((await first.control('DELETE', '/sandboxes/default')).status, 'what makes room is done').to.equal(204);
      await engine.cli('config', 'set', 'maxmemory', '0');
      for (const { url } of replicas) await until(async () => (await send(`${url}/_fake/health`)).status === 200);
      expect((await first.add('kept', 'carol')).headers.get('x-request-id')).to.equal('kept.2');
      expect(await second.customers('kept')).to.deep.equal(['alice', 'carol']);
    });

    it('report a read-only Redis in health and log, and resume when it is a master again', async () => {
      engine = await RedisServer.start();
      const said: string[] = [];
      const log = { info: (line: string) => said.push(line), warn: (line: string) => said.push(line), error: () => {} };
      const one = await start(settingsFrom(undefined, { port: '0', store: engine.url }), log);
      if (isProblems(one)) throw new Error(JSON.stringify(one.problems));
      running.push(one);
      const replica = new Replica(one);
      await replica.add('kept', 'alice');
      await engine.cli('replicaof', '127.0.0.1', '1');
      expect((await replica.add('kept', 'carol')).status).to.equal(503);
      const trouble = `Redis at 127.0.0.1:${engine.port} is a read-only replica: give the address of its master`;
      await until(async () => {
        const { status, json } = await send(`${replica.url}/_fake/health`);
        const health = json as { status: string; trouble?: string };
        return status === 503 && health.status === 'waiting' && health.trouble === trouble;
      });
      const begun = performance.now();
      expect((await replica.add('kept', 'carol')).status).to.equal(503);
      expect(performance.now() - begun, 'it is known to refuse').to.be.lessThan(1000);
      await engine.cli('replicaof', 'no', 'one');
      await until(async () => (await send(`${replica.url}/_fake/health`)).status === 200);
      expect((await replica.add('kept', 'carol')).status).to.equal(200);
      expect(said.filter(line => line.includes('changes'))).to.deep.equal([
        `the store ${engine.url} refuses changes: ${trouble}`,
        `the store ${engine.url} accepts changes again`,
      ]);
    });
  });
