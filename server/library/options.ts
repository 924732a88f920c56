// The options of a fake for programs: the settings of `serve` under their own names, checked by the same table, with the same defaults.

import { readingProblems } from '../control/actions/sandbox-actions.js';
import { isObject } from '../domain/form/patch.js';
import { expectedOf, nearest, orList } from '../engine/nearest.js';
import { parseReadings, profileProblem } from '../engine/request/readings.js';
import { contrast, found } from '../engine/request/validate.js';
import type { SomeReadings } from '../operations/gaps/gaps.js';
import { type TlsOptions, tlsProblem } from '../outgoing/tls-options.js';
import type { Environment } from '../process/command-process.js';
import type { ValidationError } from '../scenario/yaml/problem.js';
import { checkOutputFolder } from '../settings/flag-checks.js';
import { type Flag, type ServedOption, type SharedOption, settingFlags } from '../settings/serve-flags.js';
import { clashIn, flagValue, type Settings, settingsFrom } from '../settings/settings.js';
import { FakeError } from './port/fake-error.js';

/** Defaults are those of `cwx-fake serve`, except that nothing is logged. */
export interface CreateOptions extends Partial<Pick<Settings, SharedOption>> {
  /** Scenario or fixture of sandboxes without one: its name, or the path of a file. Default: `small-team`. */
  readonly scenario?: string;
  /** Readings by gap. Those of a scenario win over them, and those of a sandbox over both. */
  readonly readings?: SomeReadings;
}

/** The default of `port` is a free port. */
export interface StartOptions extends CreateOptions, Partial<Pick<Settings, ServedOption | 'fallbackTls'>> {}

const flags = new Map(settingFlags.filter(({ program }) => program !== 'none').map(flag => [flag.setting, flag]));
const names = ['scenario', 'readings', 'fallbackTls', ...flags.keys()];
const ofSocket: readonly string[] = [
  'fallbackTls',
  ...settingFlags.filter(({ program }) => program === 'startFake').map(({ setting }) => setting),
];

/** Finds the errors of a scenario that does not load from these folders. */
export type CheckScenario = (
  scenario: string,
  settings: Pick<StartOptions, 'fixtures' | 'scenarios' | 'restApi'>,
) => ValidationError[];

/**
 * The settings of a fake, or an error with everything wrong in its options; if there is one, also with what is wrong in its scenario. The
 * environment variables `CWX_FAKE_PROFILE`, `CWX_FAKE_READING` and `CWX_FAKE_COVERAGE` win over defaults, the program over both.
 */
export function settingsOf(
  given: StartOptions,
  by: 'startFake' | 'createFake',
  env: Environment = process.env,
  checkScenario: CheckScenario = () => [],
): Settings {
  const refusal = (problems: readonly ValidationError[]) =>
    new FakeError(`Invalid options for ${by}`, [...problems, ...scenarioErrors(given, problems, checkScenario)]);
  const takes = by === 'startFake' ? names : names.filter(name => !ofSocket.includes(name));
  const { scenario, readings = {}, fallbackTls, ...others } = given;
  const known = Object.entries(others).filter(([name, value]) => takes.includes(name) && value !== undefined);
  const surrounding = parseReadings(env.CWX_FAKE_READING ?? '');
  const problems = [
    ...unknownKeys(given, takes, by),
    ...(scenario === undefined || typeof scenario === 'string'
      ? []
      : [
          {
            message: `it must be the name of a scenario or the path of a file, not ${found(scenario)}`,
            pointer: '/scenario',
          },
        ]),
    ...(isObject(readings)
      ? readingProblems(chosenOf(readings), '/readings')
      : [{ message: `it must be readings by gap, not ${found(readings)}`, pointer: '/readings' }]),
    ...tlsProblems(fallbackTls, '/fallbackTls'),
    ...known.flatMap(([name, value]) => valueProblems(name, value)),
    ...(env.CWX_FAKE_PROFILE ? environmentProblem('CWX_FAKE_PROFILE', profileProblem(env.CWX_FAKE_PROFILE)) : []),
    ...(env.CWX_FAKE_COVERAGE ? environmentProblem('CWX_FAKE_COVERAGE', checkOutputFolder(env.CWX_FAKE_COVERAGE)) : []),
    ...environmentProblem('CWX_FAKE_READING', 'problem' in surrounding ? surrounding.problem : undefined),
  ];
  if (problems.length > 0 || 'problem' in surrounding) throw refusal(problems);
  const values = Object.fromEntries(
    known.flatMap(([option, value]) => {
      const flag = flags.get(option);
      return flag === undefined ? [] : [[flag.name, flagValue(flag, value)]];
    }),
  );
  const base = {
    port: '0',
    log: 'silent',
    ...(env.CWX_FAKE_COVERAGE && { coverage: env.CWX_FAKE_COVERAGE }),
    ...(env.CWX_FAKE_PROFILE && { profile: env.CWX_FAKE_PROFILE }),
  };
  const pinned = chosenOf(readings);
  const laid = { ...surrounding.readings, ...pinned };
  const settings: Settings = {
    ...settingsFrom(scenario, { ...base, ...values }, { readings: laid }),
    pinned,
    ...(fallbackTls !== undefined && { fallbackTls }),
  };
  const clash = clashIn(settings);
  if (clash !== undefined) throw refusal([{ message: clash.message, pointer: `/${clash.option}` }]);
  return settings;
}

