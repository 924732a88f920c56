// Data read for a component, and read again when a cause changes.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

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
  }, causes);
  return { value, error, isLoading };
}

/** Runs the action of a button, one at a time, and keeps its error. */
export function useAction(): {
  readonly error: Signal<unknown>;
  readonly isBusy: Signal<boolean>;
  run(action: () => Promise<unknown>): void;
} {
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
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
