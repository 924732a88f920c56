// JSON in pieces: joined they equal JSON.stringify, and none is much longer than necessary.
import { expect } from 'chai';
import fc from 'fast-check';
import { jsonPieces } from '../../../server/http/writing/json-pieces.js';

const whole = (value: unknown) => [...jsonPieces(value)].join('');

describe('JSON in pieces', () => {
  it('equals JSON.stringify of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 7 }), value => {
        expect(whole(value)).to.equal(JSON.stringify(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('omits what JSON cannot represent', () => {
    const value = {
      a: undefined,
      b: [undefined, 1, () => 1],
      c: { d: undefined },
      e: new Date(0),
      f: { g: { h: { i: undefined } } },
    };
    expect(whole(value)).to.equal(JSON.stringify(value));
  });

  it('writes an iterable of entries as an object, and makes each entry when it is written', () => {
    let made = 0;
    function* entries() {
      for (; made < 10_000; made += 1) yield [`k${made}`, { n: made, none: undefined }] as const;
    }
    const pieces = jsonPieces({ a: [], users: entries(), last: 1 });
    const { value: first } = pieces.next();
    expect(made).to.be.within(1, 2_000);
    expect(JSON.parse(first + [...pieces].join(''))).to.deep.equal({
      a: [],
      users: Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, { n }])),
      last: 1,
    });
  });

  it('has pieces of some kilobytes, however long the whole is', () => {
    const pages = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`p${i}`, { title: `Page ${i}`, body: 'x' }]),
    );
    const pieces = [...jsonPieces({ users: {}, pages })];
    expect(pieces.length).to.be.above(30);
    expect(Math.max(...pieces.map(({ length }) => length))).to.be.below(20_000);
    expect(pieces.join('')).to.equal(JSON.stringify({ users: {}, pages }));
  });

  it('visits a long list or object once, however deeply nested', () => {
    let looks = 0;
    const long = new Proxy(Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`k${i}`, i])), {
      ownKeys: target => {
        looks += 1;
        return Reflect.ownKeys(target);
      },
    });
    let value: unknown = long;
    for (let i = 0; i < 400; i += 1) value = i % 2 === 0 ? [value] : { k: value };
    expect(whole(value)).to.equal(JSON.stringify(value));
    expect(looks).to.be.below(8);
  });
});
