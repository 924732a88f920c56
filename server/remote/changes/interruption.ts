// Ctrl-C while something is changed elsewhere: the first ends the run, which then puts back what it has changed; the second ends the process.
// Knows nothing of what runs.
import { type Process, writeLine } from '../../process/command-process.js';

export interface Interruption {
  readonly signal: AbortSignal;
  /** Listens no more. */
  release(): void;
}

export function interruption(process: Process): Interruption {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
    writeLine(process.stderr, 'Interrupted: what was changed is put back. Once more ends at once.');
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
