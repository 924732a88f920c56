// Spaces, pages and restrictions of Confluence's REST API, with their schemas and what `expand` shows of them.
// https://developer.atlassian.com/server/confluence/rest/v931/
import { worldFrom } from '../../domain/form/form.js';
import { sortedNames } from '../../domain/world/sorted-names.js';
import type { Names, Page, Permission } from '../../domain/world/world.js';
import { anonymous } from '../operation-context.js';
import { count, EXAMPLE_BASE, entity, literal } from '../rest-api/entity.js';
import { type ExpansionTree, expandParts, noExpansion, unexpanded } from '../rest-api/expansion.js';
import { innerPage, innerPageOfAll, type Window } from '../rest-api/paging.js';
import { visiblePages } from '../rest-api/visibility.js';
import { array, boolean, type Described, string, titled } from '../schema.js';
import {
  type Confluence,
  confluenceGroup,
  confluencePaths,
  confluenceUser,
  folded,
  groupEntity,
  moment,
  pageLinks,
  selfLink,
  userEntity,
  userParts,
} from './confluence-entities.js';

/** The parts of Confluence's entities that the world lacks: they are listed as expandable, and stay unexpanded. */
const lacking = {
  space: { metadata: {}, icon: {}, description: { plain: {}, view: {} }, retentionPolicy: {} },
  content: { operations: {} },
  metadata: { currentuser: {}, properties: {}, frontend: {}, editorHtml: {} },
  history: { previousVersion: {}, contributors: {}, nextVersion: {} },
  version: { content: {} },
};
const oneRestriction = { restrictions: { user: userParts, group: {} }, content: {} };

/** The expandable parts of a space, whose home page has no further ones here, and of a page. */
export const spaceParts = { homepage: {}, ...lacking.space };
const childParts = { page: {}, comment: {}, attachment: {} };
export const contentParts = {
  ...lacking.content,
  space: spaceParts,
  container: spaceParts,
  history: { lastUpdated: lacking.version, ...lacking.history },
  version: lacking.version,
  ancestors: {},
  children: childParts,
  descendants: childParts,
  metadata: { labels: {}, ...lacking.metadata },
  body: { storage: {}, view: {}, export_view: {}, styled_view: {}, editor: {}, anonymous_export_view: {} },
  restrictions: { read: oneRestriction, update: oneRestriction },
};

const homepage = entity(
  'The home page: the first page of the space. Absent: it has none, or the caller cannot view it.',
  {
    id: string('The id, in digits.'),
    type: literal('page', 'Always page.'),
    status: literal('current', 'Always current.'),
    title: string('The title.'),
    _links: pageLinks,
    _expandable: folded,
  },
);
export const confluenceSpace = titled(
  'ConfluenceSpace',
  entity(
    'A space.',
    {
      id: count('The id: a number made from the key.'),
      key: string('The key.'),
      name: string('The title.'),
      type: string('global; personal if the key begins with ~'),
      _links: pageLinks,
      _expandable: folded,
    },
    { homepage },
  ),
);

export function typeOfSpace(key: string): string {
  return key.startsWith('~') ? 'personal' : 'global';
}

export function spaceEntity(
  confluence: Confluence,
  key: string,
  wanted: ExpansionTree = noExpansion,
): Described<typeof confluenceSpace> {
  const { base, world } = confluence;
  const name = world.spaces.get(key)?.name ?? key;
  const [home] = visiblePages(confluence, [key], 0, 1);
  const page = home === undefined ? undefined : world.pages.get(home);
  const parts =
    home === undefined || page === undefined
      ? { _expandable: unexpanded(lacking.space) }
      : expandParts<{ homepage: Described<typeof homepage> }>(
          wanted,
          {
            homepage: {
              at: confluencePaths.content(home),
              show: () => contentEntity(confluence, home, page, noExpansion),
            },
          },
          lacking.space,
        );
  const _links = {
    webui: `/display/${encodeURIComponent(key.toWellFormed())}`,
    self: `${base}${confluencePaths.space(key)}`,
  };
  return { id: numberOf(key), key, name, type: typeOfSpace(key), _links, ...parts };
}

