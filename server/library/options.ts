// The options of a fake for programs: the settings of `serve` under their own names, checked by the same table, with the same defaults.

import { readingProblems } from '../control/actions/sandbox-actions.js';
import { isObject } from '../domain/form/patch.js';
import { nearest } from '../engine/nearest.js';
import { parseReadings, profileProblem } from '../engine/request/readings.js';
import { contrast, found } from '../engine/request/validate.js';
import type { SomeReadings } from '../operations/gaps/gaps.js';
import { type TlsOptions, tlsProblem } from '../outgoing/tls-options.js';
import type { Environment } from '../process/command-process.js';
import type { ValidationError } from '../scenario/yaml/problem.js';
import { type FlagValues, type Settings, serveFlags, settingsFrom } from '../settings/settings.js';
import { clashIn } from '../settings/validate-settings.js';
import { FakeError } from './port/fake-error.js';

type Shared =
  | 'store'
  | 'fsync'
  | 'storeTimeout'
  | 'journal'
  | 'maxSandboxes'
  | 'maxMemory'
  | 'maxSandbox'
  | 'sandboxTtl'
  | 'createOnUse'
  | 'control'
  | 'restApi'
  | 'allowedHosts'
  | 'cors'
  | 'maxBody'
  | 'coverage';

/** Defaults are those of `cwx-fake serve`, except that nothing is logged. */
export interface CreateOptions
  extends Partial<
    Pick<Settings, Shared | 'profile' | 'explain' | 'fixtures' | 'scenarios' | 'controlToken' | 'baseUrl' | 'log'>
  > {
  /** Scenario or fixture of sandboxes without one: its name, or the path of a file. Default: `small-team`. */
  readonly scenario?: string;
  /** Readings by gap. Those of a scenario win over them, and those of a sandbox over both. */
  readonly readings?: SomeReadings;
}

export interface StartOptions
  extends CreateOptions,
    Partial<
      Pick<
        Settings,
        | 'requestTimeout'
        | 'headersTimeout'
        | 'maxConnections'
        | 'tls'
        | 'tlsCert'
        | 'tlsKey'
        | 'fallback'
        | 'fallbackTimeout'
        | 'fallbackTls'
        | 'rewrite'
        | 'trustProxy'
      >
    > {
  /** Default: a free port. */
  readonly port?: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
}

type Kind = 'number' | 'string' | 'boolean' | 'open' | 'list';

/** Each option with its flag, and its type in a program. */
const options: Readonly<
  Record<Exclude<keyof StartOptions, 'scenario' | 'readings' | 'fallbackTls'>, readonly [flag: string, Kind]>
> = {
  profile: ['profile', 'string'],
  port: ['port', 'number'],
  host: ['host', 'string'],
  fixtures: ['fixtures', 'string'],
  scenarios: ['scenarios', 'string'],
  store: ['store', 'string'],
  fsync: ['fsync', 'boolean'],
  storeTimeout: ['store-timeout', 'number'],
  journal: ['journal', 'number'],
  maxSandboxes: ['max-sandboxes', 'number'],
  maxMemory: ['max-memory', 'number'],
  maxSandbox: ['max-sandbox', 'number'],
  sandboxTtl: ['sandbox-ttl', 'number'],
  createOnUse: ['sandboxes', 'boolean'],
  control: ['control', 'open'],
  controlToken: ['control-token', 'string'],
  restApi: ['rest-api', 'boolean'],
  allowedHosts: ['allow-host', 'list'],
  cors: ['cors', 'list'],
  maxBody: ['max-body', 'number'],
  requestTimeout: ['request-timeout', 'number'],
  headersTimeout: ['headers-timeout', 'number'],
  maxConnections: ['max-connections', 'number'],
  tls: ['tls', 'boolean'],
  tlsCert: ['tls-cert', 'string'],
  tlsKey: ['tls-key', 'string'],
  fallback: ['fallback', 'string'],
  fallbackTimeout: ['fallback-timeout', 'number'],
  rewrite: ['no-rewrite', 'boolean'],
  baseUrl: ['base-url', 'string'],
  trustProxy: ['trust-proxy', 'boolean'],
  coverage: ['coverage', 'string'],
  explain: ['no-explain', 'boolean'],
  log: ['log', 'string'],
};
const names = ['scenario', 'readings', 'fallbackTls', ...Object.keys(options)];
const ofSocket: readonly string[] = [
  'port',
  'host',
  'requestTimeout',
  'headersTimeout',
  'maxConnections',
  'tls',
  'tlsCert',
  'tlsKey',
  'fallback',
  'fallbackTimeout',
  'fallbackTls',
  'rewrite',
  'trustProxy',
];

