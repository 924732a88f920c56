// A Redis that fails while replicas serve: clients get an error in the form of their API, nothing is half done, and service resumes by itself.
import { expect } from 'chai';
import type { JournalEntry } from '../../../server/engine/journal/journal-entry.js';
import { hasRedis } from '../../support/redis/redis-servers.js';
import { RedisGround } from '../../support/redis/replicas.js';
import { listen } from '../../support/wire/event-reader.js';
import { send, sendJson } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

if (hasRedis())
  describe('replicas whose Redis fails', function () {
    this.timeout(60_000);
    const ground = new RedisGround(2);
    before(() => ground.begin());
    after(() => ground.end());
    const health = async () => {
      const [first] = ground.replicas;
      const { status, json } = await send(`${first.url}/_fake/health`);
      return { status, state: json as { status: string; store: string; trouble?: string } };
    };
    const serves = () => until(async () => (await health()).status === 200);

    it('answer 503 with Retry-After in the form of each family and of the control API, and resume by themselves', async () => {
      const [first, second] = ground.replicas;
      await first.add('kept', 'alice');
      await second.add('kept', 'carol');
      expect((await health()).status).to.equal(200);
      await ground.engine.kill9();
      const [wiki, favourites, created, read, states] = await Promise.all([
        first.add('kept', 'admin'),
        sendJson(
          `${second.url}/~kept/rest/cwx-ppf/latest/push`,
          'POST',
          { users: ['alice'], filters: [10500] },
          'admin',
        ),
        second.control('POST', '/sandboxes', { name: 'new' }),
        first.control('GET', '/sandboxes/kept/world'),
        sendJson(`${first.url}/~kept/_fake/v1/provider-states`, 'POST', { state: 'unlicensed' }),
      ]);
      const all = [wiki, favourites, created, read, states];
      expect(all.map(({ status }) => status)).to.deep.equal([503, 503, 503, 503, 503]);
      expect(all.map(({ headers }) => headers.get('retry-after'))).to.deep.equal(['1', '1', '1', '1', '1']);
      const where = `Redis at 127.0.0.1:${ground.engine.port}`;
      const wikiBody = wiki.json as { statusCode: number; message: string; reason: string };
      expect(wikiBody).to.include({ statusCode: 503, reason: 'Service Unavailable' });
      expect(wikiBody.message).to.match(new RegExp(`^${where} .*\\.$`));
      const { errorMessages, errors } = favourites.json as { errorMessages: string[]; errors: object };
      expect(errorMessages[0]).to.include(where);
      expect(errors).to.deep.equal({});
      for (const { json, headers } of [created, read, states]) {
        expect(headers.get('content-type')).to.equal('application/problem+json');
        expect(json).to.include({ status: 503, title: 'Service Unavailable' });
        expect((json as { detail: string }).detail).to.include(where);
      }
      const { status, state } = await health();
      expect(status).to.equal(503);
      expect(state).to.include({ status: 'waiting', store: `redis://127.0.0.1:${ground.engine.port}` });
      expect(state.trouble).to.match(/cannot be reached/);
      await ground.engine.restart();
      await serves();
      for (const replica of ground.replicas)
        await until(async () => (await replica.control('GET', '/sandboxes')).status === 200);
      expect(await second.customers('kept')).to.include.members(['alice', 'carol']);
      expect((await second.control('GET', '/sandboxes/new')).status).to.be.oneOf([200, 404]);
      expect((await first.add('kept', 'demouser1')).status).to.equal(200);
      const { entries } = await second.read<{ entries: JournalEntry[] }>('/sandboxes/kept/journal');
      expect(entries.map(({ id }) => id)).to.deep.equal(entries.map((_, i) => i + 1));
      expect(await second.read('/sandboxes/kept')).to.include({ version: entries.at(-1)?.version });
    });

    it('lose nothing they answered with 2xx, whenever it fails', async () => {
      const acknowledged: string[] = [];
      let count = 0;
      let isOver = false;
      await ground.replicas[0].control('PUT', '/sandboxes/hot', {});
      const asking = ground.replicas.flatMap(replica =>
        Array.from({ length: 4 }, async () => {
          while (!isOver) {
            count += 1;
            const name = `g${count}`;
            const patch = { groups: { [name]: [] } };
            const response = await replica.control('PATCH', '/sandboxes/hot/world', patch);
            if (response.status < 300) acknowledged.push(name);
            else expect(response.status).to.equal(503);
          }
        }),
      );
      for (let i = 0; i < 2; i += 1) {
        const soFar = acknowledged.length;
        await until(() => acknowledged.length > soFar + 50);
        await ground.engine.restart();
      }
      const soFar = acknowledged.length;
      await until(() => acknowledged.length > soFar + 50);
      isOver = true;
      await Promise.all(asking);
      const worlds = await Promise.all(
        ground.replicas.map(replica => replica.read<{ groups: object }>('/sandboxes/hot/world')),
      );
      for (const { groups } of worlds) expect(Object.keys(groups)).to.include.members(acknowledged);
      expect(Object.keys(worlds[1]?.groups ?? {})).to.have.members(Object.keys(worlds[0]?.groups ?? {}));
    });

    it('send subscribers what is done after it is back, and nothing twice', async () => {
      const [first, second] = ground.replicas;
      await first.add('heard', 'alice');
      const one = await listen(`${second.url}/_fake/v1/sandboxes/heard/events`);
      await until(() => one.lastId !== '');
      await first.add('heard', 'carol');
      await one.count(2);
      await ground.engine.restart();
      await serves();
      expect((await first.add('heard', 'admin')).status).to.equal(200);
      const events = await one.count(4);
      expect(events.map(({ type, data }) => [type, data.version])).to.deep.equal([
        ['changed', 2],
        ['entry', 2],
        ['changed', 3],
        ['entry', 3],
      ]);
      one.leave();
    });

    it('begin again if it comes back empty', async () => {
      const [first, second] = ground.replicas;
      await first.add('lost', 'alice');
      await second.customers('lost');
      await ground.engine.cli('flushall');
      expect((await second.add('lost', 'carol')).headers.get('x-request-id')).to.equal('lost.1');
      expect(await first.customers('lost')).to.deep.equal(['carol']);
      expect((await second.add('default', 'carol')).status).to.equal(200);
      expect(await first.customers('default')).to.deep.equal(['carol']);
    });
  });
