// The flags of the commands for foreign servers, and their combination.

import type { World } from '../server/domain/world/world.js';
import { loadMap } from '../server/scenario/load/map-file.js';
import { isProblems, showProblem } from '../server/scenario/yaml/problem.js';
import { accountIn, checkedBy, checkWholeNumber } from '../server/settings/flag-checks.js';
import { parsedBy } from '../server/settings/flag-values.js';
import type { Flag, FlagValues } from '../server/settings/settings.js';
import { NamesThere } from './names/name-map.js';
import { type Reports, reportFlag, reportsIn } from './report/formats.js';
import { urlError } from './target/any-server.js';

/** The flag for the passwords of users. */
export function accountsFlag(description: string): Flag {
  const check = checkedBy(accountIn);
  return {
    name: 'as',
    value: 'user:password',
    description,
    example: 'admin:secret',
    repeatable: true,
    isSecret: true,
    check,
  };
}

export const outsideFlags: readonly Flag[] = [
  {
    name: 'target',
    value: 'url',
    description: 'base URL of the server; include its context path, if it has one',
    example: 'https://wiki.example.com/confluence',
    check: urlError,
  },
  accountsFlag('user and password; give the admin first; repeatable'),
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
  readonly url: string;
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
  const { target, as, map: file, yes } = values;
  const loaded = typeof file === 'string' ? loadMap(file, world) : undefined;
  const errors = [
    ...(typeof target === 'string'
      ? []
      : ['missing required flag --target: the base URL of the server, such as http://127.0.0.1:8080']),
    ...(loaded !== undefined && isProblems(loaded) ? loaded.problems.map(showProblem) : []),
  ];
  if (errors.length > 0 || typeof target !== 'string') return { errors };
  const map = loaded === undefined || isProblems(loaded) ? undefined : loaded.map;
  return {
    url: target,
    names: new NamesThere(world, map, parsedBy(accountIn, as)),
    stale: Number(values.patience ?? 60) * 1000,
    isConsentGiven: yes === true,
    isLossAccepted: values['accept-loss'] === true,
    reports: reportsIn(values),
  };
}
