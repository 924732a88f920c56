// Plays runs step by step, led by keys: on, back, from the beginning. A step comes in three parts, so that somebody can talk. Going back means to begin again and to play in silence up to the
// step before, because what a step did to a world is not undone. Knows keys and lines, and no terminal.
import { visible } from '../../derive/text/visible.js';
import type { Played, Player, Upcoming } from '../../scenario/play/player.js';
import { type Run, runName } from '../../scenario/play/runs.js';
import type { Play } from './continuous.js';
import type { Key, Keys } from './keys.js';

/** Where the line is shown that waits for a key. */
export interface Prompt {
  /** Shows a line until a key comes. */
  ask(text: readonly string[]): void;
  /** Takes it away. */
  clear(): void;
  /** Takes everything away that is shown, for what is shown anew. */
  wipe(): void;
  print(line: string): void;
}

const keyHelp = [
  'space, enter, n, → go on',
  'b, ← go back one step',
  'r begin this scenario again',
  'q, Ctrl-C end',
  '? show this',
];

/** Plays until the end is reached and confirmed, or a key ends it: the key that did. */
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
    keys.forget(); // an impatient key press is for a step that is not there yet
  }
}

class Stepping {
  #run = 0;
  /** The step that was played last; -1 for the title. */
  #step = -1;
  #player: Player | undefined;
  /** What the step before showed, and the part of the next one that is shown. */
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

  /** What waits for a key says, from the longest way to say it to the shortest. */
  promptTexts(): readonly string[] {
    const steps = this.#lastOf(this.#run) + 1;
    const shown = this.#next?.upcoming.index ?? this.#step;
    const where = shown === -1 ? `${steps} step${steps === 1 ? '' : 's'}` : `step ${shown + 1} of ${steps}`;
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

  /** From now on nothing is shown: an answer may still be under way. */
  leave(): void {
    this.#isLeft = true;
    if (!this.isAtEnd) this.play.results.isLeft(this.#placeText());
  }

  /** `at step 2 of 11`, `before step 1 of 11`; with the name of the run before it, where there are several. */
  #placeText(): string {
    const steps = this.#lastOf(this.#run) + 1;
    const step = this.#step === -1 ? `before step 1 of ${steps}` : `at step ${this.#step + 1} of ${steps}`;
    return [
      ...(this.play.runs.length === 1 ? [] : [`in ${visible(runName(this.#current))}`]),
      ...(steps === 0 ? [] : [step]),
    ].join(' ');
  }

  /** The next part of a step: what is said, the request, the answer. A step that asks nothing has one part. */
  async on(): Promise<void> {
    const { stage } = this.play;
    if (this.#next?.isAsked) await this.#answer();
    else if (this.#next !== undefined) {
      stage.asks(this.#current, this.#next.upcoming);
      this.#next = { ...this.#next, isAsked: true };
    } else if (this.#step === this.#lastOf(this.#run)) await this.open(this.#run + 1);
    else await this.#announce(this.#step + 1);
  }

  /** Shows again what is being talked about, for a terminal of another size. */
  redraw(): void {
    const { stage, runs } = this.play;
    this.prompt.wipe();
    if (this.#shown === undefined) stage.begins(this.#current, { nth: this.#run + 1, of: runs.length });
    else stage.shows(this.#current, this.#shown);
    if (this.#next === undefined) return;
    stage.announces(this.#current, this.#next.upcoming);
    if (this.#next.isAsked) stage.asks(this.#current, this.#next.upcoming);
  }

  /** From within a step to its beginning, from the title to the end of the run before; from the first title there is no way back. */
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

  /** The step that was shown before what is shown now. */
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

  /** The index of the last step of a run; -1 where it has none. */
  #lastOf(run: number): number {
    return (this.play.runs[run]?.loaded.steps.length ?? 0) - 1;
  }
}
