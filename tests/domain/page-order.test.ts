// The pages of a space as a counting tree: always equal to sorting anew, whatever happened before.
import { expect } from 'chai';
import { Set as PSet } from 'immutable';
import {
  type LetIn,
  noOrder,
  orderWith,
  orderWithAll,
  orderWithout,
  type PageOrder,
  type PlacedPage,
  pagesIn,
} from '../../server/domain/page-order.js';

const sorted = (pages: Iterable<PlacedPage>) =>
  [...pages].sort((a, b) => a.position - b.position || Number(a.id) - Number(b.id)).map(({ id }) => id);
const idsIn = (order: PageOrder) => [...pagesIn(order)].map(({ id }) => id);
const view = (...users: string[]) => ({ users: PSet(users), groups: PSet<string>() });

type Leaf = Extract<PageOrder, { readonly pages: unknown }>;

function leavesOf(order: PageOrder): readonly Leaf[] {
  return 'pages' in order ? [order] : order.parts.flatMap(leavesOf);
}

function letInAnew(pages: readonly PlacedPage[]): LetIn | undefined {
  const views = pages.flatMap(({ view }) => view ?? []);
  if (views.length === 0 || views.some(({ users, groups }) => users.size + groups.size > 8)) return undefined;
  const counted = (names: readonly string[]) =>
    new Map([...new Set(names)].map(name => [name, names.filter(other => other === name).length]));
  return {
    users: counted(views.flatMap(({ users }) => [...users])),
    groups: counted(views.flatMap(({ groups }) => [...groups])),
  };
}

describe('the order of pages', () => {
  it('equals a new sort, after any sequence of pages created, moved, restricted and deleted', () => {
    const pages = new Map<string, PlacedPage>();
    let order = noOrder;
    for (let i = 0; i < 6_000; i += 1) {
      const id = String(1 + ((i * i * 31 + i) % 900));
      const known = pages.get(id);
      if (known !== undefined) order = orderWithout(order, known);
      pages.delete(id);
      if (i % 3 !== 0 || i < 2_000) {
        const page = { id, position: (i * 7) % 50, ...(i % 4 === 0 && { view: view(`u${i % 3}`) }) };
        pages.set(id, page);
        order = orderWith(order, page);
      }
      if (i % 500 !== 0) continue;
      expect(idsIn(order)).to.deep.equal(sorted(pages.values()));
      expect(order.size).to.equal(pages.size);
      expect(order.restricted).to.equal([...pages.values()].filter(page => page.view !== undefined).length);
    }
    for (const page of pages.values()) order = orderWithout(order, page);
    expect(order).to.equal(noOrder);
  });

  it('is the same whether pages are added together or one by one, in order or not', () => {
    const pages = Array.from({ length: 5_000 }, (_, i) => ({ id: String(i + 1), position: i >> 1 }));
    const together = orderWithAll(noOrder, pages);
    expect(idsIn(together)).to.deep.equal(sorted(pages));
    expect(idsIn(orderWithAll(noOrder, pages.toReversed()))).to.deep.equal(sorted(pages));
    const more = pages.map(({ id, position }) => ({ id: String(Number(id) + 9_000), position }));
    expect(idsIn(orderWithAll(together, more))).to.deep.equal(sorted([...pages, ...more]));
    expect(idsIn(together)).to.have.length(5_000); // the order before is as it was
  });

  it('counts by name whom the pages of each leaf let in, after any sequence of changes', () => {
    const views = [
      undefined,
      { users: PSet(['u']), groups: PSet<string>() },
      { users: PSet(['u', 'v']), groups: PSet(['g']) },
      { users: PSet(['w']), groups: PSet(['u']) },
      { users: PSet(Array.from({ length: 9 }, (_, i) => `x${i}`)), groups: PSet<string>() }, // too long to be counted
    ];
    let order = noOrder;
    let counted = 0;
    for (let i = 0; i < 4_000; i += 1) {
      const page = { id: String(1 + ((i * 31) % 500)), position: 0 };
      order =
        i % 5 === 4
          ? orderWithout(order, page)
          : orderWith(order, { ...page, view: views[i % 150 === 0 ? 4 : ((i * i) >> 9) % 4] });
      if (i % 50 !== 0) continue;
      for (const { pages, letIn } of leavesOf(order)) {
        expect(letIn).to.deep.equal(letInAnew(pages));
        if (letIn !== undefined) counted += 1;
      }
    }
    expect(counted).to.be.above(100);
  });

  it('shares one object between neighbours with the same restriction', () => {
    const pages = Array.from({ length: 100 }, (_, i) => ({ id: String(i + 1), position: i, view: view('u') }));
    const objects = (order: PageOrder) => new Set([...pagesIn(order)].map(page => page.view)).size;
    expect(objects(orderWithAll(noOrder, pages))).to.equal(1);
    expect(objects(pages.reduce(orderWith, noOrder))).to.equal(1);
  });
});
