// A subscriber at one replica gets the events of every replica: in order, once each, and resumed from where another stream ended.
import { expect } from 'chai';
import { scratch } from '../support/files/scratch.js';
import { hasRedis } from '../support/redis/redis-servers.js';
import { Replica, Replicas } from '../support/redis/replicas.js';
import { type Listening, listen, type Received } from '../support/wire/event-reader.js';
import { serving } from '../support/wire/server.js';
import { until } from '../support/worlds/until.js';

if (hasRedis())
  describe('the events of replicas on one Redis', () => {
    let ground: Replicas;
    const open: Listening[] = [];
    before(async () => {
      ground = await Replicas.begin(3, { 'sandbox-ttl': '3600' });
    });
    afterEach(() => {
      for (const one of open.splice(0)) one.leave();
    });
    after(() => ground.end());

    const listening = async (replica: Replica, sandbox: string, headers: Record<string, string> = {}) => {
      const one = await listen(`${replica.url}/_fake/v1/sandboxes/${sandbox}/events`, headers);
      open.push(one);
      await until(() => one.lastId !== '');
      return one;
    };
    const typesOf = (events: readonly Received[]) => events.map(({ type }) => type);

    it('reach every replica, in one order, once each', async () => {
      const { all: replicas } = ground;
      await replicas[0].control('POST', '/sandboxes', { name: 'watched' });
      const listeners = await Promise.all(replicas.map(replica => listening(replica, 'watched')));
      const users = ['alice', 'carol', 'admin', 'demouser1', 'demouser2'];
      for (const [i, user] of users.entries()) await replicas[i % 3]?.add('watched', user);
      await replicas[1].control('PUT', '/sandboxes/watched/readings', { 'unknown-user': '400' });
      await replicas[0].add('watched', 'nobody');
      await replicas[1].control('POST', '/sandboxes/watched/reset');
      await replicas[0].add('watched', 'alice');
      const expected = [...users.flatMap(() => ['changed', 'entry']), 'changed', 'entry', 'reset', 'changed', 'entry'];
      const [first = [], ...others] = await Promise.all(listeners.map(one => one.count(expected.length)));
      expect(typesOf(first)).to.deep.equal(expected);
      for (const other of others) expect(other).to.deep.equal(first);
      const entries = first.filter(({ type }) => type === 'entry').map(({ data }) => data.id);
      expect(entries).to.deep.equal([1, 2, 3, 4, 5, 6, 1]);
    });

    it('arrive once each when many happen at the same time', async () => {
      const { all: replicas } = ground;
      await replicas[0].control('POST', '/sandboxes', { name: 'busy' });
      const listeners = await Promise.all(replicas.map(replica => listening(replica, 'busy')));
      const each = 10;
      await Promise.all(replicas.flatMap(replica => Array.from({ length: each }, () => replica.add('busy', 'alice'))));
      const asked = each * replicas.length;
      for (const one of listeners) {
        const events = await one.count(asked + 1);
        const ids = events.filter(({ type }) => type === 'entry').map(({ data }) => data.id);
        expect(ids).to.deep.equal(Array.from({ length: asked }, (_, i) => i + 1));
        expect(typesOf(events).filter(type => type === 'changed')).to.have.length(1);
        expect(new Set(events.map(({ id }) => id)).size).to.equal(asked + 1);
      }
    });

    it('resume at another replica after the last received event', async () => {
      const [first, second, third] = ground.all;
      await first.add('resumed', 'alice');
      const one = await listening(first, 'resumed');
      await second.add('resumed', 'carol');
      await first.add('resumed', 'admin');
      const all = [...(await one.count(4))];
      one.leave();
      await second.add('resumed', 'demouser1');
      for (const replica of [second, third ?? second, first]) {
        const later = await (await listening(replica, 'resumed', { 'Last-Event-ID': all[1]?.id ?? '' })).count(4);
        expect(later.slice(0, 2)).to.deep.equal(all.slice(2));
        expect(typesOf(later)).to.deep.equal(['changed', 'entry', 'changed', 'entry']);
        expect(later.at(-1)?.data).to.include({ id: 4, version: 4 });
      }
    });

    it('report an expired sandbox, and a subscription does not delay the expiry', async () => {
      const [first, second] = ground.all;
      await first.control('POST', '/sandboxes', { name: 'short', ttl: 1 });
      const one = await listening(second, 'short');
      expect(typesOf(await one.count(1))).to.deep.equal(['dropped']);
      expect((await first.control('GET', '/sandboxes/short')).status).to.equal(404);
    });
  });

describe('the events of a server that is restarted on its folder', () => {
  it('continue after the last one before, with new ids', async () => {
    const folder = scratch();
    const ids: string[] = [];
    for (const user of ['alice', 'carol', 'admin']) {
      const running = await serving(undefined, { store: `file:${folder.path}/kept` });
      const replica = new Replica(running);
      await replica.add('watched', user);
      const last = ids.at(-1);
      const headers = last === undefined ? undefined : { 'Last-Event-ID': last };
      const one = await listen(`${replica.url}/_fake/v1/sandboxes/watched/events`, headers);
      if (last === undefined) await replica.add('watched', 'demouser1'); // a new subscriber gets what follows
      const events = await one.count(2);
      expect(events.map(({ type }) => type)).to.deep.equal(['changed', 'entry']);
      ids.push(...events.map(({ id }) => id));
      one.leave();
      await running.stop();
    }
    expect(new Set(ids).size).to.equal(6);
    folder.drop();
  });
});
