// The engine's clock, as far as this process can know it from the answers: so that replicas whose own clocks differ go by one time. Knows no Redis.

/** The own clock, which never goes back, in milliseconds. */
const own = () => performance.now();

/** By so much two clocks may drift apart in a millisecond. */
const DRIFT = 0.0001;
/** By so much `now` may run faster or slower than time in order to come to what is right. */
const SLEW = 0.1;
/** A difference of more milliseconds is no drift: the engine's clock has been set, or another engine has taken over. */
const LEAP_MS = 1000;

/** A node that has not been asked for so long may be there no longer. */
const LONGEST_KNOWN_MS = 300_000;

interface Known {
  /** What is to be added to the own clock, and by how much that may be wrong, in milliseconds. */
  readonly offset: number;
  readonly error: number;
  readonly at: number;
}

export class EngineClock {
  readonly #known = new Map<string, Known>();
  #target = Date.now() - own();
  #offset = this.#target;
  #steppedAt = own();
  #last = 0;
  #isSet = false;

  /** Milliseconds since 1970. It does not go back, unless the engine's clock has been set back. */
  now(): number {
    const at = own();
    const most = (at - this.#steppedAt) * SLEW;
    this.#offset += Math.max(-most, Math.min(most, this.#target - this.#offset));
    this.#steppedAt = at;
    this.#last = Math.max(this.#last, at + this.#offset);
    return Math.floor(this.#last);
  }

  /** What this clock shows before something is asked; `heard` wants it back. */
  asked(): number {
    return own();
  }

  /** A node has answered with its time in microseconds. */
  heard(node: string, askedAt: number, micros: number): void {
    const at = own();
    const error = (at - askedAt) / 2;
    const offset = micros / 1000 - (at + askedAt) / 2;
    const known = this.#known.get(node);
    if (known !== undefined) {
      const errorNow = known.error + (at - known.at) * DRIFT;
      if (error >= errorNow && Math.abs(offset - known.offset) <= error + errorNow) return; // what is known is better
    }
    this.#known.set(node, { offset, error, at });
    this.#aim();
  }

  /** All replicas take the node in the middle, whichever they ask most. */
  #aim(): void {
    const at = own();
    for (const [node, known] of this.#known) if (at - known.at > LONGEST_KNOWN_MS) this.#known.delete(node);
    const offsets = [...this.#known.values()].map(({ offset }) => offset).sort((a, b) => a - b);
    this.#target = offsets[Math.floor((offsets.length - 1) / 2)] ?? this.#target;
    if (this.#isSet && Math.abs(this.#target - this.#offset) <= LEAP_MS) return;
    this.#isSet = true;
    this.#offset = this.#target;
    this.#last = 0;
  }
}
