// The admin of a copied space, and the fact of a copy.
import type { Fact } from '../../domain/facts.js';
import { pagesOf } from '../../domain/world/pages.js';
import type { Space, World } from '../../domain/world/world.js';
import { confluencePaths } from '../confluence/confluence-entities.js';
import { type KnownNames, knownUsers, quoted } from '../lookups.js';
import type { ReplyOf } from '../operation.js';
import { type Asks, callerName } from '../operation-context.js';
import { isRefused, type Refused } from '../provenance.js';
import { object, string, titled } from '../schema.js';
import { emptyObject, skippedUser, type WikiReply, wikiReplies, wikiSuccess } from './wiki.js';

interface Copy {
  readonly now: string;
  readonly input: {
    readonly query: {
      readonly sourceSpaceKey: string;
      readonly targetSpaceKey: string;
      readonly targetSpaceTitle: string;
      readonly targetSpaceAdmin: string;
      readonly removeAdminPermissions: boolean;
      readonly keepPagesMetadata: boolean;
    };
  };
}

const task = titled(
  'CopyTask',
  object(
    {
      id: string('The id of the task: the key of the new space.'),
      links: object({ status: string('Path of the task, with the context path.') }, undefined, 'Where the task is.'),
    },
    undefined,
    'A task, as Confluence reports what it does in the background.',
  ),
);
const newSpace = titled(
  'NewSpace',
  object(
    { key: string('The key.'), name: string('The title.'), type: string('Always global.') },
    undefined,
    'The new space.',
  ),
);

const likeOthers = wikiReplies.map(reply => ({
  ...reply,
  under: { 'copy-success': 'like-others', ...reply.under },
})) as unknown as typeof wikiReplies; // the same with one more condition

export const copyReplies = [
  ...likeOthers,
  skippedUser,
  { status: 201, when: 'It is done.', body: emptyObject, under: { 'copy-success': '201' } },
  { status: 202, when: 'It is done.', body: task, under: { 'copy-success': '202' } },
  { status: 201, when: 'It is done.', body: newSpace, under: { 'copy-success': 'space' } },
] as const;

/** The response of a copy (gap copy-success). */
export function copySuccess(
  given: Asks<'copy-success' | 'wiki-success'> & { readonly root: string },
  key: string,
  name: string,
  skipped: readonly string[],
): CopyReply {
  if (skipped.length > 0) return wikiSuccess(given, skipped);
  switch (given.deciding('copy-success')) {
    case 'like-others':
      return wikiSuccess(given);
    case '201':
      return { status: 201, body: {} };
    case '202':
      return { status: 202, body: { id: key, links: { status: `${given.root}${confluencePaths.task(key)}` } } };
    case 'space':
      return { status: 201, body: { key, name, type: 'global' } };
  }
}
type CopyReply = WikiReply | ReplyOf<Exclude<(typeof copyReplies)[number], (typeof wikiReplies)[number]>>;

/** Maximum pages of one copy: they are added in one step while other requests wait. */
const MAX_PAGES = 20_000;

/** Refuses a space that has more pages than one request may copy. `from`: its key. */
export function checkPages(given: Asks<never, 'too-much-at-once'>, from: string): Refused | undefined {
  const pages = given.world.pageIndex.get(from)?.ids.size ?? 0;
  if (pages <= MAX_PAGES) return undefined;
  return given.refuse(
    'too-much-at-once',
    `The space ${quoted(from)} has ${pages} pages, but this fake copies at most ${MAX_PAGES}. Remove pages, or put the copy into a fixture.`,
  );
}

/** Whether the title of the new space is that of another, and refused for it (gap target-title-taken). */
export function isTitleRefused(given: Copy & Asks<'target-title-taken'>): boolean {
  const { targetSpaceTitle: title } = given.input.query;
  return given.world.spaces.some(({ name }) => name === title) && given.reading('target-title-taken') === '409';
}

