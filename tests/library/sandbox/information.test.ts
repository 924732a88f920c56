// What a fake reports about itself without a control API, and the time to live of sandboxes. The table of tests/control checks that reports
// match HTTP.
import { expect } from 'chai';
import { createFake, startFake } from '../../../server/index.js';
import { useFake } from '../../support/worlds/use-fake.js';

for (const [kind, make] of Object.entries({ createFake, startFake })) {
  describe(`the description of a ${kind}`, () => {
    const fake = useFake(() =>
      make({ scenario: 'unlicensed', readings: { 'is-unique-answer': 'object' }, control: false }),
    );

    it('is available without a control API', async () => {
      expect((await fake.fetch('/_fake/v1/scenarios')).status).to.equal(404);
      expect(await fake.health()).to.include({ status: 'ok', scenario: 'unlicensed', store: 'memory' });
      expect((await fake.scenarios()).map(({ name }) => name)).to.include.members(['unlicensed', 'small-team']);
      expect((await fake.states()).fixtures.map(({ name }) => name)).to.include('empty');
      expect((await fake.sandboxes()).map(({ name, scenario }) => [name, scenario])).to.deep.equal([
        ['default', 'unlicensed'],
      ]);
      expect(await fake.guide()).to.match(/^# /);
      expect(await fake.metrics()).to.match(/^cwx_fake_sandboxes 1$/m);
      expect(await fake.controlOpenapi()).to.have.nested.property('paths./sandboxes.get.operationId', 'sandboxes.list');
      expect((await fake.ledger()).rules.find(({ id }) => id === 'ppf.push')?.evidence).to.include('rules/ppf.push');
    });
  });
}

describe('a sandbox with a given start', () => {
  const fake = useFake();

  it('has its time to live, also when it is recreated', async () => {
    const sandbox = fake.sandbox('short', { ttl: 0.05 });
    expect((await sandbox.describe()).ttl).to.equal(0.05);
    expect((await (await sandbox.fork('short-fork')).describe()).ttl).to.equal(0.05);
    await sandbox.drop();
    expect((await sandbox.describe()).ttl).to.equal(0.05);
    expect((await fake.sandbox('fraction', { ttl: 16.1 }).describe()).ttl).to.equal(16.1);
    expect((await fake.sandbox('instant', { ttl: 0.0001 }).describe()).ttl).to.equal(0.001);
    expect((await fake.sandbox('default').describe()).ttl).to.equal(undefined);
  });
});
