// The flags of the commands for foreign servers, and their combination.

import type { World } from '../domain/world.js';
import { type Reports, reportFlag, reportsIn } from '../report/formats.js';
import { loadMap } from '../scenario/load/map-file.js';
import { isProblems, showProblem } from '../scenario/yaml/problem.js';
import { account, accountIn, oneOf, wholeNumber } from '../settings/flag-checks.js';
import { type Flag, type FlagValues, listOf } from '../settings.js';
import { NamesThere } from './names/name-map.js';
import { urlError } from './target/any-server.js';
import { USUAL_JOBS } from './target/side-by-side.js';

export const outsideFlags: readonly Flag[] = [
  {
    name: 'target',
    value: 'url',
    description: 'the server to ask, with its context path if it has one',
    check: urlError,
  },
  {
    name: 'as',
    value: 'user:password',
    description: 'a user to ask as, the admin first; may be given several times',
    repeatable: true,
    isSecret: true,
    check: account,
  },
  {
    name: 'map',
    value: 'file.yaml',
    description: "what there stands for the fixture's users, groups, spaces, pages and items",
  },
  {
    name: 'jobs',
    value: 'n',
    description: `so many requests at a time, where they touch different things (default: ${USUAL_JOBS}); 1: one after the other`,
    check: wholeNumber(1, 99),
  },
  {
    name: 'read-back',
    value: 'auto|off',
    description:
      "auto: read what has changed through the hosts' own resources too, where the server has them (default); off: never",
    check: oneOf('auto', 'off'),
  },
  { name: 'yes', description: 'change what has to be changed there without being asked' },
  reportFlag,
];

export interface OutsideOptions {
  readonly url: string;
  readonly names: NamesThere;
  readonly isConsentGiven: boolean;
  readonly jobs: number;
  readonly isReadingBack: boolean;
  readonly reports: Reports;
}

/** Interprets the values of the flags, or returns all errors. `world`: of the fixture. */
export function outsideOptions(
  values: FlagValues,
  world: World,
): OutsideOptions | { readonly errors: readonly string[] } {
  const { target, as, map: file, yes, jobs, 'read-back': readBack } = values;
  const loaded = typeof file === 'string' ? loadMap(file, world) : undefined;
  const errors = [
    ...(typeof target === 'string'
      ? []
      : ['--target is missing: give the URL of the server to ask, such as http://127.0.0.1:8080']),
    ...(loaded !== undefined && isProblems(loaded) ? loaded.problems.map(showProblem) : []),
  ];
  if (errors.length > 0 || typeof target !== 'string') return { errors };
  const accounts = listOf(as).flatMap(text => accountIn(text) ?? []);
  const map = loaded === undefined || isProblems(loaded) ? undefined : loaded.map;
  return {
    url: target,
    names: new NamesThere(world, map, accounts),
    isConsentGiven: yes === true,
    jobs: typeof jobs === 'string' ? Number(jobs) : USUAL_JOBS,
    isReadingBack: readBack !== 'off',
    reports: reportsIn(values),
  };
}
