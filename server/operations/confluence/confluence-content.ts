// Confluence's pages: /rest/api/content.
import { pageIdsOf, pagesWithTitle } from '../../domain/world/pages.js';
import { sortedKeys } from '../../domain/world/sorted-names.js';
import type { Page, World } from '../../domain/world/world.js';
import { asKey } from '../lookups.js';
import { MANY, RECORD_TEXT, type Unchecked } from '../operation.js';
import type { Asks } from '../operation-context.js';
import { notFound, optional, several } from '../rest-api/entity.js';
import type { ExpansionTree } from '../rest-api/expansion.js';
import {
  confluencePage,
  confluencePaging,
  confluenceWindow,
  cut,
  examplePage,
  pageOf,
  type ResourcePlace,
  type Window,
} from '../rest-api/paging.js';
import { forAll, resource } from '../rest-api/resource.js';
import { mayView, visiblePages } from '../rest-api/visibility.js';
import { string, titled } from '../schema.js';
import { alone, CONFLUENCE_REFERENCE, type Confluence, confluencePaths } from './confluence-entities.js';
import {
  type ConfluenceContent,
  confluenceContent,
  confluenceRestriction,
  contentEntity,
  contentParts,
  exampleContent,
  isRestrictedOperation,
  restrictionOf,
} from './confluence-page-entities.js';
import { type Cql, parseCql, UNDERSTOOD } from './cql.js';

const CONTENT = `${CONFLUENCE_REFERENCE}api-group-content-resource/`;
const RESTRICTIONS = `${CONFLUENCE_REFERENCE}api-group-content-restrictions/`;
const absent =
  'Page trees, comments, attachments, labels, blog posts, drafts, earlier versions; macros are not rendered.';
export const contentPage = titled('ConfluenceContentPage', confluencePage(confluenceContent, 'A page of pages.'));
const id = string('The id of a page.');
const status = several('The status of the pages: current or any. All pages here are current.');

function isCurrent(statuses: readonly string[]): boolean {
  return statuses.length === 0 || statuses.some(one => one === 'current' || one === 'any');
}

/** A viewer of Confluence, and the viewed part. */
export interface Look extends Asks<'name-case'>, Shown {}

/** What of Confluence is shown. */
interface Shown extends Confluence {
  readonly wanted: ExpansionTree;
}

/** The pages with some ids. */
export function contentOf(look: Shown, ids: readonly string[]): ConfluenceContent[] {
  return ids.flatMap(one => {
    const page = look.world.pages.get(one);
    return page === undefined ? [] : [contentEntity(look, one, page, look.wanted)];
  });
}

/** Whether the texts on a page of results are long. */
export function isLongText(world: World, { query }: Unchecked, spaces: readonly string[]): boolean {
  const { expand = '', start = '0', limit = '25' } = Object.fromEntries(query);
  if (!expand.includes('body')) return false;
  let [skip, left, characters] = [Number(start), Number(limit), 0];
  const known = spaces.every(space => world.spaces.has(space)) ? spaces : sortedKeys(world.spaces); // perhaps in another case
  for (const space of known) {
    const ids = pageIdsOf(world, space);
    const some = ids.slice(skip, skip + Math.min(left, 200));
    for (const one of some) characters += world.pages.get(one)?.body.length ?? 0;
    skip = Math.max(0, skip - ids.length);
    left -= some.length;
    if (left <= 0) break;
  }
  return characters > MANY * RECORD_TEXT;
}

/** Whether a query examines each of many pages. */
export function isLongSearch(world: World, { query }: Unchecked): boolean {
  const { cql = '' } = Object.fromEntries(query);
  return world.pages.size > MANY && /~|\b(?:order|text|id|creator|or)\b/i.test(cql);
}