/** The errors of the scenario, if it can be looked for in spite of these. */
function scenarioErrors(
  { scenario, fixtures, scenarios, restApi }: StartOptions,
  problems: readonly ValidationError[],
  check: CheckScenario,
): ValidationError[] {
  const isLost = problems.some(({ pointer = '' }) => ['/scenario', '/fixtures', '/scenarios'].includes(pointer));
  if (scenario === undefined || isLost) return [];
  return check(scenario, {
    ...(fixtures !== undefined && { fixtures }),
    ...(scenarios !== undefined && { scenarios }),
    ...(restApi !== undefined && { restApi }),
  });
}

function environmentProblem(name: string, problem: string | undefined): ValidationError[] {
  return problem === undefined ? [] : [{ message: `${name}: ${problem}` }];
}

/** What is wrong in the certificates and keys for another server. */
export function tlsProblems(given: TlsOptions = {}, pointer = ''): ValidationError[] {
  const problem = isObject(given) ? tlsProblem(given) : 'it must be an object with cert, key or ca';
  return problem === undefined ? [] : [{ message: problem, pointer }];
}

/** Unknown options, for callers without a compiler. */
export function unknownKeys(given: object, allowed: readonly string[], by: string): ValidationError[] {
  return Object.keys(given)
    .filter(key => !allowed.includes(key))
    .map(key => ({
      message: ofSocket.includes(key)
        ? `${by} has no option ${key}, because it opens no socket: use startFake`
        : `unknown option of ${by}${nearest(key, allowed)}: ${expectedOf(allowed)}`,
      pointer: `/${key}`,
    }));
}

/** Readings without `undefined` values, which would hide the ones below them. */
function chosenOf<R extends object>(readings: R): R {
  return Object.fromEntries(Object.entries(readings).filter(([, value]) => value !== undefined)) as R; // from its own entries
}

function valueProblems(option: string, value: unknown): ValidationError[] {
  const flag = flags.get(option);
  if (flag === undefined) return []; // reported as unknown
  const problem = kindProblem(flag, value);
  const problems = problem === undefined ? checkProblems(flag, value) : [[problem, value] as const];
  return problems.map(([message, wrong]) => ({
    message: flag.isSecret || message.includes(found(wrong)) ? message : `${message}${contrast(message, found(wrong))}`,
    pointer: `/${option}`,
  }));
}

function kindProblem(
  { value: placeholder, repeatable, isNumber, choices = {} }: Flag,
  given: unknown,
): string | undefined {
  if (repeatable)
    return Array.isArray(given) && given.every(one => typeof one === 'string')
      ? undefined
      : 'it must be a list of strings';
  const allowed: readonly unknown[] = placeholder === undefined ? [true, false] : Object.values(choices);
  if (allowed.length > 0) {
    return allowed.includes(given) ? undefined : `it must be ${orList(allowed.map(one => JSON.stringify(one)))}`;
  }
  const kind = isNumber ? 'number' : 'string';
  return typeof given === kind ? undefined : `it must be a ${kind}`;
}

/** The errors of the flag for a value, or for each of a list. */
function checkProblems(flag: Flag, value: unknown): ReadonlyArray<readonly [string, unknown]> {
  if (flag.value === undefined || flag.choices !== undefined) return [];
  return [value].flat().flatMap(one => {
    const problem = flag.check?.(String(one));
    return problem === undefined ? [] : [[problem, one] as const];
  });
}
