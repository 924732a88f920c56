// Which steps of a file are played on a foreign server, and which of them have to wait for which. Steps that share nothing with the others are a part of
// their own, as if they stood in another file.

import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { Loaded } from '../../scenario/load/story.js';
import { unmetReading } from '../../scenario/play/player.js';
import type { Planned } from '../changes/plan.js';
import { allTouched, areApart, type Touched } from '../changes/touched.js';
import { NOTHING, type Shown } from '../target/host-view.js';
import { isDetour } from './detours.js';

/** Steps of a file, in order, and all that they touch. No other step of the file touches any of it. */
export interface Part {
  readonly steps: readonly number[];
  readonly touched: Touched;
  /** How many requests have to follow one another. */
  readonly depth: number;
}

export class StepOrder {
  /** By step, the earlier steps that have to be over before it begins. */
  readonly #before = new Map<number, readonly number[]>();
  readonly parts: readonly Part[];
  /** The end of the steps that prove something: later ones only put the world back, which the cleanup after each part does anyway. */
  readonly end: number;
  readonly #touched: readonly Touched[];
  readonly #isShown: boolean;

  constructor(
    private readonly planned: Planned,
    private readonly conditions: { readonly known: SomeReadings; readonly shown?: Shown },
  ) {
    const { loaded, touched, touchedAndShown } = planned.mapped;
    this.end = loaded.steps.findLastIndex(({ proves }) => proves !== undefined) + 1;
    this.#isShown = this.shown.wiki || this.shown.tracker;
    this.#touched = this.#isShown ? touchedAndShown : touched;
    this.parts = this.#partsOf();
  }

  get shown(): Shown {
    return this.conditions.shown ?? NOTHING;
  }

  /** Whether a step is sent to a server that follows these readings. */
  isAsked(i: number): boolean {
    const { loaded, reasons } = this.planned.mapped;
    const isMet = unmetReading(loaded.steps[i]?.readings, this.conditions.known) === undefined;
    return !reasons.has(i) && !isDetour(loaded, i, this.shown) && isMet;
  }

  before(i: number): readonly number[] {
    return this.#before.get(i) ?? [];
  }

  touchedBy(i: number): Touched {
    return this.#touched[i] ?? allTouched([]);
  }

  #partsOf(): readonly Part[] {
    let parts: readonly Part[] = [];
    const depths = new Map<number, number>();
    for (let i = 0; i < this.end; i++) {
      if (!this.isAsked(i)) continue;
      const earlier = [...this.#before.keys()].filter(other => this.#isBefore(other, i));
      this.#before.set(i, earlier);
      const depth = Math.max(0, ...earlier.map(other => depths.get(other) ?? 0)) + this.#requestsOf(i);
      depths.set(i, depth);
      const joined = parts.filter(({ steps }) => steps.some(other => earlier.includes(other)));
      const whole = {
        steps: [...joined.flatMap(({ steps }) => steps), i].sort((a, b) => a - b),
        touched: allTouched([...joined.map(({ touched }) => touched), this.touchedBy(i)]),
        depth: Math.max(depth, ...joined.map(other => other.depth)),
      };
      parts = [...parts.filter(part => !joined.includes(part)), whole];
    }
    return parts;
  }

  /** The request of a step, and a look at what has come of it. */
  #requestsOf(i: number): number {
    return this.#isShown && this.#steps[i]?.then !== undefined ? 2 : 1;
  }

  /** Whether a step has to be over before a later one begins: it changes what that one reads or changes, or reads what that one changes. */
  #isBefore(earlier: number, later: number): boolean {
    if (this.#steps[earlier]?.capture !== undefined || this.#isAlone(earlier) || this.#isAlone(later)) return true;
    const [one, other] = [this.touchedBy(earlier), this.touchedBy(later)];
    return !areApart(one, other) || this.#isSeen(one, later) || this.#isSeen(other, earlier);
  }

  /** Whether a step that only looks sees what another one is about: that one should leave it alone, which a faulty server may not do. */
  #isSeen({ reads, writes }: Touched, look: number): boolean {
    if (!isLook(this.#steps[look])) return false;
    return [...this.touchedBy(look).reads].some(name => reads.has(name) || writes.has(name));
  }

  /** Whether it waits for all earlier steps, and all later ones for it. What a look at pages and spaces depends on is not known. */
  #isAlone(i: number): boolean {
    const step = this.#steps[i];
    const isOfNames = Object.keys(step?.then ?? {}).every(name => name === 'groups' || name === 'favourites');
    return step?.world !== undefined || step?.faults !== undefined || (isLook(step) && !isOfNames);
  }

  get #steps(): Loaded['steps'] {
    return this.planned.mapped.loaded.steps;
  }
}

function isLook(step: Loaded['steps'][number] | undefined): boolean {
  return step?.call === undefined && step?.request === undefined;
}
