// The suite, which is the files in scenarios/rules, and playing it on a foreign server: a file with failures is played again, only repeated ones count.

import { nearest } from '../../server/engine/nearest.js';
import { rules } from '../../server/operations/catalog/catalog.js';
import { type Folders, namesBeside } from '../../server/scenario/files/folders.js';
import { loadNamed } from '../../server/scenario/load/load.js';
import { type Loaded, ownFile } from '../../server/scenario/load/load-scenario.js';
import type { Played } from '../../server/scenario/play/player.js';
import { Unreachable } from '../../server/scenario/play/target.js';
import { isProblems, type Problems, sortedProblems } from '../../server/scenario/yaml/problem.js';
import { type Deviation, spacesIn } from '../changes/subjects.js';
import type { Mapped } from '../names/mapped-steps.js';
import { playerFor, playStep, prepare, type RunContext, reasonsNotToPlay } from '../run/run-context.js';

/** The results of one file. */
export interface PlayedFile {
  readonly scenario: Mapped;
  readonly file: string;
  /** In their order; steps that were not reached are absent. */
  readonly played: readonly Played[];
  /** What was not as in the fixture when it began. */
  readonly deviations: readonly Deviation[];
  /** Why it ended before its last step, if so. */
  readonly ended?: string;
}

export interface SuiteRun {
  readonly files: readonly PlayedFile[];
  /** Why the server is not judged: it gave different responses to the same requests. */
  readonly unstable?: string;
  /** Why the run ended early, if so. */
  readonly ended?: 'interrupted' | Unreachable;
}

/** Files with failures that are played a second time: enough to notice a server that fails at random. */
const REPEATED_FILES = 4;

export async function playSuite(
  suite: readonly Mapped[],
  run: RunContext,
  onFile: (file: string, index: number) => void = () => {},
): Promise<SuiteRun> {
  const files: PlayedFile[] = [];
  let repeated = 0;
  let unstable: string | undefined;
  for (const [i, scenario] of suite.entries()) {
    if (run.signal.aborted) break;
    onFile(ownFile(scenario.loaded), i);
    const first = await playFile(scenario, run);
    if (first.failure !== undefined) return { files: [...files, first.file], ended: first.failure };
    if (!hasFailed(first.file)) {
      files.push(first.file);
      continue;
    }
    run.state.isDoubted = true;
    run.api.latest.clear(); // the server may have changed what it should not
    const isRepeated = spacesIn(scenario).length === 0 && repeated++ < REPEATED_FILES;
    const settled = isRepeated ? await settle(scenario, run, first) : first;
    files.push(settled.file);
    unstable ??= settled.unstable;
    if (settled.failure !== undefined) return { files, ended: settled.failure };
  }
  return { files, ...(unstable !== undefined && { unstable }), ...(run.signal.aborted && { ended: 'interrupted' }) };
}

interface Outcome {
  readonly file: PlayedFile;
  /** How it differed each time. */
  readonly unstable?: string | undefined;
  /** The server has gone. */
  readonly failure?: Unreachable;
}

/** Plays a file until two results agree: on a faulty server, the first time may have begun in another state. */
async function settle(scenario: Mapped, run: RunContext, first: Outcome): Promise<Outcome> {
  const second = await playFile(scenario, run);
  if (second.failure !== undefined || difference(first.file, second.file) === undefined) return second;
  const third = await playFile(scenario, run);
  return { ...third, unstable: difference(second.file, third.file) };
}

async function playFile(scenario: Mapped, run: RunContext): Promise<Outcome> {
  const { loaded } = scenario;
  const file = ownFile(loaded);
  const played: Played[] = [];
  let deviations: readonly Deviation[] = [];
  const outcome = (ended?: string) => ({ scenario, file, played, deviations, ...(ended !== undefined && { ended }) });
  const reasons = reasonsNotToPlay(scenario, run);
  try {
    deviations = await prepare(scenario, run);
    const player = await playerFor(scenario, run, run.state.known);
    await player.begin();
    for (const i of loaded.steps.keys()) {
      if (run.signal.aborted) return { file: outcome('the run was interrupted') };
      const why = reasons.get(i);
      played.push(
        why === undefined ? await answered(() => playStep(player, i, scenario, run)) : player.skipped(i, why),
      );
    }
    return { file: outcome() };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    if (run.signal.aborted) return { file: outcome('the run was interrupted') };
    return { file: outcome('the server did not respond'), failure: error };
  }
}

/** A connection that breaks once is a failed step; twice, the server has gone. */
async function answered(play: () => Promise<Played>): Promise<Played> {
  try {
    return await play();
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return play();
  }
}

function hasFailed({ played }: PlayedFile): boolean {
  return played.some(({ outcome }) => outcome === 'failed');
}

/** How two plays of a file differ. */
function difference({ played: first }: PlayedFile, { played: second }: PlayedFile): string | undefined {
  const other = first.find((one, i) => second[i] !== undefined && resultOf(one) !== resultOf(second[i]));
  if (other === undefined) return undefined;
  const { sent, step } = other;
  const what = sent === undefined ? `"${step.say}"` : `${sent.method} ${sent.path}`;
  return `${what} gave different results when it was repeated`;
}

function resultOf({ received, differences }: Played): string {
  return JSON.stringify([received?.status, differences.map(({ of, pointer }) => `${of} ${pointer}`)]);
}

export const ruleIds: readonly string[] = Object.keys(rules);

/** The rules for a word: one by its id, or all with a prefix such as `groups.*`; or the error. */
export function rulesMeant(word: string): readonly string[] | { readonly problem: string } {
  if (ruleIds.includes(word)) return [word];
  const prefix = word.endsWith('*') ? word.slice(0, -1) : undefined;
  const meant = prefix === undefined ? [] : ruleIds.filter(id => id.startsWith(prefix));
  if (meant.length > 0) return meant;
  const families = [...new Set(ruleIds.map(id => `${id.split('.')[0]}.*`))];
  return {
    problem: `there is no such rule${nearest(word, [...ruleIds, ...families]) || '; cwx-fake ledger lists all rules'}`,
  };
}

/** The files about some of these rules. */
export function suiteFor(wanted: readonly string[], folders: Folders): readonly Loaded[] | Problems {
  const loaded = namesBeside('rules/any', folders.scenarios).map(name => loadNamed(name, folders));
  const problems = loaded.flatMap(one => (isProblems(one) ? one.problems : []));
  if (problems.length > 0) return { problems: sortedProblems(problems) };
  const files = loaded.flatMap(one => (isProblems(one) ? [] : [one]));
  return files
    .filter(({ steps }) => steps.some(({ proves = [] }) => proves.some(rule => wanted.includes(rule))))
    .map(untilLastProof);
}

/** Without the steps after the last proof: they clean up, which the run does itself. */
function untilLastProof(loaded: Loaded): Loaded {
  const last = loaded.steps.findLastIndex(({ proves = [] }) => proves.length > 0);
  return { ...loaded, steps: loaded.steps.slice(0, last + 1) };
}