/** The ids of the visible pages, optionally of one space and with a title: those of a window, and one more. */
export function idsOf(look: Asks<'name-case'>, query: Cql, window: Window): readonly string[] {
  const { title, type, matches, compare } = query;
  if (type !== undefined && type !== 'page') return [];
  const spaces = query.spaces === undefined ? sortedKeys(look.world.spaces) : query.spaces.map(key => asKey(look, key));
  const isPlain = matches === undefined && compare === undefined;
  if (title === undefined && isPlain) return visiblePages(look, spaces, window.start, window.limit + 1);
  const ids =
    title === undefined
      ? visiblePages(look, spaces, 0, Number.POSITIVE_INFINITY)
      : spaces.flatMap(key => pagesWithTitle(look.world, key, title));
  const pages = ids.flatMap(id => {
    const page = visiblePage(look, id);
    return page === undefined || matches?.(page, id) === false ? [] : [{ id, page }];
  });
  if (compare !== undefined) pages.sort((one, other) => compare(one.page, other.page));
  return cut(
    pages.map(({ id }) => id),
    window,
  );
}

/** One page of them. */
function found(look: Look, filter: Cql, place: ResourcePlace, window: Window) {
  return pageOf(place, window, contentOf(look, idsOf(look, filter, window)));
}

export function visiblePage(look: Pick<Look, 'world' | 'caller'>, pageId: string): Page | undefined {
  const page = look.world.pages.get(pageId);
  return page !== undefined && mayView(look, page) ? page : undefined;
}

export const confluenceContents = resource({
  id: 'confluence.contents',
  family: 'confluence',
  summary: 'List pages',
  method: 'GET',
  path: '/content',
  query: {
    type: optional(string('The type of the content: page. Other types find nothing.')),
    spaceKey: optional(string('Only pages of this space.')),
    title: optional(string('Only pages with exactly this title.')),
    status,
    ...confluencePaging,
  },
  access: forAll,
  expandable: contentParts,
  refusals: [],
  replies: [
    { status: 200, when: 'The pages that the caller can view, sorted by space and position.', body: contentPage },
  ],
  examples: [
    {
      title: 'A page by its title',
      as: 'alice',
      query: { spaceKey: 'ds', title: 'Welcome', expand: 'body.storage' },
      response: examplePage('/rest/api/content', [exampleContent({ body: { storage: {} } })], {
        query: '?spaceKey=ds&title=Welcome&expand=body.storage',
      }),
    },
  ],
  source: CONTENT,
  absent,
  isHeavy: (world, asked) => {
    const space = new Map(asked.query).get('spaceKey');
    return isLongText(world, asked, space === undefined ? sortedKeys(world.spaces) : [space]);
  },
  decide(given) {
    const { type, spaceKey, title, status: statuses, ...paging } = given.input.query;
    const filter = {
      ...(spaceKey !== undefined && { spaces: [spaceKey] }),
      title,
      type: isCurrent(statuses) ? type : 'none',
    };
    return given.accept([], { status: 200, body: found(given, filter, given.place, confluenceWindow(paging)) });
  },
});

export const confluenceSearch = resource({
  id: 'confluence.search',
  family: 'confluence',
  summary: 'Search pages by CQL',
  method: 'GET',
  path: '/content/search',
  query: { cql: optional(string(`${UNDERSTOOD}.`)), ...confluencePaging },
  access: forAll,
  expandable: contentParts,
  refusals: ['rest-api-bad-request', 'rest-api-not-served'],
  replies: [
    { status: 200, when: 'The pages that the caller can view, sorted by space and position.', body: contentPage },
  ],
  examples: [
    {
      title: 'A query that is not supported',
      query: { cql: 'mention = alice' },
      response: {
        status: 501,
        body: {
          statusCode: 501,
          message: `The fake does not support this cql : "mention = alice": the field mention. Supported: ${UNDERSTOOD}.`,
          reason: 'Not Implemented',
        },
      },
    },
  ],
  source: CONTENT,
  absent:
    'CQL except comparisons of space, type, title, text, id, creator and label, without not. No page has a label.',
  isHeavy: (world, asked) => isLongSearch(world, asked) || isLongText(world, asked, sortedKeys(world.spaces)),
  decide(given) {
    const { cql = '', ...paging } = given.input.query;
    const parsed = parseCql(cql);
    if ('problem' in parsed)
      return given.refuse(parsed.isCql ? 'rest-api-not-served' : 'rest-api-bad-request', parsed.problem);
    return given.accept([], { status: 200, body: found(given, parsed, given.place, confluenceWindow(paging)) });
  },
});

