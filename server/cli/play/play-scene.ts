// Where `cwx-fake play` plays: a fake in this process, a sandbox of one that is served, or a server that is asked for consent first.
// Plays nothing.

import { quotedIfDue } from '../../derive/sending/curl.js';
import { silentLog } from '../../engine/log.js';
import { chosenTarget, type Wanted } from '../../library/target/chosen-target.js';
import { inProcess } from '../../library/target/in-process-target.js';
import { type Process, writeLine } from '../../process/command-process.js';
import { consent } from '../../remote/changes/consent.js';
import { freshRun } from '../../remote/changes/plan.js';
import { sandboxOf } from '../../remote/target/sandbox-name.js';
import type { Step } from '../../scenario/format/step-format.js';
import type { Meant } from '../../scenario/load/several.js';
import type { Circumstances } from '../../scenario/play/evidence.js';
import type { Run } from '../../scenario/play/runs.js';
import type { Target } from '../../scenario/play/target.js';
import { isProblems, seenPath } from '../../scenario/yaml/problem.js';
import { assemble } from '../../server.js';
import { settingsFrom } from '../../settings.js';
import { type ExitCode, exit } from '../command.js';
import type { PlayOptions } from './play-flags.js';

export interface Scene {
  readonly target: Target;
  /** The target in words. */
  readonly place: string;
  /** What evidence of a run says besides the step. */
  about(run: Run): Circumstances;
  /** What `${run}` stands for, where something of a run remains. */
  readonly run?: string;
  close(): Promise<void>;
}

/** Nothing is played, for what is said. */
export interface NoScene {
  readonly ending: ExitCode;
  readonly says: readonly string[];
}

/** Rejects with `Unreachable` where nobody answers. */
export async function openScene(
  options: PlayOptions,
  meant: readonly Meant[],
  process: Process,
): Promise<Scene | NoScene> {
  return options.target === undefined ? sceneInside(meant) : sceneAt(options.target, options, meant, process);
}

async function sceneInside([first]: readonly Meant[]): Promise<Scene | NoScene> {
  if (first === undefined) return { ending: exit.empty, says: ['there is nothing to play'] };
  const fake = await assemble(settingsFrom(first.name, {}), silentLog, () => first.loaded);
  if (isProblems(fake)) throw new Error('a scenario that has been loaded has problems');
  const target = inProcess(fake, 'play');
  return {
    target,
    place: 'in process',
    about: run => ({
      file: fileOf(run),
      url: target.url,
      before: index => [
        `${['cwx-fake', 'serve', quotedIfDue(run.name), ...readingFlags(run)].join(' ')} # begins before step 1`,
        ...stepsBefore(index),
      ],
      secrets: 'shown',
    }),
    close: async () => fake.end(),
  };
}

async function sceneAt(
  wanted: Wanted,
  options: PlayOptions,
  meant: readonly Meant[],
  process: Process,
): Promise<Scene | NoScene> {
  const target = await chosenTarget(wanted);
  const { passwords } = options;
  const secrets = target.control === undefined || passwords.size > 0 ? 'hidden' : 'shown';
  const isKept = (wanted.sandbox ?? sandboxOf(wanted.url)) !== undefined;
  const before =
    isKept || target.control === undefined
      ? {}
      : { before: () => ['# in a sandbox that is gone: --sandbox name keeps one'] };
  const scene: Scene = {
    target,
    place: `${target.url}${target.context}`,
    about: run => ({ file: fileOf(run), url: target.url, secrets, ...before }),
    close: () => target.close(),
  };
  if (target.control !== undefined) return scene;
  const refusal = await refusalOf(wanted, options, meant, process);
  if (refusal === undefined) return { ...scene, run: freshRun() };
  await target.close();
  return refusal;
}

/** Why nothing may be played on a server without a control API, if so. */
async function refusalOf(
  { url, sandbox, token }: Wanted,
  { isConsentGiven }: PlayOptions,
  meant: readonly Meant[],
  { stdin, stderr }: Process,
): Promise<NoScene | undefined> {
  const unusable = [
    ...(sandbox === undefined ? [] : ['--sandbox']),
    ...(token === undefined ? [] : ['--control-token']),
  ];
  if (unusable.length > 0) {
    const says = `cwx-fake play: ${url} has no control API, so ${unusable.join(' and ')} cannot be used there`;
    return { ending: exit.usage, says: [says] };
  }
  writeLine(stderr, `${url} has no control API: its world and its rules cannot be checked.`);
  const given = await consent(planOf(meant), url, isConsentGiven, { input: stdin, output: stderr });
  if (given === 'given') return undefined;
  if (given === 'refused') return { ending: exit.empty, says: ['nothing was played'] };
  return {
    ending: exit.usage,
    says: [`cwx-fake play: what is played changes ${url}, and there is no terminal to ask in: add --yes if it may`],
  };
}

/** How much of each scenario may change something. */
function planOf(meant: readonly Meant[]): string[] {
  return meant.flatMap(({ name, loaded: { title, steps } }) => {
    const changing = steps.filter(mayChange).length;
    return changing === 0 ? [] : [`${name} (${title}): with up to ${changing} request${changing === 1 ? '' : 's'}`];
  });
}

function mayChange({ call, request }: Step): boolean {
  if (request !== undefined) return !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  return call !== undefined && call !== 'spaces.is-unique';
}

/** That a step is asked on what those before it have left, which nothing here repeats. */
function stepsBefore(index: number): string[] {
  if (index === 0) return [];
  return [index === 1 ? '# step 1 comes first' : `# steps 1 to ${index} come first`];
}

function fileOf({ name, loaded }: Run): string {
  return seenPath(loaded.files[0] ?? name);
}

function readingFlags({ probed }: Run): string[] {
  return probed === undefined ? [] : [`--reading ${quotedIfDue(`${probed.gap}=${probed.reading}`)}`];
}
