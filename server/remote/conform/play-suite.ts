// Plays the suite on a foreign server, file by file, and undoes the changes of each file. Consent has been given before.

import { isObject } from '../../domain/form/patch.js';
import type { Loaded } from '../../scenario/load/story.js';
import { bodyOf } from '../../scenario/play/judging.js';
import { type Played, Player, unmetReading } from '../../scenario/play/player.js';
import { Unreachable } from '../../scenario/play/target.js';
import { type Change, each, isTakenBack } from '../changes/changes.js';
import { type Cleanup, cleanUp, type Surroundings } from '../changes/cleanup.js';
import type { Planned } from '../changes/plan.js';
import { allTouched, areApart, type Touched } from '../changes/touched.js';
import { isToBeRefused } from '../target/expected-refusals.js';
import { familyOf } from '../target/family.js';
import { HostView, NOTHING, type Shown } from '../target/host-view.js';
import { type RetryingTarget, withRetries } from '../target/retrying-target.js';
import { sideBySide, USUAL_JOBS } from '../target/side-by-side.js';
import { isDetour, SHOWN_BY_THE_WIKI } from './detours.js';
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
const MAX_SILENT = 2;

export async function playSuite(
  planned: readonly Planned[],
  { jobs = USUAL_JOBS, ...given }: RunSettings,
): Promise<Run> {
  const settings = { ...given, target: withRetries(given.target) };
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
    if (failure !== undefined && silent >= MAX_SILENT) ended = failure;
  };
  // The state that is restored afterwards is also set up before, so that every file finds the world it needs.
  await cleanUp(each(planned.flatMap(({ changes }) => changes.flat())).filter(isTakenBack), settings);
  const asked = (one: Planned) => one.written.steps.filter((_, i) => isAsked(one, settings, i)).length;
  await sideBySide(
    [...planned]
      .sort((a, b) => asked(b) - asked(a)) // the long ones first: the short ones fit beside them
      .map(one => ({ touched: touchedBy(one, settings), run: () => play(one) })),
    jobs,
  );
  const run = {
    files: planned.flatMap(one => files.get(one) ?? []),
    cleanup: { stays, left: [...new Set(left)] },
  };
  if (ended !== undefined) return { ...run, ended };
  return { ...run, ...(settings.signal?.aborted && { ended: 'interrupted' as const }) };
}

/** Whether a step is sent to a server that follows these readings. */
function isAsked({ mapped: { loaded, reasons } }: Planned, { known, shown = NOTHING }: Playing, i: number): boolean {
  return !reasons.has(i) && !isDetour(loaded, i, shown) && unmetReading(loaded.steps[i]?.readings, known) === undefined;
}

/** The end of the steps that prove something: later ones only put the world back, which the cleanup after each file does anyway. */
function provingEnd({ mapped: { loaded } }: Planned): number {
  return loaded.steps.findLastIndex(({ proves }) => proves !== undefined) + 1;
}

type Playing = Pick<RunSettings, 'known' | 'shown'>;

function touchedBy(one: Planned, playing: Playing): Touched {
  return allTouched(stepsTouched(one, playing).filter((_, i) => isAsked(one, playing, i)));
}

/** A step that is to be refused only reads. */
function stepsTouched({ mapped, refused }: Planned, { shown = NOTHING }: Playing): readonly Touched[] {
  const touched = shown.wiki || shown.tracker ? mapped.touchedAndShown : mapped.touched;
  return touched.map(({ reads, writes }, i) =>
    refused.has(i) ? { reads: new Set([...reads, ...writes]), writes: new Set() } : { reads, writes },
  );
}

interface PlayedOnce {
  readonly file: PlayedFile;
  /** Possible changes. */
  readonly changed: readonly Change[];
  readonly failure?: Unreachable;
}

