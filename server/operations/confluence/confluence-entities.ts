// The entities of Confluence's REST API with their schemas: users, groups, spaces, pages, restrictions.
// https://developer.atlassian.com/server/confluence/rest/v931/
import { sortedNames } from '../../domain/world/sorted-names.js';
import { ANONYMOUS, type Names, type Page, type Permission, type World } from '../../domain/world/world.js';
import { access } from '../access.js';
import { count, EXAMPLE_BASE, entity, literal, texts } from '../rest-api/entity.js';
import { type ExpansionTree, expandParts } from '../rest-api/expansion.js';
import { contextOf, innerPage, innerPageOfAll, type Window } from '../rest-api/paging.js';
import { array, boolean, type Described, string, titled } from '../schema.js';

/** The address and the world of a Confluence. */
export interface Confluence {
  readonly base: string;
  readonly world: World;
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
const pageLinks = entity(
  'URLs of the resource and of its web page.',
  { self: string('URL of the resource.'), webui: string('Path of the web page, relative to `base`.') },
  {
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

const folded = texts('The names that `expand` accepts, each with the path of the resource.');

export const confluenceUser = titled(
  'ConfluenceUser',
  entity(
    'A user, or the anonymous user.',
    { type: string('known, or anonymous'), displayName: string('The display name.') },
    {
      username: string('The name.'),
      userKey: string('The key. Here it is the same as the name.'),
      _links: selfLink,
      _expandable: folded,
    },
  ),
);
export type ConfluenceUser = Described<typeof confluenceUser>;

export function userEntity({ base, world }: Confluence, name: string): ConfluenceUser {
  const user = world.users.get(name);
  if (name === ANONYMOUS || user === undefined) return { type: 'anonymous', displayName: 'Anonymous' };
  const { displayName } = user;
  return {
    type: 'known',
    username: name,
    userKey: name,
    displayName,
    _links: { self: `${base}${confluencePaths.user(name)}` },
    _expandable: {},
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

export const confluenceSpace = titled(
  'ConfluenceSpace',
  entity('A space.', {
    key: string('The key.'),
    name: string('The title.'),
    type: string('global; personal if the key begins with ~'),
    _links: pageLinks,
    _expandable: folded,
  }),
);

export function spaceEntity({ base, world }: Confluence, key: string): Described<typeof confluenceSpace> {
  const name = world.spaces.get(key)?.name ?? key;
  const type = key.startsWith('~') ? 'personal' : 'global';
  const _links = {
    webui: `/display/${encodeURIComponent(key.toWellFormed())}`,
    self: `${base}${confluencePaths.space(key)}`,
  };
  return { key, name, type, _links, _expandable: {} };
}

/** The expandable parts of a page. */
export const contentParts = {
  space: {},
  history: { lastUpdated: {} },
  version: {},
  ancestors: {},
  body: { storage: {}, view: {} },
  restrictions: {
    read: { restrictions: { user: {}, group: {} } },
    update: { restrictions: { user: {}, group: {} } },
  },
};

const text = entity('The text.', { value: string('The text itself.'), representation: string('storage, or view') });
const version = entity('A version.', {
  by: confluenceUser,
  when: string('The time, in ISO 8601.'),
  message: string('Always empty: versions have no comments here.'),
  number: count('The version number, from 1.'),
  minorEdit: boolean('Always false.'),
  hidden: boolean('Always false.'),
});
const history = entity(
  'Who created the page, and when.',
  {
    latest: boolean('Always true: only the current version is kept.'),
    createdBy: confluenceUser,
    createdDate: string('The time, in ISO 8601.'),
  },
  { lastUpdated: version, _expandable: folded },
);
const restrictedTo = entity(
  'The users and groups that have the permission.',
  {},
  {
    user: innerPage(confluenceUser, 'The users.'),
    group: innerPage(confluenceGroup, 'The groups.'),
    _expandable: folded,
  },
);
export const confluenceRestriction = titled(
  'ConfluenceRestriction',
  entity(
    'A restriction. If it is empty, everyone has the permission.',
    { operation: string('read, or update') },
    { restrictions: restrictedTo, _links: selfLink, _expandable: folded },
  ),
);
export const confluenceRestrictions = titled(
  'ConfluenceRestrictions',
  entity(
    'The restrictions of a page by operation.',
    {},
    { read: confluenceRestriction, update: confluenceRestriction, _links: selfLink, _expandable: folded },
  ),
);
const body = entity('The text of the page.', {}, { storage: text, view: text, _expandable: folded });

export const confluenceContent = titled(
  'ConfluenceContent',
  entity(
    'A page.',
    {
      id: string('The id, in digits.'),
      type: literal('page', 'Always page.'),
      status: literal('current', 'Always current.'),
      title: string('The title.'),
      _links: pageLinks,
      _expandable: folded,
    },
    {
      space: confluenceSpace,
      history,
      version,
      ancestors: array(string('The id of a page.'), 'Always empty: there are no page trees here.'),
      body,
      restrictions: confluenceRestrictions,
    },
  ),
);
export type ConfluenceContent = Described<typeof confluenceContent>;

export function contentEntity(
  confluence: Confluence,
  id: string,
  page: Page,
  wanted: ExpansionTree,
): ConfluenceContent {
  const { base } = confluence;
  const { space, title, author, created } = page;
  const parts = expandParts<
    Pick<ConfluenceContent, 'space' | 'history' | 'version' | 'ancestors' | 'body' | 'restrictions'>
  >(wanted, {
    space: { at: confluencePaths.space(space), show: () => spaceEntity(confluence, space) },
    history: {
      at: '',
      show: inner => ({
        latest: true,
        createdBy: userEntity(confluence, author),
        createdDate: moment(created),
        ...expandParts<{ lastUpdated?: Described<typeof version> }>(inner, {
          lastUpdated: { at: '', show: () => versionOf(confluence, page) },
        }),
      }),
    },
    version: { at: '', show: () => versionOf(confluence, page) },
    ancestors: { at: '', show: () => [] },
    body: { at: '', show: inner => bodyOf(page, inner) },
    restrictions: { at: confluencePaths.restriction(id), show: inner => restrictionsOf(confluence, id, page, inner) },
  });
  const _links = { webui: `/pages/viewpage.action?pageId=${id}`, self: `${base}${confluencePaths.content(id)}` };
  return { id, type: 'page', status: 'current', title, ...parts, _links };
}

function versionOf(wiki: Confluence, { updatedBy, updated, version: number }: Page): Described<typeof version> {
  const fixed = { message: '', minorEdit: false, hidden: false };
  return { by: userEntity(wiki, updatedBy), when: moment(updated), number, ...fixed };
}

/** Macros are not rendered: both representations are the stored text. */
function bodyOf(page: Page, wanted: ExpansionTree): Described<typeof body> {
  const part = (representation: string) => ({ at: '', show: () => ({ value: page.body, representation }) });
  return expandParts<Omit<Described<typeof body>, '_expandable'>>(wanted, {
    storage: part('storage'),
    view: part('view'),
  });
}

const permissionOf = { read: 'view', update: 'edit' } as const satisfies Record<string, Permission>;
export type RestrictedOperation = keyof typeof permissionOf;

export function isRestrictedOperation(name: string): name is RestrictedOperation {
  return Object.hasOwn(permissionOf, name);
}

/** Maximum users and groups of a restriction within another entity. */
const INNER: Window = { start: 0, limit: 200 };

export function restrictionsOf(
  confluence: Confluence,
  id: string,
  page: Page,
  wanted: ExpansionTree,
): Omit<Described<typeof confluenceRestrictions>, '_links'> {
  const part = (operation: RestrictedOperation) => ({
    at: `${confluencePaths.restriction(id)}/${operation}`,
    show: (inner: ExpansionTree) => restrictionOf(confluence, operation, page, inner, INNER),
  });
  return expandParts<Pick<Described<typeof confluenceRestrictions>, 'read' | 'update'>>(wanted, {
    read: part('read'),
    update: part('update'),
  });
}

export function restrictionOf(
  confluence: Confluence,
  operation: RestrictedOperation,
  page: Page,
  wanted: ExpansionTree,
  window: Window,
): Described<typeof confluenceRestriction> {
  const names: Names = page[permissionOf[operation]];
  return {
    operation,
    ...expandParts<Pick<Described<typeof confluenceRestriction>, 'restrictions'>>(wanted, {
      restrictions: {
        at: '',
        show: inner =>
          expandParts<Omit<Described<typeof restrictedTo>, '_expandable'>>(inner, {
            user: {
              at: '',
              show: () => innerPageOfAll(window, sortedNames(names.users), name => userEntity(confluence, name)),
            },
            group: {
              at: '',
              show: () => innerPageOfAll(window, sortedNames(names.groups), name => groupEntity(confluence, name)),
            },
          }),
      },
    }),
  };
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
  return {
    type: 'known',
    username: name,
    userKey: name,
    displayName,
    _links: { self: `${EXAMPLE_BASE}${confluencePaths.user(name)}` },
    _expandable: {},
  };
}
