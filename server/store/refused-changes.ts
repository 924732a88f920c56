// Whether a store takes changes. One that refused a change is tried again and again until it takes one, so that health and log tell when that begins and
// when it is over. Knows no store.
import type { OrLater } from '../engine/store.js';

/** Who is told, in words without credentials. */
export interface StoreLog {
  info(message: string): void;
  warn(message: string): void;
}

export const deafLog: StoreLog = { info() {}, warn() {} };

/** Milliseconds between two tries. */
const PAUSE = 500;

export class Refusals {
  #trouble: string | undefined;
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(
    private readonly store: string,
    private readonly log: StoreLog,
  ) {}

  /** Why no change is taken at present; `undefined`: changes are. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Since when, by `performance.now()`. */
  get since(): number | undefined {
    return this.#since;
  }

  /** A change was refused. `attempt` makes one that matters to nobody; it throws or rejects as long as that is refused too. */
  refused(why: string, attempt: () => OrLater<void>): void {
    if (this.#isEnded) return;
    const isNews = this.#trouble === undefined;
    this.#trouble = why;
    if (!isNews) return;
    this.#since = performance.now();
    this.log.warn(`the store ${this.store} takes no changes: ${why}`);
    this.#tryLater(attempt);
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  #tryLater(attempt: () => OrLater<void>): void {
    if (this.#isEnded) return;
    this.#timer = setTimeout(() => void this.#try(attempt), PAUSE).unref();
  }

  async #try(attempt: () => OrLater<void>): Promise<void> {
    try {
      await attempt();
    } catch (error) {
      this.#trouble = error instanceof Error ? error.message : String(error);
      this.#tryLater(attempt);
      return;
    }
    this.#trouble = undefined;
    this.#since = undefined;
    if (!this.#isEnded) this.log.info(`the store ${this.store} takes changes again`);
  }
}