/** A number for a key, the same everywhere (FNV-1a). */
function numberOf(key: string): number {
  let hash = 0x811c9dc5;
  for (const character of key) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}

const text = entity('The text.', {
  value: string('The text itself.'),
  representation: string('storage, view or another'),
});
const version = entity('A version.', {
  by: confluenceUser,
  when: string('The time, in ISO 8601.'),
  message: string('Always empty: versions have no comments here.'),
  number: count('The version number, from 1.'),
  minorEdit: boolean('Always false.'),
  hidden: boolean('Always false.'),
  _expandable: folded,
});
export const history = entity(
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
const body = entity(
  'The text of the page.',
  {},
  {
    storage: text,
    view: text,
    export_view: text,
    styled_view: text,
    editor: text,
    anonymous_export_view: text,
    _expandable: folded,
  },
);
/** A list of what no world has. */
export const nothing = entity('Always empty: the world has nothing of the kind.', {
  results: array(string('Nothing.'), 'Always empty.'),
  start: count('Always 0.'),
  limit: count('Maximum number of results.'),
  size: count('Always 0.'),
});
export const children = entity(
  'What is below the page.',
  {},
  { page: nothing, comment: nothing, attachment: nothing, _expandable: folded },
);
const metadata = entity('What was added to the page.', {}, { labels: nothing, _expandable: folded });

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
      container: confluenceSpace,
      history,
      version,
      ancestors: array(string('The id of a page.'), 'Always empty: there are no page trees here.'),
      children,
      descendants: children,
      metadata,
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
  const { space, title } = page;
  const at = confluencePaths.content(id);
  const ofSpace = {
    at: confluencePaths.space(space),
    show: (inner: ExpansionTree) => spaceEntity(confluence, space, inner),
  };
  const parts = expandParts<Pick<ConfluenceContent, keyof typeof contentParts & keyof ConfluenceContent>>(
    wanted,
    {
      space: ofSpace,
      container: ofSpace,
      history: { at: `${at}/history`, show: inner => historyOf(confluence, page, inner) },
      version: { at: '', show: () => versionOf(confluence, page) },
      ancestors: { at: '', show: () => [] },
      children: { at: `${at}/child`, show: inner => childrenOf(`${at}/child`, inner) },
      descendants: { at: `${at}/descendant`, show: inner => childrenOf(`${at}/descendant`, inner) },
      metadata: { at: '', show: metadataOf },
      body: { at: '', show: inner => bodyOf(page, inner) },
      restrictions: { at: confluencePaths.restriction(id), show: inner => restrictionsOf(confluence, id, page, inner) },
    },
    lacking.content,
  );
  return { id, type: 'page', status: 'current', title, ...parts, _links: linksOf(confluence, id, page) };
}

function linksOf({ base }: Confluence, id: string, { space, title }: Page): Described<typeof pageLinks> {
  const isPlain = /^[\w.~*()-][\w .~*()-]*$/.test(title) && /^[\w~]+$/.test(space);
  return {
    webui: isPlain ? `/display/${space}/${title.replaceAll(' ', '+')}` : `/pages/viewpage.action?pageId=${id}`,
    edit: `/pages/resumedraft.action?draftId=${id}`,
    tinyui: `/x/${tinyOf(id)}`,
    self: `${base}${confluencePaths.content(id)}`,
  };
}

/** The id in Confluence's short links: its bytes, the lowest first, in base64 without padding. */
function tinyOf(id: string): string {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(id)));
  return bytes
    .toString('base64')
    .replace('=', '')
    .replace(/(?<!A)A+$/, '')
    .replaceAll('/', '-')
    .replaceAll('+', '_');
}

export function historyOf(confluence: Confluence, page: Page, wanted: ExpansionTree): Described<typeof history> {
  return {
    latest: true,
    createdBy: userEntity(confluence, page.author),
    createdDate: moment(page.created),
    ...expandParts<{ lastUpdated?: Described<typeof version> }>(
      wanted,
      { lastUpdated: { at: '', show: () => versionOf(confluence, page) } },
      lacking.history,
    ),
  };
}

