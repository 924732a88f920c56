// One run of conform on a server: readings, suite, and the explanation of failures. If another reading explains failures, the concerned files are
// played again under it, and the smaller explanation wins.
import { applyPatch } from '../../domain/form/patch.js';
import type { World } from '../../domain/world.js';
import type { GapId, SomeReadings } from '../../operations/gaps/gaps.js';
import type { Played } from '../../scenario/play/player.js';
import type { Unreachable } from '../../scenario/play/target.js';
import type { Calibration } from '../calibrate/calibrate.js';
import { doubtsIn, type Knowledge, knowledgeOf } from '../calibrate/knowledge.js';
import type { Cleanup } from '../changes/cleanup.js';
import type { Planned } from '../changes/plan.js';
import type { NamesThere } from '../names/name-map.js';
import { isInTracker, NOTHING, type Shown } from '../target/host-view.js';
import type { RetryingTarget } from '../target/retrying-target.js';
import { doubtedBy } from './capabilities.js';
import { variation } from './diagnosis/insistence.js';
import type { OwnServer } from './diagnosis/own-server.js';
import { blindFiles, type Controls, controlsOf, type Findings, MAX_BROKEN, readingsOf } from './diagnosis/reference.js';
import { playSuite, type Run } from './play-suite.js';
import type { PlayedFile } from './played-file.js';

export interface Examination {
  readonly known: SomeReadings;
  readonly calibration?: Calibration;
  readonly cleanups: readonly Cleanup[];
  /** Absent: the readings could not be determined; `ended` gives the reason. */
  readonly played?: { readonly run: Run; readonly controls: Controls };
  readonly ended?: Unreachable;
}

export interface Examined {
  readonly probes: readonly Planned[];
  readonly suite: readonly Planned[];
}

export interface ExamineOptions {
  readonly names: NamesThere;
  /** The value of `${run}`. */
  readonly run: string;
  readonly signal: AbortSignal;
  /** A correct server with the names of the target. */
  readonly own: OwnServer;
  /** Parts of the target that are read through the hosts' resources. Default: none. */
  readonly shown?: Shown;
  /** Number of parallel files or probes. */
  readonly jobs?: number;
}

/** Cost of assuming another reading than the probes show. */
const OTHER_READING = 3;
/** Where the next best explanation costs so much more, the first one is taken to be right. */
const CLEAR = 3;

export async function examine(
  { probes, suite }: Examined,
  target: RetryingTarget,
  options: ExamineOptions,
): Promise<Examination> {
  const knowledge = await knowledgeOf(probes, target, options);
  const { known, calibration, cleanup, ended } = knowledge;
  if (ended !== undefined) return { known, cleanups: [cleanup], ended };
  const { own, shown = NOTHING } = options;
  const [played, blind] = await Promise.all([
    playSuite(suite, { ...options, target, known }),
    blindFiles(suite, { known, shown }, own), // while the other server is waited for
  ]);
  const { files } = played;
  const controls = await controlled(suite, { files, blind }, knowledge, { probes, target, options });
  let best: Examination = {
    known,
    ...(calibration !== undefined && { calibration }),
    cleanups: [cleanup, played.cleanup],
    played: { run: played, controls },
  };
  if (played.ended !== undefined) return best;
  let least = controls.diagnosis?.cost ?? 0;
  for (const { assumed, isOfDistortion } of controls.otherReadings ?? []) {
    const other = await under(assumed, best, { probes, suite, target, options });
    const { diagnosis } = other.played?.controls ?? {};
    const isDistorted = !isOfDistortion || (diagnosis?.broken.size ?? 0) > 0;
    const cost = (diagnosis?.cost ?? 0) + OTHER_READING;
    const cleanups = [...best.cleanups, ...other.cleanups];
    if (other.played === undefined || !isDistorted || cost >= least) best = { ...best, cleanups };
    else [best, least] = [{ ...other, cleanups }, cost];
  }
  if (best.played?.controls !== controls) return best;
  const around = { probes, suite, target, options };
  return seenMore(await alone(best, knowledge, around), around);
}

/**
 * Where two explanations remain, or the world is not what it should be, the same with the files that failed played one after the other, each from the
 * world in which it finds the server: what one changes too much, no other one meets, and what is wrong already is nobody's fault.
 */
