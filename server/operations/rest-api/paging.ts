// Paging as each product does it: Confluence with `_links.next`, Jira with a total. Limits that are too high are reduced, as both do.
import type { Fields, Schema } from '../schema.js';
import { array, boolean, string } from '../schema.js';
import { count, EXAMPLE_BASE, entity, numberFrom0 } from './entity.js';

/** Maximum page size of most resources of both products. */
const MAX_OF_WIKI = 200;
const MAX_OF_TRACKER = 50;

export const confluencePaging = {
  start: numberFrom0('Index of the first result, from 0.', 0),
  limit: numberFrom0(`Maximum number of results; values above ${MAX_OF_WIKI} count as ${MAX_OF_WIKI}.`, 25),
};

export interface Window {
  readonly start: number;
  readonly limit: number;
}

export function confluenceWindow({ start, limit }: Window): Window {
  return { start, limit: Math.min(limit, MAX_OF_WIKI) };
}

const pageLinks = entity(
  'Links to this page and its neighbours.',
  {
    self: string('URL of this page.'),
    base: string('URL of the server.'),
    context: string('The context path; empty if there is none.'),
  },
  {
    next: string('Path of the next page, relative to `base`.'),
    prev: string('Path of the previous page, relative to `base`.'),
  },
);

function pageFields<T>(of: Schema<T>) {
  return {
    results: array(of, 'The results on this page.'),
    start: count('Index of the first one.'),
    limit: count('Maximum number of results on a page.'),
    size: count('Number of results on this page.'),
  };
}

/** A page of results of Confluence. */
export function confluencePage<T>(of: Schema<T>, description: string) {
  return confluencePageWith(of, {}, description);
}

/** A page of results with more members. */
export function confluencePageWith<T, M extends Fields>(of: Schema<T>, more: M, description: string) {
  return entity(description, { ...pageFields(of), ...more, _links: pageLinks });
}

/** A page within another entity, which has no links. */
export function innerPage<T>(of: Schema<T>, description: string) {
  return entity(description, pageFields(of));
}

/** The place of a resource: server, path, and parameters as sent. */
export interface ResourcePlace {
  readonly base: string;
  readonly path: string;
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
}

/** The path of another page: all parameters of this one, and its window. */
function pageAt({ path, query }: ResourcePlace, window: Readonly<Record<string, number>>): string {
  const others = query.filter(([name]) => !Object.hasOwn(window, name));
  return link(path, [...others, ...Object.entries(window).map(([name, value]) => [name, String(value)] as const)]);
}

/** Characters of a page of results. Beyond them it ends early, as pages of both products do. */
const MAX_TEXT = 2 * 1024 * 1024;

/** The first results, as shown, whose texts fit a page; at least one. */
export function firstThatFit<T, Shown>(results: readonly T[], show: (one: T) => Shown): Shown[] {
  const all: Shown[] = [];
  let size = 0;
  for (const one of results) {
    const shown = show(one);
    size += textIn(shown);
    if (size > MAX_TEXT && all.length > 0) break;
    all.push(shown);
  }
  return all;
}

/** Number of characters of all texts in a value. */
function textIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  let size = 0;
  if (typeof value === 'object') for (const key in value) size += textIn(value[key as keyof typeof value]);
  return size;
}

/** The page of a window; `found` has one additional result if there is another page. */
export function pageOf<T>(place: ResourcePlace, { start, limit }: Window, found: readonly T[]) {
  const { base, path, query } = place;
  const results = firstThatFit(found.slice(0, limit), one => one);
  const at = (from: number) => pageAt(place, { start: from, limit });
  return {
    results,
    start,
    limit,
    size: results.length,
    _links: {
      self: `${base}${link(path, query)}`,
      base,
      context: contextOf(base),
      ...(found.length > results.length && limit > 0 && { next: at(start + results.length) }),
      ...(start > 0 && limit > 0 && { prev: at(Math.max(0, start - limit)) }),
    },
  };
}

/** The page of a window of all results, each as it is shown. */
export function pageOfAll<T, Shown>(place: ResourcePlace, asked: Window, all: readonly T[], show: (one: T) => Shown) {
  const window = confluenceWindow(asked);
  return pageOf(place, window, cut(all, window).map(show));
}

/** A window of all results within another entity. */
export function innerPageOfAll<T, Shown>({ start, limit }: Window, all: readonly T[], show: (one: T) => Shown) {
  const results = firstThatFit(all.slice(start, start + limit), show);
  return { results, start, limit, size: results.length };
}

/** A window of sorted results, with one additional result. */
export function cut<T>(all: readonly T[], { start, limit }: Window): readonly T[] {
  return all.slice(start, start + limit + 1);
}

function link(path: string, query: ReadonlyArray<readonly [string, string]>): string {
  return query.length === 0
    ? path
    : `${path}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`;
}

/** The context path of a server. */
export function contextOf(base: string): string {
  return base.replace(/^https?:\/\/[^/]*/, '');
}

export const jiraPaging = {
  startAt: numberFrom0('Index of the first result, from 0.', 0),
  maxResults: numberFrom0(
    `Maximum number of results; values above ${MAX_OF_TRACKER} count as ${MAX_OF_TRACKER}.`,
    MAX_OF_TRACKER,
  ),
};

interface JiraWindow {
  readonly startAt: number;
  readonly maxResults: number;
}

export function jiraWindow({ startAt, maxResults }: JiraWindow): JiraWindow {
  return { startAt, maxResults: Math.min(maxResults, MAX_OF_TRACKER) };
}

/** URL of a page of results of Jira. */
export function jiraPageAt(place: ResourcePlace, { startAt, maxResults }: JiraWindow): string {
  return `${place.base}${pageAt(place, { startAt, maxResults })}`;
}

/** A page of results of Jira. */
export function jiraPage<T>(of: Schema<T>, description: string) {
  return entity(
    description,
    {
      self: string('URL of this page.'),
      startAt: count('Index of the first one.'),
      maxResults: count('Maximum number of results on a page.'),
      total: count('Number of results on all pages.'),
      isLast: boolean('Whether this is the last page.'),
      values: array(of, 'The results on this page.'),
    },
    { nextPage: string('URL of the next page.') },
  );
}

export function jiraPageOf<T>(
  place: ResourcePlace,
  { startAt, maxResults }: JiraWindow,
  total: number,
  found: readonly T[],
) {
  const values = firstThatFit(found, one => one);
  const isLast = startAt + values.length >= total;
  const page = (from: number) => jiraPageAt(place, { startAt: from, maxResults });
  return {
    self: page(startAt),
    startAt,
    maxResults,
    total,
    isLast,
    values,
    ...(!isLast && maxResults > 0 && { nextPage: page(startAt + values.length) }),
  };
}

/** The first page at a path for Confluence's examples. `next`: the path of the second. */
export function examplePage<T>(
  path: string,
  results: readonly T[],
  { limit = 25, next, query = '' }: { limit?: number; next?: string; query?: string } = {},
) {
  const links = {
    self: `${EXAMPLE_BASE}${path}${query}`,
    base: EXAMPLE_BASE,
    context: '',
    ...(next !== undefined && { next }),
  };
  return { status: 200, body: { results, start: 0, limit, size: results.length, _links: links } };
}
