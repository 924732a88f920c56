// An estimate of the engine's clock from its responses, so that replicas with different clocks agree on the time.

/** The local monotonic clock in milliseconds. */
const own = () => performance.now();

/** Maximum drift of two clocks per millisecond. */
const DRIFT = 0.0001;
/** Maximum correction of `now` per millisecond, faster or slower than time. */
const SLEW = 0.1;
/** A larger difference in milliseconds is not drift: the engine's clock was set, or another engine has taken over. */
const LEAP_MS = 1000;

/** A node without contact for this long may be gone. */
const LONGEST_KNOWN_MS = 300_000;

interface Known {
  /** Offset to the local clock, with its maximum error, in milliseconds. */
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

  /** Milliseconds since 1970. Monotonic, unless the engine's clock was set back. */
  now(): number {
    const at = own();
    const most = (at - this.#steppedAt) * SLEW;
    this.#offset += Math.max(-most, Math.min(most, this.#target - this.#offset));
    this.#steppedAt = at;
    this.#last = Math.max(this.#last, at + this.#offset);
    return Math.floor(this.#last);
  }

  /** A timestamp before a request; `heard` needs it. */
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
      if (error >= errorNow && Math.abs(offset - known.offset) <= error + errorNow) return; // the known estimate is better
    }
    this.#known.set(node, { offset, error, at });
    this.#aim();
  }

  /** All replicas use the median node, whichever they ask most. */
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
