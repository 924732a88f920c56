// Confluence's spaces and their content: /rest/api/space.
import { sortedKeys } from '../../domain/world/sorted-names.js';
import { asKey, asNamed, quoted } from '../lookups.js';
import { count, EXAMPLE_BASE, entity, notFound, optional, several } from '../rest-api/entity.js';
import {
  confluencePage,
  confluencePaging,
  confluenceWindow,
  examplePage,
  pageOf,
  pageOfAll,
  type ResourcePlace,
  type Window,
} from '../rest-api/paging.js';
import { forAll, resource } from '../rest-api/resource.js';
import { visiblePages } from '../rest-api/visibility.js';
import { array, boolean, string, titled } from '../schema.js';
import { contentOf, contentPage, isLongText, type Look } from './confluence-content.js';
import { alone, CONFLUENCE_REFERENCE, confluencePaths, selfLink } from './confluence-entities.js';
import {
  confluenceSpace,
  contentParts,
  exampleContent,
  exampleSpace,
  spaceEntity,
  spaceParts,
  typeOfSpace,
} from './confluence-page-entities.js';

const SPACES = `${CONFLUENCE_REFERENCE}api-group-space/`;
const absent = 'Icons, descriptions, labels, permissions, archived spaces; the home page is the first page.';
const key = string('The key of a space. The gap name-case decides whether case matters.');

export const confluenceSpaces = resource({
  id: 'confluence.spaces',
  family: 'confluence',
  summary: 'List spaces',
  method: 'GET',
  path: '/space',
  expandable: spaceParts,
  query: {
    spaceKey: several('Only spaces with one of these keys.'),
    type: optional(string('Only spaces of this type: global or personal.')),
    ...confluencePaging,
  },
  access: forAll,
  refusals: [],
  replies: [
    {
      status: 200,
      when: 'The spaces, sorted by key.',
      body: titled('ConfluenceSpacePage', confluencePage(confluenceSpace, 'A page of spaces.')),
    },
  ],
  examples: [
    {
      title: 'The first space',
      query: { limit: '1' },
      response: examplePage('/rest/api/space', [exampleSpace()], {
        limit: 1,
        next: '/rest/api/space?start=1&limit=1',
        query: '?limit=1',
      }),
    },
  ],
  source: SPACES,
  absent,
  decide(given) {
    const { spaceKey, type, ...paging } = given.input.query;
    const keys =
      spaceKey.length === 0
        ? sortedKeys(given.world.spaces)
        : knownAmong(asNamed(given, spaceKey, given.world.spaces), given.world.spaces);
    const ofType = type === undefined ? keys : keys.filter(one => typeOfSpace(one) === type);
    return given.accept([], {
      status: 200,
      body: pageOfAll(given.place, paging, ofType, one => spaceEntity(given, one, given.wanted)),
    });
  },
});

function knownAmong(keys: readonly string[], spaces: { has(key: string): boolean }): string[] {
  return [...new Set(keys)].filter(one => spaces.has(one)).sort();
}

export const confluenceSpaceByKey = resource({
  id: 'confluence.space',
  family: 'confluence',
  summary: 'Read a space',
  method: 'GET',
  path: '/space/{key}',
  params: { key },
  access: forAll,
  expandable: spaceParts,
  refusals: ['rest-api-not-found'],
  replies: [{ status: 200, when: 'The space.', body: confluenceSpace }],
  examples: [
    {
      title: 'A space',
      params: { key: 'ds' },
      response: {
        status: 200,
        body: alone({ base: EXAMPLE_BASE }, exampleSpace(), 'space'),
      },
    },
  ],
  source: SPACES,
  absent,
  decide(given) {
    const space = asKey(given, given.input.params.key);
    if (!given.world.spaces.has(space)) return given.refuse('rest-api-not-found', noSpace(space));
    const body = alone(given, spaceEntity(given, space, given.wanted), 'space');
    return given.accept([], { status: 200, body });
  },
});