async function playFile(
  one: Planned,
  settings: RunSettings & { readonly target: RetryingTarget },
): Promise<PlayedOnce> {
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
  const play = async (i: number): Promise<Played> => {
    const why = reasons.get(i);
    if (why !== undefined) return skipped(loaded, i, why);
    if (isDetour(loaded, i, shown)) return skipped(loaded, i, SHOWN_BY_THE_WIKI);
    const once = await player.play(i);
    const again = isWorthRepeating(once) ? await player.play(i) : once;
    const isOther = once !== again && isByChance(once, again);
    if (isOther) noteChance(target, once, again);
    const believed = isOther ? again : once;
    if (isOther || target.isSecond(believed.received)) unsteady.add(i);
    return believed;
  };
  const failures = new Map<number, Unreachable>();
  await whenFree(one, settings, async i => {
    if (signal?.aborted || failures.size > 0) return;
    try {
      const result = await play(i);
      played.push(result);
      if (result.sent !== undefined) changed.push(...happened(changes[i] ?? [], result));
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      failures.set(i, error);
      changed.push(...(changes[i] ?? []));
    }
  });
  const last = Math.min(...failures.keys()); // of several the first, and nothing after it counts
  const inOrder = played.filter(({ index }) => index < last).sort((a, b) => a.index - b.index);
  const end = (ended?: string) => ({
    loaded,
    played: inOrder,
    unplayable,
    unsteady,
    duration: performance.now() - started,
    ...(ended !== undefined && { ended }),
  });
  const failure = failures.get(last);
  if (failure !== undefined)
    return { file: end(`the server gave no answer to ${JSON.stringify(loaded.steps[last]?.say)}`), changed, failure };
  return { file: end(inOrder.length < provingEnd(one) ? 'it was interrupted' : undefined), changed };
}

/** Runs each step once the earlier ones are over that change what it reads or changes, or read what it changes. */
async function whenFree(one: Planned, playing: Playing, run: (i: number) => Promise<void>): Promise<void> {
  const { loaded } = one.mapped;
  const touched = stepsTouched(one, playing);
  const begun: Array<{ readonly own: Touched; readonly isAwaited: boolean; readonly end: Promise<void> }> = [];
  for (const [i, step] of loaded.steps.slice(0, provingEnd(one)).entries()) {
    if (!isAsked(one, playing, i)) {
      await run(i); // it is skipped, and waits for nobody
      continue;
    }
    const own = touched[i] ?? allTouched([]);
    const isAlone = step.world !== undefined || step.faults !== undefined || (step.call ?? step.request) === undefined;
    const before = begun.filter(other => isAlone || other.isAwaited || !areApart(own, other.own)).map(({ end }) => end);
    const end = Promise.all(before).then(() => run(i));
    begun.push({ own, isAwaited: isAlone || step.capture !== undefined, end });
  }
  await Promise.all(begun.map(({ end }) => end));
}

function skipped(loaded: Loaded, index: number, why: string): Played {
  const line = loaded.lineOf(['steps', index]);
  const step = loaded.steps[index] ?? { say: '' };
  return { index, line, step, outcome: 'skipped', why, differences: [], unchecked: [], duration: 0 };
}

/**
 * A request that was refused has changed nothing, and neither has a question: asked again, it is answered alike, unless the server fails at random.
 * So is what should have been refused, and the form of an answer, whatever was changed. A copy that was made is refused the next time.
 */
function isWorthRepeating(played: Played): boolean {
  const { outcome, received, step } = played;
  if (outcome !== 'failed' || received === undefined) return false;
  if (received.status >= 400 || step.call === 'spaces.is-unique' || isMisshapen(played)) return true;
  return isToBeRefused(step.expect) && step.call !== 'spaces.copy';
}

/** Whether push or pull answers 200 without a flag and a list. */
function isMisshapen({ step, received }: Played): boolean {
  if (familyOf(step) !== 'ppf' || received?.status !== 200) return false;
  const body = bodyOf(received);
  return !isObject(body) || typeof body.success !== 'boolean' || !Array.isArray(body.messages);
}

/**
 * Where one of the two is 409, or the second 404, something may have been done in between, or by the first of them. So it may where an object only
 * lacks a field.
 */
function isByChance(once: Played, again: Played): boolean {
  if (isMisshapen(once)) return !isObject(once.received && bodyOf(once.received)) && !isMisshapen(again);
  const [first = 0, second = 0] = [once.received?.status, again.received?.status];
  if (again.outcome !== 'passed' || first === 409 || second === 409) return false;
  return first >= 400 || second !== 404;
}

function noteChance(target: RetryingTarget, { sent, received }: Played, again: Played): void {
  if (sent !== undefined) target.note(sent, received?.status ?? 0, again.received?.status ?? 0);
}

/** More may be undone than has happened; remaining changes are reported only unless the answer says that nothing happened. */
function happened(changes: readonly Change[], { received }: Played): readonly Change[] {
  const isRefused = (received?.status ?? 0) >= 400;
  return isRefused ? changes.filter(isTakenBack) : changes;
}
