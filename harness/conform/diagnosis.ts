// Explains failed steps: plays the same steps on our own server with each fault of the catalogue and compares what fails.

import { putPage } from '../../server/domain/world/pages.js';
import type { World } from '../../server/domain/world/world.js';
import type { DecisionContext } from '../../server/engine/request/stage.js';
import { timeOn } from '../../server/engine/sandbox/clock.js';
import type { SomeReadings } from '../../server/operations/gaps/gaps.js';
import { chosenReadings } from '../../server/operations/gaps/profiles.js';
import { readVisible, type VisibleRecords } from '../../server/scenario/play/compare-result.js';
import { type Played, Player } from '../../server/scenario/play/player.js';
import { withDeviations } from '../changes/subjects.js';
import type { NamesThere } from '../names/name-map.js';
import { renamedWorld } from '../names/name-map.js';
import { FaultyServer, isIdle, type ServedRequest } from '../run/faulty-server.js';
import { createdPages } from '../run/run-context.js';
import { RestApi, type ServedApis } from '../target/rest-api.js';
import { RestView, type TextField } from '../target/rest-view.js';
import { describedStep } from './described-step.js';
import { faults } from './faults/catalogue.js';
import type { Change, ServerFault } from './faults/server-fault.js';
import type { PlayedFile } from './suite-run.js';

/** From this similarity on, a fault explains what failed. */
const ALIKE = 0.6;

export interface LikelyFault {
  /** Faults that explain the same steps equally well. */
  readonly faults: readonly ServerFault[];
  /** The failed steps that it explains. */
  readonly steps: readonly FailedStep[];
}

export interface Diagnosis {
  /** The best first; empty: no fault is similar enough. */
  readonly explanations: readonly LikelyFault[];
  /** All failed steps, without those that fail on a correct server too. */
  readonly failed: readonly FailedStep[];
}

export interface FailedStep {
  readonly file: string;
  readonly played: Played;
  /** What the server did, as "behaves like a server that …". */
  readonly says?: string;
}

export interface DiagnosisOptions {
  readonly names: NamesThere;
  readonly run: string;
  readonly served: ServedApis;
  readonly alike: readonly TextField[];
  readonly known: SomeReadings;
  /** The context path of the target. */
  readonly context: string;
}

/** The failed steps of a run, by file and index, with how each differs. */
type Failures = ReadonlyMap<string, string>;

/** `reruns`: shared between servers that are judged by the same suite in the same names, so that nothing is played twice. */
export async function diagnose(
  files: readonly PlayedFile[],
  options: DiagnosisOptions,
  reruns: Reruns = new Map(),
): Promise<Diagnosis> {
  if (failuresOf(files).size === 0) return { explanations: [], failed: [] };
  const rerun = await rerunOf(files, options, reruns);
  const observed = without(failuresOf(files), rerun.reference);
  const steps = new Map<string, FailedStep>();
  for (const { file, played } of files)
    for (const one of played) {
      const key = keyOf(file, one);
      if (!observed.has(key)) continue;
      const says = describedStep(one, await rerun.seenBefore(file, one), options.names);
      steps.set(key, { file, played: one, ...(says !== undefined && { says }) });
    }
  const found: LikelyFault[] = [];
  const changes: Change[] = [];
  for (let rest = observed; rest.size > 0; ) {
    const best = await bestFor(rest, rerun, changes);
    const [first] = best;
    if (first === undefined) break;
    const predicted = await rerun.failures(first.change);
    const isWhole = similarityOf(new Map([...rest].filter(([key]) => predicted.has(key))), predicted) >= ALIKE;
    const explained = [...rest.keys()].filter(key => !isWhole || predicted.has(key));
    found.push({ faults: best, steps: explained.flatMap(key => steps.get(key) ?? []) });
    if (!isWhole) break; // it explains the rest only in part, so that what remains is no second fault
    changes.push(first.change);
    rest = new Map([...rest].filter(([key]) => !explained.includes(key)));
  }
  return { explanations: found, failed: [...observed.keys()].flatMap(key => steps.get(key) ?? []) };
}

/** Reruns by what makes one different from another. */
export type Reruns = Map<string, Rerun>;

async function rerunOf(files: readonly PlayedFile[], options: DiagnosisOptions, reruns: Reruns): Promise<Rerun> {
  const { names: _, ...others } = options;
  const played = files.map(({ file, deviations, ...one }) => [
    file,
    deviations,
    askedIn(one).map(({ index }) => index),
  ]);
  const key = JSON.stringify([others, played]);
  const rerun = reruns.get(key) ?? (await Rerun.of(files, options));
  reruns.set(key, rerun);
  return rerun;
}

