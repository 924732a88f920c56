// The flags of `cwx-fake play`, and what they mean together. Knows nothing of how a scenario is played.

import type { Wanted } from '../../library/target/chosen-target.js';
import { urlFlaw } from '../../remote/target/any-server.js';
import { sandboxFlaw, sandboxOf } from '../../remote/target/sandbox-name.js';
import { type Reports, reportFlag, reportsIn } from '../../report/formats.js';
import { type Flag, type FlagValues, flagsOfServe, targetToken } from '../../settings.js';

const MOST_SECONDS = 3600;

export const playFlags: readonly Flag[] = [
  {
    name: 'target',
    value: 'url',
    description: 'the server to play against; left out, a fake in this process',
    check: urlFlaw,
  },
  {
    name: 'as',
    value: 'user:password',
    description: 'with which password a user of the scenario asks; may be given several times',
    repeatable: true,
    isSecret: true,
    check: value => (/^[^:]+:/.test(value) ? undefined : 'write user:password'),
  },
  { name: 'pace', value: 's', description: 'seconds to wait between two steps', check: seconds },
  { name: 'step', description: 'wait for a key before each request, before its answer, and between two steps' },
  { name: 'brief', description: 'leave out rules where a step passes, and readings where no guess decides' },
  reportFlag,
  {
    name: 'sandbox',
    value: 'name',
    description: 'the sandbox of the target to play in, which then stays; left out, one that is dropped',
    check: sandboxFlaw,
  },
  targetToken,
  { name: 'yes', description: 'do not ask before requests change a server that is no fake' },
  ...flagsOfServe('fixtures', 'scenarios'),
];

export interface PlayOptions {
  /** Absent: in process. */
  readonly target?: Wanted;
  readonly passwords: ReadonlyMap<string, string>;
  /** Seconds between two steps; `step`: a key. */
  readonly pace: number | 'step';
  /** Whether the demo leaves out what decided, where nothing is the matter. */
  readonly isBrief: boolean;
  readonly reports: Reports;
  readonly isConsentGiven: boolean;
}

/** What the values of the flags mean; or everything that is wrong with them. */
export function playOptions(
  values: FlagValues,
  hasTerminal: boolean,
): PlayOptions | { readonly mistakes: readonly string[] } {
  const { target: url, sandbox, 'control-token': token, pace, step, brief, as, yes } = values;
  const named = typeof url === 'string' ? sandboxOf(url) : undefined;
  const mistakes = [
    ...(step === true && pace !== undefined ? ['--step waits for keys and --pace for time: take one of them'] : []),
    ...(step === true && !hasTerminal
      ? ['--step waits for keys, and there is no terminal: run it in one, or leave --step out']
      : []),
    ...['sandbox', 'control-token']
      .filter(name => values[name] !== undefined && url === undefined)
      .map(name => `--${name} is about a target, and there is none: add --target http://127.0.0.1:8080`),
    ...(named !== undefined && sandbox !== undefined && named !== sandbox
      ? [`--target names the sandbox ${named} and --sandbox the sandbox ${sandbox}: take one of them`]
      : []),
  ];
  if (mistakes.length > 0) return { mistakes };
  return {
    ...(typeof url === 'string' && {
      target: {
        url,
        ...(typeof sandbox === 'string' && { sandbox }),
        ...(typeof token === 'string' && { token }),
      },
    }),
    passwords: new Map((Array.isArray(as) ? as : []).map(pairOf)),
    pace: step === true ? 'step' : Number(pace ?? 0),
    isBrief: brief === true,
    reports: reportsIn(values),
    isConsentGiven: yes === true,
  };
}

function pairOf(text: string): readonly [user: string, password: string] {
  const at = text.indexOf(':');
  return [text.slice(0, at), text.slice(at + 1)];
}

function seconds(value: string): string | undefined {
  return /^\d+(\.\d+)?$/.test(value) && Number(value) <= MOST_SECONDS
    ? undefined
    : `it takes seconds from 0 to ${MOST_SECONDS}, such as 1.5`;
}
