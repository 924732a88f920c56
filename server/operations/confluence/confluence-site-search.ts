// The wiki's search over the whole site: /rest/api/search, as the common Python client asks it.
import { count, entity, literal, optional } from '../rest-api/entity.js';
import { noExpansion } from '../rest-api/expansion.js';
import { confluencePageWith, confluencePaging, confluenceWindow, pageOf } from '../rest-api/paging.js';
import { forAll, resource } from '../rest-api/resource.js';
import { type Described, string, titled } from '../schema.js';
import { contentOf, idsOf, isLongSearch } from './confluence-content.js';
import {
  CONFLUENCE_REFERENCE,
  type Confluence,
  type ConfluenceContent,
  confluenceContent,
  contentParts,
  moment,
  spaceEntity,
} from './confluence-entities.js';
import { parseCql, UNDERSTOOD } from './cql.js';

const searchResult = titled(
  'ConfluenceSearchResult',
  entity('A search result.', {
    content: confluenceContent,
    title: string('The title.'),
    excerpt: string('The beginning of the text without markup; empty with excerpt=none.'),
    url: string('Path of the web page, relative to `base`.'),
    resultGlobalContainer: entity('The space.', {
      title: string('Its title.'),
      displayUrl: string('Path of its web page, relative to `base`.'),
    }),
    entityType: literal('content', 'Always content.'),
    lastModified: string('The time of the last edit, in ISO 8601.'),
  }),
);

export const confluenceSiteSearch = resource({
  id: 'confluence.site-search',
  family: 'confluence',
  summary: 'Search the site by CQL',
  method: 'GET',
  path: '/search',
  query: {
    cql: optional(string(`${UNDERSTOOD}.`)),
    excerpt: optional(string('With none, there are no excerpts; otherwise they are the beginning of the text.')),
    includeArchivedSpaces: optional(string('Ignored: there are no archived spaces here.')),
    ...confluencePaging,
  },
  access: forAll,
  expandable: { content: contentParts },
  refusals: ['rest-api-bad-request', 'rest-api-not-served'],
  replies: [
    {
      status: 200,
      when: 'The pages that the caller can view, sorted by space and position.',
      body: titled(
        'ConfluenceSearchPage',
        confluencePageWith(
          searchResult,
          {
            totalSize: count('Number of results on all pages.'),
            cqlQuery: string('The query as it was sent.'),
            searchDuration: count('Milliseconds: always 0.'),
          },
          'A page of search results.',
        ),
      ),
    },
  ],
  examples: [
    {
      title: 'The pages of a space',
      query: { cql: 'space = ds and type = page' },
      response: {
        status: 200,
        body: {
          results: [
            {
              content: {
                id: '65601',
                type: 'page',
                status: 'current',
                title: 'Welcome',
                _expandable: {
                  space: '/rest/api/space/ds',
                  history: '',
                  version: '',
                  ancestors: '',
                  body: '',
                  restrictions: '/rest/api/content/65601/restriction/byOperation',
                },
                _links: {
                  webui: '/pages/viewpage.action?pageId=65601',
                  self: 'http://127.0.0.1:8080/rest/api/content/65601',
                },
              },
              title: 'Welcome',
              excerpt: 'Hello, wiki.',
              url: '/pages/viewpage.action?pageId=65601',
              resultGlobalContainer: { title: 'Demonstration Space', displayUrl: '/display/ds' },
              entityType: 'content',
              lastModified: '2025-01-01T00:00:00.000Z',
            },
          ],
          start: 0,
          limit: 25,
          size: 1,
          _links: {
            self: 'http://127.0.0.1:8080/rest/api/search?cql=space+%3D+ds+and+type+%3D+page',
            base: 'http://127.0.0.1:8080',
            context: '',
          },
          totalSize: 1,
          cqlQuery: 'space = ds and type = page',
          searchDuration: 0,
        },
      },
    },
  ],
  source: `${CONFLUENCE_REFERENCE}api-group-search/`,
  absent:
    'CQL except comparisons of space, type, title and label, joined by and (no page has a label), spaces and users as results, icons, friendly dates.',
  isHeavy: isLongSearch,
  decide(given) {
    const { cql = '', excerpt, ...paging } = given.input.query;
    const parsed = parseCql(cql);
    if ('problem' in parsed)
      return given.refuse(parsed.isCql ? 'rest-api-not-served' : 'rest-api-bad-request', parsed.problem);
    const { base, world } = given;
    const window = confluenceWindow(paging);
    const shown = contentOf({ base, world, wanted: given.wanted.content ?? noExpansion }, idsOf(given, parsed, window));
    const results = shown.map(content => resultOf(given, content, excerpt));
    const body = {
      ...pageOf({ base, path: '/rest/api/search', query: [['cql', cql] as const] }, window, results),
      totalSize: idsOf(given, parsed, { start: 0, limit: Number.POSITIVE_INFINITY }).length,
      cqlQuery: cql,
      searchDuration: 0,
    };
    return given.accept([], { status: 200, body });
  },
});

function resultOf(
  { base, world }: Confluence,
  content: ConfluenceContent,
  excerpt: string | undefined,
): Described<typeof searchResult> {
  const { title, id, _links: links } = content;
  const { space = '', body = '', updated = '' } = world.pages.get(id) ?? {};
  const { name, _links: spaceLinks } = spaceEntity({ base, world }, space);
  return {
    content,
    title,
    excerpt: excerpt === 'none' ? '' : excerptOf(body),
    url: links.webui,
    resultGlobalContainer: { title: name, displayUrl: spaceLinks.webui },
    entityType: 'content',
    lastModified: moment(updated),
  };
}

/** The beginning of a text without its tags. */
function excerptOf(body: string): string {
  const text = body.slice(0, 1000).replace(/<[^<>]*>/g, ' ');
  return text.trim().slice(0, 200);
}
