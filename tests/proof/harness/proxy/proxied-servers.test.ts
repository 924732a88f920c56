// `cwx-fake proxy` concludes nothing wrong about servers with hidden readings, and its recordings play on a fake.
// PROXIED_SERVERS=200 tries as many; PROXIED_SEED=17 one of them.
import { expect } from 'chai';
import type { Scratch } from '../../../support/files/scratch.js';
import { expectRightThroughProxy, recordings } from '../../../support/other-servers/proxied-servers.js';

const SERVERS = Number(process.env.PROXIED_SERVERS ?? 5);
const FIRST = Number(process.env.PROXIED_SEED ?? 1);

describe('a proxy in front of servers with hidden readings', function () {
  this.timeout(600_000);
  let folder: Scratch;
  before(() => {
    folder = recordings();
  });
  after(() => folder.drop());

  it(`concludes nothing wrong, and its recordings play: ${SERVERS} servers`, async () => {
    let [known, steps, leftOut] = [0, 0, 0];
    for (let seed = FIRST; seed < FIRST + SERVERS; seed += 1) {
      const concluded = await expectRightThroughProxy(seed, folder);
      known += concluded.known;
      steps += concluded.steps;
      leftOut += concluded.leftOut;
    }
    const average = (count: number) => (count / SERVERS).toFixed(1);
    console.log(`      ${average(known)} readings known, ${average(steps)} steps, ${average(leftOut)} left out`);
    expect(known / SERVERS).to.be.at.least(5);
    expect(leftOut / (steps + leftOut)).to.be.at.most(0.01);
  });
});
