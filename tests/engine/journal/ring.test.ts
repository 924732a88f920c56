// The ring buffer of the latest entries: it frees discarded ones at once.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { Ring } from '../../../server/engine/journal/ring.js';

interface Thing {
  readonly id: number;
}

describe('the ring', () => {
  it('keeps the latest, limited by count and by bytes', () => {
    const ring = new Ring<Thing>({ entries: 3, bytes: 100 });
    for (let id = 1; id <= 5; id += 1) ring.push({ id }, 10);
    expect(ring.all().map(({ id }) => id)).to.deep.equal([3, 4, 5]);
    ring.push({ id: 6 }, 85);
    expect([ring.all(), ring.size, ring.bytes, ring.last]).to.deep.equal([[{ id: 5 }, { id: 6 }], 2, 95, { id: 6 }]);
    expect([ring.at(-1), ring.at(0), ring.at(2)]).to.deep.equal([undefined, { id: 5 }, undefined]);
  });

  it('frees a discarded element at once', async () => {
    const ring = new Ring<Thing>({ entries: 1000, bytes: 100 });
    const things = Array.from({ length: 3 }, (_, id) => new WeakRef(pushed(ring, id)));
    await new Promise(resolve => setImmediate(resolve)); // a WeakRef keeps its target until then
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
