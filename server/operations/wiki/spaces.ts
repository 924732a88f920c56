// What is done to spaces: the document's section 4.4, but for the text of their pages, which is in replace-in-page.ts.
import { wikiAccess } from '../access.js';
import { knownSpace, quoted } from '../lookups.js';
import { operation } from '../operation.js';
import { isRefused } from '../provenance.js';
import { boolean, object, string, titled } from '../schema.js';
import { checkPages, copyAdmin, copyPlan } from './copy.js';
import { nothing, wikiReplies, wikiSuccess } from './wiki.js';

const ok = { status: 200, body: {} };

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
          url: string('Where the link leads.'),
        },
        'spaces.sidebar-link',
        'A link and the space that gets it.',
      ),
    ),
  },
  access: wikiAccess,
  rules: {
    'spaces.sidebar-link': {
      says: 'A link with the given label and url comes to the sidebar of the space.',
      source: '2, Sidebar link body; 4.4, first row',
      effect: true,
    },
  },
  refusals: ['unknown-space', 'sidebar-duplicate'],
  gaps: ['unknown-space', 'sidebar-duplicate', 'wiki-success'],
  replies: wikiReplies,
  examples: [
    {
      title: 'a link',
      as: 'admin',
      body: { spaceKey: 'ds', label: 'Handbook', url: 'https://example.com/handbook' },
      answer: ok,
    },
  ],
  decide(given) {
    const { spaceKey, label, url } = given.input.body;
    const space = knownSpace(given, spaceKey);
    if (isRefused(space)) return space;
    given.applies('spaces.sidebar-link');
    const reading = space.sidebar.some(link => link.label === label) ? given.reading('sidebar-duplicate') : 'append';
    if (reading === '409')
      return given.refuse(
        'sidebar-duplicate',
        `The sidebar of ${quoted(spaceKey)} has a link ${quoted(label)} already.`,
      );
    const type = reading === 'replace' ? 'sidebar-link-replaced' : 'sidebar-link-added';
    return given.accept([{ type, space: spaceKey, label, url }], wikiSuccess(given));
  },
});

const SPACE_KEY = /^[A-Za-z0-9]{1,255}$/;

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
  patterns: { targetSpaceKey: { gap: 'space-key-format', reading: 'alphanumeric', pattern: SPACE_KEY } },
  access: wikiAccess,
  rules: {
    'spaces.copy': {
      says: 'A new space comes to be with the pages, the sidebar links and the permissions of the source.',
      source: '4.4, second row',
      effect: true,
    },
    'spaces.copy-query-only': {
      says: 'Only query parameters count; a body is not read.',
      source: '4.4, second row "Query parameters only"',
    },
    'spaces.copy-default-admin': {
      says: 'When targetSpaceAdmin is empty, a default admin is picked.',
      source: '4.4, targetSpaceAdmin',
      effect: true,
    },
    'spaces.copy-remove-admin': {
      says: 'With removeAdminPermissions the admin is not among those permitted in the new space.',
      source: '4.4, removeAdminPermissions',
      effect: true,
    },
    'spaces.copy-keep-metadata': {
      says: 'With keepPagesMetadata the pages keep the authors and dates of the template.',
      source: '4.4, keepPagesMetadata',
      effect: true,
    },
  },
  refusals: [
    'unknown-space',
    'unknown-user',
    'space-key-format',
    'target-space-exists',
    'target-title-taken',
    'no-default-admin',
    'too-much-at-once',
  ],
  gaps: [
    'unknown-space',
    'unknown-user',
    'space-key-format',
    'target-space-exists',
    'target-title-taken',
    'default-space-admin',
    'copied-metadata-when-not-kept',
    'wiki-success',
  ],
  replies: wikiReplies,
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
      answer: ok,
    },
  ],
  decide(given) {
    const { sourceSpaceKey, targetSpaceKey, targetSpaceTitle } = given.input.query;
    const source = knownSpace(given, sourceSpaceKey);
    if (isRefused(source)) return source;
    if (!SPACE_KEY.test(targetSpaceKey) && given.reading('space-key-format') === 'alphanumeric') {
      return given.refuse(
        'space-key-format',
        `targetSpaceKey is ${quoted(targetSpaceKey)}: a key has 1 to 255 of the characters A-Z, a-z and 0-9.`,
      );
    }
    if (given.world.spaces.has(targetSpaceKey)) {
      return given.refuse('target-space-exists', `There is a space with the key ${quoted(targetSpaceKey)} already.`);
    }
    const isTitleTaken = given.world.spaces.some(space => space.name === targetSpaceTitle);
    if (isTitleTaken && given.reading('target-title-taken') === '409') {
      return given.refuse('target-title-taken', `There is a space with the title ${quoted(targetSpaceTitle)} already.`);
    }
    const tooMany = checkPages(given);
    if (tooMany !== undefined) return tooMany;
    const admin = copyAdmin(given);
    if (typeof admin !== 'string') return admin;
    return given.accept([copyPlan(given, source, admin)], wikiSuccess(given));
  },
});

const freeOrTaken = titled('FreeOrTaken', boolean('Whether the space is free, or taken, by the reading.'));
const uniqueness = titled(
  'Uniqueness',
  object({ unique: boolean('Whether it is free.') }, 'spaces.is-unique', 'The answer as an object.'),
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
      says: 'Tells whether a space with the given key and name exists, and changes nothing.',
      source: '4.4, third row',
    },
  },
  refusals: ['not-unique'],
  gaps: ['is-unique-match', 'is-unique-answer'],
  replies: [
    { status: 200, when: 'true when free', body: freeOrTaken, under: { 'is-unique-answer': 'boolean' } },
    { status: 200, when: 'true when taken', body: freeOrTaken, under: { 'is-unique-answer': 'inverted' } },
    {
      status: 200,
      when: 'free or taken',
      body: uniqueness,
      under: { 'is-unique-answer': 'object' },
    },
    { status: 200, when: 'free', body: nothing, under: { 'is-unique-answer': 'status' } },
  ],
  examples: [
    {
      title: 'a key that is free',
      as: 'admin',
      query: { spaceKey: 'GEMINI', spaceName: 'Gemini' },
      answer: { status: 200, body: true },
    },
    {
      title: 'a key that is taken',
      as: 'admin',
      query: { spaceKey: 'ds', spaceName: 'Other' },
      answer: { status: 200, body: false },
    },
  ],
  decide(given) {
    const { spaceKey, spaceName } = given.input.query;
    const withKey = given.world.spaces.get(spaceKey);
    const key = withKey !== undefined;
    const taken = {
      'key-only': key,
      either: key || given.world.spaces.some(space => space.name === spaceName),
      both: withKey?.name === spaceName,
    };
    given.applies('spaces.is-unique');
    const isTaken = taken.either === taken.both ? taken.either : taken[given.reading('is-unique-match')];
    switch (given.reading('is-unique-answer')) {
      case 'boolean':
        return given.accept([], { status: 200, body: !isTaken });
      case 'inverted':
        return given.accept([], { status: 200, body: isTaken });
      case 'object':
        return given.accept([], { status: 200, body: { unique: !isTaken } });
      case 'status':
        return isTaken
          ? given.refuse(
              'not-unique',
              `A space with the key ${quoted(spaceKey)} or the name ${quoted(spaceName)} exists.`,
            )
          : given.accept([], { status: 200, body: {} });
    }
  },
});
