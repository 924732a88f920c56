// The flags of `cwx-fake doctor` and their combination.
import { networkInterfaces } from 'node:os';
import type { Attack } from '../../doctor/attack.js';
import { attackNames, attacks, attacksMeant } from '../../doctor/attacks.js';
import type { Examination } from '../../doctor/run-attacks.js';
import { nearest } from '../../engine/nearest.js';
import { type Reports, reportFlag, reportsIn } from '../../report/formats.js';
import { baseUrl, seconds, wholeNumber } from '../../settings/flag-checks.js';
import { type Flag, type FlagValues, listOf, targetToken } from '../../settings.js';

/** Longer than the default server lets any request take. */
const PATIENCE_S = 75;
const CONNECTIONS = 256;
/** Milliseconds to wait for an answer. */
const ANSWER_MS = 5_000;
/** Minimum time of the parallel attacks. */
const MIN_CONNECTIONS = 16;
const MAX_CONNECTIONS = 60_000;
/** Less than 15 s with the time for dropping its sandbox. */
const QUICK_MS = 10_000;
/** In addition to the patience. */
const THOROUGH_MS = 120_000;

export const doctorFlags: readonly Flag[] = [
  {
    name: 'target',
    value: 'url',
    description: 'the fake to attack, at the root of its host',
    default: 'http://127.0.0.1:8080',
    check: rootError,
  },
  targetToken,
  {
    name: 'only',
    value: 'attack',
    description: 'an attack, or a prefix such as slow-*, also slow ones; repeatable',
    repeatable: true,
    check: value => {
      const meant = attacksMeant(value);
      return meant.length > 0
        ? undefined
        : `unknown attack${nearest(value, attackNames)}: known are ${attackNames.join(', ')}`;
    },
  },
  {
    name: 'patience',
    value: 's',
    description: `seconds in which the target must close slow connections; also runs the slow attacks; default ${PATIENCE_S}`,
    check: seconds(0.1),
  },
  {
    name: 'connections',
    value: 'n',
    description: `parallel connections; default ${CONNECTIONS}; if given, the target must refuse some of them`,
    check: wholeNumber(MIN_CONNECTIONS, MAX_CONNECTIONS),
  },
  { name: 'thorough', description: 'also run the slow attacks: slow and silent connections' },
  { name: 'json', description: 'print all requests and answers as JSON' },
  reportFlag,
];

export interface DoctorOptions {
  readonly examination: Omit<Examination, 'signal'>;
  readonly isJson: boolean;
  readonly reports: Reports;
}

/** Interprets the values of the flags, which have been checked. */
export function doctorOptions(values: FlagValues): DoctorOptions {
  const { target, 'control-token': token, only, patience, connections, json, thorough } = values;
  const wanted: ReadonlySet<Attack> = new Set(only === undefined ? attacks : listOf(only).flatMap(attacksMeant));
  const meant = attacks.filter(attack => wanted.has(attack));
  const isThorough = thorough === true || patience !== undefined || only !== undefined;
  const patienceMs = Number(patience ?? PATIENCE_S) * 1000;
  return {
    examination: {
      url: new URL(typeof target === 'string' ? target : 'http://127.0.0.1:8080'),
      ...(typeof token === 'string' && { token }),
      answerTime: ANSWER_MS,
      patience: patienceMs,
      isThorough,
      longest: isThorough ? THOROUGH_MS + patienceMs : QUICK_MS,
      connections: Number(connections ?? CONNECTIONS),
      isTooMany: connections !== undefined,
      addresses: addressesHere(),
      attacks: meant,
    },
    isJson: json === true,
    reports: reportsIn(values),
  };
}

/** Addresses of this machine that others can reach. Link-local ones need a zone and come with others, so they are left out. */
function addressesHere(): string[] {
  return Object.values(networkInterfaces())
    .flatMap(faces => faces ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .map(({ address }) => address);
}

function rootError(text: string): string | undefined {
  const error = baseUrl(text);
  if (error !== undefined) return error;
  return new URL(text).pathname === '/'
    ? undefined
    : 'it must be the root of a fake, without a path: http://127.0.0.1:8080';
}
