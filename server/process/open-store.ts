// Where sandboxes are kept, as the settings say it. What a store stands on is loaded only when it is asked for.

import type { Log } from '../engine/log.js';
import type { SandboxStore } from '../engine/sandbox/commits.js';
import { begin, type Origin } from '../engine/sandbox/state.js';
import type { Settings } from '../settings.js';
import { memoryStore } from '../store/memory.js';

/** How long a store may take for one thing that is asked of it, in milliseconds. */
const PATIENCE_MS = 5_000;

/** `origin`: what most of its sandboxes begin with. Rejects with a `StoreError` where there can be no such store. */
export async function openStore({ store, fsync }: Settings, origin: Origin, log: Log): Promise<SandboxStore> {
  if (store === 'memory') return memoryStore();
  const { sandboxFormat } = await import('../engine/codec/sandbox-codec.js');
  const format = sandboxFormat();
  format.writeBase(begin(origin)); // so that its world is known by its name, and not built a second time out of what the store has
  if (store.startsWith('file:')) {
    const { fileStore } = await import('../store/file/file-store.js');
    return fileStore({ folder: store.slice('file:'.length), format, fsync, log });
  }
  const { redisStore } = await import('../store/redis/redis-store.js');
  return redisStore({ url: store, format, timeout: PATIENCE_MS, log });
}
