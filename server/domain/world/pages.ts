// Pages and their index, always changed together.
import { Set as PSet } from 'immutable';
import { cachedList } from './sorted-names.js';
import { noPages, type Page, type PageIndex, type Titled, type World } from './world.js';

/** Maximum length of a page in characters. */
export const LONGEST_TEXT = 1024 * 1024;

export function putPage(world: World, id: string, page: Page): World {
  const known = world.pages.get(id);
  const cleared = known !== undefined && known.space !== page.space ? removePage(world, id) : world;
  const index = cleared.pageIndex.get(page.space) ?? noPages;
  const before = cleared === world ? known : undefined;
  return {
    ...cleared,
    pages: cleared.pages.set(id, Object.freeze(page)),
    pageIndex: cleared.pageIndex.set(page.space, indexed(index, id, page, before)),
    nextPageId: Math.max(world.nextPageId, Number(id) + 1),
    characters: cleared.characters - (before?.body.length ?? 0) + page.body.length,
  };
}

export function removePage(world: World, id: string): World {
  const page = world.pages.get(id);
  if (page === undefined) return world;
  const index = world.pageIndex.get(page.space) ?? noPages;
  const without = {
    ids: index.ids.delete(id),
    restricted: index.restricted.delete(id),
    ...untitled(index, id, page.title),
  };
  return {
    ...world,
    pages: world.pages.delete(id),
    pageIndex: world.pageIndex.set(page.space, { ...index, ...without }),
    characters: world.characters - page.body.length,
  };
}

export function isRestricted({ view: { users, groups } }: Page): boolean {
  return users.size + groups.size > 0;
}

/** The index of a page whose view restriction has changed. */
export function withRestriction(world: World, id: string, page: Page): World {
  const index = world.pageIndex.get(page.space) ?? noPages;
  return { ...world, pageIndex: world.pageIndex.set(page.space, { ...index, restricted: marked(index, id, page) }) };
}

/** Adds many new pages of one space in one pass. */
export function addPages(world: World, space: string, pages: ReadonlyArray<readonly [id: string, page: Page]>): World {
  const index = world.pageIndex.get(space) ?? noPages;
  const titles = { byTitle: index.byTitle.asMutable(), inAnyCase: index.inAnyCase.asMutable() };
  let { nextPageId, characters } = world;
  let { lastPosition } = index;
  for (const [id, page] of pages) {
    titledAs(titles, id, page.title); // changes the mutable maps
    nextPageId = Math.max(nextPageId, Number(id) + 1);
    lastPosition = Math.max(lastPosition, page.position);
    characters += page.body.length;
  }
  const withAll = (ids: PSet<string>, added: typeof pages) =>
    ids.withMutations(set => {
      for (const [id] of added) set.add(id);
    });
  return {
    ...world,
    pages: world.pages.withMutations(map => {
      for (const [id, page] of pages) map.set(id, Object.freeze(page));
    }),
    pageIndex: world.pageIndex.set(space, {
      ids: withAll(index.ids, pages),
      restricted: withAll(
        index.restricted,
        pages.filter(([, page]) => isRestricted(page)),
      ),
      byTitle: titles.byTitle.asImmutable(),
      inAnyCase: titles.inAnyCase.asImmutable(),
      lastPosition,
    }),
    nextPageId,
    characters,
  };
}

/** The last position in a space, even if its page is gone. */
export function lastPositionIn({ pageIndex }: World, space: string): number {
  return (pageIndex.get(space) ?? noPages).lastPosition;
}

/** The ids of the pages of a space by position, then by id. */
export function pageIdsOf(world: World, space: string): readonly string[] {
  const { ids } = world.pageIndex.get(space) ?? noPages;
  return cachedList(ids, () =>
    [...ids]
      .map(id => ({ id, position: positionOf(world, id), number: Number(id) }))
      .sort((a, b) => a.position - b.position || a.number - b.number)
      .map(({ id }) => id),
  );
}

/** The pages of a space in order. */
export function pagesOf(world: World, space: string): ReadonlyArray<readonly [id: string, page: Page]> {
  return pageIdsOf(world, space).flatMap(id => {
    const page = world.pages.get(id);
    return page === undefined ? [] : [[id, page] as const];
  });
}

