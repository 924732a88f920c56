// Odd captured values in the place of `${name}`, and the value at a pointer. play/player.test.ts fills them in wherever they stand.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so a step writes what was captured
import { expect } from 'chai';
import { pathOfPointer, valueAt } from '../../../server/domain/json/json-pointer.js';
import { filled, references } from '../../../server/engine/patterns/captures.js';

const known = new Map<string, unknown>([
  ['id', 7],
  ['sly', '${id}'],
]);

describe('a captured value', () => {
  it('is not searched for other names', () => {
    expect(filled(['${sly}', 'x${sly}'], known)).to.deep.equal(['${id}', 'x${id}']);
  });

  it('stays as written if nothing was captured', () => {
    expect(filled({ '${a}': '${b} ${id}' }, known)).to.deep.equal({ '${a}': '${b} 7' });
  });

  it('may have the name of an object property', () => {
    const odd = new Map([['constructor', 'c']]);
    expect(filled(['${constructor}', '${toString}'], odd)).to.deep.equal(['c', '${toString}']);
    const key = filled(JSON.parse('{"__proto__":"${constructor}"}') as object, odd);
    expect(Object.entries(key)).to.deep.equal([['__proto__', 'c']]);
  });
});

describe('references', () => {
  it('are found with their places, in keys and in values', () => {
    expect(references({ a: ['${x}${y}', 1], '${z}': { b: '${x}' } })).to.deep.equal([
      { name: 'x', path: ['a', 0], of: 'value' },
      { name: 'y', path: ['a', 0], of: 'value' },
      { name: 'z', path: ['${z}'], of: 'key' },
      { name: 'x', path: ['${z}', 'b'], of: 'value' },
    ]);
    expect(references([null, 5, 'plain', '$x', '${'])).to.deep.equal([]);
  });
});

describe('the value at a pointer', () => {
  const body = { a: [{ b: 1 }], 'c/d': { 'e~f': null }, '': 'nameless' };
  const places: ReadonlyArray<readonly [pointer: string, value: unknown]> = [
    ['', body],
    ['/a/0/b', 1],
    ['/c~1d/e~0f', null],
    ['/', 'nameless'],
    ['/a/1', undefined],
    ['/a/-1', undefined],
    ['/a/00', undefined],
    ['/a/0/b/c', undefined],
    ['/a/length', undefined],
    ['/constructor', undefined],
    ['/__proto__', undefined],
  ];
  it('is found, or nothing', () => {
    for (const [pointer, value] of places) expect(valueAt(body, pathOfPointer(pointer)), pointer).to.deep.equal(value);
    expect(valueAt(undefined, [])).to.equal(undefined);
    expect(valueAt('text', [0])).to.equal(undefined);
  });
});