/** The admin to use: the named one, or the default (gap default-space-admin). A skipped unknown user counts as not named. */
export function copyAdmin(
  given: Copy &
    Asks<
      'default-space-admin' | 'unknown-user' | 'name-case' | 'admin-eligibility',
      'no-default-admin' | 'unknown-user' | 'admin-eligibility',
      'spaces.copy-default-admin'
    >,
): CopyAdmin | Refused {
  const { targetSpaceAdmin } = given.input.query;
  const known = knownUsers(given, targetSpaceAdmin === '' ? [] : [targetSpaceAdmin]);
  if (isRefused(known)) return known;
  const [named] = known.names;
  const admin = named === undefined ? defaultAdmin(given) : eligible(given, named);
  return typeof admin === 'string' ? { ...known, admin } : admin;
}

interface CopyAdmin extends Omit<KnownNames, 'names'> {
  readonly admin: string;
}

function eligible(given: Asks<'admin-eligibility', 'admin-eligibility'>, user: string): string | Refused {
  if (given.world.users.get(user)?.admin === true || given.reading('admin-eligibility') === 'any-user') return user;
  return given.refuse(
    'admin-eligibility',
    `${quoted(user)} is not an admin of this wiki: name an admin in targetSpaceAdmin.`,
  );
}

function defaultAdmin(
  given: Asks<'default-space-admin', 'no-default-admin', 'spaces.copy-default-admin'>,
): string | Refused {
  given.applies('spaces.copy-default-admin');
  const first = firstAdmin(given.world);
  const { caller } = given;
  if (caller.kind === 'user' && caller.name !== first && given.reading('default-space-admin') === 'caller')
    return caller.name;
  return first ?? given.refuse('no-default-admin', 'No user of this wiki is an admin: name one in targetSpaceAdmin.');
}

export function copyPlan(
  given: Copy &
    Asks<
      'copied-metadata-when-not-kept' | 'copied-content',
      never,
      'spaces.copy' | 'spaces.copy-query-only' | 'spaces.copy-remove-admin' | 'spaces.copy-keep-metadata'
    >,
  from: string,
  source: Space,
  admin: string,
): Fact {
  const { targetSpaceKey, targetSpaceTitle, removeAdminPermissions, keepPagesMetadata } = given.input.query;
  given.applies('spaces.copy', 'spaces.copy-query-only');
  if (removeAdminPermissions) given.applies('spaces.copy-remove-admin');
  if (keepPagesMetadata) given.applies('spaces.copy-keep-metadata');
  const hasPages = (given.world.pageIndex.get(from)?.ids.size ?? 0) > 0;
  const hasMore = hasMoreThanPages(given.world, from, source);
  const hasOtherAdmins = source.admins.some(name => name !== admin);
  const isPagesOnly = (hasMore || hasOtherAdmins) && given.reading('copied-content') === 'pages';
  const inherited = isPagesOnly ? source.admins.clear() : source.admins;
  const admins = removeAdminPermissions ? inherited.delete(admin) : inherited.add(admin);
  const plan = {
    source: from,
    target: targetSpaceKey,
    name: targetSpaceTitle,
    admins: [...admins].sort(),
    firstPageId: given.world.nextPageId,
  };
  return {
    type: 'space-copied',
    ...plan,
    ...(isPagesOnly && hasMore && { content: 'pages' as const }),
    ...(!keepPagesMetadata && hasPages && { restamp: { author: copyAuthor(given, admin), at: given.now } }),
  };
}

/** Whether a space has what only one reading of copied-content copies, besides admins: links, or restrictions of pages. */
function hasMoreThanPages(world: World, key: string, { sidebar }: Space): boolean {
  if (sidebar.length > 0) return true;
  return pagesOf(world, key).some(([, { edit, view }]) =>
    [edit, view].some(({ users, groups }) => users.size + groups.size > 0),
  );
}

function copyAuthor(given: Copy & Asks<'copied-metadata-when-not-kept'>, admin: string): string {
  return given.reading('copied-metadata-when-not-kept') === 'caller-now' ? callerName(given.caller) : admin;
}

function firstAdmin(world: World): string | undefined {
  return world.users
    .filter(user => user.admin)
    .keySeq()
    .min();
}
