// One of several concurrent lanes: its cases in order, over its own connections, in its own sandboxes.
import { type Case, caseAt, type Sandboxes } from '../cases/cases.js';
import { Dice } from '../cases/dice.js';
import { NOW, Shadow } from '../judging/judged.js';
import { Settling } from '../judging/settling.js';
import type { Shared } from '../run.js';
import { FaultySandbox } from './faulty-sandbox.js';
import { Play } from './play.js';

/** After this many cases the lane settles, and the sandboxes start anew. */
const SETTLED_AFTER = 200;

export class Lane {
  readonly #sandboxes: Sandboxes;
  readonly #own: Shadow;
  readonly #free: Shadow;
  readonly #faulty: FaultySandbox;
  readonly #play: Play;
  readonly #settling: Settling;
  readonly #limbos: Case[] = [];
  #next: number;
  /** The first case since the sandboxes started. */
  #since: number;
  #tried = 0;
  #unsettled = 0;

  constructor(
    private readonly shared: Shared,
    index: number,
  ) {
    const { trial, form } = shared;
    const dice = new Dice(trial.seed, -1 - index);
    const named = (what: string) => `${what}.${dice.name(12)}`; // a few mutated bytes do not turn one into another
    this.#sandboxes = { own: named('own'), free: named('fr'), wild: named('w'), faulty: named('faulty') };
    this.#own = new Shadow(form);
    this.#free = new Shadow(form);
    this.#faulty = new FaultySandbox(shared, this.#sandboxes.faulty);
    this.#play = new Play(shared, this.#sandboxes.own, this.#own);
    this.#settling = new Settling(shared, this.#sandboxes, (kind, problem, made) => this.#add(kind, problem, made));
    this.#next = index;
    this.#since = index;
  }

  /** Runs until a share of its requests is done, then settles. */
  async go(share: number): Promise<void> {
    const { trial, findings } = this.shared;
    const [first, last] = trial.only ?? [0, Number.POSITIVE_INFINITY];
    const most = trial.only === undefined ? (trial.requests / trial.lanes) * share : Number.POSITIVE_INFINITY;
    await this.#begin();
    while (this.#next <= last && this.#tried < most && !findings.areEnough) {
      const found = findings.list.length;
      if (this.#next >= first) await this.#one(caseAt(trial.seed, this.#next, this.#sandboxes));
      this.#next += trial.lanes;
      if (this.#unsettled >= SETTLED_AFTER) await this.#settle();
      if (this.#unsettled >= SETTLED_AFTER || findings.list.length > found) await this.#begin(); // one error would be reported for every later case
    }
    await this.#settle();
  }

  end(): void {
    this.#play.end();
  }

  async #one(made: Case): Promise<void> {
    this.#unsettled += 1;
    this.#tried += made.tried;
    this.shared.counts.try(made.kind, made.tried);
    if (made.kind === 'among faults') await this.#faulty.play(made);
    else await this.#play.play(made);
    if (made.kind === 'reset') this.#limbos.push(made);
  }

  async #begin(): Promise<void> {
    const { control } = this.shared;
    const { own, free, faulty, wild } = this.#sandboxes;
    for (const name of [own, free, faulty, wild]) await control.renew(name, NOW);
    this.#own.reset();
    this.#free.reset();
    this.#faulty.reset();
    this.#unsettled = 0;
    this.#since = this.#next;
  }

  async #settle(): Promise<void> {
    await this.#settling.limbos(this.#limbos.splice(0));
    await this.#settling.own(this.#own);
    await this.#settling.free(this.#free);
    this.#add('the world among faults', await this.#faulty.problem());
    await this.shared.strays.catchUp();
  }

  #add(kind: string, problem: string | undefined, made?: Case): void {
    if (problem === undefined) return;
    const last =
      made === undefined
        ? `; of this lane the cases from ${this.#since} to ${this.#next}, every ${this.shared.trial.lanes}th`
        : '';
    this.shared.findings.add({ kind, problem: `${problem}${last}`, ...(made && { at: made.at, sent: made.bytes }) });
  }
}
