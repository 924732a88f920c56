// The wiki's search over the whole site: /rest/api/search, as the common Python client asks it.
import { count, entity, literal, optional } from '../rest-api/entity.js';
import { noExpansion } from '../rest-api/expansion.js';
import { confluencePageWith, confluencePaging, confluenceWindow, pageOf } from '../rest-api/paging.js';
import { forAll, resource } from '../rest-api/resource.js';
import { type Described, string, titled } from '../schema.js';
import { contentOf, idsOf, isLongSearch } from './confluence-content.js';
import { CONFLUENCE_REFERENCE, type Confluence, moment } from './confluence-entities.js';
import {
  type ConfluenceContent,
  confluenceContent,
  contentParts,
  exampleContent,
  spaceEntity,
} from './confluence-page-entities.js';
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
              content: exampleContent(),
              title: 'Welcome',
              excerpt: 'Hello, wiki.',
              url: '/display/ds/Welcome',
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
    'CQL except comparisons of space, type, title, text, id, creator and label, without not (no page has a label), spaces and users as results, icons, friendly dates.',
  isHeavy: isLongSearch,
  decide(given) {
    const { cql = '', excerpt, ...paging } = given.input.query;
    const parsed = parseCql(cql);
    if ('problem' in parsed)
      return given.refuse(parsed.isCql ? 'rest-api-not-served' : 'rest-api-bad-request', parsed.problem);
    const window = confluenceWindow(paging);
    const { base, world, caller } = given;
    const inside = { base, world, caller, wanted: given.wanted.content ?? noExpansion };
    const shown = contentOf(inside, idsOf(given, parsed, window));
    const results = shown.map(content => resultOf(given, content, excerpt));
    const body = {
      ...pageOf(given.place, window, results),
      totalSize: idsOf(given, parsed, { start: 0, limit: Number.POSITIVE_INFINITY }).length,
      cqlQuery: cql,
      searchDuration: 0,
    };
    return given.accept([], { status: 200, body });
  },
});

function resultOf(
  confluence: Confluence,
  content: ConfluenceContent,
  excerpt: string | undefined,
): Described<typeof searchResult> {
  const { title, id, _links: links } = content;
  const { space = '', body = '', updated = '' } = confluence.world.pages.get(id) ?? {};
  const { name, _links: spaceLinks } = spaceEntity(confluence, space);
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
