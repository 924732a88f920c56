// Data read for a component, read again when something changes, and the actions of its buttons.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ControlError } from '../client/control-client.js';
import { reconnections } from '../live/sandbox.js';

export interface Resource<T> {
  /** Absent: it is still being read, or could not be. */
  readonly value?: T | undefined;
  readonly error?: unknown;
}

/**
 * What `read` finds. `of`: what it is about, as plain values; something else begins without a value. `changes`: reads again, and shows the old value meanwhile, also one that
 * comes late, so that it shows something however often it changes.
 */
export function useResource<T>(
  read: () => Promise<T>,
  of: readonly unknown[] = [],
  changes: readonly unknown[] = [],
): Resource<T> {
  const key = JSON.stringify(of);
  const found = useSignal<Resource<T> & { readonly key: string; readonly number: number }>({ key, number: 0 });
  const wanted = useRef(key);
  wanted.current = key;
  const count = useRef(0);
  const own: Resource<T> = found.value.key === key ? found.value : {};
  const again = isUnreachable(own.error) ? reconnections.value : 0;
  useEffect(() => {
    count.current += 1;
    const number = count.current;
    const show = (result: Resource<T>) => {
      const last = found.peek();
      if (wanted.current !== key || number < last.number) return;
      found.value = { ...(last.key === key && { value: last.value }), ...result, key, number };
    };
    read().then(
      value => show({ value, error: undefined }),
      (error: unknown) => show({ error }),
    );
  }, [key, again, ...changes]);
  return own;
}

const isUnreachable = (error: unknown) => error instanceof ControlError && error.status === 0;

/** Runs the action of a button, one at a time, and keeps its error. */
export function useAction() {
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
  /** Runs it after the one that runs. */
  const queue = (action: () => Promise<unknown>) => {
    last.current = last.current?.then(() => start(action)) ?? start(action);
  };
  /** Does nothing while another one runs. */
  const run = (action: () => Promise<unknown>) => {
    if (!isBusy.peek()) queue(action);
  };
  return { error: error.value, isBusy: isBusy.value, run, queue };
}
