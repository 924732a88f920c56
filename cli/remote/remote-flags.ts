// The flags of the commands for foreign servers, and their combination.

import { NamesThere } from '../../harness/names/name-map.js';
import { type Reports, reportFlag, reportsIn } from '../../harness/report/formats.js';
import { urlError } from '../../harness/target/any-server.js';
import { givenHeaderIn, type Place, usersWith } from '../../harness/target/other-servers.js';
import type { World } from '../../server/domain/world/world.js';
import { loadMap } from '../../server/scenario/load/map-file.js';
import { isProblems, showProblem } from '../../server/scenario/yaml/problem.js';
import { type Account, accountIn, checkedBy, checkWholeNumber, type Wrong } from '../../server/settings/flag-checks.js';
import type { Flag } from '../../server/settings/serve-flags.js';
import type { FlagValues } from '../../server/settings/settings.js';
import { parsedBy } from '../../server/settings/settings.js';

/** The flag for the passwords of users. `parse`: default: both are needed. */
export function accountsFlag(description: string, parse: (text: string) => object = accountIn): Flag {
  return {
    name: 'as',
    value: 'user:password',
    description,
    example: 'admin:secret',
    repeatable: true,
    isSecret: true,
    check: checkedBy(parse),
  };
}

/** A user without a password has other credentials. */
function userIn(text: string): Account | Wrong {
  return text.includes(':') || text === '' ? accountIn(text) : { user: text, password: '' };
}

function headerFlag(name: string, description: string): Flag {
  return {
    name,
    value: 'header',
    description,
    example: "'Authorization: Bearer …'",
    repeatable: true,
    isSecret: true,
    check: checkedBy(givenHeaderIn),
  };
}

export const outsideFlags: readonly Flag[] = [
  {
    name: 'target',
    value: 'url',
    description: 'base URL of a server with both APIs; include its context path, if it has one',
    example: 'http://127.0.0.1:8080',
    check: urlError,
  },
  {
    name: 'wiki',
    value: 'url',
    description: 'base URL of Confluence, instead of --target; include its context path, if it has one',
    example: 'https://wiki.example.com/confluence',
    check: urlError,
  },
  {
    name: 'tracker',
    value: 'url',
    description: 'base URL of Jira, instead of --target; include its context path, if it has one',
    example: 'https://jira.example.com',
    check: urlError,
  },
  accountsFlag(
    'user and password; give the admin first; leave out the password if --header has credentials; repeatable',
    userIn,
  ),
  headerFlag(
    'header',
    "header of every request; credentials are the admin's, or those of a user who is named before: 'asmith Cookie: …'; repeatable",
  ),
  headerFlag('wiki-header', 'the same for Confluence only'),
  headerFlag('tracker-header', 'the same for Jira only'),
  {
    name: 'map',
    value: 'file.yaml',
    description: "name map; it maps the fixture's users, groups, spaces, pages, filters and dashboards to the server's",
    example: 'names.yaml',
  },
  {
    name: 'patience',
    value: 's',
    description: 'seconds to wait for a change to appear in what the server shows; 0: none',
    default: '60',
    check: checkWholeNumber(0, 600),
  },
  { name: 'yes', description: 'change the server without asking first' },
  {
    name: 'accept-loss',
    description:
      'also change data that might not be restored because its original state cannot be read, such as group members',
  },
  reportFlag,
];

export interface OutsideOptions {
  /** The base URLs, for people. */
  readonly url: string;
  /** Each of the two servers, if it is given. */
  readonly wiki: Place | undefined;
  readonly tracker: Place | undefined;
  readonly names: NamesThere;
  /** Milliseconds that a change may take to appear. */
  readonly stale: number;
  readonly isConsentGiven: boolean;
  /** Whether to change what cannot be read, and so not be restored. */
  readonly isLossAccepted: boolean;
  readonly reports: Reports;
}

/** Interprets the values of the flags, or returns all errors. `world`: of the fixture. */
export function outsideOptions(
  values: FlagValues,
  world: World,
): OutsideOptions | { readonly errors: readonly string[] } {
  const { target, wiki = target, tracker = target, as, map: file, yes } = values;
  const loaded = typeof file === 'string' ? loadMap(file, world) : undefined;
  const map = loaded === undefined || isProblems(loaded) ? undefined : loaded.map;
  const accounts = parsedBy(userIn, as);
  const names = new NamesThere(world, map, accounts);
  const errors = [
    ...(typeof wiki === 'string' || typeof tracker === 'string'
      ? []
      : ['missing required flag --target: the base URL of the server, or --wiki and --tracker for one with each API']),
    ...(target !== undefined && (values.wiki ?? values.tracker) !== undefined
      ? ['--target cannot be used with --wiki and --tracker: it is a server with both APIs']
      : []),
    ...(loaded !== undefined && isProblems(loaded) ? loaded.problems.map(showProblem) : []),
  ];
  const places = placesOf(values);
  const admin = names.adminThere;
  const withHeaders = new Set([places.wiki, places.tracker].flatMap(place => usersWith(place?.headers ?? [], admin)));
  if (accounts.some(({ user, password }) => password === '' && !withHeaders.has(user)))
    errors.push('--as has no password: write user:password, or give credentials with --header'); // the value may be the password
  if (errors.length > 0) return { errors };
  return {
    url: [...new Set([wiki, tracker])].filter(url => url !== undefined).join(' and '),
    ...places,
    names,
    stale: Number(values.patience ?? 60) * 1000,
    isConsentGiven: yes === true,
    isLossAccepted: values['accept-loss'] === true,
    reports: reportsIn(values),
  };
}

/** One place if both APIs are at the same server. */
function placesOf(values: FlagValues): Pick<OutsideOptions, 'wiki' | 'tracker'> {
  const headersIn = (...flags: readonly string[]) => flags.flatMap(flag => parsedBy(givenHeaderIn, values[flag]));
  const { target, wiki, tracker } = values;
  if (typeof target === 'string') {
    const both = { url: target, headers: headersIn('header', 'wiki-header', 'tracker-header') };
    return { wiki: both, tracker: both };
  }
  const place = (url: unknown, flag: string) =>
    typeof url === 'string' ? { url, headers: headersIn('header', flag) } : undefined;
  return { wiki: place(wiki, 'wiki-header'), tracker: place(tracker, 'tracker-header') };
}
