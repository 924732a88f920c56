// The flags of the commands that ask a server which is not ours, and what they mean.
// Knows neither rules nor gaps.

import type { World } from '../domain/world.js';
import { type Reports, reportFlag, reportsIn } from '../report/formats.js';
import { loadMap } from '../scenario/load/map-file.js';
import { isProblems, showProblem } from '../scenario/yaml/problem.js';
import type { Flag, FlagValues } from '../settings.js';
import { type Account, NamesThere } from './names/name-map.js';
import { urlFlaw } from './target/any-server.js';
import { USUAL_JOBS } from './target/side-by-side.js';

export const outsideFlags: readonly Flag[] = [
  {
    name: 'target',
    value: 'url',
    description: 'the server to ask, with its context path if it has one',
    check: urlFlaw,
  },
  {
    name: 'as',
    value: 'user:password',
    description: 'a user to ask as, the admin first; may be given several times',
    repeatable: true,
    isSecret: true,
    check: value => (accountOf(value) === undefined ? 'write user:password' : undefined),
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
    check: value => (/^[1-9]\d?$/.test(value) ? undefined : 'it takes a whole number from 1 to 99'),
  },
  {
    name: 'read-back',
    value: 'auto|off',
    description:
      "auto: read what has changed through the hosts' own resources too, where the server has them (default); off: never",
    check: value => (value === 'auto' || value === 'off' ? undefined : 'it takes auto or off'),
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

/** What the values of the flags mean; or everything that is wrong with them. `world` is that of the fixture. */
export function outsideOptions(
  values: FlagValues,
  world: World,
): OutsideOptions | { readonly mistakes: readonly string[] } {
  const { target, as = [], map: file, yes, jobs, 'read-back': readBack } = values;
  const loaded = typeof file === 'string' ? loadMap(file, world) : undefined;
  const mistakes = [
    ...(typeof target === 'string' ? [] : ['it takes the server to ask: --target http://127.0.0.1:8080']),
    ...(loaded !== undefined && isProblems(loaded) ? loaded.problems.map(showProblem) : []),
  ];
  if (mistakes.length > 0 || typeof target !== 'string') return { mistakes };
  const accounts = (Array.isArray(as) ? as : []).flatMap(text => accountOf(String(text)) ?? []);
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

function accountOf(text: string): Account | undefined {
  const at = text.indexOf(':');
  return at <= 0 ? undefined : { user: text.slice(0, at), password: text.slice(at + 1) };
}
