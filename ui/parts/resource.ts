// Data read for a component, and read again when a cause changes.
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
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
  /** Does nothing while another one runs. */
  run(action: () => Promise<unknown>): void;
  /** After the one that runs. */
  queue(action: () => Promise<unknown>): void;
} {
  const error = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const reached = reconnections.value;
  useEffect(() => {
    if (isUnreachable(error.peek())) error.value = undefined; // it is reachable again
  }, [reached]);
  const last = useRef<Promise<unknown>>(undefined);
  const start = async (action: () => Promise<unknown>) => {
    isBusy.value = true;
    error.value = undefined;
    try {
      await action();
    } catch (problem) {
      error.value = problem;
    }
    isBusy.value = false;
  };
  const queue = (action: () => Promise<unknown>) => {
    last.current = last.current?.then(() => start(action)) ?? start(action);
  };
  const run = (action: () => Promise<unknown>) => {
    if (!isBusy.peek()) queue(action);
  };
  return { error, isBusy, run, queue };
}
