// Plays one file of the suite on a foreign server, in parts: steps that share nothing with the others are played as if they were a file of their own.

import { isObject } from '../../domain/form/patch.js';
import type { Loaded } from '../../scenario/load/story.js';
import { bodyOf, look, type Seen } from '../../scenario/play/judging.js';
import { type Played, Player } from '../../scenario/play/player.js';
import { Unreachable } from '../../scenario/play/target.js';
import { type Change, isTakenBack } from '../changes/changes.js';
import type { Surroundings } from '../changes/cleanup.js';
import type { Planned } from '../changes/plan.js';
import { allTouched } from '../changes/touched.js';
import { isToBeRefused } from '../target/expected-refusals.js';
import { familyOf } from '../target/family.js';
import { HostView, NOTHING, type Shown } from '../target/host-view.js';
import type { RetryingTarget } from '../target/retrying-target.js';
import type { Release } from '../target/side-by-side.js';
import { isDetour, SHOWN_BY_THE_WIKI } from './detours.js';
import type { PlayedFile } from './played-file.js';
import type { Part, StepOrder } from './step-order.js';

export interface FileSettings extends Surroundings {
  readonly target: RetryingTarget;
  /** The value of `${run}`. */
  readonly run: string;
  /** Stops after the requests in progress. */
  readonly signal?: AbortSignal;
  /** Parts read through the hosts' resources. Default: none. */
  readonly shown?: Shown;
  /** Looks at what the steps see before the first of them. */
  readonly isLookedAtFirst?: boolean;
}

/** What has come of a part. */
export interface PlayedPart {
  /** Possible changes. */
  readonly changed: readonly Change[];
  /** Why the server gave no answer. */
  readonly failure?: Unreachable;
}

export class FileRun {
  readonly #player: Player;
  readonly #view: HostView;
  #beginning: Seen | undefined;
  readonly #played: Played[] = [];
  readonly #unsteady = new Set<number>();
  readonly #failures = new Map<number, Unreachable>();
  #duration = 0;
  #begun: Promise<void> | undefined;

  constructor(
    readonly planned: Planned,
    private readonly order: StepOrder,
    private readonly settings: FileSettings,
  ) {
    const { mapped, made } = planned;
    const { target, names, known, run, shown = NOTHING } = settings;
    this.#view = new HostView({ target, names, run }, shown, made);
    this.#player = new Player(mapped.loaded, target, {
      passwords: names.passwords,
      known,
      run,
      view: this.#view,
      mayHaveMore: true,
    });
  }

  get parts(): readonly Part[] {
    return this.order.parts;
  }

  /** Whether a part of it has been played, or none has to be. */
  get isBegun(): boolean {
    return this.#begun !== undefined || this.parts.length === 0;
  }

  /** Nothing is asked any more once a step of the file has got no answer. */
  async play({ steps, touched }: Part, release: Release): Promise<PlayedPart> {
    await this.#begin();
    const started = performance.now();
    const changed: Change[] = [];
    const open = new Set(steps);
    await this.#whenFree(steps, async i => {
      changed.push(...(await this.#step(i)));
      open.delete(i);
      const held = allTouched([...open].map(other => this.order.touchedBy(other))).reads;
      const free = [...this.order.touchedBy(i).reads].filter(name => !held.has(name) && !touched.writes.has(name));
      if (free.length > 0) release(new Set(free));
    });
    this.#duration += performance.now() - started;
    const [failure] = steps.flatMap(i => this.#failures.get(i) ?? []);
    return { changed, ...(failure !== undefined && { failure }) };
  }

  async result(): Promise<PlayedFile> {
    await this.#begin();
    const { loaded, reasons } = this.planned.mapped;
    const last = Math.min(...this.#failures.keys()); // of several the first, and nothing after it counts
    const end = Math.min(last, this.#firstUnplayed());
    const played = this.#played.filter(({ index }) => index < end).sort((a, b) => a.index - b.index);
    const unanswered = `the server gave no answer to ${JSON.stringify(loaded.steps[last]?.say)}`;
    const isWhole = played.length >= this.order.end;
    const ended = this.#failures.size > 0 ? unanswered : isWhole ? undefined : 'it was interrupted';
    return {
      loaded,
      played,
      unplayable: new Set(reasons.keys()),
      unsteady: this.#unsteady,
      duration: this.#duration,
      ...(ended !== undefined && { ended }),
      ...(this.#beginning !== undefined && { beginning: this.#beginning }),
    };
  }

  /** The first step that should have been played and was not: what another part did after it stands on nothing. */
  #firstUnplayed(): number {
    const played = new Set(this.#played.map(({ index }) => index));
    const { steps } = this.planned.mapped.loaded;
    const first = steps.findIndex((_, i) => !played.has(i));
    return first === -1 ? steps.length : first;
  }

  /** Notes the steps that are skipped: they wait for nobody. */
  #begin(): Promise<void> {
    const begin = async () => {
      await this.#player.begin();
      const { loaded, reasons } = this.planned.mapped;
      if (this.settings.isLookedAtFirst === true)
        this.#beginning = await look(
          loaded.steps.map(({ then }) => then),
          this.#view,
        );
      for (let i = 0; i < this.order.end; i++) {
        if (this.order.isAsked(i)) continue;
        const why = reasons.get(i) ?? (isDetour(loaded, i, this.order.shown) ? SHOWN_BY_THE_WIKI : undefined);
        this.#played.push(why === undefined ? await this.#player.play(i) : skipped(loaded, i, why));
      }
    };
    this.#begun ??= begin();
    return this.#begun;
  }

  /** Runs each step once the earlier ones that it depends on are over. */
  async #whenFree(steps: readonly number[], run: (i: number) => Promise<void>): Promise<void> {
    const ends = new Map<number, Promise<void>>();
    for (const i of steps) {
      const before = this.order.before(i).map(earlier => ends.get(earlier));
      ends.set(
        i,
        Promise.all(before).then(() => run(i)),
      );
    }
    await Promise.all(ends.values());
  }

  /** Plays a step; the result are its possible changes. */
  async #step(i: number): Promise<readonly Change[]> {
    if (this.settings.signal?.aborted || this.#failures.size > 0) return [];
    const changes = this.planned.changes[i] ?? [];
    try {
      const result = await this.#believed(i);
      this.#played.push(result);
      return result.sent === undefined ? [] : happened(changes, result);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#failures.set(i, error);
      return changes;
    }
  }

  /** The result of a step, or that of a second time where it failed by chance. */
  async #believed(i: number): Promise<Played> {
    const { target } = this.settings;
    const once = await this.#player.play(i);
    const again = isWorthRepeating(once) ? await this.#player.play(i) : once;
    const isOther = once !== again && isByChance(once, again);
    if (isOther) noteChance(target, once, again);
    const believed = isOther ? again : once;
    if (isOther || target.isSecond(believed.received)) this.#unsteady.add(i);
    return believed;
  }
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
  if (played.differences.every(({ of }) => of === 'world')) return false; // another request would not show another world
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
