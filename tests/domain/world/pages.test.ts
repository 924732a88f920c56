// The pages of a space and the index derived from them: they agree after any sequence of changes.
import { expect } from 'chai';
import { evolve, type Fact } from '../../../server/domain/facts.js';
import { formOf, worldFrom } from '../../../server/domain/form/form.js';
import { isTitledInOtherCase, pagesOf, pageTitled } from '../../../server/domain/world/pages.js';
import type { World } from '../../../server/domain/world/world.js';
import { type Random, randomOf } from '../../../server/engine/faults/random.js';

/** The ids of each space, and of each title in it, as text that can be compared. */
type Index = Map<string, string[]>;
const sortedIndex = (entries: Iterable<[string, string[]]>): Index =>
  new Map([...entries].map(([key, ids]): [string, string[]] => [key, ids.sort()]).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The expected index, read from the pages one by one. */
function indexFrom(world: World): Index {
  const found: Index = new Map();
  for (const [id, { space, title }] of world.pages) {
    for (const key of [space, JSON.stringify([space, title])]) found.set(key, [...(found.get(key) ?? []), id]);
  }
  return sortedIndex(found);
}

/** The actual index; spaces without pages left out. */
function indexOf(world: World): Index {
  const entries = [...world.pageIndex].filter(([, { ids }]) => ids.size > 0);
  return sortedIndex(
    entries.flatMap(([space, { ids, byTitle }]): [string, string[]][] => [
      [space, [...ids]],
      ...[...byTitle].map(([title, own]): [string, string[]] => [
        JSON.stringify([space, title]),
        typeof own === 'string' ? [own] : [...own],
      ]),
    ]),
  );
}

function somethingHappens(world: World, random: Random): Fact {
  const ids = [...world.pages.keys()];
  const id = ids[random(ids.length || 1)] ?? '1';
  const space = ['a', 'b', 'c'][random(3)] ?? 'a';
  const title = ['One', 'Two', 'two', 'TWO', '__proto__', ''][random(6)] ?? '';
  switch (random(7)) {
    case 0:
      return { type: 'page-text-replaced', page: id, title, body: 'x', by: 'ann', at: 'now' };
    case 1:
      return { type: 'world-patched', patch: { pages: { [id]: null } } };
    case 2:
      return { type: 'world-patched', patch: { pages: { [id]: { space, title, position: random(4) } } } };
    case 3:
      return { type: 'page-permission-added', page: id, permission: 'view', users: ['ann'], groups: [] };
    case 4:
      return world.pages.size > 60
        ? { type: 'world-patched', patch: { pages: Object.fromEntries(ids.slice(5).map(key => [key, null])) } }
        : { type: 'space-copied', source: space, target: 'c', name: 'C', admins: [], firstPageId: world.nextPageId };
    default:
      return { type: 'world-patched', patch: { pages: { [String(world.nextPageId)]: { space, title } } } };
  }
}

/** Titles in another case, by a look at every page. */
function expectCases(world: World, space: string): void {
  const titles = pagesOf(world, space).map(([id, page]) => [id, page.title] as const);
  for (const title of ['two', 'TWO', 'tWo', 'One'])
    for (const [except] of titles.slice(0, 3)) {
      const isThere = titles.some(
        ([id, other]) => id !== except && other !== title && other.toLowerCase() === title.toLowerCase(),
      );
      expect(isTitledInOtherCase(world, space, title, except), `${space} ${title} ${except}`).to.equal(isThere);
    }
}

describe('the index of pages', () => {
  for (const seed of [1, 2, 3]) {
    it(`agrees with the pages after any changes (seed ${seed})`, () => {
      const random = randomOf(seed);
      let world = worldFrom({ users: { ann: {} }, spaces: { a: {}, b: {}, c: {} } });
      for (let step = 0; step < 300; step++) {
        const fact = somethingHappens(world, random);
        world = evolve(world, fact);
        expect(indexOf(world), `step ${step}: ${JSON.stringify(fact)}`).to.deep.equal(indexFrom(world));
        const highest = Math.max(0, ...[...world.pages.keys()].map(Number));
        expect(world.nextPageId).to.be.above(highest);
        for (const space of ['a', 'b', 'c']) expectCases(world, space);
      }
      const again = worldFrom(formOf(world));
      expect(indexOf(again)).to.deep.equal(indexOf(world));
      for (const space of ['a', 'b', 'c']) {
        const order = pagesOf(world, space);
        expect(pagesOf(again, space).map(([id]) => id)).to.deep.equal(order.map(([id]) => id));
        for (const [, { title }] of order) {
          const first = order.find(([, page]) => page.title === title)?.[0];
          expect(pageTitled(world, space, title), `${space} ${title}`).to.equal(first);
          expect(pageTitled(again, space, title)).to.equal(first);
        }
      }
    });
  }
});
