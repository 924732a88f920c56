// What is read from the server for a component, and read again when something else counts.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Resource<T> {
  readonly value: Signal<T | undefined>;
  readonly error: Signal<unknown>;
}

/** Reads anew when one of `causes` is another; an answer that has been overtaken is dropped. */
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

/** Runs what a button starts; what goes wrong is kept for the reader. */
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
