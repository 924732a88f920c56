// The profiles: named sets of readings. Gaps that a profile does not name have their default.
import { defaultReadings, type GapId, gapIds, layReadings, type Readings, type SomeReadings } from './gaps.js';

export interface Profile {
  /** Whom it is for. */
  readonly means: string;
  /** Readings that differ from the defaults. */
  readonly readings: SomeReadings;
}

export const profiles = {
  lenient: { means: 'lets pass what the document does not forbid; the default', readings: {} },
  strict: {
    means: 'refuses whatever some server might refuse, so that most client mistakes show up',
    readings: {
      'wiki-prefix': 'rest',
      'ppf-context-path': 'none',
      'heading-methods': 'none',
      'all-group-field': 'groups-only',
      'wiki-auth': 'admin',
      'wiki-licence': 'needed',
      'unknown-field': '400',
      'ppf-unknown-field': '400',
      'unknown-parameter': '400',
      'no-change': '409',
      'empty-lists': '400',
      'set-users-empty': '400',
      'sidebar-duplicate': '409',
      'sidebar-link-form': 'checked',
      'list-limit': '1000',
      'target-title-taken': '409',
      'space-title-form': '1-to-255',
      'admin-eligibility': 'admins-only',
      'replace-permission': 'enforced',
      'page-title-shared': '409',
      'replace-not-found': '404',
      'expand-unknown': '400',
      'ppf-unknown-item': '400',
      'ppf-partial': 'all-or-nothing',
      'ppf-no-change': 'message',
      'repeated-parameter': '400',
      'page-title-case': 'ignored',
      'auth-scheme': 'basic',
      'content-type': '415',
      'browser-post': '403',
    },
  },
  realistic: {
    means: 'responds as Confluence and Jira most likely would',
    readings: {
      'wiki-prefix': 'rest',
      'version-segment': 'any',
      'trailing-slash': 'accept',
      'field-type': 'scalars',
      'null-field': 'absent',
      'query-boolean': 'lenient',
      'name-case': 'ignored',
      'replace-permission': 'enforced',
      'wiki-auth': 'authenticated',
      'wiki-success': 'no-content',
      'target-space-exists': '400',
      'replace-title-clash': '400',
      'page-title-case': 'ignored',
      'ppf-anonymous': '401',
      'content-type': '415',
      'ppf-unknown-field': '400',
      'browser-post': '403',
    },
  },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;

const DEFAULT_PROFILE: ProfileName = 'lenient';
export const profileNames = Object.keys(profiles) as ProfileName[]; // the keys of the table

export function isProfileName(name: unknown): name is ProfileName {
  return typeof name === 'string' && Object.hasOwn(profiles, name);
}

const whole = new Map(
  profileNames.map(name => [name, Object.freeze(layReadings(defaultReadings, profiles[name].readings))]),
);

/** All readings of a profile. */
export function profileReadings(name: ProfileName): Readings {
  return whole.get(name) ?? defaultReadings; // there is one for each name
}

export interface NearestProfile {
  readonly name: ProfileName;
  /** The gaps with other readings than the profile's. */
  readonly otherwise: readonly GapId[];
}

/** The profile with the most readings in common; of several, the first. */
export function nearestProfile(readings: SomeReadings): NearestProfile {
  const known = gapIds.filter(gap => readings[gap] !== undefined);
  const compared = profileNames.map(name => {
    const own = profileReadings(name);
    return { name, otherwise: known.filter(gap => own[gap] !== readings[gap]) };
  });
  return compared.reduce((best, other) => (other.otherwise.length < best.otherwise.length ? other : best));
}

/** The choices of one level: flags of a server, a scenario, or a sandbox. */
export interface ReadingChoice {
  readonly profile?: ProfileName;
  /** Single readings, which win over every profile. */
  readonly readings?: SomeReadings;
}

/**
 * The resulting readings of several levels, the most general first: the most specific profile, and over it all single readings, specific ones last.
 */
export function chosenReadings(...choices: readonly ReadingChoice[]): Readings {
  return layReadings(profileReadings(chosenProfile(...choices)), ...choices.map(({ readings }) => readings));
}

/** The choices of a server, with the resulting readings. */
export interface ServerReadings extends ReadingChoice {
  readonly all: Readings;
}

export function serverReadings({ profile, readings }: ReadingChoice): ServerReadings {
  const choice = { ...(profile !== undefined && { profile }), ...(readings !== undefined && { readings }) };
  return { ...choice, all: chosenReadings(choice) };
}

/** The resulting profile of several levels, the most general first. */
export function chosenProfile(...choices: readonly ReadingChoice[]): ProfileName {
  return choices.findLast(({ profile }) => profile !== undefined)?.profile ?? DEFAULT_PROFILE;
}
