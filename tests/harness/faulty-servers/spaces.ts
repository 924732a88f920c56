// Servers with a fault in their space operations.
import {
  at,
  both,
  fieldsOf,
  hasBody,
  isText,
  makes,
  not,
  reads,
  readsAs,
  readsQuery,
  refuses,
} from '../../../harness/conform/faults/fault-changes.js';
import type { Asked } from '../../../harness/conform/faults/server-fault.js';
import { isObject } from '../../../server/domain/form/patch.js';
import { pagesOf, putPage, removePage } from '../../../server/domain/world/pages.js';
import type { World } from '../../../server/domain/world/world.js';
import {
  askingFor,
  breaking,
  copied,
  copiedPages,
  copying,
  type FaultyServer,
  pages,
  parameter,
  replacing,
} from './changes.js';

const linking = at('spaces/add-sidebar-link');
const copyingAny = at('spaces/copySpace');
const asking = at('spaces/isUnique');
const replacingText = at('spaces/replaceInPage');
const AT_NOON = '2026-01-01T12:00:00.000Z';

const labelsOf = (asked: Asked) =>
  (asked.world.spaces.get(String(fieldsOf(asked).spaceKey))?.sidebar ?? []).map(({ label }) => label);
/** Another text in each pair of a replacement. */
const inPairs = (field: 'oldText' | 'newText', other: (text: string, oldText: string, asked: Asked) => string) =>
  replacing((pairs, asked) =>
    pairs.map(({ [field]: text, oldText, ...pair }) =>
      isText(text) && isText(oldText) ? { ...pair, oldText, [field]: other(text, oldText, asked) } : pair,
    ),
  );

const sidebarServers = breaking('spaces.sidebar-link', {
  'reads the label of a sidebar link from the field title': readsAs(linking, 'label', 'title'),
  'refuses a second link in a sidebar, even with another label': refuses(
    both(linking, asked => labelsOf(asked).length > 0 && !labelsOf(asked).includes(String(fieldsOf(asked).label))),
    409,
  ),
  'does not find copied spaces when a sidebar link is added': () => {
    let first: World | undefined;
    return refuses(asked => {
      first ??= asked.world;
      return linking(asked) && !first.spaces.has(String(fieldsOf(asked).spaceKey));
    }, 404);
  },
});

const copyServers: readonly FaultyServer[] = [
  ...breaking('spaces.copy', {
    'copies only the first twenty characters of each page': copiedPages(own => ({
      ...own,
      body: own.body.slice(0, 20),
    })),
    'appends the key to the name of a copied space': copied((after, key) => ({
      ...after,
      spaces: after.spaces.update(key, space => space && { ...space, name: `${space.name} (${key})` }),
    })),
    'moves the pages to the new space': copied((after, _, asked) =>
      pagesOf(after, parameter('sourceSpaceKey', asked)).reduce((world, [id]) => removePage(world, id), after),
    ),
    'refuses to copy a space that was copied before': () => {
      const copies = new Map<string, string>();
      return refuses(
        both(copyingAny, asked => {
          const [source, target] = [parameter('sourceSpaceKey', asked), parameter('targetSpaceKey', asked)];
          if (!copies.has(source) && asked.response.status < 300) copies.set(source, target);
          return copies.has(source) && copies.get(source) !== target;
        }),
        409,
      );
    },
  }),
  ...breaking('spaces.copy-query-only', {
    'refuses to copy a space without a body': refuses(both(copyingAny, not(hasBody)), 415),
    'refuses to copy a space with a body': refuses(both(copyingAny, hasBody)),
    'prefers the fields of a body to the query parameters of a copy': readsQuery(copyingAny, (query, asked) => {
      for (const [name, value] of Object.entries(fieldsOf(asked))) if (query.has(name)) query.set(name, String(value));
    }),
  }),
  ...breaking('spaces.copy-default-admin', {
    'refuses to copy a space when targetSpaceAdmin is empty': refuses(copying('targetSpaceAdmin', '')),
  }),
  ...breaking('spaces.copy-remove-admin', {
    'forbids removing the admin of a new space': refuses(copying('removeAdminPermissions', 'true'), 403),
    'removes the admin before the pages are copied, so that there are none': copiedPages((page, asked) =>
      copying('removeAdminPermissions', 'true')(asked) ? undefined : page,
    ),
  }),
  ...breaking('spaces.copy-keep-metadata', {
    'never keeps the authors and dates of copied pages': askingFor(
      'spaces/copySpace',
      'keepPagesMetadata',
      () => 'false',
    ),
    'always keeps the authors and dates of copied pages': askingFor(
      'spaces/copySpace',
      'keepPagesMetadata',
      () => 'true',
    ),
    'keeps the authors of copied pages, but not the dates': copiedPages((page, asked) =>
      copying('keepPagesMetadata', 'true')(asked) ? { ...page, created: AT_NOON, updated: AT_NOON } : page,
    ),
  }),
];

