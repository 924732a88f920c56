// Plays the suite on a foreign server, file by file, and undoes the changes of each file. Consent has been given before.

import { isObject } from '../../domain/form/patch.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { Loaded } from '../../scenario/load/story.js';
import { bodyOf } from '../../scenario/play/judging.js';
import { type Played, Player, unmetReading } from '../../scenario/play/player.js';
import { Unreachable } from '../../scenario/play/target.js';
import { type Change, each, isTakenBack } from '../changes/changes.js';
import { type Cleanup, cleanUp, type Surroundings } from '../changes/cleanup.js';
import type { Planned } from '../changes/plan.js';
import { allTouched, areApart, type Touched } from '../changes/touched.js';
import { familyOf } from '../target/family.js';
import { HostView, NOTHING, type Shown } from '../target/host-view.js';
import { sideBySide, USUAL_JOBS } from '../target/side-by-side.js';
import { type SteadyTarget, steady } from '../target/steady-target.js';
import type { PlayedFile } from './played-file.js';

export interface Run {
  readonly files: readonly PlayedFile[];
  readonly cleanup: Cleanup;
  /** Why it ended early, if it did. */
  readonly ended?: 'interrupted' | Unreachable;
}

export interface RunSettings extends Surroundings {
  /** The value of `${run}`. */
  readonly run: string;
  /** Stops after the requests in progress. */
  readonly signal?: AbortSignal;
  /** Parts read through the hosts' resources. Default: none. */
  readonly shown?: Shown;
  /** Number of parallel files. */
  readonly jobs?: number;
}

/** Files in a row without an answer before the server counts as gone. */
const MOST_SILENT = 2;

export async function playSuite(
  planned: readonly Planned[],
  { jobs = USUAL_JOBS, ...given }: RunSettings,
): Promise<Run> {
  const settings = { ...given, target: steady(given.target) };
  const files = new Map<Planned, PlayedFile>();
  const left: string[] = [];
  const stays: Change[] = [];
  let silent = 0;
  let ended: Unreachable | undefined;
  const clean = async (changes: readonly Change[]) => {
    const cleanup = await cleanUp(changes, settings);
    stays.push(...cleanup.stays);
    left.push(...cleanup.left);
  };
  const play = async (one: Planned) => {
    if (settings.signal?.aborted || ended !== undefined) return;
    const { file, changed, failure } = await playFile(one, settings);
    files.set(one, file);
    await clean(changed);
    silent = failure === undefined ? 0 : silent + 1;
    if (failure !== undefined && silent >= MOST_SILENT) ended = failure;
  };
  // The state that is restored afterwards is also set up before, so that every file finds the world it needs.
  await cleanUp(each(planned.flatMap(({ changes }) => changes.flat())).filter(isTakenBack), settings);
  await sideBySide(
    planned.map(one => ({ touched: touchedBy(one, settings.known), run: () => play(one) })),
    jobs,
  );
  const run = {
    files: planned.flatMap(one => files.get(one) ?? []),
    cleanup: { stays, left: [...new Set(left)] },
  };
  if (ended !== undefined) return { ...run, ended };
  return { ...run, ...(settings.signal?.aborted && { ended: 'interrupted' as const }) };
}

/** Whether a step of it is asked of a server that follows these readings. */
function isAsked({ mapped: { loaded, reasons } }: Planned, known: SomeReadings, i: number): boolean {
  return !reasons.has(i) && unmetReading(loaded.steps[i]?.readings, known) === undefined;
}

function touchedBy(one: Planned, known: SomeReadings): Touched {
  return allTouched(one.mapped.touched.filter((_, i) => isAsked(one, known, i)));
}

interface PlayedOnce {
  readonly file: PlayedFile;
  /** Possible changes. */
  readonly changed: readonly Change[];
  readonly failure?: Unreachable;
}

