// A sandbox has one lifetime over all servers: it is created once, dropped for all, created again, and expires everywhere at once.
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { hasRedis } from '../../support/redis/redis-servers.js';
import { grounds, RedisGround } from '../../support/redis/replicas.js';
import { until } from '../../support/worlds/until.js';

for (const ground of grounds()) {
  describe(`a sandbox of ${ground.name}`, function () {
    this.timeout(30_000);
    before(() => ground.begin({ sandboxes: 'explicit' }));
    after(() => ground.end());
    const control = async (method: string, path = '', body?: unknown) =>
      (await ground.next()).control(method, `/sandboxes${path}`, body);
    const names = async () => {
      const { sandboxes } = await (await ground.next()).read<{ sandboxes: Array<{ name: string }> }>('/sandboxes');
      return sandboxes.map(({ name }) => name);
    };

    it('is created explicitly, once, and exists for all', async () => {
      expect((await (await ground.next()).add('job-1', 'alice')).status).to.equal(404);
      expect((await control('POST', '', { name: 'job-1', readings: { 'unknown-user': '400' } })).status).to.equal(201);
      expect((await control('POST', '', { name: 'job-1' })).status).to.equal(409);
      expect((await (await ground.next()).add('job-1', 'nobody')).status).to.equal(400);
      expect((await control('POST', '/job-1/fork', { name: 'job-2' })).status).to.equal(201);
      expect((await control('POST', '/job-1/fork', { name: 'job-2' })).status).to.equal(409);
      expect((await names()).sort()).to.deep.equal(['default', 'job-1', 'job-2']);
    });

    it('is gone for all when it is dropped, and new when it is created again', async () => {
      await control('POST', '', { name: 'again' });
      for (let life = 0; life < 4; life += 1) {
        for (const user of ['alice', 'carol'])
          expect((await (await ground.next()).add('again', user)).status).to.equal(200);
        expect(await (await ground.next()).read('/sandboxes/again')).to.include({ version: 2 });
        expect((await control('DELETE', '/again')).status).to.equal(204);
        expect((await (await ground.next()).add('again', 'alice')).status).to.equal(404);
        expect((await control('GET', '/again/world')).status).to.equal(404);
        expect((await control('DELETE', '/again')).status).to.equal(404);
        expect(await names()).not.to.include('again');
        await control('POST', '', { name: 'again', scenario: 'unlicensed' });
        const next = await ground.next();
        expect(await next.customers('again')).to.deep.equal([]);
        expect(await next.read('/sandboxes/again')).to.include({ version: 0, scenario: 'unlicensed' });
        expect(await next.read('/sandboxes/again/journal')).to.deep.equal({ entries: [], evicted: 0 });
      }
    });

    it('is replaced for all at once', async () => {
      await control('POST', '', { name: 'replaced' });
      for (let i = 0; i < 4; i += 1) {
        await (await ground.next()).add('replaced', 'alice');
        expect((await control('PUT', '/replaced', { clock: `2026-01-0${i + 1}T00:00:00Z` })).status).to.equal(201);
        const next = await ground.next();
        expect(await next.customers('replaced')).to.deep.equal([]);
        expect(await next.read('/sandboxes/replaced')).to.include({ version: 0, now: `2026-01-0${i + 1}T00:00:00Z` });
      }
    });

    it('called `default` is kept, and new after it is dropped', async () => {
      expect((await (await ground.next()).add('default', 'alice')).status).to.equal(200);
      expect(await (await ground.next()).customers('default')).to.deep.equal(['alice']);
      expect((await control('DELETE', '/default')).status).to.equal(204);
      expect((await (await ground.next()).add('default', 'carol')).status).to.equal(200);
      expect(await (await ground.next()).customers('default')).to.deep.equal(['carol']);
    });
  });
}

if (hasRedis())
  describe('an idle sandbox of replicas on one Redis', function () {
    this.timeout(30_000);
    const ground = new RedisGround();
    before(() => ground.begin({ 'sandbox-ttl': '1' }));
    after(() => ground.end());

    it('is kept by requests to any of them, expires everywhere at once, and is fresh afterwards', async () => {
      const [first] = ground.replicas;
      await first.add('idle', 'alice');
      for (let i = 0; i < 6; i += 1) {
        await setTimeout(300);
        expect(await (await ground.next()).customers('idle')).to.deep.equal(['alice']); // longer than its second in total
      }
      await until(async () => {
        await setTimeout(1_100);
        const seen = await Promise.all(ground.replicas.map(replica => replica.control('GET', '/sandboxes/idle')));
        return seen.every(({ status }) => status === 404);
      });
      for (const replica of ground.replicas) {
        const { sandboxes } = await replica.read<{ sandboxes: Array<{ name: string }> }>('/sandboxes');
        expect(sandboxes.map(({ name }) => name)).to.deep.equal(['default']);
      }
      const responses = await Promise.all(ground.replicas.map(replica => replica.add('idle', 'carol')));
      expect(responses.map(({ headers }) => headers.get('x-request-id')).sort()).to.deep.equal([
        'idle.1',
        'idle.2',
        'idle.3',
      ]);
      for (const replica of ground.replicas) expect(await replica.customers('idle')).to.deep.equal(['carol']);
    });

    it('keeps the idle time it was created with', async () => {
      const [first, second] = ground.replicas;
      await first.control('POST', '/sandboxes', { name: 'long', ttl: 60 });
      await first.control('POST', '/sandboxes/long/fork', { name: 'fork' });
      await setTimeout(1_300);
      expect(await second.read('/sandboxes/long')).to.include({ ttl: 60 });
      expect(await second.read('/sandboxes/fork')).to.include({ ttl: 60 });
      expect((await second.control('GET', '/sandboxes/default')).status).to.equal(200);
    });
  });
