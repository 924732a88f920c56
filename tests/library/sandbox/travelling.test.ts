// A sandbox through time in a program: snapshots, versions, differences, forks, clock, seed. With a socket and without one.
import { expect } from 'chai';
import { createFake, type Fake, FakeError, type Sandbox, startFake } from '../../../server/index.js';
import { failure } from '../../support/worlds/failure.js';

const CLOCK = '2026-01-05T09:00:00Z';

for (const [kind, make] of Object.entries({ createFake, startFake })) {
  describe(`a sandbox of ${kind}, through time`, () => {
    let fake: Fake;
    let sandbox: Sandbox;
    before(async () => {
      fake = await make();
    });
    after(() => fake.stop());
    let count = 0;
    beforeEach(() => {
      count += 1;
      sandbox = fake.sandbox(`travels-${count}`, { clock: CLOCK });
    });

    const join = (user: string, one = sandbox) =>
      one.client().groups.addUsers({ body: { group: 'customers', users: [user] } });

    it('keeps a snapshot and restores it: world, ids, readings, clock and faults', async () => {
      await join('alice');
      await sandbox.faults.set([{ operation: 'ppf.push', when: { nth: 2 }, effect: { status: 503 } }]);
      const push = async () =>
        (await sandbox.client('admin').ppf.push({ body: { users: ['alice'], filters: [10500] } })).status;
      expect(await push()).to.equal(200);
      const world = await sandbox.world();
      expect(await sandbox.snapshot('before')).to.deep.equal({ name: 'before', version: 3, at: CLOCK });
      for (let again = 0; again < 3; again += 1) {
        expect([await push(), await push()]).to.deep.equal([503, 200]);
        await sandbox.readings.set({ 'unknown-user': '400' });
        await sandbox.clock.advance('P1D');
        await sandbox.client().spaces.copy({
          query: {
            sourceSpaceKey: 'ds',
            targetSpaceKey: 'NEW',
            targetSpaceTitle: 'New',
            targetSpaceAdmin: 'admin',
            removeAdminPermissions: false,
            keepPagesMetadata: false,
          },
        });
        expect((await sandbox.world()).pages[65702]).to.include({ space: 'NEW', created: '2026-01-06T09:00:00Z' });
        await sandbox.faults.clear();
        await sandbox.restore('before');
        expect(await sandbox.world()).to.deep.equal(world);
        expect(await sandbox.clock.now()).to.equal(CLOCK);
        expect(await sandbox.readings.get()).to.include({ 'unknown-user': '404' });
        expect((await sandbox.faults.list()).map(({ met, fired }) => [met, fired])).to.deep.equal([[1, 0]]);
      }
      expect((await sandbox.journal()).map(({ id }) => id)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    });

    it('gives the difference between two versions as a patch that can be applied', async () => {
      await join('alice');
      await sandbox.patch({ users: { dora: { token: 'd' } }, licence: { ppf: 'none' } });
      const { from, to, patch, changes } = await sandbox.diff();
      expect([from, to]).to.deep.equal([0, 2]);
      expect(patch).to.deep.equal({
        users: { dora: { displayName: 'dora', admin: false, token: 'd' } },
        groups: { customers: ['alice'] },
        favourites: { dora: { filters: [], dashboards: [] } },
        licence: { ppf: 'none' },
      });
      expect(changes.map(({ version, type }) => [version, type])).to.deep.equal([
        [1, 'group-member-added'],
        [2, 'world-patched'],
      ]);
      const other = fake.sandbox();
      await other.patch(patch);
      expect(await other.world()).to.deep.equal(await sandbox.world());
      const before = await sandbox.world({ at: 0 });
      await sandbox.patch((await sandbox.diff(2, 0)).patch);
      expect(await sandbox.world()).to.deep.equal(before);
      expect((await sandbox.diff(0)).patch).to.deep.equal({});
    });

    it('accepts only a whole number as its seed', () => {
      expect(() => fake.sandbox('seeded', { seed: 1.5 })).to.throw(
        FakeError,
        '/seed must be a whole number, not the number 1.5',
      );
    });

    it('refuses every call once the fake has been stopped', async () => {
      const other = await make();
      const one = other.sandbox();
      await one.snapshot('a');
      await other.stop();
      for (const act of [
        one.snapshot(),
        one.restore('a'),
        one.rewind(0),
        one.diff(),
        one.clock.now(),
        one.clock.freeze(),
      ])
        expect((await failure(act, FakeError)).message).to.contain('It has been stopped.');
    });
  });
}