async function alone(first: Examination, knowledge: Knowledge, around: Around & Examined): Promise<Examination> {
  const { played, known } = first;
  if (played?.controls.diagnosis === undefined || isHopeless(first)) return first;
  const { unsound } = played.controls;
  const isStrange = (file: PlayedFile, one: Played) =>
    one.outcome === 'failed' && unsound.get(fileOf(file))?.has(one.index) !== true;
  const failed = played.run.files.filter(file => file.played.some(one => isStrange(file, one)));
  const isOfWorld = failed.some(file => file.played.some(one => isStrange(file, one) && hasSeenWrong(one)));
  if (isClear(first) && !isOfWorld) return first;
  const again = repeatable(around.suite).filter(({ written }) =>
    failed.some(file => fileOf(file) === written.files[0]),
  );
  const { files, cleanups, isWhole } = await oneByOne(again, known, around);
  if (!isWhole) return { ...first, cleanups: [...first.cleanups, ...cleanups] };
  const begun = around.suite.map(one =>
    beginningWith(
      one,
      files.find(file => fileOf(file) === one.written.files[0]),
    ),
  );
  const rest = played.run.files.filter(file => !files.some(other => fileOf(other) === fileOf(file))).map(unlooked);
  const run = { ...played.run, files: [...files, ...rest] };
  const other = await withFiles(run, played, { ...knowledge, known }, { ...around, suite: begun });
  const isBetter = isOfWorld
    ? brokenIn(other) > 0 && brokenIn(other) <= brokenIn(first)
    : costOf(other) <= costOf(first) && isClearer(other, first);
  return { ...first, ...(isBetter && other), cleanups: [...first.cleanups, ...cleanups] };
}

interface OneByOne {
  readonly files: readonly PlayedFile[];
  readonly cleanups: readonly Cleanup[];
  /** Neither interrupted nor given up. */
  readonly isWhole: boolean;
}

async function oneByOne(
  planned: readonly Planned[],
  known: SomeReadings,
  { target, options }: Around,
): Promise<OneByOne> {
  const runs: Run[] = [];
  for (const one of planned)
    runs.push(await playSuite([one], { ...options, target, known, jobs: 1, isLookedAtFirst: true }));
  return {
    files: runs.flatMap(({ files }) => files),
    cleanups: runs.map(({ cleanup }) => cleanup),
    isWhole: runs.every(({ ended }) => ended === undefined),
  };
}

/** Without the steps that found other names where files change them in turn: they may have met what another file has left. */
function unlooked(file: PlayedFile): PlayedFile {
  const isOfNames = ({ of, pointer }: Played['differences'][number]) =>
    of === 'world' && /^\/(?:groups|favourites)\/|\/(?:view|edit)(?:\/|$)/.test(pointer);
  const isDoubtful = ({ outcome, differences }: Played) => outcome === 'failed' && differences.every(isOfNames);
  return { ...file, played: file.played.filter(one => !isDoubtful(one)) };
}

/** Whether a step found the world to be another than it should be. */
function hasSeenWrong({ differences }: Played): boolean {
  return differences.some(({ of }) => of === 'world');
}

function fileOf({ loaded }: PlayedFile): string {
  return loaded.files[0] ?? '';
}

/** The same file in the world in which it was begun. */
function beginningWith(planned: Planned, played: PlayedFile | undefined): Planned {
  const { origin } = planned.written;
  const patch: Record<string, Record<string, unknown>> = {};
  for (const [place, { value }] of played?.beginning ?? []) {
    const [name = '', ...parts] = place.split('/');
    const key = parts.join('/');
    if (value !== undefined && isThere(origin.world, name, key)) patch[name] = { ...patch[name], [key]: value };
  }
  const world = Object.keys(patch).length === 0 ? origin.world : applyPatch(origin.world, patch);
  return { ...planned, written: { ...planned.written, origin: { ...origin, world } } };
}

function isThere(world: World, name: string, key: string): boolean {
  if (name === 'favourites') return world.users.has(key);
  return (name === 'groups' || name === 'pages' || name === 'spaces') && world[name].has(key);
}

/**
 * Where two explanations remain, the same under the readings of gaps whose probes were hindered, but had only one left that fits the answers: then steps
 * are asked that were left out.
 */
async function seenMore(first: Examination, around: Around & Examined, sofar: SomeReadings = {}): Promise<Examination> {
  const { open = [] } = first.played?.controls ?? {};
  const only = open.map(readingsOf).filter(({ length }) => length === 1);
  if (only.length === 0 || isClear(first) || isHopeless(first)) return first;
  const assumed: SomeReadings = Object.assign({}, sofar, ...only.flat());
  return clearer(first, await seenMore(await under(assumed, first, around), around, assumed));
}

