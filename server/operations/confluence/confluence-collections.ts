// What hangs on a page in Confluence and no world has: children, labels, properties. They are lists, which are empty here. And the
// history of a page.
import { notFound } from '../rest-api/entity.js';
import { confluencePage, confluencePaging, examplePage, pageOfAll } from '../rest-api/paging.js';
import { forAll, resource } from '../rest-api/resource.js';
import { string, titled } from '../schema.js';
import { noContent, visiblePage } from './confluence-content.js';
import { CONFLUENCE_REFERENCE, confluencePaths } from './confluence-entities.js';
import {
  children,
  childrenOf,
  confluenceRestrictions,
  contentParts,
  exampleRestrictions,
  history,
  historyOf,
  restrictionsOf,
} from './confluence-page-entities.js';

const CONTENT = `${CONFLUENCE_REFERENCE}api-group-content-resource/`;
const emptyPage = titled(
  'ConfluenceEmptyPage',
  confluencePage(string('Nothing.'), 'An empty page of results: the world has nothing of the kind.'),
);

/** A list of a page that is always empty. `what`: what it would list. */
function ofContent<const Id extends `confluence.${string}`>(
  id: Id,
  path: string,
  what: string,
  group = 'content-resource',
) {
  return resource({
    id,
    family: 'confluence',
    summary: `List the ${what} of a page`,
    method: 'GET',
    path: `/content/{id}/${path}`,
    params: { id: string('The id of a page.') },
    query: confluencePaging,
    access: forAll,
    expandable: contentParts,
    refusals: ['rest-api-not-found'],
    replies: [{ status: 200, when: 'Always empty.', body: emptyPage }],
    examples: [
      {
        title: `A page without ${what}`,
        params: { id: '65601' },
        response: examplePage(`/rest/api/content/65601/${path}`, []),
      },
    ],
    source: `${CONFLUENCE_REFERENCE}api-group-${group}/`,
    absent: `The ${what}.`,
    decide(given) {
      const page = visiblePage(given, given.input.params.id);
      if (page === undefined) return given.refuse('rest-api-not-found', noContent(given.input.params.id));
      return given.accept([], {
        status: 200,
        body: pageOfAll<string, string>(given.place, given.input.query, [], one => one),
      });
    },
  });
}

export const confluenceChildPages = ofContent('confluence.child-pages', 'child/page', 'child pages');
export const confluenceComments = ofContent('confluence.comments', 'child/comment', 'comments');
export const confluenceAttachments = ofContent('confluence.attachments', 'child/attachment', 'attachments');
export const confluenceLabels = ofContent('confluence.labels', 'label', 'labels', 'content-labels');
export const confluenceProperties = ofContent('confluence.properties', 'property', 'properties', 'content-property');

export const confluenceChildren = resource({
  id: 'confluence.children',
  family: 'confluence',
  summary: 'Read the children of a page by type',
  method: 'GET',
  path: '/content/{id}/child',
  params: { id: string('The id of a page.') },
  access: forAll,
  expandable: contentParts.children,
  refusals: ['rest-api-not-found'],
  replies: [{ status: 200, when: 'The lists by type, which are empty.', body: children }],
  examples: [
    {
      title: 'Nothing is expanded',
      params: { id: '65601' },
      response: { status: 200, body: childrenOf('/rest/api/content/65601/child', {}) },
    },
  ],
  source: CONTENT,
  absent: 'Page trees, comments, attachments.',
  decide(given) {
    const { id } = given.input.params;
    if (visiblePage(given, id) === undefined) return given.refuse('rest-api-not-found', noContent(id));
    return given.accept([], { status: 200, body: childrenOf(`${confluencePaths.content(id)}/child`, given.wanted) });
  },
});

export const confluenceHistory = resource({
  id: 'confluence.history',
  family: 'confluence',
  summary: 'Read who created a page, and its last edit',
  method: 'GET',
  path: '/content/{id}/history',
  params: { id: string('The id of a page.') },
  access: forAll,
  expandable: contentParts.history,
  expanded: 'lastUpdated',
  refusals: ['rest-api-not-found'],
  replies: [{ status: 200, when: 'The history.', body: history }],
  examples: [{ title: 'A page that does not exist', params: { id: '1' }, response: notFound(noContent('1')) }],
  source: CONTENT,
  absent: 'Earlier versions, contributors.',
  decide(given) {
    const { id } = given.input.params;
    const page = visiblePage(given, id);
    if (page === undefined) return given.refuse('rest-api-not-found', noContent(id));
    return given.accept([], { status: 200, body: historyOf(given, page, given.wanted) });
  },
});

/** The restrictions of a page in another form: without their operations in the path. */
function restrictionsAt<const Id extends `confluence.${string}`>(id: Id, path: string, summary: string) {
  return resource({
    id,
    family: 'confluence',
    summary,
    method: 'GET',
    path: `/content/{id}/${path}`,
    params: { id: string('The id of a page.') },
    access: forAll,
    expandable: contentParts.restrictions,
    expanded: 'read.restrictions.user,read.restrictions.group,update.restrictions.user,update.restrictions.group',
    refusals: ['rest-api-not-found'],
    replies: [
      { status: 200, when: 'The users and groups that can view and edit the page.', body: confluenceRestrictions },
    ],
    examples: [
      {
        title: 'Nothing is expanded but the operation',
        params: { id: '65601' },
        query: { expand: 'update' },
        response: { status: 200, body: exampleRestrictions(path) },
      },
    ],
    source: `${CONFLUENCE_REFERENCE}api-group-content-restrictions/`,
    absent: 'Restrictions that a page inherits.',
    decide(given) {
      const { id: pageId } = given.input.params;
      const page = visiblePage(given, pageId);
      if (page === undefined) return given.refuse('rest-api-not-found', noContent(pageId));
      const _links = { self: `${given.base}${confluencePaths.content(pageId)}/${path}` };
      return given.accept([], { status: 200, body: { ...restrictionsOf(given, pageId, page, given.wanted), _links } });
    },
  });
}

export const confluenceContentRestrictions = restrictionsAt(
  'confluence.restrictions',
  'restriction/byOperation',
  'Read the restrictions of a page',
);
export const confluenceRestrictionList = restrictionsAt(
  'confluence.restriction-list',
  'restriction',
  'Read the restrictions of a page by its other path',
);