/** The pages of a space with a title, in order. */
export function pagesWithTitle(world: World, space: string, title: string): readonly string[] {
  const titled = world.pageIndex.get(space)?.byTitle.get(title);
  if (titled === undefined) return [];
  return typeof titled === 'string' ? [titled] : [...titled].sort((a, b) => (standsBefore(world, a, b) ? -1 : 1));
}

/** The first page of a space with a title. */
export function pageTitled(world: World, space: string, title: string): string | undefined {
  const titled = world.pageIndex.get(space)?.byTitle.get(title);
  if (titled === undefined || typeof titled === 'string') return titled;
  return titled.reduce<string | undefined>(
    (first, id) => (first === undefined || standsBefore(world, id, first) ? id : first),
    undefined,
  );
}

/** Whether a space has a page other than this one whose title differs from a title, and only in case. */
export function isTitledInOtherCase(world: World, space: string, title: string, exceptId: string): boolean {
  const { byTitle, inAnyCase } = world.pageIndex.get(space) ?? noPages;
  const folded = title.toLowerCase();
  const own = world.pages.get(exceptId)?.title;
  const isOwn = own !== undefined && own !== title && own.toLowerCase() === folded && byTitle.get(own) === exceptId;
  return (inAnyCase.get(folded) ?? 0) > (byTitle.has(title) ? 1 : 0) + (isOwn ? 1 : 0);
}

export function pagesTitled(world: World, space: string, title: string): number {
  const titled = world.pageIndex.get(space)?.byTitle.get(title);
  return titled === undefined ? 0 : typeof titled === 'string' ? 1 : titled.size;
}

function withPage(titled: Titled | undefined, id: string): Titled {
  if (titled === undefined || titled === id) return id;
  return (typeof titled === 'string' ? PSet([titled]) : titled).add(id);
}

function withoutPage(titled: Titled | undefined, id: string): Titled | undefined {
  if (titled === undefined || titled === id) return undefined;
  if (typeof titled === 'string') return titled;
  const left = titled.delete(id);
  return left.size === 1 ? left.first() : left;
}

function standsBefore(world: World, id: string, other: string): boolean {
  return (positionOf(world, id) - positionOf(world, other) || Number(id) - Number(other)) < 0;
}

function positionOf({ pages }: World, id: string): number {
  return pages.get(id)?.position ?? 0;
}

/** `before`: the page that it replaces, in the same space. */
function indexed(index: PageIndex, id: string, page: Page, before: Page | undefined): PageIndex {
  const { title, position, view } = page;
  if (before?.title === title && before.position === position && before.view === view) return index;
  const titles = before === undefined || before.title === title ? index : untitled(index, id, before.title);
  const { byTitle, inAnyCase } = before?.title === title ? index : titledAs(titles, id, title);
  return {
    ids: before !== undefined && before.position !== position ? index.ids.delete(id).add(id) : index.ids.add(id),
    restricted: marked(index, id, page),
    byTitle,
    inAnyCase,
    lastPosition: Math.max(index.lastPosition, position),
  };
}

function marked({ restricted }: PageIndex, id: string, page: Page): PSet<string> {
  return isRestricted(page) ? restricted.add(id) : restricted.delete(id);
}

type Titles = Pick<PageIndex, 'byTitle' | 'inAnyCase'>;

function titledAs({ byTitle, inAnyCase }: Titles, id: string, title: string): Titles {
  const known = byTitle.get(title);
  return {
    byTitle: byTitle.set(title, withPage(known, id)),
    inAnyCase: known === undefined ? counted(inAnyCase, title, 1) : inAnyCase,
  };
}

function untitled({ byTitle, inAnyCase }: Titles, id: string, title: string): Titles {
  const left = withoutPage(byTitle.get(title), id);
  return left === undefined
    ? { byTitle: byTitle.delete(title), inAnyCase: counted(inAnyCase, title, -1) }
    : { byTitle: byTitle.set(title, left), inAnyCase };
}

function counted(inAnyCase: Titles['inAnyCase'], title: string, by: 1 | -1): Titles['inAnyCase'] {
  const folded = title.toLowerCase();
  const count = (inAnyCase.get(folded) ?? 0) + by;
  return count === 0 ? inAnyCase.delete(folded) : inAnyCase.set(folded, count);
}
