// Performs the steps of a course on a fake, through the library: each call through a handle of its own, as in different tests. Actions that the
// library lacks go over the control API of the same fake.
import { type Fake, FakeError, type Fault, type Sandbox } from '../../../server/index.js';
import type { GapId, SomeReadings } from '../../../server/operations/gaps/gaps.js';
import type { ModelFault } from '../model.js';
import type { Json } from '../model-world.js';
import type { ModelReadings } from '../readings.js';
import {
  ControlDriver,
  type Making,
  type OrRefused,
  REFUSED,
  type SeenDifference,
  type SeenEntry,
  type SeenExplanation,
  type SeenFault,
  type SeenSnapshot,
  type Turn,
} from './driver.js';

export class LibraryDriver extends ControlDriver {
  constructor(readonly fake: Fake) {
    super(fake.url, (url, init) => fake.fetch(url, init));
  }

  override async replace(name: string, making: Making): Promise<unknown> {
    await this.fake.sandbox(name, making as { readings: SomeReadings }).version(); // they are readings of the ledger
    return undefined;
  }

  override drop(name: string): Promise<unknown> {
    return this.#of(name).drop();
  }

  override reset(name: string): Promise<unknown> {
    return this.#of(name).reset();
  }

  override fork(name: string, as: string | undefined, at: number | undefined): Promise<OrRefused<string>> {
    return orRefused(
      this.#of(name)
        .fork(as, at === undefined ? {} : { at })
        .then(fork => fork.name),
    );
  }

  override keep(name: string, as: string | undefined, replace: boolean): Promise<OrRefused<SeenSnapshot>> {
    return orRefused(this.#of(name).snapshot(as, { replace }));
  }

  override snapshots(name: string): Promise<readonly SeenSnapshot[]> {
    return this.#of(name).snapshots();
  }

  override restore(name: string, kept: string): Promise<unknown> {
    return orRefused(this.#of(name).restore(kept));
  }

  override dropSnapshot(name: string, kept: string): Promise<unknown> {
    return orRefused(this.#of(name).dropSnapshot(kept));
  }

  override rewind(name: string, to: number): Promise<unknown> {
    return orRefused(this.#of(name).rewind(to));
  }

  override diff(name: string, from: number, to: number): Promise<OrRefused<SeenDifference>> {
    return orRefused(this.#of(name).diff(from, to)) as Promise<OrRefused<SeenDifference>>; // a patch is JSON
  }

  override world(name: string, at?: number): Promise<OrRefused<Json>> {
    const world = this.#of(name).world(at === undefined ? {} : { at });
    return orRefused(world) as Promise<OrRefused<unknown>> as Promise<OrRefused<Json>>; // a world is JSON
  }

  override patch(name: string, patch: Json): Promise<unknown> {
    return orRefused(this.#of(name).patch(patch));
  }

  override readings(name: string): Promise<OrRefused<ModelReadings>> {
    return orRefused(this.#of(name).readings.get());
  }

  override choose(name: string, readings: ModelReadings): Promise<unknown> {
    return orRefused(this.#of(name).readings.set(readings as SomeReadings)); // an invalid value is refused
  }

  override arm(name: string, faults: readonly ModelFault[]): Promise<unknown> {
    const sandbox = this.#of(name);
    return faults.length === 0 ? sandbox.faults.clear() : orRefused(sandbox.faults.set(faults as readonly Fault[])); // an invalid value is refused
  }

  override release(name: string, hold: string): Promise<number> {
    return this.#of(name).faults.release(hold);
  }

  override faults(name: string): Promise<readonly SeenFault[]> {
    return this.#of(name).faults.list() as Promise<readonly SeenFault[]>; // those that the course has armed
  }

  override turn(name: string, order: Turn): Promise<unknown> {
    const { clock } = this.#of(name);
    return 'set' in order ? clock.set(order.set) : 'advance' in order ? clock.advance(order.advance) : clock.freeze();
  }

  override now(name: string): Promise<string> {
    return this.#of(name).clock.now();
  }

  override version(name: string): Promise<number> {
    return this.#of(name).version();
  }

  override journal(name: string): Promise<readonly SeenEntry[]> {
    return this.#of(name).journal() as Promise<readonly SeenEntry[]>; // it leaves nothing out by `undefined`
  }

  override async verify(name: string, operation: string, exactly: number): Promise<boolean> {
    const wish = { operation, times: { exactly } } as Parameters<Sandbox['verify']>[0]; // an operation of the ledger
    return (await orRefused(this.#of(name).verify(wish))) !== REFUSED;
  }

  override explain(name: string, entry: number, readings?: ModelReadings): Promise<OrRefused<SeenExplanation>> {
    return orRefused(this.#of(name).explain(entry, readings as { [G in GapId]?: never })); // an invalid value is refused
  }

  override async leaks(): Promise<number> {
    return (await this.fake.leaks()).count;
  }

  #of(name: string): Sandbox {
    return this.fake.sandbox(name);
  }
}

async function orRefused<T>(result: Promise<T>): Promise<OrRefused<T>> {
  return result.catch((error: unknown) => {
    if (error instanceof FakeError) return REFUSED;
    throw error;
  });
}
