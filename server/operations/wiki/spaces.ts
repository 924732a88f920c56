// Operations on spaces: section 4.4 of the document, except replacing text (replace-in-page.ts).
import type { World } from '../../domain/world/world.js';
import { strangerRefusal, wikiAccess } from '../access.js';
import type { StatementText } from '../document/statement.js';
import type { Reading } from '../gaps/gaps.js';
import { asKey, knownSpace, quoted } from '../lookups.js';
import { MANY, operation } from '../operation.js';
import type { Asks } from '../operation-context.js';
import { isRefused } from '../provenance.js';
import { boolean, object, string, titled } from '../schema.js';
import { checkPages, copyAdmin, copyPlan, copyReplies, copySuccess, isTitleRefused } from './copy.js';
import { emptyObject, report, wikiReplies, wikiSuccess } from './wiki.js';

const ok = { status: 200, body: {} };

/** Section 4.4 of the document, up to the replacing of text. */
export const spaceStatements: readonly StatementText[] = [
  [
    'POST spaces/add-sidebar-link takes a sidebar link body and adds a link with the given name to the sidebar of a space.',
    { rules: ['spaces.sidebar-link'], gaps: ['sidebar-duplicate', 'sidebar-link-form', 'unknown-space'] },
  ],
  [
    'POST spaces/copySpace makes a new space out of a template space.',
    {
      rules: ['spaces.copy'],
      gaps: ['copied-content', 'copy-success', 'unknown-space', 'target-space-exists', 'space-key-format'],
    },
  ],
  [
    'It takes query parameters only.',
    { rules: ['spaces.copy-query-only'], gaps: ['unknown-parameter', 'repeated-parameter'] },
  ],
  ['sourceSpaceKey names the space to copy.', { rules: ['spaces.copy'], gaps: ['unknown-space'] }],
  [
    'targetSpaceKey is the key of the new space.',
    { rules: ['spaces.copy'], gaps: ['target-space-exists', 'space-key-format'] },
  ],
  ['targetSpaceTitle is its title.', { rules: ['spaces.copy'], gaps: ['target-title-taken', 'space-title-form'] }],
  [
    'targetSpaceAdmin names its admin; where it is empty, a default admin is picked.',
    { rules: ['spaces.copy-default-admin'], gaps: ['default-space-admin', 'admin-eligibility', 'unknown-user'] },
  ],
  [
    'removeAdminPermissions says whether that admin is taken out of the permissions of the new space.',
    { rules: ['spaces.copy-remove-admin'], gaps: ['query-boolean'] },
  ],
  [
    'keepPagesMetadata says whether authors and dates of the template are kept.',
    { rules: ['spaces.copy-keep-metadata'], gaps: ['copied-metadata-when-not-kept', 'query-boolean'] },
  ],
  [
    'POST spaces/isUnique takes a key and a name as query parameters, and checks whether a space with the given key and name already exists.',
    { rules: ['spaces.is-unique'], gaps: ['is-unique-match', 'is-unique-answer'] },
  ],
];

export const addSidebarLink = operation({
  id: 'spaces.add-sidebar-link',
  family: 'wiki',
  summary: 'Add a link to the sidebar of a space',
  method: 'POST',
  path: '/spaces/add-sidebar-link',
  body: {
    schema: titled(
      'SidebarLinkBody',
      object(
        {
          spaceKey: string('The key of the space.'),
          label: string('The text of the link.'),
          url: string('URL of the link.'),
        },
        'spaces.sidebar-link',
        'A link and the space that gets it.',
      ),
    ),
  },
  access: wikiAccess,
  rules: {
    'spaces.sidebar-link': {
      says: 'A link with the given label and url is added to the sidebar of the space.',
      source: '2, Sidebar link body; 4.4, first row',
      effect: true,
    },
  },
  refusals: ['unknown-space', 'wiki-not-permitted', 'sidebar-link-form', 'sidebar-duplicate'],
  gaps: ['name-case', 'unknown-space', 'wiki-auth', 'sidebar-link-form', 'sidebar-duplicate', 'wiki-success'],
  replies: wikiReplies,
  examples: [
    {
      title: 'a link',
      as: 'admin',
      body: { spaceKey: 'ds', label: 'Handbook', url: 'https://example.com/handbook' },
      response: ok,
    },
  ],
  check(given) {
    const odd = oddLink(given.input.body);
    if (odd === undefined || given.reading('sidebar-link-form') === 'any') return undefined;
    return given.refuse('sidebar-link-form', odd);
  },
  decide(given) {
    const { spaceKey: sent, label, url } = given.input.body;
    const spaceKey = asKey(given, sent);
    const space = knownSpace(given, spaceKey);
    if (isRefused(space)) return space;
    const stranger = strangerRefusal(given, space);
    if (stranger !== undefined) return stranger;
    given.applies('spaces.sidebar-link');
    const reading = space.sidebar.some(link => link.label === label) ? given.reading('sidebar-duplicate') : 'append';
    if (reading === '409')
      return given.refuse(
        'sidebar-duplicate',
        `The sidebar of ${quoted(spaceKey)} already has a link ${quoted(label)}.`,
      );
    const type = reading === 'replace' ? 'sidebar-link-replaced' : 'sidebar-link-added';
    return given.accept([{ type, space: spaceKey, label, url }], wikiSuccess(given));
  },
});

