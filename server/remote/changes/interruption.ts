// Handles Ctrl-C during changes on another server: the first ends the run and undoes its changes; the second ends the process.
import { type Process, writeLine } from '../../process/command-process.js';

export interface Interruption {
  readonly signal: AbortSignal;
  /** Stops listening. */
  release(): void;
}

export function interruption(process: Process): Interruption {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
    writeLine(process.stderr, 'Interrupted. Restoring what was changed; press Ctrl-C again to stop at once.');
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const name of signals) process.on(name, onSignal);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
