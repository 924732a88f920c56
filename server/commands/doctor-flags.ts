// The flags of `cwx-fake doctor`, and what they mean together. Knows nothing of how an attack goes.
import { networkInterfaces } from 'node:os';
import { type AttackName, attackNames, attacksMeant } from '../doctor/names.js';
import type { Examination } from '../doctor/run.js';
import { nearest } from '../engine/nearest.js';
import { reportFlag } from '../report/flag.js';
import { parseReports, type Reports } from '../report/formats.js';
import type { Flag, FlagValues } from '../settings.js';
import { urlFlaw } from '../targets/any-server.js';

/** Longer than the default server lets any request take. */
const PATIENCE_S = '75';
const CONNECTIONS = 256;
/** How long an answer may take. */
const ANSWER_MS = 5_000;
/** What the attacks that go on at once take at least. */
const LEAST_CONNECTIONS = 16;
const MOST_CONNECTIONS = 60_000;
const MOST_SECONDS = 3600;

export const doctorFlags: readonly Flag[] = [
  {
    name: 'target',
    value: 'url',
    says: 'the fake to attack, at the root of its host',
    default: 'http://127.0.0.1:8080',
    check: rootFlaw,
  },
  {
    name: 'control-token',
    value: 't',
    says: 'the token that the control API of the target takes',
    isSecret: true,
  },
  {
    name: 'only',
    value: 'attack',
    says: 'an attack, or all that begin alike, as in slow-*; may be given several times',
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
    says: 'seconds in which the target has to close slow connections',
    default: PATIENCE_S,
    check: seconds,
  },
  {
    name: 'connections',
    value: 'n',
    says: `connections at once; left out, ${CONNECTIONS}; given, so many have to be too many for the target`,
    check: value =>
      /^\d+$/.test(value) && Number(value) >= LEAST_CONNECTIONS && Number(value) <= MOST_CONNECTIONS
        ? undefined
        : `it takes a whole number from ${LEAST_CONNECTIONS} to ${MOST_CONNECTIONS}`,
  },
  { name: 'json', says: 'print everything that was sent and seen as JSON' },
  reportFlag,
];

export interface DoctorOptions {
  readonly examination: Omit<Examination, 'attacks' | 'signal'>;
  readonly wanted: ReadonlySet<AttackName>;
  readonly isJson: boolean;
  readonly reports: Reports;
}

/** What the values of the flags mean; each has been checked. */
export function doctorOptions(values: FlagValues): DoctorOptions {
  const { target, 'control-token': token, only, patience = PATIENCE_S, connections, json, report } = values;
  const wanted: ReadonlySet<AttackName> = Array.isArray(only)
    ? new Set(only.flatMap(word => attacksMeant(String(word))))
    : new Set(attackNames);
  const parsed = typeof report === 'string' ? parseReports(report) : undefined;
  return {
    examination: {
      url: new URL(typeof target === 'string' ? target : 'http://127.0.0.1:8080'),
      ...(typeof token === 'string' && { token }),
      answerTime: ANSWER_MS,
      patience: Number(patience) * 1000,
      connections: Number(connections ?? CONNECTIONS),
      isTooMany: connections !== undefined,
      addresses: addressesHere(),
    },
    wanted,
    isJson: json === true,
    reports: parsed === undefined || 'problem' in parsed ? { files: [], github: false } : parsed,
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
