// The flags of `cwx-fake play` and their combination.

import { reportFlag, reportsIn } from '../../harness/report/formats.js';
import { urlError } from '../../harness/target/any-server.js';
import { sandboxError, sandboxOf } from '../../harness/target/sandbox-name.js';
import { accountIn, checkSeconds, checkWholeNumber } from '../../server/settings/flag-checks.js';
import { clientCertificateFlags, type Flag, flagsOfServe, targetToken } from '../../server/settings/serve-flags.js';
import type { FlagValues } from '../../server/settings/settings.js';
import { parsedBy, textsOf } from '../../server/settings/settings.js';
import { end, exit, needsTarget } from '../command/command.js';
import { accountsFlag } from '../remote/remote-flags.js';

export const playFlags: readonly Flag[] = [
  {
    name: 'target',
    value: 'url',
    description: 'server to play against; default: a fake in this process',
    example: 'http://127.0.0.1:8080',
    check: urlError,
  },
  accountsFlag('password for a user of the scenario; repeatable'),
  { name: 'pace', value: 's', description: 'seconds to wait between steps', example: '2', check: checkSeconds(0) },
  { name: 'step', description: 'wait for Enter or Space after each step; q quits' },
  {
    name: 'before',
    value: 'n',
    description:
      "stop before the request of this step, after its faults, stubs, clock and changes; needs the target's --sandbox",
    example: '3',
    check: checkWholeNumber(1, 1000),
  },
  {
    name: 'reading',
    value: 'gap=value',
    description: 'play a scenario that probes a gap only under this reading',
    example: 'unknown-user=400',
  },
  { name: 'brief', description: 'hide the rules of steps that passed, and readings that concern the base path' },
  reportFlag,
  { name: 'json', description: 'print the results as JSON instead of text' },
  {
    name: 'sandbox',
    value: 'name',
    description: 'sandbox of the target to play in; it is kept afterwards; default: a temporary sandbox',
    example: 'demo',
    check: sandboxError,
  },
  targetToken,
  { name: 'yes', description: 'do not ask before changing a server that is not a fake' },
  ...clientCertificateFlags,
  ...flagsOfServe('fixtures', 'scenarios'),
];

export type PlayOptions = ReturnType<typeof playOptions>;

/** Interprets the values of the flags, or ends the command with all errors. */
export function playOptions(values: FlagValues, hasTerminal: boolean) {
  const { target: url, sandbox, pace, step, before, reading, brief, as, yes } = values;
  const named = typeof url === 'string' ? sandboxOf(url) : undefined;
  const errors = [
    ...(step === true && pace !== undefined ? ['--step and --pace cannot be combined'] : []),
    ...(step === true && values.json === true ? ['--step and --json cannot be combined'] : []),
    ...(step === true && !hasTerminal ? ['--step requires a terminal'] : []),
    ...['sandbox', 'control-token'].filter(name => values[name] !== undefined && url === undefined).map(needsTarget),
    ...(before !== undefined && (sandbox ?? named) === undefined
      ? ['--before requires a sandbox that is kept: add --target and --sandbox']
      : []),
    ...(named !== undefined && sandbox !== undefined && named !== sandbox
      ? [`--target names the sandbox ${named}, but --sandbox names ${sandbox}: use one of them`]
      : []),
  ];
  const wrong = errors.map(error => `cwx-fake play: ${error}`);
  if (wrong.length > 0) end(exit.usage, ...wrong, 'Run cwx-fake play --help for its arguments and flags.');
  return {
    /** Default: a fake in this process. */
    target:
      typeof url === 'string' ? { url, ...textsOf(values, { sandbox: 'sandbox', token: 'control-token' }) } : undefined,
    passwords: new Map(parsedBy(accountIn, as).map(({ user, password }) => [user, password])),
    /** Seconds between two steps; `step`: wait for a key. */
    pace: step === true ? ('step' as const) : Number(pace ?? 0),
    /** The step before whose request to stop, from 1. */
    before: before === undefined ? undefined : Number(before),
    /** `gap=reading` of the only run of a probe. */
    reading,
    /** Whether to hide what decided passed steps. */
    isBrief: brief === true,
    reports: reportsIn(values),
    isJson: values.json === true,
    isConsentGiven: yes === true,
  };
}
