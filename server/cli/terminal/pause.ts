// A wait that a signal cuts short. Knows nothing of what waits.
import type { Signals } from '../../process/command-process.js';

export interface Interruption {
  /** Waits so many seconds, or until a signal comes. */
  wait(seconds: number): Promise<void>;
  /** The signal that came, if one did. */
  readonly signal: NodeJS.Signals | undefined;
  /** Resolves when a signal comes. */
  readonly came: Promise<void>;
  /** Lets signals do again what they did before. */
  end(): void;
}

const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Takes note of signals instead of ending at once, so that what was begun can be put away. */
export function interruption(process: Signals): Interruption {
  const noted = new AbortController();
  let signal: NodeJS.Signals | undefined;
  const note = (name: NodeJS.Signals) => {
    signal = name;
    noted.abort();
  };
  for (const name of signals) process.on(name, note);
  const came = new Promise<void>(resolve => noted.signal.addEventListener('abort', () => resolve(), { once: true }));
  return {
    wait: seconds =>
      new Promise(resolve => {
        const timer = setTimeout(resolve, seconds * 1000);
        void came.then(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
    get signal() {
      return signal;
    },
    came,
    end: () => {
      for (const name of signals) process.off(name, note);
    },
  };
}
