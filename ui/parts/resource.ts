// Data read for a component, and read again when a cause changes.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Resource<T> {
  readonly value: Signal<T | undefined>;
  readonly error: Signal<unknown>;
}

/** Reads again when one of `causes` changes; outdated answers are dropped. */
export function useResource<T>(read: () => Promise<T> | undefined, causes: readonly unknown[]): Resource<T> {
  const value = useSignal<T | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  useEffect(() => {
    let isOver = false;
    read()?.then(
      found => {
        if (isOver) return;
        value.value = found;
        error.value = undefined;
      },
      (problem: unknown) => {
        if (!isOver) error.value = problem;
      },
    );
    return () => {
      isOver = true;
    };
  }, causes);
  return { value, error };
}

/** Runs the action of a button and keeps its error. */
export function useAction(): {
  readonly error: Signal<unknown>;
  readonly isBusy: Signal<boolean>;
  run(action: () => Promise<unknown>): void;
} {
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const run = (action: () => Promise<unknown>) => {
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
