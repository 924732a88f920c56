// A sandbox of a fake as the target of a player, in this process or elsewhere: set and seen by the methods that a program has too.
import type { HttpRequest } from '../../derive/sending/call.js';
import type { CollectionName } from '../../domain/form/form-shapes.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import { pointerOf } from '../../domain/json/json-pointer.js';
import type { ClockOrder } from '../../engine/sandbox/clock.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { Loaded } from '../../scenario/load/load-scenario.js';
import {
  type ArmedByStep,
  type Insight,
  type SandboxControl,
  type Target,
  Unreachable,
} from '../../scenario/play/target.js';
import type { ValidationError } from '../../scenario/yaml/problem.js';
import type { ControlPort } from '../port/control-port.js';
import { FakeError, isNoSandbox, orUnreachable } from '../port/fake-error.js';
import { FakeSandbox } from '../sandbox/sandbox.js';

/** How the requests of a player reach its sandbox. */
interface Address {
  /** The base URL, for people and for `curl`. */
  readonly url: string;
  readonly addressed: (request: HttpRequest) => HttpRequest;
}

/** A target that is left as it is when it is closed. */
export function playedSandbox(port: ControlPort, name: string, { url, addressed }: Address) {
  const control = new PlayedSandbox(new FakeSandbox(port, name, { mustExist: true }));
  return {
    url,
    context: '',
    send: async request => {
      await control.note();
      return port.ask(addressed(request));
    },
    control,
    close: async () => {},
  } satisfies Target;
}

class PlayedSandbox implements SandboxControl {
  /** The id of the last journal entry that has been seen; absent where nobody has looked. */
  #seen: number | undefined;
  #isBegun = false;

  constructor(private readonly sandbox: FakeSandbox) {}

  async begin({ origin }: Loaded, readings: SomeReadings): Promise<SomeReadings> {
    const { port, name } = this.sandbox;
    await this.#done(port.renew(name, { ...origin, readings: { ...origin.readings, ...readings } }));
    this.#isBegun = true;
    this.#seen = 0;
    return this.#done(this.sandbox.readings.get());
  }

  /** From now on what is asked counts. */
  async note(): Promise<void> {
    if (this.#seen !== undefined) return;
    const entries = this.sandbox.journal({ limit: 1 }).catch(error => {
      if (isNoSandbox(error)) return [];
      throw error;
    });
    this.#seen = (await this.#done(entries)).at(-1)?.id ?? 0;
  }

  async arm({ faults, stubs }: ArmedByStep): Promise<string | undefined> {
    const append = true;
    const errors = [
      ...(faults === undefined ? [] : await this.#refusalOf(this.sandbox.faults.set(faults, { append }))),
      ...(stubs === undefined ? [] : await this.#refusalOf(this.sandbox.stubs.set(stubs, { append }))),
    ];
    return errors.length === 0 ? undefined : errors.map(({ message }) => message).join(' ');
  }

  turn(clock: ClockOrder): Promise<readonly ValidationError[]> {
    return this.#refusalOf(
      'set' in clock
        ? this.sandbox.clock.set(clock.set)
        : this.sandbox.clock.advance('advance' in clock ? clock.advance : 0),
    );
  }

  choose(readings: SomeReadings): Promise<SomeReadings> {
    return this.#done(this.sandbox.readings.set(readings).then(() => this.sandbox.readings.get()));
  }

  patch(patch: WorldPatch): Promise<readonly ValidationError[]> {
    return this.#refusalOf(this.sandbox.patch(patch));
  }

  record(name: CollectionName, key: string): Promise<unknown> {
    return this.#done(this.sandbox.part(pointerOf([name, key])));
  }

  part(name: 'licence' | 'nextPageId'): Promise<unknown> {
    return this.#done(this.sandbox.part(pointerOf([name])));
  }

  async insight(): Promise<Insight | undefined> {
    const last = (await this.#done(this.sandbox.journal({ since: this.#seen ?? 0 }))).at(-1);
    this.#seen = last?.id ?? this.#seen;
    return last;
  }

  /** Takes away what has been begun, and nothing else. */
  async end(): Promise<void> {
    if (this.#isBegun) await this.#done(this.sandbox.drop());
    this.#isBegun = false;
  }

  /** What is wrong with what the fake was given; nothing if it is done. */
  #refusalOf(doing: Promise<unknown>): Promise<readonly ValidationError[]> {
    const refusal = doing.then(
      () => [],
      error => {
        if (!(error instanceof FakeError) || error.status !== 422) throw error;
        return error.problems.map(({ pointer = '', message }) => ({ pointer, message }));
      },
    );
    return this.#done(refusal);
  }

  /** Rejects with `Unreachable` if a player cannot go on: nobody answers, or the fake does not do what a play needs. */
  #done<T>(doing: Promise<T>): Promise<T> {
    return orUnreachable(doing).catch(error => {
      if (!(error instanceof FakeError)) throw error;
      const why = isNoSandbox(error)
        ? `the sandbox ${this.sandbox.name} was dropped while the scenario was being played`
        : `the control API responds with ${error.status}: ${error.message.replaceAll(/\n */g, ' ')}`;
      throw new Unreachable(why, { cause: error });
    });
  }
}
