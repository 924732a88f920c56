// Addresses, links, users and groups of Confluence's REST API, with their schemas.
// https://developer.atlassian.com/server/confluence/rest/v931/
import { ANONYMOUS } from '../../domain/world/world.js';
import { access, type Viewer } from '../access.js';
import { count, EXAMPLE_BASE, entity, literal, texts } from '../rest-api/entity.js';
import { unexpanded } from '../rest-api/expansion.js';
import { contextOf } from '../rest-api/paging.js';
import { boolean, type Described, string, titled } from '../schema.js';

/** The address and the world of a Confluence, and who looks at it. */
export interface Confluence extends Viewer {
  readonly base: string;
}

/** Confluence's public documentation. */
export const CONFLUENCE_REFERENCE = 'https://developer.atlassian.com/server/confluence/rest/v931/';

const REST = '/rest/api';
export const confluencePaths = {
  user: (name: string) => `${REST}/user?username=${encodeURIComponent(name.toWellFormed())}`,
  group: (name: string) => `${REST}/group/${encodeURIComponent(name.toWellFormed())}`,
  space: (key: string) => `${REST}/space/${encodeURIComponent(key.toWellFormed())}`,
  content: (id: string) => `${REST}/content/${id}`,
  task: (key: string) => `${REST}/longtask/${encodeURIComponent(key.toWellFormed())}`,
  restriction: (id: string) => `${REST}/content/${id}/restriction/byOperation`,
};

export const selfLink = entity('URL of the resource.', { self: string('URL of the resource.') });
export const pageLinks = entity(
  'URLs of the resource and of its web page.',
  { self: string('URL of the resource.'), webui: string('Path of the web page, relative to `base`.') },
  {
    tinyui: string('A short path of the web page. Only of pages.'),
    edit: string('Path of the editor. Only of pages.'),
    base: string('URL of the server. Absent in lists.'),
    context: string('The context path; empty if there is none.'),
    collection: string('Path of the list that contains the resource, relative to `base`.'),
  },
);

/** An entity that was asked for by itself has further links. */
export function alone<E extends { readonly _links: Described<typeof pageLinks> }>(
  { base }: Pick<Confluence, 'base'>,
  shownEntity: E,
  collection: 'content' | 'space',
): E {
  const links = { base, context: contextOf(base), collection: `${REST}/${collection}` };
  return { ...shownEntity, _links: { ...shownEntity._links, ...links } };
}

/** An instant as both products write it, with milliseconds. */
export function moment(instant: string): string {
  return new Date(instant).toISOString();
}

export const folded = texts('The names that `expand` accepts, each with the path of the resource.');

export const confluenceUser = titled(
  'ConfluenceUser',
  entity(
    'A user, or the anonymous user.',
    { type: string('known, or anonymous'), displayName: string('The display name.') },
    {
      username: string('The name.'),
      userKey: string('The key. Here it is the same as the name.'),
      profilePicture: entity('The default picture.', {
        path: string('Its path, relative to `base`.'),
        width: count('Its width.'),
        height: count('Its height.'),
        isDefault: boolean('Always true.'),
      }),
      _links: selfLink,
      _expandable: folded,
    },
  ),
);
export const userParts = { status: {} };
export const profilePicture = { path: '/images/icons/profilepics/default.svg', width: 48, height: 48, isDefault: true };
export type ConfluenceUser = Described<typeof confluenceUser>;

export function userEntity({ base, world }: Confluence, name: string): ConfluenceUser {
  const user = world.users.get(name);
  if (name === ANONYMOUS || user === undefined) return { type: 'anonymous', displayName: 'Anonymous', profilePicture };
  return knownUser(base, name, user.displayName);
}

function knownUser(base: string, name: string, displayName: string): ConfluenceUser {
  return {
    type: 'known',
    username: name,
    userKey: name,
    displayName,
    profilePicture,
    _links: { self: `${base}${confluencePaths.user(name)}` },
    _expandable: unexpanded(userParts),
  };
}

export const confluenceGroup = titled(
  'ConfluenceGroup',
  entity('A group.', {
    type: literal('group', 'Always group.'),
    name: string('The name.'),
    _links: selfLink,
  }),
);

export function groupEntity({ base }: Confluence, name: string): Described<typeof confluenceGroup> {
  return { type: 'group', name, _links: { self: `${base}${confluencePaths.group(name)}` } };
}

/** Anonymous callers may read pages, but not users and groups. */
export const forConfluenceUsers = access({
  says: 'A user of Confluence.',
  rules: {},
  gaps: [],
  refusals: ['rest-api-not-permitted'],
  check(given) {
    if (given.caller.kind === 'user') return undefined;
    return given.refuse(
      'rest-api-not-permitted',
      'Not permitted to use confluence: anonymous users may not see users and groups.',
    );
  },
});

/** A user for examples, at the usual address. */
export function exampleConfluenceUser(name: string, displayName: string): ConfluenceUser {
  return knownUser(EXAMPLE_BASE, name, displayName);
}
