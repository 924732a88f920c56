// Three real servers on one Redis, all used at once. tests/proof does it for longer, with kills and on a Cluster.
import { expect } from 'chai';
import { built } from '../support/processes/built.js';
import { hasRedis } from '../support/redis/redis-servers.js';
import { tryOut } from './trial.js';

describe('three servers on one store', function () {
  this.timeout(120_000);
  before(function () {
    return hasRedis() ? built() : this.skip();
  });

  it('lose nothing, apply nothing twice and show nothing out of order', async () => {
    const { problem, recorder, checked } = await tryOut({ seed: 7, operations: 250, lanes: 4, kills: 0 });
    expect(problem).to.equal('');
    const { operations, acknowledged } = recorder.figures();
    expect({ operations, acknowledged }).to.deep.equal({ operations, acknowledged: operations });
    expect(operations).to.be.at.least(750);
    expect(checked.entries).to.be.at.least(500);
  });
});
