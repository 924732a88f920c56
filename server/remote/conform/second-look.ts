// Where a first examination leaves two explanations, or finds the world to be another than it should be: the files that failed are played one after the
// other, and steps that a hindered probe kept out are asked.
import { applyPatch } from '../../domain/form/patch.js';
import type { World } from '../../domain/world.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import { ownFile } from '../../scenario/load/story.js';
import type { Played } from '../../scenario/play/player.js';
import type { Knowledge } from '../calibrate/knowledge.js';
import type { Cleanup } from '../changes/cleanup.js';
import type { Planned } from '../changes/plan.js';
import { MAX_BROKEN, readingsOf } from './diagnosis/reference.js';
import { type Examination, examined, type Place, repeatable, underReadings } from './examination.js';
import { playSuite, type Run } from './play-suite.js';
import type { PlayedFile } from './played-file.js';

/** Where the next best explanation costs so much more, the first one is taken to be right. */
const CLEAR = 3;

/** The same, or what a closer look shows where that explains the failures better. */
export async function lookedAtAgain(first: Examination, knowledge: Knowledge, place: Place): Promise<Examination> {
  return assumingTheOnly(await oneAfterTheOther(first, knowledge, place), place);
}

/** With the failed files played again, each from the world in which it finds the server: what one changes too much, no other one meets. */
async function oneAfterTheOther(first: Examination, knowledge: Knowledge, place: Place): Promise<Examination> {
  const { played, known } = first;
  if (played?.controls.diagnosis === undefined || isTooMuch(first)) return first;
  const { run, controls } = played;
  const isStrange = ({ loaded }: PlayedFile, { outcome, index }: Played) =>
    outcome === 'failed' && controls.unsound.get(ownFile(loaded))?.has(index) !== true;
  const strange = run.files.map(file => ({ file, steps: file.played.filter(one => isStrange(file, one)) }));
  const isOfWorld = strange.some(({ steps }) => steps.some(hasSeenWrong));
  if (isClear(first) && !isOfWorld) return first;
  const failed = strange.filter(({ steps }) => steps.length > 0).map(({ file }) => ownFile(file.loaded));
  const { files, cleanups, isWhole } = await playedInTurn(failed, known, place);
  const all = [...first.cleanups, ...cleanups];
  if (!isWhole) return { ...first, cleanups: all };
  const found = new Map(files.map(file => [ownFile(file.loaded), file]));
  const suite = place.suite.map(one => beginningWith(one, found.get(ownFile(one.written))));
  const again = { ...run, files: run.files.map(file => found.get(ownFile(file.loaded)) ?? withoutTraces(file)) };
  const other = await examined(again, { ...knowledge, known }, { ...place, suite });
  const isBetter = isOfWorld
    ? brokenIn(other) > 0 && brokenIn(other) <= brokenIn(first)
    : costOf(other) <= costOf(first) && isClearer(other, first);
  return { ...first, ...(isBetter && other), cleanups: all };
}

interface InTurn {
  readonly files: readonly PlayedFile[];
  readonly cleanups: readonly Cleanup[];
  /** Neither interrupted nor given up. */
  readonly isWhole: boolean;
}

async function playedInTurn(
  names: readonly string[],
  known: SomeReadings,
  { suite, target, options }: Place,
): Promise<InTurn> {
  const runs: Run[] = [];
  for (const one of repeatable(suite).filter(({ written }) => names.includes(ownFile(written))))
    runs.push(await playSuite([one], { ...options, target, known, jobs: 1, isLookedAtFirst: true }));
  return {
    files: runs.flatMap(({ files }) => files),
    cleanups: runs.map(({ cleanup }) => cleanup),
    isWhole: runs.every(({ ended }) => ended === undefined),
  };
}

/** Without the failed steps that only found other names in a list: they may have met what a file beside them has left. */
function withoutTraces(file: PlayedFile): PlayedFile {
  const isOfNames = ({ of, pointer }: Played['differences'][number]) =>
    of === 'world' && /^\/(?:groups|favourites)\/|\/(?:view|edit)(?:\/|$)/.test(pointer);
  const isTrace = ({ outcome, differences }: Played) => outcome === 'failed' && differences.every(isOfNames);
  return { ...file, played: file.played.filter(one => !isTrace(one)) };
}

function hasSeenWrong({ differences }: Played): boolean {
  return differences.some(({ of }) => of === 'world');
}

/** The same file in the world in which it was begun. */
function beginningWith(planned: Planned, played: PlayedFile | undefined): Planned {
  const { origin } = planned.written;
  const patch: Record<string, Record<string, unknown>> = {};
  for (const [place, { value }] of played?.beginning ?? []) {
    const [name = '', ...parts] = place.split('/');
    const key = parts.join('/');
    if (value !== undefined && isIn(origin.world, name, key)) patch[name] = { ...patch[name], [key]: value };
  }
  const world = Object.keys(patch).length === 0 ? origin.world : applyPatch(origin.world, patch);
  return { ...planned, written: { ...planned.written, origin: { ...origin, world } } };
}

function isIn(world: World, name: string, key: string): boolean {
  if (name === 'favourites') return world.users.has(key);
  return (name === 'groups' || name === 'pages' || name === 'spaces') && world[name].has(key);
}

/** Under the readings of gaps whose probes were hindered, or fit none, where only one is left that explains the answers. */
async function assumingTheOnly(first: Examination, place: Place, sofar: SomeReadings = {}): Promise<Examination> {
  const { open = [] } = first.played?.controls ?? {};
  const fresh = open.filter(({ gap }) => sofar[gap] === undefined);
  const only = fresh.map(readingsOf).filter(({ length }) => length === 1);
  const isOfDoubt = fresh.some(({ gap }) => first.doubts?.some(doubt => doubt.gap === gap) === true);
  if (only.length === 0 || isTooMuch(first) || (isClear(first) && !isOfDoubt)) return first;
  const assumed: SomeReadings = Object.assign({}, sofar, ...only.flat());
  const second = await assumingTheOnly(await underReadings(assumed, first, place), place, assumed);
  const isBetter = second.played !== undefined && brokenIn(second) <= brokenIn(first);
  return { ...first, ...(isBetter && second), cleanups: [...new Set([...first.cleanups, ...second.cleanups])] };
}

function isClearer(one: Examination, other: Examination): boolean {
  return brokenIn(one) <= brokenIn(other) && clarityOf(one) > clarityOf(other);
}

/** Whether one broken rule explains all, and nothing else does nearly so well. */
function isClear(examination: Examination): boolean {
  return brokenIn(examination) <= 1 && clarityOf(examination) >= CLEAR;
}

/** Whether so much is broken that a closer look tells no more. */
function isTooMuch(examination: Examination): boolean {
  return brokenIn(examination) > MAX_BROKEN;
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
