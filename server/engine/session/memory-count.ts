// Counts the memory of the sandboxes in bytes: what they keep of requests, and the worlds that they begin with. Shared worlds count once.
import type { World } from '../../domain/world/world.js';
import { bytesIn } from '../../domain/world/world-size.js';
import type { State } from '../sandbox/state.js';
import type { CachedSandbox } from './cached-sandbox.js';

/** A sandbox without any change. */
const EMPTY = 4_000;

interface Counted {
  readonly bytes: number;
  /** Its oldest state and its snapshots, and their worlds. */
  readonly oldest: State;
  readonly snapshots: State['snapshots'];
  readonly worlds: readonly World[];
}

interface CountedWorld {
  readonly bytes: number;
  users: number;
}

export class MemoryCount {
  #used = 0;
  /** Not a `Map`, whose outgrown tables lead to later ones, and keep worlds from an early collection. */
  readonly #sandboxes = new WeakMap<CachedSandbox, Counted>();
  readonly #worlds = new WeakMap<World, CountedWorld>();

  get used(): number {
    return this.#used;
  }

  /** A sandbox is new, or has changed. */
  update(sandbox: CachedSandbox): void {
    const { history, journal, state } = sandbox;
    const { oldest } = history;
    const before = this.#sandboxes.get(sandbox);
    const isSame = before?.oldest === oldest && before.snapshots === state.snapshots;
    const worlds = isSame ? before.worlds : this.#keep(oldest, state.snapshots);
    if (!isSame) this.#release(before?.worlds);
    const bytes = EMPTY + history.bytes + journal.bytes;
    this.#used += bytes - (before?.bytes ?? 0);
    this.#sandboxes.set(sandbox, { bytes, oldest, snapshots: state.snapshots, worlds });
  }

  remove(sandbox: CachedSandbox): void {
    const counted = this.#sandboxes.get(sandbox);
    this.#used -= counted?.bytes ?? 0;
    this.#release(counted?.worlds);
    this.#sandboxes.delete(sandbox);
  }

  /** Counts the world of the scenario, and what the other worlds have beyond it. */
  #keep({ origin, world }: State, snapshots: State['snapshots'] = new Map()): readonly World[] {
    const worlds = [...new Set([origin.world, world, ...[...snapshots.values()].map(({ state }) => state.world)])];
    for (const one of worlds) {
      const known = this.#worlds.get(one);
      if (known !== undefined) known.users += 1;
      else {
        const bytes = one === origin.world ? bytesIn(one) : Math.max(0, bytesIn(one) - bytesIn(origin.world));
        this.#worlds.set(one, { bytes, users: 1 });
        this.#used += bytes;
      }
    }
    return worlds;
  }

  #release(worlds: readonly World[] = []): void {
    for (const one of worlds) {
      const counted = this.#worlds.get(one);
      if (counted === undefined) continue;
      counted.users -= 1;
      if (counted.users > 0) continue;
      this.#worlds.delete(one);
      this.#used -= counted.bytes;
    }
  }
}
