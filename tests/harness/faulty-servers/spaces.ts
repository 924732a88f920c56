// Servers with a fault in their space operations.

import type { Asked, Change } from '../../../harness/conform/faults/server-fault.js';
import { pagesOf, putPage, removePage } from '../../../server/domain/world/pages.js';
import type { World } from '../../../server/domain/world/world.js';
import {
  asking,
  askingFor,
  at,
  both,
  breaking,
  byMethod,
  copied,
  copiedName,
  copiedPages,
  copying,
  type FaultyServer,
  fields,
  idle,
  list,
  type Meant,
  ok,
  parameter,
  refusing,
  renaming,
  replaced,
  replacedId,
  replacing,
  sending,
  textField,
} from './changes.js';

const LINK = 'spaces/add-sidebar-link';
const COPY = 'spaces/copySpace';
const UNIQUE = 'spaces/isUnique';
const REPLACE = 'spaces/replaceInPage';
const SIDEBARS = 'No REST resource has the links of a sidebar.';
const SPACE_PERMISSIONS = 'No REST resource has the permissions of a space.';
const AT_NOON = '2026-01-01T12:00:00.000Z';

const spaceOf = (asked: Asked) => asked.world.spaces.get(textField('spaceKey', asked));
const isSecondLink: Meant = asked => {
  const sidebar = spaceOf(asked)?.sidebar ?? [];
  return at(LINK)(asked) && sidebar.length > 0 && sidebar.every(({ label }) => label !== textField('label', asked));
};
const hasBody: Meant = ({ body }) => body !== undefined && body.length > 0;
/** A function that returns the first world it is given. */
const firstWorld = () => {
  let first: World | undefined;
  return (world: World) => {
    first ??= world;
    return first;
  };
};
/** The request to isUnique is about another key and name. */
const about = (spaceKey: string, spaceName: string): Change =>
  asking(at(UNIQUE), query => {
    query.set('spaceKey', spaceKey);
    query.set('spaceName', spaceName);
  });
/** Another text in each pair of a replacement. */
const inPairs = (
  field: 'oldText' | 'newText',
  other: (text: string, pair: { oldText: string }, asked: Asked) => string,
) =>
  replacing((pairs, asked) =>
    pairs.map(pair => {
      const { [field]: text, oldText } = fields(pair);
      return typeof text === 'string' && typeof oldText === 'string'
        ? { ...fields(pair), [field]: other(text, { oldText }, asked) }
        : pair;
    }),
  );
const lastNewText = ({ json }: Asked) => textField('newText', { json: list(json).at(-1) });

const sidebarServers: readonly FaultyServer[] = [
  ...breaking('spaces.sidebar-link', {
    'reads the label of a sidebar link from the field title': renaming(at(LINK), 'label', 'title'),
    'refuses a second link in a sidebar, even with another label': refusing(isSecondLink, 409),
    'does not find copied spaces when a sidebar link is added': () => {
      const first = firstWorld();
      return refusing(asked => !first(asked.world).spaces.has(textField('spaceKey', asked)) && at(LINK)(asked), 404);
    },
  }),
  ...breaking(
    'spaces.sidebar-link',
    {
      'adds no link to the sidebar, but reports success': idle(at(LINK)),
      'swaps the label and the url of a sidebar link': sending(at(LINK), body => ({
        ...body,
        label: body.url,
        url: body.label,
      })),
    },
    SIDEBARS,
  ),
];

