// Detects when a store refuses changes, and tries again until it accepts them, so that health and log show both.
import { isNativeError } from 'node:util/types';
import type { Log } from '../engine/log.js';
import { realTime } from '../engine/real-time.js';

/** Gets words without credentials. */
export type StoreLog = Pick<Log, 'info' | 'warn'>;

const PAUSE_MS = 500;

export class Refusals {
  #trouble: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(
    private readonly store: string,
    private readonly log: StoreLog,
  ) {}

  /** Why changes are refused at present; `undefined`: they are not. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** A change was refused. `attempt` makes a harmless one; it fails as long as changes are refused. */
  refused(why: string, attempt: () => Promise<void>): void {
    if (this.#isEnded) return;
    const isNews = this.#trouble === undefined;
    this.#trouble = why;
    if (!isNews) return;
    this.log.warn(`the store ${this.store} refuses changes: ${why}`);
    this.#tryLater(attempt);
  }

  end(): void {
    this.#isEnded = true;
    realTime.clearTimeout(this.#timer);
  }

  #tryLater(attempt: () => Promise<void>): void {
    const accepted = () => {
      this.#trouble = undefined;
      this.log.info(`the store ${this.store} accepts changes again`);
    };
    const refused = (error: unknown) => {
      this.#trouble = isNativeError(error) ? error.message : String(error);
      this.#tryLater(attempt);
    };
    if (!this.#isEnded)
      this.#timer = realTime.setTimeout(() => void attempt().then(accepted, refused), PAUSE_MS).unref();
  }
}
