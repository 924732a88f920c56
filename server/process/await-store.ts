// Waits at the start for a store that is not reachable yet.

import type { Log } from '../engine/log.js';
import { realTime } from '../engine/real-time.js';
import type { SandboxStore } from '../engine/session/cached-sandbox.js';
import { StoreError } from '../engine/store.js';

/** After this many milliseconds it logs what it waits for. */
const SAID_AFTER_MS = 500;

/** Resolves when `ready` does, at the latest after this many seconds; else it rejects with a `StoreError`. */
export async function awaitStore(
  ready: Promise<void>,
  store: Pick<SandboxStore, 'name' | 'trouble'>,
  seconds: number,
  log: Log,
): Promise<void> {
  const why = () => store.trouble ?? 'it has not responded';
  const saying = realTime.setTimeout(
    () => log.warn('waiting for the store', { store: store.name, why: why(), seconds }),
    SAID_AFTER_MS,
  );
  let givingUp: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const message = () => `the store ${store.name} was still unavailable after ${seconds} s: ${why()}`;
    givingUp = realTime.setTimeout(() => reject(new StoreError('away', message())), seconds * 1000);
  });
  try {
    await Promise.race([ready, tooLate]);
  } finally {
    realTime.clearTimeout(saying);
    realTime.clearTimeout(givingUp);
  }
}
