// Where sandboxes are kept, as the settings say it. What a store stands on is loaded only when it is asked for.
import type { SandboxStore } from './engine/commits.js';
import type { Log } from './http/log.js';
import type { Settings } from './settings.js';
import { memoryStore } from './store/memory.js';

/** How long a store may take for one thing that is asked of it, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Rejects with a `StoreError` where there can be no such store. */
export async function openStore({ store, fsync }: Settings, log: Log): Promise<SandboxStore> {
  if (store === 'memory') return memoryStore();
  const { sandboxFormat } = await import('./engine/written/sandbox-format.js');
  if (store.startsWith('file:')) {
    const { fileStore } = await import('./store/file/file-store.js');
    return fileStore({ folder: store.slice('file:'.length), format: sandboxFormat(), fsync });
  }
  const { redisStore } = await import('./store/redis/redis-store.js');
  return redisStore({ url: store, format: sandboxFormat(), timeout: PATIENCE_MS, log });
}
