// Approximate memory of states, counting shared parts once.
import { sizeBeyond, weighValue } from '../../domain/size.js';
import type { World } from '../../domain/world/world.js';
import type { Origin, State } from './state.js';

/** Counts states one after the other, beyond the worlds of their origins. */
export class StateSizes {
  /** The worlds that are counted, by origin. */
  readonly #counted = new Map<Origin, Set<World>>();
  /** The latest of them. */
  readonly #latest = new Map<Origin, World>();

  /** The bytes that a state adds to those counted before. Forks differ little, so a world is compared with the latest one. */
  add({ origin, world, snapshots = new Map(), faults, stubs }: State): number {
    const counted = this.#counted.get(origin) ?? new Set([origin.world]);
    let bytes = weighValue(faults) + weighValue(stubs) + (this.#counted.has(origin) ? 0 : (origin.bytes ?? 0));
    this.#counted.set(origin, counted);
    let before = this.#latest.get(origin) ?? origin.world;
    for (const one of [...[...snapshots.values()].map(({ state }) => state.world), world]) {
      if (counted.has(one)) continue;
      bytes += sizeBeyond(before, one);
      counted.add(one);
      before = one;
    }
    this.#latest.set(origin, before);
    return bytes;
  }
}

export function exactSize(state: State): number {
  return new StateSizes().add(state);
}
