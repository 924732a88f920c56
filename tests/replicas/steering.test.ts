// A control action on one server counts on every other: faults, clock, snapshots, rewind, reset and fork, each step on another server.
import { expect } from 'chai';
import { hasRedis } from '../support/redis/redis-servers.js';
import { grounds, RedisGround } from '../support/redis/replicas.js';

for (const ground of grounds()) {
  describe(`control at ${ground.name}`, function () {
    this.timeout(30_000);
    before(() => ground.begin());
    after(() => ground.end());
    const control = async (method: string, path: string, body?: unknown) => {
      const response = await (await ground.next()).control(method, `/sandboxes/${path}`, body);
      expect(response.status, response.text).to.be.below(300);
      return response;
    };
    const read = async <T>(path: string) => (await ground.next()).read<T>(`/sandboxes/${path}`);
    const add = async (sandbox: string, user: string) => (await ground.next()).add(sandbox, user);
    const customers = async (sandbox: string) => (await ground.next()).customers(sandbox);

    it('arms a fault, which every server applies and counts', async () => {
      await control('PUT', 'faults', {});
      await control('PUT', 'faults/faults', {
        faults: [{ operation: 'groups.add-users', when: { every: 2 }, times: 3, effect: { status: 503 } }],
      });
      const statuses: number[] = [];
      for (let i = 0; i < 8; i += 1) statuses.push((await add('faults', 'alice')).status);
      expect(statuses).to.deep.equal([200, 503, 200, 503, 200, 503, 200, 200]);
      const { faults } = await read<{ faults: Array<{ matched: number; fired: number }> }>('faults/faults');
      expect(faults.map(({ matched, fired }) => [matched, fired])).to.deep.equal([[8, 3]]);
      await control('DELETE', 'faults/faults');
      expect(await read('faults/faults')).to.deep.equal({ faults: [] });
    });

    it('sets the clock and lets it run', async () => {
      await control('PUT', 'clock', { clock: '2026-01-05T09:00:00Z' });
      expect(await read('clock/clock')).to.deep.equal({ now: '2026-01-05T09:00:00Z', running: false });
      await control('PUT', 'clock/clock', { advance: 'PT90M' });
      expect(await read('clock/clock')).to.deep.equal({ now: '2026-01-05T10:30:00Z', running: false });
      await control('PUT', 'clock/clock', { set: '2030-01-01T00:00:00Z', running: true });
      const times: string[] = [];
      for (let i = 0; i < 6; i += 1) {
        const { now, running } = await read<{ now: string; running: boolean }>('clock/clock');
        expect(running).to.equal(true);
        times.push(new Date(now).toISOString());
      }
      expect(times).to.deep.equal([...times].sort());
      expect(Date.parse(times[0] ?? '') - Date.parse('2030-01-01T00:00:00Z')).to.be.within(0, 20_000);
      await control('PUT', 'clock/clock', { freeze: true });
      const stood = await read('clock/clock');
      expect(await read('clock/clock')).to.deep.equal(stood);
    });

    it('takes a snapshot and restores it', async () => {
      await add('kept', 'alice');
      await control('POST', 'kept/snapshots', { name: 'one' });
      await add('kept', 'carol');
      const { snapshots } = await read<{ snapshots: Array<{ name: string; version: number }> }>('kept/snapshots');
      expect(snapshots.map(({ name, version }) => [name, version])).to.deep.equal([['one', 1]]);
      await control('POST', 'kept/snapshots/one/restore');
      expect(await customers('kept')).to.deep.equal(['alice']);
      await control('DELETE', 'kept/snapshots/one');
      expect(await read('kept/snapshots')).to.deep.equal({ snapshots: [] });
      expect((await (await ground.next()).control('POST', '/sandboxes/kept/snapshots/one/restore')).status).to.equal(
        404,
      );
    });

    it('moves through the history', async () => {
      for (const user of ['alice', 'carol', 'admin']) await add('travel', user);
      const { changes, patch } = await read<{ changes: object[]; patch: object }>('travel/diff?from=1&to=3');
      expect(patch).to.deep.equal({ groups: { customers: ['admin', 'alice', 'carol'] } });
      expect(changes).to.have.length(2);
      const { groups } = await read<{ groups: object }>('travel/world?at=1');
      expect(groups).to.have.deep.property('customers', ['alice']);
      expect((await control('POST', 'travel/rewind', { to: 2 })).json).to.deep.equal({ version: 4 });
      expect(await customers('travel')).to.deep.equal(['alice', 'carol']);
      expect(await read('travel')).to.deep.include({ version: 4, oldest: 0 });
      await control('POST', 'travel/fork', { name: 'from-travel', at: 3 });
      expect(await customers('from-travel')).to.deep.equal(['admin', 'alice', 'carol']);
      await add('from-travel', 'demouser1');
      expect(await customers('travel')).to.deep.equal(['alice', 'carol']);
    });

    it('resets, and nothing from before is left', async () => {
      await add('reset', 'alice');
      await control('PUT', 'reset/readings', { 'unknown-user': '400' });
      await control('PUT', 'reset/faults', { faults: [{ operation: 'ppf.push', effect: { status: 500 } }] });
      await control('POST', 'reset/snapshots', { name: 'stays' });
      await control('POST', 'reset/reset');
      expect(await customers('reset')).to.deep.equal([]);
      expect(await read('reset/faults')).to.deep.equal({ faults: [] });
      expect(await read('reset/readings')).to.include({ 'unknown-user': '404' });
      expect(await read('reset/journal')).to.deep.equal({ entries: [], evicted: 0 });
      expect((await add('reset', 'carol')).headers.get('x-request-id')).to.equal('reset.1');
      expect((await read<{ snapshots: object[] }>('reset/snapshots')).snapshots).to.have.length(1);
    });
  });
}

if (hasRedis())
  describe('a fault that is armed at one of many replicas', function () {
    this.timeout(30_000);
    const ground = new RedisGround();
    before(() => ground.begin());
    after(() => ground.end());

    it('fires no more often in total than it may, however many requests match it at the same moment', async () => {
      const [first, second] = ground.replicas;
      await first.control('PUT', '/sandboxes/hot', {});
      const faults = [
        { operation: 'groups.add-users', times: 3, effect: { status: 503 } },
        { operation: 'groups.add-users', when: { nth: 17 }, effect: { status: 418 } },
      ];
      await second.control('PUT', '/sandboxes/hot/faults', { faults });
      const asked = ground.replicas.flatMap(replica => Array.from({ length: 20 }, () => replica.add('hot', 'alice')));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses.filter(status => status === 503)).to.have.length(3);
      expect(statuses.filter(status => status === 418)).to.have.length(1);
      expect(statuses.filter(status => status === 200)).to.have.length(56);
      for (const replica of ground.replicas) {
        const read = await replica.read<{ faults: Array<{ matched: number; fired: number }> }>('/sandboxes/hot/faults');
        expect(read.faults.map(({ matched, fired }) => [matched, fired])).to.deep.equal([
          [60, 3],
          [60, 1],
        ]);
      }
    });
  });
