// Which admin a copied space gets, and the one fact that a copy is. Knows nothing of parameters that do not matter to that.
import type { Fact } from '../../domain/facts.js';
import type { Space, World } from '../../domain/world.js';
import { knownUsers, quoted } from '../lookups.js';
import { type Asks, callerName } from '../operation-context.js';
import { isRefused, type Refused } from '../provenance.js';

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

/** Pages that one request may copy: they come to the world in one step, while nobody else is served. */
const MOST_PAGES = 20_000;

/** Refuses a space that has more pages than one request may copy. */
export function checkPages(given: Copy & Asks<never, 'too-much-at-once'>): Refused | undefined {
  const { sourceSpaceKey } = given.input.query;
  const pages = given.world.pageIndex.get(sourceSpaceKey)?.order.size ?? 0;
  if (pages <= MOST_PAGES) return undefined;
  return given.refuse(
    'too-much-at-once',
    `The space ${quoted(sourceSpaceKey)} has ${pages} pages, and at most ${MOST_PAGES} are copied at once: take pages away, or make the copy in a fixture.`,
  );
}

/** The admin to use: the one named, or the default one (gap default-space-admin). A named user that is passed over counts as none named. */
export function copyAdmin(
  given: Copy &
    Asks<'default-space-admin' | 'unknown-user', 'no-default-admin' | 'unknown-user', 'spaces.copy-default-admin'>,
): string | Refused {
  const { targetSpaceAdmin } = given.input.query;
  if (targetSpaceAdmin !== '') {
    const known = knownUsers(given, [targetSpaceAdmin]);
    if (isRefused(known)) return known;
    if (known[0] !== undefined) return known[0];
  }
  return defaultAdmin(given);
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
      'copied-metadata-when-not-kept',
      never,
      'spaces.copy' | 'spaces.copy-query-only' | 'spaces.copy-remove-admin' | 'spaces.copy-keep-metadata'
    >,
  source: Space,
  admin: string,
): Fact {
  const { sourceSpaceKey, targetSpaceKey, targetSpaceTitle, removeAdminPermissions, keepPagesMetadata } =
    given.input.query;
  given.applies('spaces.copy', 'spaces.copy-query-only');
  if (removeAdminPermissions) given.applies('spaces.copy-remove-admin');
  if (keepPagesMetadata) given.applies('spaces.copy-keep-metadata');
  const admins = removeAdminPermissions ? source.admins.delete(admin) : source.admins.add(admin);
  const plan = {
    source: sourceSpaceKey,
    target: targetSpaceKey,
    name: targetSpaceTitle,
    admins: [...admins].sort(),
    firstPageId: given.world.nextPageId,
  };
  return {
    type: 'space-copied',
    ...plan,
    ...(!keepPagesMetadata && { restamp: { author: copyAuthor(given, admin), at: given.now } }),
  };
}

function copyAuthor(given: Copy & Asks<'copied-metadata-when-not-kept'>, admin: string): string {
  const caller = callerName(given.caller);
  const hasPages = (given.world.pageIndex.get(given.input.query.sourceSpaceKey)?.order.size ?? 0) > 0;
  const isDecided = !hasPages || caller === admin;
  return isDecided || given.reading('copied-metadata-when-not-kept') === 'caller-now' ? caller : admin;
}

function firstAdmin(world: World): string | undefined {
  return world.users
    .filter(user => user.admin)
    .keySeq()
    .min();
}