const uniqueServers = breaking('spaces.is-unique', {
  'reports every space as free': readsQuery(asking, query => {
    query.set('spaceKey', 'NOSUCHKEY0');
    query.set('spaceName', 'No such space');
  }),
  'compares only the name of a space and not the key when isUnique is called': askingFor(
    'spaces/isUnique',
    'spaceKey',
    () => 'NOSUCHKEY0',
  ),
  'caches the first response of isUnique for each key and name': () => {
    const known = new Map<string, { readonly status: number; readonly text: string }>();
    return {
      response: ({ status, text }, asked) => {
        if (!asking(asked) || asked.method !== 'POST' || !(status < 300 || status === 409)) return {};
        const cached = known.get(String(asked.query));
        known.set(String(asked.query), cached ?? { status, text });
        return cached ?? {};
      },
    };
  },
});

const replaceServers: readonly FaultyServer[] = [
  ...breaking('spaces.replace-list', {
    'applies only the first of several replacements': replacing(pairs => pairs.slice(0, 1)),
    'applies the replacements from the last to the first': replacing(pairs => pairs.toReversed()),
    'expects the replacements in a field named replacements': reads(replacingText, json =>
      isObject(json) ? json.replacements : { replacements: json },
    ),
    'accepts one replacement that is not in a list': reads(replacingText, json => (isObject(json) ? [json] : json)),
  }),
  ...breaking(['spaces.replace-body', 'spaces.replace-title'], {
    'treats oldText as a regular expression': inPairs('oldText', (text, _, { world, query }) => {
      const { title = '', body = '' } =
        world.pages.find(one => one.space === query.get('spaceKey') && one.title === query.get('pageTitle')) ?? {};
      try {
        return new RegExp(text).exec(`${body}\n${title}`)?.[0] || text;
      } catch {
        return text;
      }
    }),
    'expands $& in newText to the old text': inPairs('newText', (text, oldText) => text.split('$&').join(oldText)),
  }),
  ...breaking('spaces.replace-body', {
    'leaves the body of a page as it is when the title changes': pages(replacingText, (after, { title, body }) =>
      after.title === title ? after : { ...after, body },
    ),
    'writes the new text in capitals': inPairs('newText', text => text.toUpperCase()),
    'replaces only the first occurrence in the body of a page': pages(replacingText, (after, before, { json }) => ({
      ...after,
      body: (json as Array<Record<string, string>>).reduce(
        (text, { oldText = '', newText = '' }) => text.replace(oldText, () => newText),
        before.body,
      ),
    })),
  }),
  ...breaking('spaces.replace-title', {
    'leaves the title of a page as it is when the body changes': pages(replacingText, (after, { title, body }) =>
      after.body === body ? after : { ...after, title },
    ),
    'replaces a title only if the whole of it is the old text': pages(replacingText, (after, { title }, { json }) =>
      (json as Array<Record<string, string>>).some(({ oldText }) => oldText === title) ? after : { ...after, title },
    ),
    'leaves a page with the old title behind when a title changes': makes(replacingText, (after, asked) => {
      const old = asked.world.pages.find((one, id) => one.title !== after.pages.get(id)?.title);
      return old === undefined ? after : putPage(after, String(after.nextPageId), old);
    }),
  }),
];

export const spaceServers: readonly FaultyServer[] = [
  ...sidebarServers,
  ...copyServers,
  ...uniqueServers,
  ...replaceServers,
];
