// Waits at the start for a store that cannot be reached yet, and says so. Knows no store.

import type { Log } from '../engine/log.js';
import { StoreError } from '../engine/store.js';
import type { Assembled } from '../server.js';

/** After so many milliseconds somebody may want to know what is waited for. */
const SAID_AFTER_MS = 500;

/** Resolves when the store can be used; rejects with a `StoreError` when it still cannot after so many seconds. */
export async function awaitStore(
  { ready, session }: Pick<Assembled, 'ready' | 'session'>,
  seconds: number,
  log: Log,
): Promise<void> {
  const { store } = session.settings;
  const why = () => store.trouble ?? 'it has not answered';
  const saying = setTimeout(
    () => log.warn('waiting for the store', { store: store.name, why: why(), seconds }),
    SAID_AFTER_MS,
  );
  let givingUp: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const message = () => `the store ${store.name} could not be used within ${seconds} seconds: ${why()}`;
    givingUp = setTimeout(() => reject(new StoreError('away', message())), seconds * 1000);
  });
  try {
    await Promise.race([ready(), tooLate]);
  } finally {
    clearTimeout(saying);
    clearTimeout(givingUp);
  }
}