/** The one that explains more clearly without more broken rules, with what both of them have cleaned up. */
function clearer(first: Examination, second: Examination): Examination {
  const isBetter = second.played !== undefined && isClearer(second, first);
  return { ...first, ...(isBetter && second), cleanups: [...new Set([...first.cleanups, ...second.cleanups])] };
}

function isClearer(one: Examination, other: Examination): boolean {
  return brokenIn(one) <= brokenIn(other) && clarityOf(one) > clarityOf(other);
}

/** Whether one broken rule explains all, and nothing else does nearly so well. */
function isClear(examination: Examination): boolean {
  return brokenIn(examination) <= 1 && clarityOf(examination) >= CLEAR;
}

function isHopeless(examination: Examination): boolean {
  return brokenIn(examination) > MAX_BROKEN;
}

function hasFailed({ played }: PlayedFile): boolean {
  return played.some(({ outcome }) => outcome === 'failed');
}

function brokenIn({ played }: Examination): number {
  const { broken, unexplained } = played?.controls.diagnosis ?? {};
  return (broken?.size ?? 0) + (unexplained?.length ?? 0);
}

function costOf({ played }: Examination): number {
  return played?.controls.diagnosis?.cost ?? 0;
}

/** What the next best explanation costs more. Nothing is clearer than that there is none. */
function clarityOf({ played }: Examination): number {
  return played?.controls.diagnosis?.rival?.more ?? Number.POSITIVE_INFINITY;
}

interface Around extends Pick<Examined, 'probes'> {
  readonly target: RetryingTarget;
  readonly options: ExamineOptions;
}

async function controlled(
  suite: readonly Planned[],
  { files, blind }: Pick<Findings, 'files' | 'blind'>,
  knowledge: Knowledge,
  { probes, target, options: { names, own, run, shown = NOTHING } }: Around,
): Promise<Controls> {
  const inTracker = new Set<string>();
  for (const user of doubtedBy(files, names.adminThere))
    if (await isInTracker({ target, names, run }, user)) inTracker.add(user);
  const doubts = doubtsIn(knowledge, probes);
  const isUnsettled = ({ received }: Played) => target.isUnsettled(received);
  const chance = target.chances[0];
  const hindered = (knowledge.calibration?.findings ?? []).flatMap(one => ('isHindered' in one ? [one] : []));
  const found = {
    files,
    blind,
    known: knowledge.known,
    shown,
    names,
    doubts,
    chance,
    hindered,
    isUnsettled,
    inTracker,
  };
  const controls = { ...(await controlsOf(suite, found, own)), inTracker };
  const varied = controls.diagnosis && (await variation(controls.diagnosis, target));
  return varied === undefined ? controls : { unsound: new Map(), blind: controls.blind, chance: varied };
}

/** The same under another reading: only the files that it concerns are played again. */
async function under(assumed: SomeReadings, { played }: Examination, around: Around & Examined): Promise<Examination> {
  const { probes, suite, target, options } = around;
  const gaps = Object.keys(assumed) as GapId[]; // readings of these
  const knowledge = await knowledgeOf(repeatable(probes), target, { ...options, assumed });
  const { known, cleanup, ended } = knowledge;
  if (ended !== undefined || played === undefined) return { known, cleanups: [cleanup] };
  const isConcerned = ({ written }: Planned) =>
    written.steps.some(({ readings = {} }) => gaps.some(gap => readings[gap] !== undefined)) ||
    played.run.files.some(file => file.loaded.files[0] === written.files[0] && hasFailed(file));
  const again = repeatable(suite).filter(isConcerned);
  const second = await playSuite(again, { ...options, target, known });
  const other = await withFiles(second, played, knowledge, around);
  return { ...other, cleanups: [cleanup, second.cleanup] };
}

/** What a run shows if these files have been played instead of the same in it. */
async function withFiles(
  second: Run,
  { run }: NonNullable<Examination['played']>,
  knowledge: Knowledge,
  around: Around & Examined,
): Promise<Examination> {
  const { suite, options } = around;
  const { known } = knowledge;
  const files = run.files.map(
    file => second.files.find(other => other.loaded.files[0] === file.loaded.files[0]) ?? file,
  );
  const blind = await blindFiles(suite, { known, shown: options.shown ?? NOTHING }, options.own);
  const controls = await controlled(suite, { files, blind }, knowledge, around);
  return { known, cleanups: [], played: { run: { ...second, files }, controls } };
}

/** A file that creates a space cannot be played twice in a run. */
function repeatable(planned: readonly Planned[]): readonly Planned[] {
  return planned.filter(({ changes }) => changes.every(some => some.every(({ kind }) => kind !== 'space')));
}
