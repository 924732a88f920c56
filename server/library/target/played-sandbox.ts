// A sandbox of a fake as a player sets and sees it, by the actions that a program has too. Does not know whether the fake is in this process.
import type { Action } from '../../control/action.js';
import { settingFaults } from '../../control/actions/fault-actions.js';
import { readingJournal } from '../../control/actions/journal-actions.js';
import { droppingSandbox, replacingSandbox } from '../../control/actions/sandbox-actions.js';
import { patchingWorld, readingReadings, readingWorld } from '../../control/actions/world-actions.js';
import type { CollectionName } from '../../domain/form/form-shapes.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import type { Fault } from '../../engine/faults/fault.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { Loaded } from '../../scenario/load/story.js';
import { type Insight, type SandboxControl, Unreachable } from '../../scenario/play/target.js';
import type { ValidationError } from '../../scenario/yaml/problem.js';
import { pointerOf } from '../../scenario/yaml/problem.js';
import { FakeError } from '../fake-error.js';
import type { ControlPort, Input } from '../port/control-port.js';

export class PlayedSandbox implements SandboxControl {
  /** The id of the last journal entry that has been seen; absent where nobody has looked. */
  #seen: number | undefined;
  #isBegun = false;

  constructor(
    private readonly port: ControlPort,
    private readonly name: string,
  ) {}

  async begin({ origin }: Loaded, readings: SomeReadings): Promise<SomeReadings> {
    const begun = { ...origin, readings: { ...origin.readings, ...readings } };
    await this.port.renew(this.name, begun).catch(error => {
      throw this.#unreachable(error, replacingSandbox);
    });
    this.#isBegun = true;
    this.#seen = 0;
    return this.#invoke(readingReadings);
  }

  /** From now on what is asked counts. */
  async note(): Promise<void> {
    if (this.#seen !== undefined || !(await this.port.has(this.name))) return;
    this.#seen = (await this.#invoke(readingJournal, { query: { limit: 1 } })).entries.at(-1)?.id ?? 0;
  }

  async arm(faults: readonly Fault[]): Promise<string | undefined> {
    const errors = await this.#refusedBy(settingFaults, { body: { faults, append: true } });
    return errors.length === 0 ? undefined : errors.map(({ message }) => message).join(' ');
  }

  patch(patch: WorldPatch): Promise<readonly ValidationError[]> {
    return this.#refusedBy(patchingWorld, { body: patch });
  }

  record(name: CollectionName, key: string): Promise<unknown> {
    return this.#part(pointerOf([name, key]));
  }

  part(name: 'licence' | 'nextPageId'): Promise<unknown> {
    return this.#part(pointerOf([name]));
  }

  async insight(): Promise<Insight | undefined> {
    const { entries } = await this.#invoke(readingJournal, { query: { since: this.#seen ?? 0 } });
    const last = entries.at(-1);
    this.#seen = last?.id ?? this.#seen;
    return last;
  }

  /** Takes away what has been begun, and nothing else. */
  async end(): Promise<void> {
    if (this.#isBegun && (await this.port.has(this.name))) await this.#invoke(droppingSandbox);
    this.#isBegun = false;
  }

  /** What is wrong with what an action was given; nothing where it is done. */
  async #refusedBy<Body>(action: Action<unknown, Body>, input: Input<Body>): Promise<ValidationError[]> {
    try {
      await this.#checked(action, input);
      return [];
    } catch (error) {
      if (error instanceof FakeError && error.status === 422)
        return error.problems.map(({ pointer = '', message }) => ({ pointer, message }));
      throw this.#unreachable(error, action);
    }
  }

  /** `undefined` where the world has nothing there. */
  async #part(part: string): Promise<unknown> {
    try {
      return await this.#checked(readingWorld, { query: { part } });
    } catch (error) {
      if (error instanceof FakeError && error.status === 404) return undefined;
      throw this.#unreachable(error, readingWorld);
    }
  }

  async #invoke<Output, Body>(action: Action<Output, Body>, input: Input<Body> = {}): Promise<Output> {
    try {
      return await this.#checked(action, input);
    } catch (error) {
      throw this.#unreachable(error, action);
    }
  }

  /** An action would make the sandbox anew, which nobody has begun then. */
  async #checked<Output, Body>(action: Action<Output, Body>, input: Input<Body>): Promise<Output> {
    if (!(await this.port.has(this.name)))
      throw new Unreachable(`the sandbox ${this.name} was dropped during the play`);
    return this.port.invoke(action, { ...input, sandbox: this.name });
  }

  /** What keeps a player from going on: nobody answers, or the fake does not do what a play needs. */
  #unreachable(error: unknown, { method, path }: Action): unknown {
    if (!(error instanceof FakeError)) return error;
    if (error.cause instanceof Unreachable) return error.cause;
    const what = `${method} ${path.replace('{s}', this.name)}`;
    const says = error.problems.map(({ message }) => message).join('; ');
    return new Unreachable(`the control API answers ${error.status} to ${what}: ${says}`, { cause: error });
  }
}