export const confluenceSpacePages = resource({
  id: 'confluence.space-pages',
  family: 'confluence',
  summary: 'List the pages of a space',
  method: 'GET',
  path: '/space/{key}/content/page',
  params: { key },
  query: confluencePaging,
  access: forAll,
  expandable: contentParts,
  refusals: ['rest-api-not-found'],
  replies: [{ status: 200, when: 'The pages that the caller can view, in order.', body: contentPage }],
  examples: [
    {
      title: 'The pages of a space, with their versions',
      params: { key: 'ds' },
      query: { expand: 'version' },
      response: examplePage('/rest/api/space/ds/content/page', [exampleContent({ version: {} })], {
        query: '?expand=version',
      }),
    },
  ],
  source: SPACES,
  absent: 'Page trees, comments, attachments, labels.',
  isHeavy: (world, asked) => isLongText(world, asked, [asked.params?.key ?? '']),
  decide(given) {
    const space = asKey(given, given.input.params.key);
    if (!given.world.spaces.has(space)) return given.refuse('rest-api-not-found', noSpace(space));
    return given.accept([], { status: 200, body: pagesIn(space, given, given.place, given.input.query) });
  },
});

export const confluenceSpaceContent = resource({
  id: 'confluence.space-content',
  family: 'confluence',
  summary: 'List the content of a space by type',
  method: 'GET',
  path: '/space/{key}/content',
  params: { key },
  query: confluencePaging,
  access: forAll,
  expandable: contentParts,
  refusals: ['rest-api-not-found'],
  replies: [
    {
      status: 200,
      when: 'The pages that the caller can view, in order.',
      body: entity('The content by its type.', { page: contentPage }),
    },
  ],
  examples: [
    {
      title: 'A space that does not exist',
      params: { key: 'none' },
      response: notFound('No space with key : none'),
    },
  ],
  source: SPACES,
  absent: 'Blog posts, page trees, comments, attachments, labels.',
  isHeavy: (world, asked) => isLongText(world, asked, [asked.params?.key ?? '']),
  decide(given) {
    const space = asKey(given, given.input.params.key);
    if (!given.world.spaces.has(space)) return given.refuse('rest-api-not-found', noSpace(space));
    return given.accept([], {
      status: 200,
      body: {
        page: pagesIn(
          space,
          given,
          { ...given.place, path: `${confluencePaths.space(space)}/content/page` },
          given.input.query,
        ),
      },
    });
  },
});

const taskMessage = entity('A message.', {
  translation: string('The text.'),
  args: array(string('A name in the text.'), 'Always empty.'),
});

export const confluenceTask = resource({
  id: 'confluence.task',
  family: 'confluence',
  summary: 'Read the task of a copied space',
  method: 'GET',
  path: '/longtask/{id}',
  params: { id: string('The id of the task: the key of the new space.') },
  access: forAll,
  refusals: ['rest-api-not-found'],
  replies: [
    {
      status: 200,
      when: 'The space exists, so the task is done.',
      body: entity('A task.', {
        id: string('The id.'),
        elapsedTime: count('Milliseconds: always 0.'),
        percentageComplete: count('Always 100.'),
        successful: boolean('Always true.'),
        messages: array(taskMessage, 'Always empty.'),
        _links: selfLink,
      }),
    },
  ],
  examples: [
    {
      title: 'A task that does not exist',
      params: { id: 'none' },
      response: notFound('No long task with id : none'),
    },
  ],
  source: `${CONFLUENCE_REFERENCE}api-group-long-task/`,
  absent: 'Tasks other than copies of spaces, names of tasks.',
  decide(given) {
    const { id } = given.input.params;
    if (!given.world.spaces.has(id))
      return given.refuse('rest-api-not-found', `No long task with id : ${id.slice(0, 80)}`);
    const _links = { self: `${given.base}${confluencePaths.task(id)}` };
    const done = { elapsedTime: 0, percentageComplete: 100, successful: true, messages: [] };
    return given.accept([], { status: 200, body: { id, ...done, _links } });
  },
});

function pagesIn(space: string, look: Look, place: ResourcePlace, asked: Window) {
  const window = confluenceWindow(asked);
  return pageOf(place, window, contentOf(look, visiblePages(look, [space], window.start, window.limit + 1)));
}

function noSpace(space: string): string {
  return `No space with key : ${space.length > 80 ? quoted(space) : space}`;
}
