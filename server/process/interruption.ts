// Ctrl-C and other requests to end a command: the first one is a signal for the command, a second one ends the process at once.
import type { Process } from './command-process.js';

export interface Interruption {
  /** Aborted by the first request; its `reason` is the name of that signal. */
  readonly signal: AbortSignal;
  /** Resolves with the first request. */
  readonly came: Promise<NodeJS.Signals>;
  /** Restores the default behaviour of signals. */
  release(): void;
}

const names: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export function interruption(process: Pick<Process, 'on' | 'off' | 'exit'>): Interruption {
  const controller = new AbortController();
  let resolve: (name: NodeJS.Signals) => void = () => {};
  const came = new Promise<NodeJS.Signals>(resolveCame => {
    resolve = resolveCame;
  });
  const onSignal = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort(name);
    resolve(name);
  };
  for (const name of names) process.on(name, onSignal);
  return {
    signal: controller.signal,
    came,
    release: () => {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