/** What is wrong with a link under sidebar-link-form=checked. */
function oddLink({ label, url }: { readonly label: string; readonly url: string }): string | undefined {
  if (label.trim() === '') return '/label is empty: name the link.';
  if (/^(https?:\/\/[^\s/]|\/)\S*$/i.test(url)) return undefined;
  return `/url is ${quoted(url)}: send a URL of http or https, or a path that begins with a slash.`;
}

const SPACE_KEY = /^[A-Za-z0-9]{1,255}$/;
const SPACE_TITLE = /^[\s\S]{1,255}$/u;

export const copySpace = operation({
  id: 'spaces.copy',
  family: 'wiki',
  summary: 'Create a space from a template space',
  method: 'POST',
  path: '/spaces/copySpace',
  query: {
    sourceSpaceKey: string('The space to copy.'),
    targetSpaceKey: string('The key of the new space.'),
    targetSpaceTitle: string('The title of the new space.'),
    targetSpaceAdmin: string('The admin user to use; empty: a default admin is picked.'),
    removeAdminPermissions: boolean(
      'Whether that admin is taken off the permissions of the new space.',
      'spaces.copy-remove-admin',
    ),
    keepPagesMetadata: boolean('Whether the pages keep their authors and dates.', 'spaces.copy-keep-metadata'),
  },
  patterns: {
    targetSpaceKey: { gap: 'space-key-format', reading: 'alphanumeric', pattern: SPACE_KEY },
    targetSpaceTitle: { gap: 'space-title-form', reading: '1-to-255', pattern: SPACE_TITLE },
  },
  access: wikiAccess,
  rules: {
    'spaces.copy': {
      says: 'A new space is created with the pages of the source.',
      source: '4.4, second row; keepPagesMetadata',
      effect: true,
    },
    'spaces.copy-query-only': {
      says: 'Only the query parameters are read; a body is ignored.',
      source: '4.4, second row "Query parameters only"',
    },
    'spaces.copy-default-admin': {
      says: 'When targetSpaceAdmin is empty, a default admin is picked.',
      source: '4.4, targetSpaceAdmin',
      effect: true,
    },
    'spaces.copy-remove-admin': {
      says: 'With removeAdminPermissions, the admin gets no permissions in the new space.',
      source: '4.4, removeAdminPermissions',
      effect: true,
    },
    'spaces.copy-keep-metadata': {
      says: 'With keepPagesMetadata, the pages keep the authors and dates of the template.',
      source: '4.4, keepPagesMetadata',
      effect: true,
    },
  },
  refusals: [
    'unknown-space',
    'wiki-not-permitted',
    'unknown-user',
    'space-key-format',
    'space-title-form',
    'target-space-exists',
    'target-title-taken',
    'admin-eligibility',
    'no-default-admin',
    'too-much-at-once',
  ],
  gaps: [
    'name-case',
    'unknown-space',
    'wiki-auth',
    'unknown-user',
    'space-key-format',
    'space-title-form',
    'target-space-exists',
    'target-title-taken',
    'admin-eligibility',
    'default-space-admin',
    'copied-content',
    'copied-metadata-when-not-kept',
    'copy-success',
    'wiki-success',
  ],
  replies: copyReplies,
  examples: [
    {
      title: 'a project space from the template',
      as: 'admin',
      query: {
        sourceSpaceKey: 'tmpl',
        targetSpaceKey: 'APOLLO',
        targetSpaceTitle: 'Apollo',
        targetSpaceAdmin: 'alice',
        removeAdminPermissions: 'false',
        keepPagesMetadata: 'true',
      },
      response: ok,
    },
  ],
  isHeavy: (world, { query }) =>
    (world.pageIndex.get(new Map(query).get('sourceSpaceKey') ?? '')?.ids.size ?? 0) > MANY,
  check(given) {
    const { targetSpaceKey, targetSpaceTitle } = given.input.query;
    if (!SPACE_KEY.test(targetSpaceKey) && given.reading('space-key-format') === 'alphanumeric') {
      return given.refuse(
        'space-key-format',
        `targetSpaceKey is ${quoted(targetSpaceKey)}: a key has 1 to 255 letters (A-Z, a-z) and digits.`,
      );
    }
    if (SPACE_TITLE.test(targetSpaceTitle) || given.reading('space-title-form') === 'any') return undefined;
    return given.refuse(
      'space-title-form',
      `targetSpaceTitle has ${[...targetSpaceTitle].length} characters: a title has 1 to 255.`,
    );
  },
  decide(given) {
    const { sourceSpaceKey, targetSpaceKey, targetSpaceTitle } = given.input.query;
    const from = asKey(given, sourceSpaceKey);
    const source = knownSpace(given, from);
    if (isRefused(source)) return source;
    const stranger = strangerRefusal(given, source);
    if (stranger !== undefined) return stranger;
    const known = asKey(given, targetSpaceKey);
    if (given.world.spaces.has(known)) {
      return given.refuse('target-space-exists', `A space with the key ${quoted(known)} already exists.`);
    }
    if (isTitleRefused(given)) {
      return given.refuse('target-title-taken', `A space with the title ${quoted(targetSpaceTitle)} already exists.`);
    }
    const tooMany = checkPages(given, from);
    if (tooMany !== undefined) return tooMany;
    const chosen = copyAdmin(given);
    if (isRefused(chosen)) return chosen;
    const copied = copyPlan(given, from, source, chosen.admin);
    const reply = copySuccess(given, targetSpaceKey, targetSpaceTitle, chosen.messages);
    return given.accept([...chosen.created, copied], reply);
  },
});

