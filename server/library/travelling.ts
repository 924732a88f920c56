// The half of a held sandbox that goes through time: snapshots, versions, clock. Straight from the session, as everything but operations.

import { found, misfits } from '../engine/request/validate.js';
import { type ClockOrder, isRunning } from '../engine/sandbox/clock.js';
import { type Hindrance, isHindrance } from '../engine/sandbox/history-error.js';
import type { Changed, Deciding, Present } from '../engine/sandbox/present.js';
import type { Sandbox as Live } from '../engine/sandbox/sandbox.js';
import { dropping, type Kept, keeping, keptIn, restoring, SNAPSHOT_NAME } from '../engine/sandbox/snapshots.js';
import { timeIn } from '../engine/sandbox/state.js';
import { differenceIn, rewinding, turning } from '../engine/sandbox/travel.js';
import { clockFlaws, clockOrderSchema } from '../scenario/format/clock-format.js';
import { pointerOf } from '../scenario/yaml/problem.js';
import type { Difference, Sandbox, SnapshotOptions } from './api.js';
import { FakeError, type FakeProblem } from './fake-error.js';
import type { Inside } from './inside.js';
import { unknownKeys } from './options.js';
import type { TypedPatch } from './typed-world.js';

export abstract class TravellingSandbox {
  abstract readonly inside: Inside;

  /** The sandbox itself, which is made where it is not there. */
  abstract live(): Promise<Live>;

  get clock(): Sandbox['clock'] {
    return {
      now: async () => this.#now(await this.live()),
      running: async () => isRunning((await this.live()).state.clock),
      set: async (instant, options = {}) => {
        const problems = unknownKeys(options, ['running'], 'the clock');
        if (problems.length > 0) throw new FakeError('The clock cannot be set', problems);
        const { running } = options;
        return this.#turn({ set: instant, ...(running !== undefined && { running }) });
      },
      advance: time => this.#turn({ advance: time }),
      freeze: () => this.#turn({ freeze: true }),
      run: () => this.#turn({ run: true }),
    };
  }

  async version(): Promise<number> {
    return (await this.live()).head.version;
  }

  async snapshots(): Promise<readonly Kept[]> {
    return keptIn((await this.live()).state);
  }

  async snapshot(name?: string, options: SnapshotOptions = {}): Promise<Kept> {
    const { replace = false } = options;
    const problems = [
      ...unknownKeys(options, ['replace'], 'a snapshot'),
      ...(name === undefined ? [] : misnamed(name)),
    ];
    if (problems.length > 0) throw new FakeError('There can be no such snapshot', problems);
    const { machineTime } = this.inside.assembled.session.settings;
    return this.#decide('The snapshot cannot be kept', keeping(name, replace, machineTime));
  }

  async restore(name: string): Promise<void> {
    await this.#decide('The snapshot cannot be restored', restoring(String(name)));
  }

  async dropSnapshot(name: string): Promise<void> {
    await this.#decide('The snapshot cannot be dropped', dropping(String(name)));
  }

  async rewind(version: number): Promise<void> {
    await this.#decide('The sandbox cannot be rewound', rewinding(version));
  }

  async diff(from?: number, to?: number): Promise<Difference> {
    const difference = possible('There is no such difference', differenceIn(await this.live(), from, to));
    return { ...difference, patch: difference.patch as TypedPatch }; // made of two worlds' forms
  }

  /** Changes it, decided on its latest state. */
  protected async change<T>(decide: (present: Present) => Deciding<T>): Promise<Changed<T>> {
    for (;;) {
      const changed = await this.inside.assembled.session.change(await this.live(), decide);
      if (changed !== 'gone') return changed; // dropped in between: the next one takes it
    }
  }

  async #decide<T extends object | undefined>(
    what: string,
    decide: (present: Present) => Deciding<T | Hindrance>,
  ): Promise<T> {
    return possible(what, (await this.change(decide)).result);
  }

  async #turn(given: ClockOrder): Promise<string> {
    const order = JSON.parse(JSON.stringify(given)) as ClockOrder; // as it would come over HTTP, and checked below
    const problems = clockProblems(order);
    if (problems.length > 0) throw new FakeError('No clock can be turned like that', problems);
    const { machineTime } = this.inside.assembled.session.settings;
    const { result } = await this.change(turning(order, machineTime));
    if (result === undefined) return this.#now(await this.live());
    throw new FakeError('No clock can be turned like that', [{ message: result.problem }]);
  }

  #now({ state }: Live): string {
    return timeIn(state, this.inside.assembled.session.settings.machineTime());
  }
}

/** What came out, or the error that says why nothing did. */
export function possible<T extends object | undefined>(what: string, outcome: T | Hindrance): T {
  if (outcome !== undefined && isHindrance(outcome)) throw new FakeError(what, [{ message: outcome.message }]);
  return outcome as T; // a hindrance has been thrown
}

function misnamed(name: string): FakeProblem[] {
  if (typeof name === 'string' && new RegExp(SNAPSHOT_NAME).test(name)) return [];
  const takes = 'it takes 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, and is neither . nor ..';
  return [{ message: `${found(name)} is no name of a snapshot: ${takes}.` }];
}

function clockProblems(order: ClockOrder): FakeProblem[] {
  const wrong = misfits(clockOrderSchema, order);
  if (wrong.length > 0)
    return wrong.map(misfit => ({ message: `${misfit.problem}, and it is ${misfit.found}`, pointer: misfit.pointer }));
  return clockFlaws(order).map(({ path, message }) => ({ message, pointer: pointerOf(path) }));
}