const copyServers: readonly FaultyServer[] = [
  ...breaking('spaces.copy', {
    'creates no space when one is copied': idle(at(COPY)),
    'copies a space without its pages': copiedPages(() => undefined),
    'copies pages without their text': copiedPages(page => ({ ...page, body: '' })),
    'gives a copied space the name of its source': copiedName(
      (name, asked) => asked.world.spaces.get(parameter('sourceSpaceKey', asked))?.name ?? name,
    ),
    'cuts the title of a copied space at the first space character': copiedName(name => name.split(' ')[0] ?? ''),
    'moves the pages to the new space': copied((after, _, asked) =>
      pagesOf(after, parameter('sourceSpaceKey', asked)).reduce((world, [id]) => removePage(world, id), after),
    ),
    'refuses to copy a space that was copied before': () => {
      const sources = new Set<string>();
      let isKnown = false;
      return {
        world: (after, before, asked) => {
          if (!at(COPY)(asked) || after === before) return after;
          const source = parameter('sourceSpaceKey', asked);
          isKnown = sources.has(source);
          sources.add(source);
          return isKnown ? before : after;
        },
        response: ({ status }, asked) => {
          const isRefused = isKnown && at(COPY)(asked) && ok(status);
          isKnown = false;
          return isRefused ? { status: 409, text: '', headers: {} } : {};
        },
      };
    },
  }),
  ...breaking('spaces.copy-query-only', {
    'refuses to copy a space without a body': refusing(
      both(at(COPY), asked => !hasBody(asked)),
      415,
    ),
    'refuses to copy a space with a body': refusing(both(at(COPY), hasBody), 400),
    'prefers the fields of a body to the query parameters of a copy': asking(at(COPY), (query, { json }) => {
      for (const name of [...query.keys()]) {
        const value = Object.hasOwn(fields(json), name) ? fields(json)[name] : undefined;
        if (typeof value === 'string' || typeof value === 'boolean') query.set(name, String(value));
      }
    }),
  }),
  ...breaking('spaces.copy-default-admin', {
    'refuses to copy a space when targetSpaceAdmin is empty': refusing(copying('targetSpaceAdmin', ''), 400),
    'copies no pages when targetSpaceAdmin is empty': copiedPages((page, asked) =>
      copying('targetSpaceAdmin', '')(asked) ? undefined : page,
    ),
  }),
  ...breaking(
    'spaces.copy-default-admin',
    {
      'picks a user who is not an admin when targetSpaceAdmin is empty': askingFor(
        COPY,
        'targetSpaceAdmin',
        (value, { world }) => (value === '' ? (world.users.findLastKey(({ admin }) => !admin) ?? '') : value),
      ),
    },
    SPACE_PERMISSIONS,
  ),
  ...breaking('spaces.copy-remove-admin', {
    'forbids removing the admin of a new space': refusing(copying('removeAdminPermissions', 'true'), 403),
    'removes the admin before the pages are copied, so that there are none': copiedPages((page, asked) =>
      copying('removeAdminPermissions', 'true')(asked) ? undefined : page,
    ),
  }),
  ...breaking(
    'spaces.copy-remove-admin',
    {
      'never removes the admin of a new space': askingFor(COPY, 'removeAdminPermissions', value =>
        /^true$/i.test(value) ? 'false' : value,
      ),
    },
    SPACE_PERMISSIONS,
  ),
  ...breaking('spaces.copy-keep-metadata', {
    'never keeps the authors and dates of copied pages': askingFor(COPY, 'keepPagesMetadata', value =>
      /^true$/i.test(value) ? 'false' : value,
    ),
    'always keeps the authors and dates of copied pages': askingFor(COPY, 'keepPagesMetadata', value =>
      /^false$/i.test(value) ? 'true' : value,
    ),
    'keeps the authors of copied pages, but not the dates': copiedPages((page, asked) =>
      copying('keepPagesMetadata', 'true')(asked) ? { ...page, created: AT_NOON, updated: AT_NOON } : page,
    ),
    'keeps the dates of copied pages, but not the authors': copiedPages((page, asked) => {
      const author = asked.caller.name ?? 'anonymous';
      return copying('keepPagesMetadata', 'true')(asked) ? { ...page, author, updatedBy: author } : page;
    }),
  }),
];

