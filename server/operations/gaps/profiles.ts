// The profiles: named sets of readings. A gap that a profile does not name has its first reading in it.
import { defaultReadings, type GapId, gapIds, layReadings, type Readings, type SomeReadings } from './gaps.js';

export interface Profile {
  /** Whom it is for. */
  readonly means: string;
  /** Where they differ from the first reading of their gaps. */
  readonly readings: SomeReadings;
}

export const profiles = {
  lenient: { means: 'lets pass what the document does not forbid; the default', readings: {} },
  strict: {
    means: 'refuses what some server may refuse, so that most mistakes of a client show',
    readings: {
      'wiki-prefix': 'rest',
      'heading-methods': 'none',
      'all-group-field': 'groups-only',
      'wiki-auth': 'admin',
      'unknown-field': '400',
      'unknown-parameter': '400',
      'no-change': '409',
      'set-users-empty': '400',
      'sidebar-duplicate': '409',
      'list-limit': '1000',
      'target-title-taken': '409',
      'admin-eligibility': 'admins-only',
      'replace-permission': 'enforced',
      'page-title-shared': '409',
      'replace-not-found': '404',
      'expand-unknown': '400',
      'ppf-unknown-item': '400',
      'ppf-partial': 'all-or-nothing',
      'ppf-no-change': 'message',
      'content-type': '415',
    },
  },
  hosts: {
    means: 'answers as the habits of the hosts make most likely',
    readings: {
      'wiki-prefix': 'rest',
      'version-segment': 'any',
      'null-field': 'absent',
      'query-boolean': 'lenient',
      'name-case': 'ignored',
      'replace-permission': 'enforced',
      'wiki-auth': 'authenticated',
      'wiki-success': 'no-content',
      'target-space-exists': '400',
      'replace-title-clash': '400',
      'ppf-anonymous': '401',
      'content-type': '415',
    },
  },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;

export const DEFAULT_PROFILE: ProfileName = 'lenient';
export const profileNames = Object.keys(profiles) as ProfileName[]; // the keys of the table

export function isProfileName(name: unknown): name is ProfileName {
  return typeof name === 'string' && Object.hasOwn(profiles, name);
}

const whole = new Map(
  profileNames.map(name => [name, Object.freeze(layReadings(defaultReadings, profiles[name].readings))]),
);

/** The reading of each gap in a profile. */
export function profileReadings(name: ProfileName): Readings {
  return whole.get(name) ?? defaultReadings; // there is one for each name
}

export interface NearestProfile {
  readonly name: ProfileName;
  /** The gaps that it reads otherwise. */
  readonly otherwise: readonly GapId[];
}

/** The profile that shares most of some readings; of several, the first. */
export function nearestProfile(readings: SomeReadings): NearestProfile {
  const known = gapIds.filter(gap => readings[gap] !== undefined);
  const compared = profileNames.map(name => {
    const own = profileReadings(name);
    return { name, otherwise: known.filter(gap => own[gap] !== readings[gap]) };
  });
  return compared.reduce((best, other) => (other.otherwise.length < best.otherwise.length ? other : best));
}

/** What is chosen in one place: by the flags of a server, in a scenario, for a sandbox. */
export interface ReadingChoice {
  readonly profile?: ProfileName;
  /** Single readings: they lie over every profile. */
  readonly readings?: SomeReadings;
}

/** What holds under choices, the farthest first: the nearest profile, and over it the single readings of all, the nearer over the farther. */
export function chosenReadings(...choices: readonly ReadingChoice[]): Readings {
  return layReadings(profileReadings(chosenProfile(...choices)), ...choices.map(({ readings }) => readings));
}

/** What a server chooses, with all readings that hold where nobody else chooses. */
export interface ServerReadings extends ReadingChoice {
  readonly all: Readings;
}

export function serverReadings({ profile, readings }: ReadingChoice): ServerReadings {
  const choice = { ...(profile !== undefined && { profile }), ...(readings !== undefined && { readings }) };
  return { ...choice, all: chosenReadings(choice) };
}

/** The profile that holds under choices, the farthest first. */
export function chosenProfile(...choices: readonly ReadingChoice[]): ProfileName {
  return choices.findLast(({ profile }) => profile !== undefined)?.profile ?? DEFAULT_PROFILE;
}