/** Finds the errors of a scenario that does not load from these folders. */
export type CheckScenario = (scenario: string, folders: Pick<Settings, 'fixtures' | 'scenarios'>) => ValidationError[];

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
    new FakeError(`${by} cannot take these options`, [...problems, ...scenarioErrors(given, problems, checkScenario)]);
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
    ...environmentProblem('CWX_FAKE_READING', 'problem' in surrounding ? surrounding.problem : undefined),
  ];
  if (problems.length > 0 || 'problem' in surrounding) throw refusal(problems);
  const values = Object.fromEntries(known.map(([name, value]) => flagValue(name, value)));
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
  { scenario, fixtures, scenarios }: StartOptions,
  problems: readonly ValidationError[],
  check: CheckScenario,
): ValidationError[] {
  const isLost = problems.some(({ pointer = '' }) => ['/scenario', '/fixtures', '/scenarios'].includes(pointer));
  if (scenario === undefined || isLost) return [];
  return check(scenario, {
    ...(fixtures !== undefined && { fixtures }),
    ...(scenarios !== undefined && { scenarios }),
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
        ? `${by} has no ${key}, because it has no socket; use startFake`
        : `unknown option of ${by}${nearest(key, allowed)}: known are ${allowed.join(', ')}`,
      pointer: `/${key}`,
    }));
}

/** Readings without `undefined` values, which would hide the ones below them. */
function chosenOf<R extends object>(readings: R): R {
  return Object.fromEntries(Object.entries(readings).filter(([, value]) => value !== undefined)) as R; // from its own entries
}

function valueProblems(name: string, value: unknown): ValidationError[] {
  const option = Object.hasOwn(options, name) ? options[name as keyof typeof options] : undefined;
  if (option === undefined) return []; // reported as unknown
  const [flag, kind] = option;
  const problem = kindProblem(kind, value);
  const problems = problem === undefined ? checkProblems(flag, kind, value) : [[problem, value] as const];
  const isSecret = serveFlags.some(known => known.name === flag && known.isSecret);
  return problems.map(([message, wrong]) => ({
    message: isSecret ? message : `${message}${contrast(message, found(wrong))}`,
    pointer: `/${name}`,
  }));
}

function kindProblem(kind: Kind, value: unknown): string | undefined {
  if (kind === 'list')
    return Array.isArray(value) && value.every(one => typeof one === 'string')
      ? undefined
      : 'it must be a list of strings';
  if (kind === 'open')
    return typeof value === 'boolean' || value === 'open' ? undefined : 'it must be true, false or "open"';
  if (kind === 'boolean') return typeof value === 'boolean' ? undefined : 'it must be true or false';
  if (kind === 'string') return typeof value === 'string' ? undefined : 'it must be a string';
  return typeof value === 'number' ? undefined : 'it must be a number';
}

/** The errors of the corresponding flag for a value, or for each of a list. */
function checkProblems(name: string, kind: Kind, value: unknown): ReadonlyArray<readonly [string, unknown]> {
  const check = serveFlags.find(flag => flag.name === name)?.check;
  if (kind === 'boolean' || kind === 'open') return [];
  return [value].flat().flatMap(one => {
    const problem = check?.(String(one));
    return problem === undefined ? [] : [[problem, one] as const];
  });
}

/** An option as the value of its flag. */
function flagValue(name: string, value: unknown): readonly [string, FlagValues[string]] {
  const [flag] = options[name as keyof typeof options]; // unknown ones were reported
  if (name === 'createOnUse') return [flag, value === true ? 'auto' : 'explicit'];
  if (name === 'control') return [flag, value === 'open' ? value : value === true ? 'on' : 'off'];
  if (name === 'restApi') return [flag, value === true ? 'on' : 'off'];
  if (name === 'explain' || name === 'rewrite') return [flag, value !== true];
  if (typeof value === 'boolean') return [flag, value];
  return [flag, Array.isArray(value) ? value.map(String) : String(value)];
}