function askedIn({ played }: Pick<PlayedFile, 'played'>): readonly Played[] {
  return played.filter(({ outcome }) => outcome !== 'skipped');
}

/** The faults that explain what failed best, without those found `before`. */
async function bestFor(observed: Failures, rerun: Rerun, before: readonly Change[]): Promise<readonly ServerFault[]> {
  let similarity = ALIKE;
  let alike: ServerFault[] = [];
  for (const fault of faults) {
    if (before.includes(fault.change) || !rerun.concerns(fault.change, observed)) continue;
    const found = await rerun.similarity(fault.change, observed, similarity);
    if (found > similarity) alike = [];
    if (found < similarity) continue;
    similarity = found;
    alike.push(fault);
  }
  return alike;
}

/**
 * Shared failed steps, those with another difference half, divided by all failed steps of either.
 * `isOpen`: a step whose prediction is unknown, which counts as shared. Default: none.
 */
export function similarityOf(
  observed: Failures,
  predicted: Failures,
  isOpen: (key: string) => boolean = () => false,
): number {
  let shared = 0;
  for (const [key, how] of observed) {
    if (predicted.has(key)) shared += predicted.get(key) === how ? 1 : 0.5;
    else if (isOpen(key)) shared += 1;
  }
  const all = new Set([...observed.keys(), ...predicted.keys()]).size;
  return all === 0 ? 0 : shared / all;
}

export function without(failures: Failures, others: Failures): Failures {
  return new Map([...failures].filter(([key]) => !others.has(key)));
}

export function failuresOf(files: ReadonlyArray<Pick<PlayedFile, 'file' | 'played'>>): Failures {
  return new Map(
    files.flatMap(({ file, played }) =>
      played.filter(({ outcome }) => outcome === 'failed').map(one => [keyOf(file, one), differenceOf(one)] as const),
    ),
  );
}

function keyOf(file: string, { index }: Played): string {
  return `${file} ${index}`;
}

function fileOf(key: string): string {
  return key.slice(0, key.lastIndexOf(' '));
}

/** The class of the status and the world as found, and where body and headers differ. */
function differenceOf({ differences }: Played): string {
  return differences
    .map(({ of, pointer, found }) => {
      if (of === 'status') return `status ${String(found).charAt(0)}XX`;
      return of === 'world' ? `${pointer} ${JSON.stringify(found)}` : `${of} ${pointer}`;
    })
    .sort()
    .join();
}

/** One step on a correct server. */
interface Reference {
  readonly played: Played;
  readonly before: World;
  readonly after: World;
  readonly served: readonly ServedRequest[];
}

/** Plays the steps on our own server, with and without faults. */
export class Rerun {
  readonly #runs = new Map<Change, Run>();
  #reference: Run = newRun();

  private constructor(
    private readonly files: readonly PlayedFile[],
    private readonly options: DiagnosisOptions,
    private readonly begun: DecisionContext,
    private readonly created: ReadonlyMap<string, ReadonlyMap<string, string>>,
  ) {}

  static async of(files: readonly PlayedFile[], options: DiagnosisOptions): Promise<Rerun> {
    const { names, known, run } = options;
    const begun = {
      world: renamedWorld(names.world, names),
      readings: chosenReadings({ readings: known }),
      now: timeOn(undefined, new Date()),
    };
    const created = new Map<string, ReadonlyMap<string, string>>();
    for (const { file, scenario } of files) created.set(file, await createdPages(scenario.loaded, known, run));
    const rerun = new Rerun(files, options, begun, created);
    const reference = newRun();
    for (const file of files) await rerun.#playInto(reference, file, {});
    rerun.#reference = reference;
    return rerun;
  }

  /** What fails on a correct server with these readings. */
  get reference(): Failures {
    return this.#reference.failures;
  }

  /** What a correct server shows of the world that a step is about, before it. */
  async seenBefore(file: string, { index, step }: Played): Promise<VisibleRecords> {
    const world = this.#reference.results.get(file)?.steps.find(({ played }) => played.index === index)?.before;
    if (world === undefined) return new Map();
    return readVisible([step.then], this.#viewOf(new FaultyServer({ ...this.begun, world }), file));
  }

  #viewOf(server: FaultyServer, file: string): RestView {
    const { names, run, served, alike } = this.options;
    const created = this.created.get(file) ?? new Map();
    return new RestView(new RestApi(server, names, served), { names, run, alike, created });
  }

  /** Whether a change touches any request of the files with failures: else it explains none. */
  concerns(change: Change, observed: Failures): boolean {
    const files = new Set([...observed.keys()].map(fileOf));
    return [...files].some(file =>
      this.#reference.results.get(file)?.steps.some(({ served }) => served.some(one => !isIdle(change, one))),
    );
  }

