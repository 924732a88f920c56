// Three real servers, on one Redis, on a Valkey and on a Cluster, with kills and moving slots while all are used at once. `npm run linearizable` does the same for longer.
import { expect } from 'chai';
import { tryOut } from '../../linearizable/trial.js';
import { built } from '../../support/processes/built.js';
import { engines, hasRedis } from '../../support/redis/redis-servers.js';

const seed = Number(process.env.LINEARIZABLE_SEED ?? Date.now() % 1_000_000);

describe('three servers on one store', function () {
  this.timeout(300_000); // it takes a tenth of that on an idle machine
  before(function () {
    return hasRedis() ? built() : this.skip();
  });

  it('lose nothing, apply nothing twice and show nothing out of order while Redis and one of them are killed', async () => {
    const { problem, recorder, checked } = await tryOut({ seed, operations: 2000, lanes: 8, kills: 1 });
    expect(problem).to.equal('');
    const { operations, acknowledged } = recorder.figures();
    expect(operations).to.be.at.least(6000);
    expect(acknowledged).to.be.at.least(5900); // only requests in flight have unknown outcomes
    expect(checked.entries).to.be.at.least(4300);
  });

  it('do the same on a Cluster of three masters while the slots of their sandboxes move', async () => {
    const { problem, recorder } = await tryOut({
      seed,
      operations: 1000,
      lanes: 4,
      kills: 1,
      isCluster: true,
    });
    expect(problem).to.equal('');
    expect(recorder.figures().acknowledged).to.be.at.least(2900);
  });

  it('do the same on one Valkey', async function () {
    if (!engines().includes('valkey-server')) return this.skip();
    const trial = { seed, operations: 1000, lanes: 8, kills: 1, engine: 'valkey-server' } as const;
    const { problem, recorder } = await tryOut(trial);
    expect(problem).to.equal('');
    expect(recorder.figures().acknowledged).to.be.at.least(2900);
  });
});
