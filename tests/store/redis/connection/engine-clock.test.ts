// The engine's clock as a replica knows it: independent of the local clock, and without false jumps.
import { expect } from 'chai';
import { EngineClock } from '../../../../server/store/redis/connection/engine-clock.js';

const HOUR = 3_600_000;
/** A reply that took no time, from a node whose clock is ahead of this machine's by this many milliseconds. */
function hear(clock: EngineClock, node: string, ahead: number): void {
  const asked = clock.asked();
  clock.heard(node, asked, (Date.now() + ahead) * 1000);
}
const ahead = (clock: EngineClock) => clock.now() - Date.now();

describe('the clock of the engine', () => {
  it('is the clock of the machine until the engine has answered, and then that of the engine', () => {
    const clock = new EngineClock();
    expect(ahead(clock)).to.be.within(-5, 5);
    hear(clock, 'a', HOUR);
    expect(ahead(clock)).to.be.within(HOUR - 5, HOUR + 5);
  });

  it('is taken from the fastest round trip', () => {
    const clock = new EngineClock();
    hear(clock, 'a', 100);
    const longAgo = clock.asked() - 400; // a reply that took 400 ms and is no more precise
    clock.heard('a', longAgo, (Date.now() + 50) * 1000);
    expect(ahead(clock)).to.be.within(95, 105);
  });

  it('approaches a small difference slowly, and never goes back', async () => {
    const clock = new EngineClock();
    hear(clock, 'a', 0);
    const before = clock.now();
    hear(clock, 'a', -500);
    expect(clock.now()).to.be.at.least(before);
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(ahead(clock)).to.be.within(-60, 0); // a tenth of the elapsed time, however slow this machine is
    expect(clock.now()).to.be.greaterThan(before);
  });

  it('follows at once if the clock of the engine was set', () => {
    const clock = new EngineClock();
    hear(clock, 'a', 0);
    hear(clock, 'a', -HOUR);
    expect(ahead(clock)).to.be.within(-HOUR - 5, -HOUR + 5);
    hear(clock, 'a', HOUR);
    expect(ahead(clock)).to.be.within(HOUR - 5, HOUR + 5);
  });

  it('is the median of several nodes, in whatever order they answer', () => {
    const one = new EngineClock();
    for (const [node, offset] of [
      ['a', 0],
      ['b', 5000],
      ['c', HOUR],
    ] as const)
      hear(one, node, offset);
    const other = new EngineClock();
    for (const [node, offset] of [
      ['c', HOUR],
      ['a', 0],
      ['b', 5000],
    ] as const)
      hear(other, node, offset);
    expect(ahead(one)).to.be.within(4995, 5005);
    expect(ahead(other)).to.be.within(4995, 5005);
  });
});
