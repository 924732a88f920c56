// Jira's filters and dashboards: /rest/api/2/filter and dashboard. Favourites are the caller's own.
import { keptFor } from '../../domain/kept-for.js';
import { favouritesOf, type Item, type World } from '../../domain/world/world.js';
import type { Viewer } from '../access.js';
import { count, EXAMPLE_BASE, entity, numberFrom0, optional } from '../rest-api/entity.js';
import { firstThatFit, jiraPageAt, jiraPaging } from '../rest-api/paging.js';
import { forAll, resource } from '../rest-api/resource.js';
import { maySee } from '../rest-api/visibility.js';
import { array, string } from '../schema.js';
import { dashboardEntity, filterEntity, JIRA_REFERENCE, jiraDashboard, jiraFilter } from './jira-entities.js';

const absent = 'Real JQL, descriptions, subscriptions, ids of share permissions.';

const UNAVAILABLE =
  'The selected filter is not available to you, perhaps it has been deleted or had its permissions changed.';

type Found = readonly [id: number, item: Item];

export const jiraFilterById = resource({
  id: 'jira.filter',
  family: 'jira',
  summary: 'Read a filter',
  method: 'GET',
  path: '/filter/{id}',
  params: { id: string('The id of a filter.') },
  access: forAll,
  refusals: ['rest-api-unavailable'],
  replies: [{ status: 200, when: 'The filter.', body: jiraFilter }],
  examples: [
    {
      title: 'A filter that is not shared with the caller',
      as: 'demouser1',
      params: { id: '10600' },
      response: {
        status: 400,
        body: {
          errorMessages: [UNAVAILABLE],
          errors: {},
        },
      },
    },
  ],
  source: `${JIRA_REFERENCE}api-group-filter/`,
  absent,
  decide(given) {
    const found = itemOf(given.world.filters, given.input.params.id);
    if (found === undefined || !maySee(given, found[1])) return given.refuse('rest-api-unavailable', UNAVAILABLE);
    return given.accept([], { status: 200, body: filterEntity(given, given.caller, ...found) });
  },
});

export const jiraFavouriteFilters = resource({
  id: 'jira.favourite-filters',
  family: 'jira',
  summary: 'List the favourite filters of the caller',
  method: 'GET',
  path: '/filter/favourite',
  access: forAll,
  refusals: [],
  replies: [
    {
      status: 200,
      when: 'The filters, sorted by name; empty for an anonymous caller.',
      body: array(jiraFilter, 'The filters.'),
    },
  ],
  examples: [{ title: 'An anonymous caller has no favourites', response: { status: 200, body: [] } }],
  source: `${JIRA_REFERENCE}api-group-filter/`,
  absent,
  decide(given) {
    const found = favouritesAmong('filters', given);
    return given.accept([], {
      status: 200,
      body: firstThatFit(found, one => filterEntity(given, given.caller, ...one)),
    });
  },
});