/** Whether a space has the key and name of a query, under a reading. */
function isSpaceTaken({ spaces }: World, match: Reading<'is-unique-match'>, key: string, name: string): boolean {
  if (match === 'both') return spaces.get(key)?.name === name;
  return spaces.has(key) || (match === 'either' && spaces.some(space => space.name === name));
}

/** What a space has in common with the query. */
const taken = {
  either: (key, name) => `key ${key} or the name ${name}`,
  both: (key, name) => `key ${key} and the name ${name}`,
  'key-only': key => `key ${key}`,
} as const satisfies Record<Reading<'is-unique-match'>, (key: string, name: string) => string>;

function spaceText(
  given: Asks<'is-unique-match'>,
  { spaceKey, spaceName }: { readonly spaceKey: string; readonly spaceName: string },
): string {
  return `space with the ${taken[given.reading('is-unique-match')](quoted(spaceKey), quoted(spaceName))} exists.`;
}

const freeOrTaken = titled('FreeOrTaken', boolean('Whether the space is free, or taken, by the reading.'));
const uniqueness = titled(
  'Uniqueness',
  object({ unique: boolean('Whether it is free.') }, 'spaces.is-unique', 'The response as an object.'),
);

const existence = titled(
  'Existence',
  object({ exists: boolean('Whether it is taken.') }, 'spaces.is-unique', 'The response as an object.'),
);

export const isUnique = operation({
  id: 'spaces.is-unique',
  family: 'wiki',
  summary: 'Check whether a space exists',
  method: 'POST',
  path: '/spaces/isUnique',
  query: { spaceKey: string('The key to look for.'), spaceName: string('The name to look for.') },
  access: wikiAccess,
  rules: {
    'spaces.is-unique': {
      says: 'The response tells whether a space with the given key and name exists. Nothing is changed.',
      source: '4.4, third row',
    },
  },
  refusals: ['not-unique', 'not-taken'],
  gaps: ['name-case', 'is-unique-match', 'is-unique-answer'],
  replies: [
    { status: 200, when: 'true when free', body: freeOrTaken, under: { 'is-unique-answer': 'boolean' } },
    { status: 200, when: 'true when taken', body: freeOrTaken, under: { 'is-unique-answer': 'inverted' } },
    { status: 200, when: 'free or taken', body: uniqueness, under: { 'is-unique-answer': 'object' } },
    { status: 200, when: 'free or taken', body: existence, under: { 'is-unique-answer': 'exists' } },
    { status: 200, when: 'free or taken', body: report, under: { 'is-unique-answer': 'messages' } },
    { status: 200, when: 'free', body: emptyObject, under: { 'is-unique-answer': 'status' } },
    { status: 200, when: 'taken', body: emptyObject, under: { 'is-unique-answer': 'found' } },
  ],
  examples: [
    {
      title: 'a key that is free',
      as: 'admin',
      query: { spaceKey: 'GEMINI', spaceName: 'Gemini' },
      response: { status: 200, body: true },
    },
    {
      title: 'a key that is taken',
      as: 'admin',
      query: { spaceKey: 'ds', spaceName: 'Other' },
      response: { status: 200, body: false },
    },
  ],
  decide(given) {
    const { query } = given.input;
    const isTaken = isSpaceTaken(
      given.world,
      given.reading('is-unique-match'),
      asKey(given, query.spaceKey),
      query.spaceName,
    );
    given.applies('spaces.is-unique');
    switch (given.deciding('is-unique-answer')) {
      case 'boolean':
        return given.accept([], { status: 200, body: !isTaken });
      case 'inverted':
        return given.accept([], { status: 200, body: isTaken });
      case 'object':
        return given.accept([], { status: 200, body: { unique: !isTaken } });
      case 'exists':
        return given.accept([], { status: 200, body: { exists: isTaken } });
      case 'messages':
        return given.accept([], {
          status: 200,
          body: { success: !isTaken, messages: isTaken ? [`A ${spaceText(given, query)}`] : [] },
        });
      case 'status':
        return isTaken
          ? given.refuse('not-unique', `A ${spaceText(given, query)}`)
          : given.accept([], { status: 200, body: {} });
      case 'found':
        return isTaken
          ? given.accept([], { status: 200, body: {} })
          : given.refuse('not-taken', `No ${spaceText(given, query)}`);
    }
  },
});
