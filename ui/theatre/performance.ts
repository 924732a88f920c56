// The progress of a performance: text, request, response, change, next step. Going back rewinds the sandbox.
import { batch, computed, signal } from '@preact/signals';
import type { Story } from '../client/control-client.js';
import type { Entry, JsonObject, PlayedStep, Preview } from '../client/wire.js';
import { client } from '../live/sandbox.js';
import { MAX_RECORDS } from '../parts/changes/changes-view.js';

/** The beats of a step in order. */
export const beats = ['said', 'asked', 'answered', 'changed'] as const;
export type Beat = (typeof beats)[number];

/** The result of a played step. */
export interface Shown {
  readonly played: PlayedStep;
  /** Absent: the step sent no request. */
  readonly entry?: Entry | undefined;
  /** The version before the step, and its changes of the world. */
  readonly before: number;
  readonly patch: JsonObject;
  /** Number of changed records that the patch lacks. */
  readonly more?: number | undefined;
}

/** Whether a step only says something: it sent no request, changed nothing and passed. */
function isCaption({ played, entry, patch }: Shown): boolean {
  return entry === undefined && played.outcome === 'passed' && Object.keys(patch).length === 0;
}

export class Performance {
  /** From 0; equal to the number of steps at the end. */
  readonly index = signal(0);
  readonly beat = signal<Beat>('said');
  readonly error = signal<unknown>(undefined);
  readonly isBusy = signal(false);
  readonly #shown = signal<readonly Shown[]>([]);
  readonly shown = computed(() => this.#shown.value[this.index.value]);
  /** Whether each played step failed. */
  readonly failures = computed(() => this.#shown.value.map(({ played }) => played.outcome === 'failed'));
  readonly failed = computed(() => this.failures.value.filter(Boolean).length);

  constructor(
    readonly sandbox: string,
    readonly story: Story,
    readonly preview: Preview,
  ) {}

  get isOver(): boolean {
    return this.index.value >= this.preview.steps.length;
  }

  /** The next beat. The step is played when its response is due. */
  forward = async (): Promise<void> => {
    if (this.isBusy.peek() || this.index.peek() >= this.preview.steps.length) return;
    const step = this.preview.steps[this.index.peek()];
    const beat = this.beat.peek();
    if (beat === 'said' && step?.request !== undefined) this.beat.value = 'asked';
    else if (beat === 'said' || beat === 'asked') await this.#play();
    else if (beat === 'answered') this.beat.value = 'changed';
    else this.#begin(this.index.peek() + 1);
  };

  /** To the beginning of this or the previous step; changes are rewound. */
  back = async (): Promise<void> => {
    if (this.isBusy.peek()) return;
    const index = this.index.peek();
    const isAtStart = this.beat.peek() === 'said';
    if (!isAtStart && this.#shown.peek()[index] === undefined) {
      this.beat.value = 'said';
      return;
    }
    const to = isAtStart ? index - 1 : index;
    const played = this.#shown.peek()[to];
    if (to < 0 || played === undefined) return;
    await this.#busy(async () => {
      if (to > 0) await client.in(this.sandbox).rewind(played.before); // the first step begins everything afresh
      this.#shown.value = this.#shown.peek().slice(0, to);
      this.#begin(to);
    });
  };

  restart = (): void => {
    this.#shown.value = [];
    this.error.value = undefined;
    this.#begin(0);
  };

  #begin(index: number): void {
    batch(() => {
      this.index.value = index;
      this.beat.value = 'said';
    });
  }

  #play(): Promise<void> {
    return this.#busy(async () => {
      const index = this.index.peek();
      const shown = await this.#playStep(index);
      batch(() => {
        this.#shown.value = [...this.#shown.peek().slice(0, index), shown];
        this.beat.value = shown.entry === undefined ? 'changed' : 'answered';
        if (isCaption(shown)) this.#begin(index + 1);
      });
    });
  }

  async #playStep(index: number): Promise<Shown> {
    const sandbox = client.in(this.sandbox);
    const start = index === 0 ? { version: 0, last: 0 } : await this.#whereItIs();
    const { steps } = await sandbox.play(this.story, index + 1);
    const [played] = steps;
    if (played === undefined) throw new Error('The step was not played.');
    const { entries } = await sandbox.journal({ since: start.last });
    const entry = entries.at(-1);
    const { version } = await sandbox.describe();
    const { patch, more } = await sandbox.diff(start.version, version, MAX_RECORDS);
    return { played, entry, before: start.version, patch, more };
  }

  async #whereItIs(): Promise<{ readonly version: number; readonly last: number }> {
    const sandbox = client.in(this.sandbox);
    const [{ version }, { entries }] = await Promise.all([sandbox.describe(), sandbox.journal()]);
    return { version, last: entries.at(-1)?.id ?? 0 };
  }

  async #busy(action: () => Promise<void>): Promise<void> {
    this.isBusy.value = true;
    this.error.value = undefined;
    try {
      await action();
    } catch (error) {
      this.error.value = error;
    } finally {
      this.isBusy.value = false;
    }
  }
}