export const jiraDashboards = resource({
  id: 'jira.dashboards',
  family: 'jira',
  summary: 'List dashboards',
  method: 'GET',
  path: '/dashboard',
  query: {
    filter: optional(
      string(
        "favourite: the caller's favourites; my: dashboards that the caller owns. Default: all that the caller can see.",
      ),
    ),
    startAt: jiraPaging.startAt,
    maxResults: numberFrom0('Maximum number of results; values above 1000 count as 1000.', 20),
  },
  access: forAll,
  refusals: ['rest-api-bad-request'],
  replies: [
    {
      status: 200,
      when: 'The dashboards, sorted by name.',
      body: entity(
        'A page of dashboards.',
        {
          startAt: count('Index of the first one.'),
          maxResults: count('Maximum number of results on a page.'),
          total: count('Number of results on all pages.'),
          dashboards: array(jiraDashboard, 'The dashboards on this page.'),
        },
        { prev: string('URL of the previous page.'), next: string('URL of the next page.') },
      ),
    },
  ],
  examples: [
    {
      title: 'The dashboards that everyone can see',
      response: {
        status: 200,
        body: {
          startAt: 0,
          maxResults: 20,
          total: 1,
          dashboards: [dashboardEntity({ base: EXAMPLE_BASE }, 11000, { name: 'Team board' })],
        },
      },
    },
  ],
  source: `${JIRA_REFERENCE}api-group-dashboard/`,
  absent: 'Owners, popularity, gadgets.',
  decide(given) {
    const { filter, startAt, maxResults: asked } = given.input.query;
    const maxResults = Math.min(asked, MAX_DASHBOARDS);
    if (filter !== undefined && filter !== 'favourite' && filter !== 'my')
      return given.refuse('rest-api-bad-request', `The filter must be favourite or my, not '${filter.slice(0, 80)}'.`);
    const found = dashboardsFor(filter, given);
    const page = (from: number) => jiraPageAt(given.place, { startAt: from, maxResults });
    const dashboards = firstThatFit(found.slice(startAt, startAt + maxResults), one => dashboardEntity(given, ...one));
    const end = startAt + dashboards.length;
    const body = {
      startAt,
      maxResults,
      total: found.length,
      ...(startAt > 0 && maxResults > 0 && { prev: page(Math.max(0, startAt - maxResults)) }),
      ...(end < found.length && maxResults > 0 && { next: page(end) }),
      dashboards,
    };
    return given.accept([], { status: 200, body });
  },
});

const MAX_DASHBOARDS = 1_000;

export const jiraDashboardById = resource({
  id: 'jira.dashboard',
  family: 'jira',
  summary: 'Read a dashboard',
  method: 'GET',
  path: '/dashboard/{id}',
  params: { id: string('The id of a dashboard.') },
  access: forAll,
  refusals: ['rest-api-not-found'],
  replies: [{ status: 200, when: 'The dashboard.', body: jiraDashboard }],
  examples: [
    {
      title: 'A dashboard',
      params: { id: '11000' },
      response: {
        status: 200,
        body: dashboardEntity({ base: EXAMPLE_BASE }, 11000, { name: 'Team board' }),
      },
    },
  ],
  source: `${JIRA_REFERENCE}api-group-dashboard/`,
  absent: 'Owner, popularity, gadgets.',
  decide(given) {
    const { id } = given.input.params;
    const found = itemOf(given.world.dashboards, id);
    if (found === undefined || !maySee(given, found[1]))
      return given.refuse('rest-api-not-found', `The dashboard with id '${id.slice(0, 80)}' does not exist.`);
    return given.accept([], { status: 200, body: dashboardEntity(given, ...found) });
  },
});

function itemOf(items: World['filters'], id: string): Found | undefined {
  if (!/^\d{1,15}$/.test(id)) return undefined;
  const item = items.get(Number(id));
  return item === undefined ? undefined : [Number(id), item];
}

/** The caller's favourites that are still visible to the caller. */
function favouritesAmong(kind: 'filters' | 'dashboards', viewer: Viewer): Found[] {
  const { world, caller } = viewer;
  if (caller.kind === 'anonymous') return [];
  const found = [...favouritesOf(world, caller.name)[kind]].flatMap((id): Found[] => {
    const item = world[kind].get(id);
    return item !== undefined && maySee(viewer, item) ? [[id, item]] : [];
  });
  return found.sort(byName);
}

function dashboardsFor(filter: 'favourite' | 'my' | undefined, viewer: Viewer): Found[] {
  const { world, caller } = viewer;
  if (filter === 'favourite') return favouritesAmong('dashboards', viewer);
  const isWanted = ({ owner }: Item) => filter === undefined || (caller.kind === 'user' && owner === caller.name);
  return allByName(world.dashboards).filter(([, item]) => isWanted(item) && maySee(viewer, item));
}

/** Sorted once until one of them changes. */
const allByName = keptFor((items: World['dashboards']): readonly Found[] => [...items].sort(byName));

function byName([idA, a]: Found, [idB, b]: Found): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : idA - idB;
}