const none = { results: [], start: 0, limit: 25, size: 0 };

export function childrenOf(at: string, wanted: ExpansionTree): Described<typeof children> {
  const part = (name: string) => ({ at: `${at}/${name}`, show: () => none });
  const parts = { page: part('page'), comment: part('comment'), attachment: part('attachment') };
  return expandParts<Omit<Described<typeof children>, '_expandable'>>(wanted, parts);
}

function metadataOf(wanted: ExpansionTree): Described<typeof metadata> {
  const labels = { at: '', show: () => none };
  return expandParts<Omit<Described<typeof metadata>, '_expandable'>>(wanted, { labels }, lacking.metadata);
}

function versionOf(wiki: Confluence, { updatedBy, updated, version: number }: Page): Described<typeof version> {
  const fixed = { message: '', minorEdit: false, hidden: false };
  return {
    by: userEntity(wiki, updatedBy),
    when: moment(updated),
    number,
    ...fixed,
    _expandable: unexpanded(lacking.version),
  };
}

/** Macros are not rendered: every representation is the stored text. */
function bodyOf(page: Page, wanted: ExpansionTree): Described<typeof body> {
  const part = (name: string) => ({ at: '', show: () => ({ value: page.body, representation: name }) });
  return expandParts<Omit<Described<typeof body>, '_expandable'>>(wanted, {
    storage: part('storage'),
    view: part('view'),
    export_view: part('export_view'),
    styled_view: part('styled_view'),
    editor: part('editor'),
    anonymous_export_view: part('anonymous_export_view'),
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
    show: (inner: ExpansionTree) => restrictionOf(confluence, operation, [id, page], inner, INNER),
  });
  return expandParts<Pick<Described<typeof confluenceRestrictions>, 'read' | 'update'>>(wanted, {
    read: part('read'),
    update: part('update'),
  });
}

export function restrictionOf(
  confluence: Confluence,
  operation: RestrictedOperation,
  [id, page]: readonly [id: string, page: Page],
  wanted: ExpansionTree,
  window: Window,
): Described<typeof confluenceRestriction> {
  const { users, groups }: Names = page[permissionOf[operation]];
  const user = () => innerPageOfAll(window, sortedNames(users), name => userEntity(confluence, name));
  const group = () => innerPageOfAll(window, sortedNames(groups), name => groupEntity(confluence, name));
  const { _expandable, ...parts } = expandParts<Pick<Described<typeof confluenceRestriction>, 'restrictions'>>(wanted, {
    restrictions: {
      at: '',
      show: inner =>
        expandParts<Omit<Described<typeof restrictedTo>, '_expandable'>>(inner, {
          user: { at: '', show: user },
          group: { at: '', show: group },
        }),
    },
  });
  return { operation, ...parts, _expandable: { ..._expandable, content: confluencePaths.content(id) } };
}

/** The part of the default world that examples show. */
const example: Confluence = {
  base: EXAMPLE_BASE,
  caller: anonymous,
  world: worldFrom({
    users: { alice: { displayName: 'Alice' } },
    spaces: { ds: { name: 'Demonstration Space' } },
    pages: { 65601: { space: 'ds', title: 'Welcome', body: '<p>Hello, wiki.</p>', author: 'alice' } },
  }),
};

export function exampleSpace(): Described<typeof confluenceSpace> {
  return spaceEntity(example, 'ds');
}

export function exampleContent(wanted: ExpansionTree = noExpansion): ConfluenceContent {
  const page = example.world.pages.get('65601') as Page; // the example world has it
  return contentEntity(example, '65601', page, wanted);
}

/** The restrictions with one operation expanded, at a path below the page. */
export function exampleRestrictions(path: string): Described<typeof confluenceRestrictions> {
  const page = example.world.pages.get('65601') as Page; // the example world has it
  const _links = { self: `${EXAMPLE_BASE}${confluencePaths.content('65601')}/${path}` };
  return { ...restrictionsOf(example, '65601', page, { update: {} }), _links };
}
