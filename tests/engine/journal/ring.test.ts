// The ring that keeps the latest entries: what it lets go it keeps no longer, however few they are.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { Ring } from '../../../server/engine/journal/ring.js';

interface Thing {
  readonly id: number;
}

describe('the ring', () => {
  it('keeps as many as it may by count and by bytes, the latest', () => {
    const ring = new Ring<Thing>({ entries: 3, bytes: 100 });
    for (let id = 1; id <= 5; id += 1) ring.push({ id }, 10);
    expect(ring.all().map(({ id }) => id)).to.deep.equal([3, 4, 5]);
    ring.push({ id: 6 }, 85);
    expect([ring.all(), ring.size, ring.bytes, ring.last]).to.deep.equal([[{ id: 5 }, { id: 6 }], 2, 95, { id: 6 }]);
    expect([ring.at(-1), ring.at(0), ring.at(2)]).to.deep.equal([undefined, { id: 5 }, undefined]);
  });

  it('lets the memory of a thing go at once', async () => {
    const ring = new Ring<Thing>({ entries: 1000, bytes: 100 });
    const things = Array.from({ length: 3 }, (_, id) => new WeakRef(pushed(ring, id)));
    await new Promise(resolve => setImmediate(resolve)); // until then a WeakRef keeps its own
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    expect(things.map(thing => thing.deref()?.id)).to.deep.equal([undefined, undefined, 2]);
    expect(ring.last?.id).to.equal(2);
  });
});

function pushed(ring: Ring<Thing>, id: number): Thing {
  const thing = { id };
  ring.push(thing, 60);
  return thing;
}