async function playFile(one: Planned, settings: RunSettings & { readonly target: SteadyTarget }): Promise<PlayedOnce> {
  const { mapped, changes, made } = one;
  const { loaded, reasons } = mapped;
  const { target, names, known, run, signal, shown = NOTHING } = settings;
  const view = new HostView({ target, names, run }, shown, made);
  const player = new Player(loaded, target, { passwords: names.passwords, known, run, view, mayHaveMore: true });
  await player.begin();
  const started = performance.now();
  const played: Played[] = [];
  const changed: Change[] = [];
  const unplayable = new Set(reasons.keys());
  const unsteady = new Set<number>();
  const end = (ended?: string) => ({
    loaded,
    played,
    unplayable,
    unsteady,
    duration: performance.now() - started,
    ...(ended !== undefined && { ended }),
  });
  const play = async (i: number): Promise<Played> => {
    const why = reasons.get(i);
    if (why !== undefined) return skipped(loaded, i, why);
    const once = await player.play(i);
    const again = isWorthRepeating(once) ? await player.play(i) : once;
    const isOther = once !== again && isByChance(once, again);
    if (isOther) noteChance(target, once, again);
    const believed = isOther ? again : once;
    if (isOther || target.isSecond(believed.received)) unsteady.add(i);
    return believed;
  };
  for (const round of roundsOf(one, known)) {
    if (signal?.aborted) return { file: end('it was interrupted'), changed };
    const results = await Promise.allSettled(round.map(play));
    for (const [k, result] of results.entries()) {
      const i = round[k] ?? 0;
      if (result.status === 'fulfilled') {
        played.push(result.value);
        if (result.value.sent !== undefined) changed.push(...happened(changes[i] ?? [], result.value));
      } else {
        if (!(result.reason instanceof Unreachable)) throw result.reason;
        changed.push(...round.slice(k).flatMap(later => changes[later] ?? []));
        const text = `the server gave no answer to ${JSON.stringify(loaded.steps[i]?.say)}`;
        return { file: end(text), changed, failure: result.reason };
      }
    }
  }
  return { file: end(), changed };
}

/** The steps in order, grouped into parallel ones: none changes what another reads or changes. */
function roundsOf(one: Planned, known: SomeReadings): number[][] {
  const { mapped, refused } = one;
  const { loaded, touched } = mapped;
  const rounds: number[][] = [];
  let round: Touched[] = [];
  let isOpen = false;
  for (const [i, step] of loaded.steps.entries()) {
    if (isOpen && !isAsked(one, known, i)) {
      rounds.at(-1)?.push(i); // it is skipped, and waits for nobody
      continue;
    }
    const { reads, writes } = touched[i] ?? { reads: new Set(), writes: new Set() };
    const own = { reads, writes: refused.has(i) ? new Set<string>() : writes };
    const isToWait = step.world !== undefined || step.faults !== undefined || (step.call ?? step.request) === undefined;
    if (isOpen && !isToWait && round.every(other => areApart(own, other))) rounds.at(-1)?.push(i);
    else {
      rounds.push([i]);
      round = [];
    }
    round.push(own);
    isOpen = step.capture === undefined && !isToWait;
  }
  return rounds;
}

function skipped(loaded: Loaded, index: number, why: string): Played {
  const line = loaded.lineOf(['steps', index]);
  const step = loaded.steps[index] ?? { say: '' };
  return { index, line, step, outcome: 'skipped', why, differences: [], unchecked: [], duration: 0 };
}

/**
 * A request that was refused has changed nothing, and neither has a question: asked again, it is answered alike, unless the server fails at random.
 * So is the form of an answer, whatever was changed.
 */
function isWorthRepeating(played: Played): boolean {
  const { outcome, received, step } = played;
  if (outcome !== 'failed' || received === undefined) return false;
  return received.status >= 400 || step.call === 'spaces.is-unique' || isMisshapen(played);
}

/** Whether push or pull answers 200 without a flag and a list. */
function isMisshapen({ step, received }: Played): boolean {
  if (familyOf(step) !== 'ppf' || received?.status !== 200) return false;
  const body = bodyOf(received);
  return !isObject(body) || typeof body.success !== 'boolean' || !Array.isArray(body.messages);
}

/** Where one of the two is 409, something may have been done in between, or by the first of them. */
function isByChance(once: Played, again: Played): boolean {
  if (isMisshapen(once)) return !isMisshapen(again);
  return again.outcome === 'passed' && once.received?.status !== 409 && again.received?.status !== 409;
}

function noteChance(target: SteadyTarget, { sent, received }: Played, again: Played): void {
  if (sent !== undefined) target.note(sent, received?.status ?? 0, again.received?.status ?? 0);
}

/** More may be undone than has happened; remaining changes are reported only unless the answer says that nothing happened. */
function happened(changes: readonly Change[], { received }: Played): readonly Change[] {
  const isRefused = (received?.status ?? 0) >= 400;
  return isRefused ? changes.filter(isTakenBack) : changes;
}
