// The ring buffer of the latest entries: it frees discarded ones at once.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { Ring } from '../../../server/engine/journal/ring.js';

interface Thing {
  readonly id: number;
}

describe('the ring', () => {
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