const uniqueServers: readonly FaultyServer[] = [
  ...breaking('spaces.is-unique', {
    'reports every space as free': about('NOSUCHKEY0', 'No such space'),
    'does not know copied spaces when isUnique is called': () => {
      const first = firstWorld();
      return {
        request: asked => {
          const { spaces } = first(asked.world);
          const isNew = spaces !== asked.world.spaces && !spaces.has(parameter('spaceKey', asked));
          const isNewName = spaces.every(({ name }) => name !== parameter('spaceName', asked));
          return isNew && isNewName ? (about('NOSUCHKEY0', 'No such space').request?.(asked) ?? {}) : {};
        },
      };
    },
    'compares only the name of a space and not the key when isUnique is called': askingFor(
      UNIQUE,
      'spaceKey',
      () => 'NOSUCHKEY0',
    ),
    'creates the space that isUnique asks about': {
      world: (after, _, asked) => {
        const key = parameter('spaceKey', asked);
        const like = after.spaces.first();
        return at(UNIQUE, 'POST')(asked) && key !== '' && !after.spaces.has(key) && like !== undefined
          ? { ...after, spaces: after.spaces.set(key, { ...like, name: parameter('spaceName', asked) }) }
          : after;
      },
    },
    'caches the first response of isUnique for each key and name': () => {
      const known = new Map<string, { readonly status: number; readonly text: string }>();
      return {
        response: ({ status, text }, asked) => {
          if (!at(UNIQUE, 'POST')(asked) || !(ok(status) || status === 409)) return {};
          const cached = known.get(String(asked.query));
          known.set(String(asked.query), cached ?? { status, text });
          return cached ?? {};
        },
      };
    },
    'serves isUnique by GET and not by POST': byMethod(UNIQUE, 'POST', 'GET'),
  }),
];

const replaceServers: readonly FaultyServer[] = [
  ...breaking('spaces.replace-list', {
    'applies only the first of several replacements': replacing(pairs => pairs.slice(0, 1)),
    'expects the replacements in a field named replacements': {
      request: asked => {
        if (!at(REPLACE)(asked)) return {};
        if (Array.isArray(asked.json)) return { json: { replacements: asked.json } };
        const { replacements } = fields(asked.json);
        return replacements === undefined ? {} : { json: replacements };
      },
    },
    'accepts one replacement that is not in a list': {
      request: asked => (at(REPLACE)(asked) && fields(asked.json) === asked.json ? { json: [asked.json] } : {}),
    },
  }),
  ...breaking(['spaces.replace-body', 'spaces.replace-title'], {
    'replaces no text in pages, but reports success': idle(at(REPLACE)),
    'treats oldText as a regular expression': inPairs('oldText', (text, _, asked) => {
      const { title = '', body = '' } = asked.world.pages.get(replacedId(asked)) ?? {};
      try {
        return new RegExp(text).exec(`${body}\n${title}`)?.[0] || text;
      } catch {
        return text;
      }
    }),
    'expands $& in newText to the old text': inPairs('newText', (text, { oldText }) => text.split('$&').join(oldText)),
  }),
  ...breaking('spaces.replace-body', {
    'replaces text in the title of a page and not in its body': replaced((after, { body }) => ({ ...after, body })),
    'leaves the body of a page as it is when the title changes': replaced((after, { title, body }) =>
      after.title === title ? after : { ...after, body },
    ),
    'overwrites the whole body of a page with the new text': replaced((after, { body }, asked) =>
      after.body === body ? after : { ...after, body: lastNewText(asked) },
    ),
  }),
  ...breaking('spaces.replace-title', {
    'replaces text in the body of a page and not in its title': replaced((after, { title }) => ({ ...after, title })),
    'leaves the title of a page as it is when the body changes': replaced((after, { title, body }) =>
      after.body === body ? after : { ...after, title },
    ),
    'replaces a title only if the whole of it is the old text': replaced((after, { title }, { json }) => {
      const isWhole = list(json).some(pair => fields(pair).oldText === title);
      return isWhole ? after : { ...after, title };
    }),
    'leaves a page with the old title behind when a title changes': {
      world: (after, before, asked) => {
        const old = before.pages.get(replacedId(asked));
        const isRenamed = at(REPLACE)(asked) && old?.title !== after.pages.get(replacedId(asked))?.title;
        return isRenamed && old !== undefined ? putPage(after, String(after.nextPageId), old) : after;
      },
    },
  }),
];

export const spaceServers: readonly FaultyServer[] = [
  ...sidebarServers,
  ...copyServers,
  ...uniqueServers,
  ...replaceServers,
];