  /** What fails only on a server with such a change. */
  async failures(change: Change): Promise<Failures> {
    const run = this.#runOf(change);
    for (const file of this.files) await this.#playInto(run, file, change);
    return run.failures;
  }

  /** How similar the failures of a server with such a change are. Below `least` it is only an upper bound, since the rest is not played. */
  async similarity(change: Change, observed: Failures, least: number): Promise<number> {
    const run = this.#runOf(change);
    const atMost = () => similarityOf(observed, run.failures, key => !run.results.has(fileOf(key)));
    for (const file of this.#tellingFirst(observed)) {
      if (atMost() < least) break;
      await this.#playInto(run, file, change);
    }
    return atMost();
  }

  /** The files with failures before the others. Those about spaces stay together. */
  #tellingFirst(observed: Failures): readonly PlayedFile[] {
    const failing = new Set([...observed.keys()].map(fileOf));
    const needsSpaces = this.files.some(one => failing.has(one.file) && isAboutSpaces(one));
    const isFirst = (one: PlayedFile) => failing.has(one.file) || (needsSpaces && isAboutSpaces(one));
    return [...this.files.filter(isFirst), ...this.files.filter(one => !isFirst(one))];
  }

  #runOf(change: Change): Run {
    const run = this.#runs.get(change) ?? newRun();
    this.#runs.set(change, run);
    return run;
  }

  async #playInto(run: Run, file: PlayedFile, change: Change): Promise<void> {
    if (run.results.has(file.file)) return;
    const result = await this.#playFile(file, change, isAboutSpaces(file) ? run.spaces : undefined);
    run.results.set(file.file, result);
    if (isAboutSpaces(file)) run.spaces = result;
    const failed = failuresOf([{ file: file.file, played: result.steps.map(({ played }) => played) }]);
    for (const [key, how] of without(failed, this.reference)) run.failures.set(key, how);
  }

  /** Steps that a change leaves alone in a world without its traces come out as on a correct server, and are not played again. */
  async #playFile(
    { file, scenario, deviations, ...others }: PlayedFile,
    change: Change,
    last: Result | undefined,
  ): Promise<Result> {
    const { names, run, known, context } = this.options;
    const right = this.#reference.results.get(file);
    const isSame = right !== undefined && hasSameSpaces(right.before, last);
    const before = isSame ? right.begun : withSpacesOf(last?.after, withDeviations(this.begun.world, deviations));
    const server = new FaultyServer({ ...this.begun, world: before }, change, context);
    const settings = { passwords: names.passwords, known, run, view: this.#viewOf(server, file), mayHaveMore: true };
    const player = new Player(scenario.loaded, server, settings);
    await player.begin();
    const steps: Reference[] = [];
    for (const [i, { index }] of askedIn(others).entries()) {
      const same = right?.steps[i];
      if (same?.before === server.world && same.served.every(one => isIdle(change, one))) {
        steps.push(same);
        server.world = same.after;
        continue;
      }
      const { world } = server;
      const answered: ServedRequest[] = [];
      server.onServed = one => answered.push(one);
      steps.push({ played: await player.play(index), before: world, after: server.world, served: answered });
    }
    return { steps, before: last?.after, begun: before, after: server.world };
  }
}

/** The files that have been played with a change, by name. */
interface Run {
  readonly results: Map<string, Result>;
  readonly failures: Map<string, string>;
  /** The latest file about spaces: what it has copied is there for the next one. */
  spaces?: Result;
}

function isAboutSpaces({ scenario }: PlayedFile): boolean {
  return scenario.loaded.steps.some(({ call }) => call?.startsWith('spaces.'));
}

function newRun(): Run {
  return { results: new Map(), failures: new Map() };
}

interface Result {
  readonly steps: readonly Reference[];
  /** The world that the file before it has left. */
  readonly before: World | undefined;
  /** The world in which it began. */
  readonly begun: World;
  readonly after: World;
}

function hasSameSpaces(before: World | undefined, last: Result | undefined): boolean {
  return before?.spaces === last?.after.spaces && before?.pages === last?.after.pages;
}

/** A world with the copied spaces of another, whose groups, favourites and restrictions are brought back to the fixture's. */
function withSpacesOf(other: World | undefined, world: World): World {
  if (other === undefined) return world;
  const pages = [...other.pages].filter(([id]) => !world.pages.has(id));
  const all = { ...world, spaces: other.spaces, nextPageId: other.nextPageId };
  return pages.reduce((one, [id, page]) => putPage(one, id, page), all);
}
