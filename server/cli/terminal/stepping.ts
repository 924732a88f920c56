// Plays runs step by step with keys: on, back, restart. A step comes in parts, so that a presenter can talk. Going back plays silently from the
// start, because changes of a world cannot be undone.
import { counted } from '../../derive/text/counted.js';
import { visible } from '../../derive/text/visible.js';
import type { Played, Player, Upcoming } from '../../scenario/play/player.js';
import { type Run, runName } from '../../scenario/play/runs.js';
import type { Play } from './continuous.js';
import type { Key, Keys } from './keys.js';

/** Where the prompt is shown. */
export interface Prompt {
  /** Shows the prompt until a key comes. */
  ask(text: readonly string[]): void;
  /** Hides the prompt. */
  clear(): void;
  /** Clears the screen. */
  wipe(): void;
  print(line: string): void;
}

const keyHelp = [
  'space, enter, n, → go on',
  'b, ← go back one step',
  'r restart this scenario',
  'q, Ctrl-C end',
  '? show this',
];

/** Plays until the end is confirmed, or a key ends it: returns that key. */
export async function playStepwise(play: Play, keys: Keys, prompt: Prompt): Promise<Key> {
  const stepping = new Stepping(play, prompt);
  await Promise.race([stepping.open(0), keys.ended]);
  for (;;) {
    prompt.ask(stepping.promptTexts());
    const key = await keys.next();
    prompt.clear();
    if (key === 'end' || key === 'interrupt' || (key === 'on' && stepping.isAtEnd)) {
      stepping.leave();
      return key;
    }
    if (key === 'redraw') {
      stepping.redraw();
      continue;
    }
    if (key === 'help') {
      for (const line of keyHelp) prompt.print(`    ${line}`);
      continue;
    }
    const moved = key === 'on' ? stepping.on() : key === 'back' ? stepping.back() : stepping.restart();
    await Promise.race([moved, keys.ended]);
    keys.forget(); // keys typed ahead are for a step that is not shown yet
  }
}

class Stepping {
  #run = 0;
  /** The last played step; -1 for the title. */
  #step = -1;
  #player: Player | undefined;
  /** What was shown before, and the shown part of the next step. */
  #shown: Played | undefined;
  #next: { readonly upcoming: Upcoming; readonly isAsked: boolean } | undefined;
  #isLeft = false;

  constructor(
    private readonly play: Play,
    private readonly prompt: Prompt,
  ) {}

  get isAtEnd(): boolean {
    return (
      this.#next === undefined && this.#run === this.play.runs.length - 1 && this.#step === this.#lastOf(this.#run)
    );
  }

  /** The text of the prompt, from the longest to the shortest. */
  promptTexts(): readonly string[] {
    const steps = this.#lastOf(this.#run) + 1;
    const shown = this.#next?.upcoming.index ?? this.#step;
    const where = shown === -1 ? counted(steps, 'step') : `step ${shown + 1} of ${steps}`;
    const part = this.#next === undefined ? 'on' : this.#next.isAsked ? 'the answer' : 'the request';
    const on = this.isAtEnd ? 'the end' : `space: ${part}`;
    return [`${where} · ${on} · b: back · r: restart · q: end · ?: keys`, `${where} · ${on} · ?: keys`, on];
  }

  /** Begins a run and shows its title. */
  async open(run: number): Promise<void> {
    const opened = this.play.runs[run];
    if (opened === undefined) return;
    this.#run = run;
    this.#step = -1;
    this.#shown = undefined;
    this.#next = undefined;
    this.#player = this.play.playerFor(opened);
    this.play.results.begins(opened);
    this.play.stage.begins(opened, { nth: run + 1, of: this.play.runs.length });
    await this.#player.begin();
  }

  /** Shows nothing from now on: an answer may still be on its way. */
  leave(): void {
    this.#isLeft = true;
    if (!this.isAtEnd) this.play.results.isLeft(this.#placeText());
  }

  /** `at step 2 of 11`, `before step 1 of 11`; with the name of the run if there are several. */
  #placeText(): string {
    const steps = this.#lastOf(this.#run) + 1;
    const step = this.#step === -1 ? `before step 1 of ${steps}` : `at step ${this.#step + 1} of ${steps}`;
    return [
      ...(this.play.runs.length === 1 ? [] : [`in ${visible(runName(this.#current))}`]),
      ...(steps === 0 ? [] : [step]),
    ].join(' ');
  }

  /** The next part of a step: its text, the request, the answer. A step without a request has one part. */
  async on(): Promise<void> {
    const { stage } = this.play;
    if (this.#next?.isAsked) await this.#answer();
    else if (this.#next !== undefined) {
      stage.asks(this.#current, this.#next.upcoming);
      this.#next = { ...this.#next, isAsked: true };
    } else if (this.#step === this.#lastOf(this.#run)) await this.open(this.#run + 1);
    else await this.#announce(this.#step + 1);
  }

  /** Shows the current part again, for a terminal of another size. */
  redraw(): void {
    const { stage, runs } = this.play;
    this.prompt.wipe();
    if (this.#shown === undefined) stage.begins(this.#current, { nth: this.#run + 1, of: runs.length });
    else stage.shows(this.#current, this.#shown);
    if (this.#next === undefined) return;
    stage.announces(this.#current, this.#next.upcoming);
    if (this.#next.isAsked) stage.asks(this.#current, this.#next.upcoming);
  }

  /** From within a step to its start, from a title to the end of the previous run; the first title has nothing before it. */
  async back(): Promise<void> {
    if (this.#next === undefined && this.#step === -1 && this.#run === 0) return;
    this.prompt.wipe();
    const [run, step] = this.#before();
    await this.open(run);
    for (let index = 0; index < step; index += 1) await this.#played(index);
    if (step >= 0) await this.#show(step);
  }

  async restart(): Promise<void> {
    this.prompt.wipe();
    await this.open(this.#run);
  }

  /** The step shown before the current one. */
  #before(): readonly [run: number, step: number] {
    if (this.#next !== undefined) return [this.#run, this.#step];
    return this.#step === -1 ? [this.#run - 1, this.#lastOf(this.#run - 1)] : [this.#run, this.#step - 1];
  }

  async #announce(index: number): Promise<void> {
    const upcoming = this.#player?.upcoming(index);
    if (upcoming === undefined) return;
    this.play.stage.announces(this.#current, upcoming);
    if (upcoming.sent === undefined) await this.#answer(index);
    else this.#next = { upcoming, isAsked: false };
  }

  async #answer(index = this.#step + 1): Promise<void> {
    const played = await this.#played(index);
    if (played === undefined || this.#isLeft) return;
    this.#next = undefined;
    this.play.stage.answers(this.#current, played);
  }

  async #show(index: number): Promise<void> {
    const played = await this.#played(index);
    if (played !== undefined && !this.#isLeft) this.play.stage.shows(this.#current, played);
  }

  async #played(index: number): Promise<Played | undefined> {
    const played = await this.#player?.play(index);
    if (played === undefined || this.#isLeft) return played;
    this.play.results.add(this.#current, played);
    this.#step = index;
    this.#shown = played;
    return played;
  }

  get #current(): Run {
    const run = this.play.runs[this.#run];
    if (run === undefined) throw new RangeError(`there is no run ${this.#run}`);
    return run;
  }

  /** The index of the last step of a run; -1 if it has none. */
  #lastOf(run: number): number {
    return (this.play.runs[run]?.loaded.steps.length ?? 0) - 1;
  }
}