export const confluenceContentById = resource({
  id: 'confluence.content',
  family: 'confluence',
  summary: 'Read a page',
  method: 'GET',
  path: '/content/{id}',
  params: { id },
  query: {
    status,
    version: optional(string('The number of a version. Only the current version is kept.')),
  },
  access: forAll,
  expandable: contentParts,
  expanded: 'space,history,version',
  refusals: ['rest-api-not-found'],
  replies: [{ status: 200, when: 'The page.', body: confluenceContent }],
  examples: [
    {
      title: 'A page that does not exist',
      params: { id: '1' },
      response: notFound('No content found with id: ContentId{id=1}'),
    },
  ],
  source: CONTENT,
  absent,
  decide(given) {
    const { status: statuses, version } = given.input.query;
    const { id: pageId } = given.input.params;
    const page = visiblePage(given, pageId);
    if (page === undefined || !isCurrent(statuses) || (version !== undefined && version !== String(page.version)))
      return given.refuse('rest-api-not-found', noContent(pageId));
    const body = alone(given, contentEntity(given, pageId, page, given.wanted), 'content');
    return given.accept([], { status: 200, body });
  },
});

export const confluenceContentRestriction = resource({
  id: 'confluence.restriction',
  family: 'confluence',
  summary: 'Read one restriction of a page',
  method: 'GET',
  path: '/content/{id}/restriction/byOperation/{operation}',
  params: { id, operation: string('read or update.') },
  query: {
    ...confluencePaging,
    limit: { ...confluencePaging.limit, default: 200 },
  },
  access: forAll,
  expandable: contentParts.restrictions.read,
  expanded: 'restrictions.user,restrictions.group',
  refusals: ['rest-api-not-found'],
  replies: [{ status: 200, when: 'The users and groups that have the permission.', body: confluenceRestriction }],
  examples: [
    {
      title: 'An empty restriction: everyone can view the page',
      params: { id: '65601', operation: 'read' },
      response: {
        status: 200,
        body: {
          operation: 'read',
          restrictions: {
            user: { results: [], start: 0, limit: 200, size: 0 },
            group: { results: [], start: 0, limit: 200, size: 0 },
            _expandable: {},
          },
          _expandable: { content: '/rest/api/content/65601' },
          _links: { self: 'http://127.0.0.1:8080/rest/api/content/65601/restriction/byOperation/read' },
        },
      },
    },
  ],
  source: RESTRICTIONS,
  absent: 'Restrictions that a page inherits.',
  decide(given) {
    const { id: pageId, operation } = given.input.params;
    const page = visiblePage(given, pageId);
    if (page === undefined) return given.refuse('rest-api-not-found', noContent(pageId));
    if (!isRestrictedOperation(operation))
      return given.refuse(
        'rest-api-not-found',
        `Unknown operation ${operation.slice(0, 80)}: expected read or update.`,
      );
    const _links = { self: `${given.base}${confluencePaths.restriction(pageId)}/${operation}` };
    const restriction = restrictionOf(
      given,
      operation,
      [pageId, page],
      given.wanted,
      confluenceWindow(given.input.query),
    );
    return given.accept([], { status: 200, body: { ...restriction, _links } });
  },
});

export function noContent(pageId: string): string {
  return `No content found with id: ContentId{id=${pageId.slice(0, 80)}}`;
}
