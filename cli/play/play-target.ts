// The target of `cwx-fake play`: a fake in this process, a sandbox of a running fake, or another server, after consent.

import { consent, NOTHING_RESTORED } from '../../harness/changes/plan-text.js';
import { freshRun } from '../../harness/run/run-context.js';
import { chosenTarget, type Wanted } from '../../harness/target/chosen-target.js';
import { quotedIfDue } from '../../server/derive/sending/curl.js';
import { counted } from '../../server/derive/text/counted.js';
import { silentLog } from '../../server/engine/log.js';
import { inProcess } from '../../server/library/target/in-process-target.js';
import { type Process, writeLine } from '../../server/process/command-process.js';
import { assemble } from '../../server/process/server.js';
import type { Step } from '../../server/scenario/format/step-format.js';
import type { NamedScenario } from '../../server/scenario/load/load-named.js';
import type { Circumstances } from '../../server/scenario/play/evidence.js';
import type { Run } from '../../server/scenario/play/runs.js';
import type { Target } from '../../server/scenario/play/target.js';
import { isProblems, seenPath } from '../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../server/settings/settings.js';
import { end, exit, fail } from '../command/command.js';
import type { PlayOptions } from './play-flags.js';

export interface PlayTarget {
  readonly target: Target;
  /** The target in words. */
  readonly place: string;
  /** Circumstances of a run, for its evidence. */
  about(run: Run): Circumstances;
  /** The value of `${run}`, for targets that keep what a run changes. */
  readonly run?: string;
  close(): Promise<void>;
}

/** Rejects with `Unreachable` if the server does not answer, and ends the command if nothing may be played on it. */
export async function openPlayTarget(
  options: PlayOptions,
  meant: readonly NamedScenario[],
  process: Process,
): Promise<PlayTarget> {
  return options.target === undefined ? targetInside(meant) : targetAt(options.target, options, meant, process);
}

async function targetInside([first]: readonly NamedScenario[]): Promise<PlayTarget> {
  if (first === undefined) end(exit.empty, 'no scenario to play');
  const fake = await assemble(settingsFrom(first.name, {}), silentLog, () => first.loaded);
  if (isProblems(fake)) throw new Error('a scenario that has been loaded has problems');
  const target = inProcess(fake, 'play');
  return {
    target,
    place: 'in process',
    about: run => ({
      file: fileOf(run),
      ...again(run, target.url, ['cwx-fake serve # in another terminal']),
      secrets: 'shown',
    }),
    close: async () => fake.end(),
  };
}

async function targetAt(
  wanted: Wanted,
  options: PlayOptions,
  meant: readonly NamedScenario[],
  process: Process,
): Promise<PlayTarget> {
  const target = await chosenTarget(wanted);
  const { passwords } = options;
  const secrets = target.control === undefined || passwords.size > 0 ? 'hidden' : 'shown';
  const { origin } = new URL(target.url);
  const place = target.context + (wanted.token === undefined ? '' : ' --control-token $TOKEN');
  const opened: PlayTarget = {
    target,
    place: `${target.url}${target.context}`,
    about: run => ({
      file: fileOf(run),
      secrets,
      ...(target.control === undefined ? { url: target.url } : again(run, origin, [], place)),
    }),
    close: () => target.close(),
  };
  if (target.control !== undefined) return opened;
  try {
    await allowChanges(wanted, options, meant, process);
    return { ...opened, run: freshRun() };
  } catch (error) {
    await target.close();
    throw error;
  }
}

const NO_FAKE = 'has no control API, or is a proxy';

/** Ends the command if nothing may be played on a server without a control API. */
async function allowChanges(
  { url, sandbox, token }: Wanted,
  { isConsentGiven }: PlayOptions,
  meant: readonly NamedScenario[],
  { stdin, stderr }: Process,
): Promise<void> {
  const unusable = [
    ...(sandbox === undefined ? [] : ['--sandbox']),
    ...(token === undefined ? [] : ['--control-token']),
  ];
  if (unusable.length > 0) fail(exit.usage, `${url} ${NO_FAKE}: ${unusable.join(' and ')} cannot be used`);
  writeLine(stderr, `${url} ${NO_FAKE}: worlds and rules are not checked.`);
  const plan = planOf(meant);
  const given = await consent(plan.length === 0 ? [] : [...plan, NOTHING_RESTORED], url, isConsentGiven, {
    input: stdin,
    output: stderr,
  });
  if (given === 'refused') end(exit.empty, 'nothing played');
  if (given === 'not asked')
    fail(
      exit.usage,
      `the scenarios change ${url}, and there is no terminal to ask for confirmation: add --yes to skip the question`,
    );
}

/** The number of requests in each scenario that may change something. */
function planOf(meant: readonly NamedScenario[]): string[] {
  return meant.flatMap(({ name, loaded: { title, steps } }) => {
    const changing = steps.filter(mayChange).length;
    return changing === 0 ? [] : [`${name} (${title}): up to ${counted(changing, 'request')} that can change data`];
  });
}

function mayChange({ call, request }: Step): boolean {
  if (request !== undefined) return !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  return call !== undefined && call !== 'spaces.is-unique';
}

/** A sandbox in the state that a step of the run found, and the URL of that sandbox. */
function again(run: Run, server: string, first: readonly string[], further = '') {
  const url = `${server}/~again`;
  const { probed } = run;
  const under = probed === undefined ? '' : ` --reading ${quotedIfDue(`${probed.gap}=${probed.reading}`)}`;
  const play = `cwx-fake play ${quotedIfDue(run.name)} --target ${url}${further}${under}`;
  return { url, before: (index: number) => [...first, `${play} --before ${index + 1}`] };
}

function fileOf({ name, loaded }: Run): string {
  return seenPath(loaded.files[0] ?? name);
}
