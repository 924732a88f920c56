// The progress of a performance: text, request, response, change, next step. Going back rewinds the sandbox.
import { batch, computed, signal } from '@preact/signals';
import type { Story } from '../client/control-client.js';
import type { Entry, JsonObject, PlayedStep, Preview, PreviewStep } from '../client/wire.js';
import { goTo, route } from '../live/route.js';
import { client, watchSandbox } from '../live/sandbox.js';
import { MAX_RECORDS } from '../parts/changes/changes-view.js';

/** The beats of a step in order. */
export const beats = ['said', 'asked', 'answered', 'changed'] as const;
export type Beat = (typeof beats)[number];

/** The result of a played step. */
export interface ShownStep {
  readonly played: PlayedStep;
  /** Absent: the step sent no request. */
  readonly entry?: Entry | undefined;
  /** The version before the step, and its changes of the world. */
  readonly before: number;
  readonly patch: JsonObject;
  /** Number of changed records that the patch lacks. */
  readonly more?: number | undefined;
}

/** Key presses that wait while a step is played; more are probably impatience. */
const MAX_WAITING = 4;

/** Whether a step only says something: it sent no request, changed nothing and passed. */
function isCaption({ played, entry, patch }: ShownStep): boolean {
  return entry === undefined && played.outcome === 'passed' && Object.keys(patch).length === 0;
}

export class Performance {
  readonly preview = signal<Preview | undefined>(undefined);
  /** From 0; equal to the number of steps at the end. */
  readonly index = signal(0);
  readonly beat = signal<Beat>('said');
  readonly error = signal<unknown>(undefined);
  readonly isBusy = signal(false);
  /** Seconds until the next beat; 0: the presenter decides. */
  readonly pace = signal(0);
  readonly #shown = signal<readonly ShownStep[]>([]);
  readonly shown = computed(() => this.#shown.value[this.index.value]);
  /** Whether each played step failed. */
  readonly failures = computed(() => this.#shown.value.map(({ played }) => played.outcome === 'failed'));
  readonly failed = computed(() => this.failures.value.filter(Boolean).length);
  readonly count = computed(() => this.preview.value?.steps.length ?? 0);
  readonly isOver = computed(() => this.preview.value !== undefined && this.index.value >= this.count.value);
  #last: Promise<void>;
  #waiting = 0;

  /** `name`: of the story in the address. `step`: the first to be shown, from 0; those before it are played. */
  constructor(
    readonly sandbox: string,
    readonly name: string,
    readonly story: Story,
    step: number,
  ) {
    this.#last = this.#busy(async () => {
      await this.#reset();
      watchSandbox(sandbox);
      this.preview.value = await client.in(sandbox).preview(story);
      await this.#seek(step);
    });
  }

  get step(): PreviewStep | undefined {
    return this.preview.value?.steps[this.index.value];
  }

  /** The next beat. The step is played when its response is due. */
  forward = (): void => this.#later(() => this.#forward());

  /** To the beginning of this or the previous step; changes are rewound. */
  back = (): void =>
    this.#later(async () => {
      const index = this.index.peek();
      const isAtStart = this.beat.peek() === 'said';
      if (!isAtStart && this.#shown.peek()[index] === undefined) this.beat.value = 'said';
      else if (!isAtStart || index > 0) await this.#seek(isAtStart ? index - 1 : index);
    });

  /** To the beginning of a step, from 0. */
  seek = (step: number): void => this.#later(() => this.#seek(step));

  restart = (): void => this.seek(0);

  /** One after the other: a press during a step counts after it. */
  #later(action: () => Promise<void>): void {
    if (this.#waiting >= MAX_WAITING) return;
    this.#waiting += 1;
    this.#last = this.#last.then(() => this.#busy(action)).finally(() => (this.#waiting -= 1));
  }

  async #forward(): Promise<void> {
    const { step } = this;
    if (step === undefined) return;
    const beat = this.beat.peek();
    if (beat === 'said' && step.request !== undefined) this.beat.value = 'asked';
    else if (beat === 'said' || beat === 'asked') await this.#play();
    else if (beat === 'answered') this.beat.value = 'changed';
    else this.#begin(this.index.peek() + 1);
  }

  /** Undoes what comes after a step, and plays what comes before it. */
  async #seek(step: number): Promise<void> {
    const undone = this.#shown.peek()[step];
    if (step === 0 && this.#shown.peek().length > 0) await this.#reset();
    else if (undone !== undefined) await client.in(this.sandbox).rewind(undone.before);
    this.#shown.value = this.#shown.peek().slice(0, step);
    while (this.#shown.peek().length < Math.min(step, this.count.peek()))
      this.#shown.value = [...this.#shown.peek(), await this.#playStep(this.#shown.peek().length)];
    this.#begin(step);
  }

  /** The sandbox as the scenario begins, without the requests of an earlier run. */
  async #reset(): Promise<void> {
    const { sandbox, story } = this;
    await ('scenario' in story ? client.replace(sandbox, story) : client.in(sandbox).reset());
  }

  #begin(index: number): void {
    batch(() => {
      this.index.value = index;
      this.beat.value = 'said';
      const { view, rest } = route.peek();
      if (view === 'theatre' && rest[0] === this.name)
        goTo({ sandbox: this.sandbox, view, rest: [this.name, String(index + 1)] }, { instead: true });
    });
  }

  async #play(): Promise<void> {
    const index = this.index.peek();
    const shown = await this.#playStep(index);
    batch(() => {
      this.#shown.value = [...this.#shown.peek().slice(0, index), shown];
      this.beat.value = shown.entry === undefined ? 'changed' : 'answered';
      if (isCaption(shown)) this.#begin(index + 1);
    });
  }

  async #playStep(index: number): Promise<ShownStep> {
    const sandbox = client.in(this.sandbox);
    const [{ version: before }, { entries: earlier }] = await Promise.all([sandbox.describe(), sandbox.journal()]);
    const { steps } = await sandbox.play(this.story, index + 1);
    const [played] = steps;
    if (played === undefined) throw new Error('The step was not played.');
    const start = index === 0 ? { version: 0, last: 0 } : { version: before, last: earlier.at(-1)?.id ?? 0 };
    const { entries } = await sandbox.journal({ since: start.last });
    const { version } = await sandbox.describe();
    const { patch, more } = await sandbox.diff(start.version, version, MAX_RECORDS);
    return { played, entry: entries.at(-1), before: start.version, patch, more };
  }

  async #busy(action: () => Promise<void>): Promise<void> {
    const soon = setTimeout(() => (this.isBusy.value = true), 100); // what is done at once does not flicker
    this.error.value = undefined;
    try {
      await action();
    } catch (error) {
      this.error.value = error;
    } finally {
      clearTimeout(soon);
      this.isBusy.value = false;
    }
  }
}

let current: Performance | undefined;

/** The performance of this tab, which goes on while other views are shown. `step`: from 1; absent: from the beginning. */
export function performanceOf(sandbox: string, name: string, story: Story, step: number | undefined): Performance {
  const isSame = step !== undefined && current?.sandbox === sandbox && current.name === name;
  if (!isSame || current === undefined) current = new Performance(sandbox, name, story, (step ?? 1) - 1);
  return current;
}

/** The performance to go on with. */
export const runningPerformance = () => current;
