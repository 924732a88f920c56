// Data read for a component, and read again when a cause changes.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ControlError } from '../client/control-client.js';
import { reconnections } from '../live/sandbox.js';

export interface Resource<T> {
  readonly value: Signal<T | undefined>;
  readonly error: Signal<unknown>;
  readonly isLoading: Signal<boolean>;
}

/** Reads again when one of `causes` changes; outdated responses are dropped. */
export function useResource<T>(read: () => Promise<T> | undefined, causes: readonly unknown[]): Resource<T> {
  const value = useSignal<T | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const isLoading = useSignal(true);
  const again = isUnreachable(error.value) ? reconnections.value : 0;
  useEffect(() => {
    let isOver = false;
    const reading = read();
    isLoading.value = reading !== undefined;
    reading?.then(
      found => {
        if (isOver) return;
        isLoading.value = false;
        value.value = found;
        error.value = undefined;
      },
      (problem: unknown) => {
        if (isOver) return;
        isLoading.value = false;
        error.value = problem;
      },
    );
    return () => {
      isOver = true;
    };
  }, [...causes, again]);
  return { value, error, isLoading };
}

const isUnreachable = (error: unknown) => error instanceof ControlError && error.status === 0;

/** Runs the action of a button, one at a time, and keeps its error. */
export function useAction(): {
  readonly error: Signal<unknown>;
  readonly isBusy: Signal<boolean>;
  run(action: () => Promise<unknown>): void;
} {
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const reached = reconnections.value;
  useEffect(() => {
    if (isUnreachable(error.peek())) error.value = undefined; // it is reachable again
  }, [reached]);
  const run = (action: () => Promise<unknown>) => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    error.value = undefined;
    action()
      .catch((problem: unknown) => {
        error.value = problem;
      })
      .finally(() => {
        isBusy.value = false;
      });
  };
  return { error, isBusy, run };
}
