// The access checks of the two families, which operations refer to.

import type { Names, Page, Space, World } from '../domain/world/world.js';
import type { Rules } from './document/rule.js';
import type { GapId, Reading } from './gaps/gaps.js';
import { quoted } from './lookups.js';
import { type Asks, type Caller, callerName } from './operation-context.js';
import type { Refused } from './provenance.js';
import type { RefusalCode } from './refusals.js';

export interface Access {
  readonly says: string;
  readonly rules: Rules;
  readonly gaps: readonly GapId[];
  readonly refusals: readonly RefusalCode[];
  /**
   * The gap that decides between this refusal and that of an invalid request, with the reading under which this one wins; without a gap, access comes
   * first.
   */
  readonly order?: { readonly gap: 'ppf-check-order' | 'wiki-check-order'; readonly first: string };
  readonly check: (given: Asks<GapId, RefusalCode, string>) => Refused | undefined;
}

/** Declares an access. `check` compiles only with declared names. */
export function access<const G extends GapId, const C extends RefusalCode, const R extends string>(
  declared: Omit<Access, 'check'> & {
    readonly rules: Rules<R>;
    readonly gaps: readonly G[];
    readonly refusals: readonly C[];
    check(given: Asks<G, C, R>): Refused | undefined;
  },
): Access {
  return declared;
}

/** `anyUser`: the readings of wiki-auth under which any user passes. */
const accessToWiki = (anyUser: readonly Reading<'wiki-auth'>[]) =>
  access({
    says: 'The document does not say who may call; see the gap wiki-auth.',
    rules: {},
    gaps: ['wiki-auth', 'wiki-anonymous', 'wiki-licence', 'wiki-check-order'],
    refusals: ['wiki-anonymous', 'wiki-not-admin', 'wiki-not-licensed'],
    order: { gap: 'wiki-check-order', first: 'access-first' },
    check(given) {
      const reading = isAdmin(given) ? 'open' : given.deciding('wiki-auth', 'unless-refused');
      if (reading !== 'open' && given.caller.kind === 'anonymous') {
        return given.refuse(
          'wiki-anonymous',
          `The request has no credentials: this operation requires ${anyUser.includes(reading) ? 'a user of the wiki' : 'an admin'} (wiki-auth=${reading}).`,
        );
      }
      if (reading === 'open' || anyUser.includes(reading)) return licenceRefusal(given);
      return given.refuse(
        'wiki-not-admin',
        `${quoted(callerName(given.caller))} is not an admin: this operation requires one (wiki-auth=${reading}).`,
      );
    },
  });

/** The refusal of a wiki that is not licensed (gap wiki-licence). */
function licenceRefusal(given: Asks<'wiki-licence', 'wiki-not-licensed'>): Refused | undefined {
  const { ppf } = given.world.licence;
  if (ppf === 'valid' || given.reading('wiki-licence') === 'not-needed') return undefined;
  return given.refuse('wiki-not-licensed', `The wiki extension is not licensed: the licence is "${ppf}".`);
}

export const groupAccess = accessToWiki(['authenticated']);
/** Where the space or the page is known, `strangerRefusal` says who is permitted. */
export const wikiAccess = accessToWiki(['authenticated', 'permitted']);

/** The refusal of a user who is neither an admin of the space nor, for a page, one of its editors (gap wiki-auth). */
export function strangerRefusal(
  given: Asks<'wiki-auth', 'wiki-not-permitted'>,
  space: Space | undefined,
  page?: Page,
): Refused | undefined {
  const { caller } = given;
  if (caller.kind === 'anonymous' || isAdmin(given) || space?.admins.has(caller.name)) return undefined;
  if (page !== undefined && isOpenTo(given, page.view) && isOpenTo(given, page.edit)) return undefined;
  if (given.reading('wiki-auth') !== 'permitted') return undefined;
  const who = page === undefined ? 'an admin of the space' : 'an editor of the page or an admin of its space';
  return given.refuse(
    'wiki-not-permitted',
    `${quoted(caller.name)} is not ${who}: this operation requires one (wiki-auth=permitted).`,
  );
}

export const ppfAccess = access({
  says: 'An authenticated admin, while the add-on is licensed.',
  rules: {
    'ppf.authenticated': { says: 'Push and pull require an authenticated caller.', source: '5, first point' },
    'ppf.admin-only': { says: 'A caller without admin permission gets 403.', source: '5, first point; 7, second row' },
    'ppf.licensed-only': {
      says: 'Without a licence for the add-on, the response is 403.',
      source: '5, first point; 7, second row',
    },
  },
  gaps: ['ppf-anonymous', 'ppf-check-order'],
  refusals: ['ppf-anonymous', 'ppf-not-admin', 'ppf-not-licensed'],
  order: { gap: 'ppf-check-order', first: '403-first' },
  check(given) {
    const { caller, world } = given;
    if (caller.kind === 'anonymous')
      return given.refuse('ppf-anonymous', 'The request has no credentials: push and pull require an admin.');
    if (!isAdmin(given))
      return given.refuse('ppf-not-admin', `${quoted(caller.name)} is not an admin: push and pull require one.`);
    if (world.licence.ppf !== 'valid')
      return given.refuse('ppf-not-licensed', `The add-on is not licensed: its licence is "${world.licence.ppf}".`);
    return undefined;
  },
});

/** A caller in a world. */
export interface Viewer {
  readonly world: World;
  readonly caller: Caller;
}

/** Whether the caller is one of these users, or a member of one of these groups. */
export function isAmong({ world, caller }: Viewer, { users, groups }: Names): boolean {
  if (caller.kind === 'anonymous') return false;
  return users.has(caller.name) || groups.some(group => world.groups.get(group)?.has(caller.name) === true);
}

/** Whether a restriction leaves a page open to the caller. */
export function isOpenTo(viewer: Viewer, names: Names): boolean {
  return names.users.size + names.groups.size === 0 || isAmong(viewer, names);
}

export function isAdmin({ caller, world }: Viewer): boolean {
  return caller.kind === 'user' && world.users.get(caller.name)?.admin === true;
}
