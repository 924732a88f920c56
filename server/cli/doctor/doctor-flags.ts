// The flags of `cwx-fake doctor`, and what they mean together. Knows nothing of how an attack goes.
import { networkInterfaces } from 'node:os';
import type { Attack } from '../../doctor/attack.js';
import { attackNames, attacks, attacksMeant } from '../../doctor/attacks.js';
import type { Examination } from '../../doctor/run-attacks.js';
import { nearest } from '../../engine/nearest.js';
import { urlFlaw } from '../../remote/target/any-server.js';
import { type Reports, reportFlag, reportsIn } from '../../report/formats.js';
import { type Flag, type FlagValues, targetToken } from '../../settings.js';

/** Longer than the default server lets any request take. */
const PATIENCE_S = 75;
const CONNECTIONS = 256;
/** How long an answer may take. */
const ANSWER_MS = 5_000;
/** What the attacks that go on at once take at least. */
const LEAST_CONNECTIONS = 16;
const MOST_CONNECTIONS = 60_000;
const MOST_SECONDS = 3600;
/** With the end of its sandbox less than 15 s. */
const QUICK_MS = 10_000;
/** Besides the patience. */
const THOROUGH_MS = 120_000;

export const doctorFlags: readonly Flag[] = [
  {
    name: 'target',
    value: 'url',
    description: 'the fake to attack, at the root of its host',
    default: 'http://127.0.0.1:8080',
    check: rootFlaw,
  },
  targetToken,
  {
    name: 'only',
    value: 'attack',
    description: 'an attack, or all that begin alike, as in slow-*, those that wait too; may be given several times',
    repeatable: true,
    check: value => {
      const meant = attacksMeant(value);
      return meant.length > 0
        ? undefined
        : `there is no such attack${nearest(value, attackNames)}: there are ${attackNames.join(', ')}`;
    },
  },
  {
    name: 'patience',
    value: 's',
    description: `seconds in which the target has to close slow connections, which are tried then; left out, ${PATIENCE_S}`,
    check: seconds,
  },
  {
    name: 'connections',
    value: 'n',
    description: `connections at once; left out, ${CONNECTIONS}; given, so many have to be too many for the target`,
    check: value =>
      /^\d+$/.test(value) && Number(value) >= LEAST_CONNECTIONS && Number(value) <= MOST_CONNECTIONS
        ? undefined
        : `it takes a whole number from ${LEAST_CONNECTIONS} to ${MOST_CONNECTIONS}`,
  },
  { name: 'thorough', description: 'try what has to wait too: slow and silent connections' },
  { name: 'json', description: 'print everything that was sent and seen as JSON' },
  reportFlag,
];

export interface DoctorOptions {
  readonly examination: Omit<Examination, 'signal'>;
  readonly isJson: boolean;
  readonly reports: Reports;
}

/** What the values of the flags mean; each has been checked. */
export function doctorOptions(values: FlagValues): DoctorOptions {
  const { target, 'control-token': token, only, patience, connections, json, thorough } = values;
  const wanted: ReadonlySet<Attack> = new Set(
    Array.isArray(only) ? only.flatMap(word => attacksMeant(String(word))) : attacks,
  );
  const meant = attacks.filter(attack => wanted.has(attack));
  const isThorough = thorough === true || patience !== undefined || Array.isArray(only);
  const patienceMs = Number(patience ?? PATIENCE_S) * 1000;
  const isWaiting = isThorough && meant.some(({ waits }) => waits);
  return {
    examination: {
      url: new URL(typeof target === 'string' ? target : 'http://127.0.0.1:8080'),
      ...(typeof token === 'string' && { token }),
      answerTime: ANSWER_MS,
      patience: patienceMs,
      isThorough,
      longest: isWaiting ? THOROUGH_MS + patienceMs : QUICK_MS,
      connections: Number(connections ?? CONNECTIONS),
      isTooMany: connections !== undefined,
      addresses: addressesHere(),
      attacks: meant,
    },
    isJson: json === true,
    reports: reportsIn(values),
  };
}

/** Those of this machine that others may reach; link-local ones need a zone, and stand beside others. */
function addressesHere(): string[] {
  return Object.values(networkInterfaces())
    .flatMap(faces => faces ?? [])
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .map(({ address }) => address);
}

function rootFlaw(text: string): string | undefined {
  const flaw = urlFlaw(text);
  if (flaw !== undefined) return flaw;
  return new URL(text).pathname === '/'
    ? undefined
    : 'it takes the root of a fake, without a path: http://127.0.0.1:8080';
}

function seconds(value: string): string | undefined {
  return /^\d+(\.\d+)?$/.test(value) && Number(value) > 0 && Number(value) <= MOST_SECONDS
    ? undefined
    : `it takes seconds, more than 0 and at most ${MOST_SECONDS}`;
}
