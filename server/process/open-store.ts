// Opens the store of the settings. Its packages are loaded on demand.

import type { Log } from '../engine/log.js';
import { begin, firstCheckpoint, type Origin } from '../engine/sandbox/state.js';
import type { SandboxStore } from '../engine/session/cached-sandbox.js';
import type { Settings } from '../settings/settings.js';
import { memoryStore } from '../store/memory.js';

/** Timeout of one store operation in milliseconds. */
const PATIENCE_MS = 5_000;

/** `origin`: that of most sandboxes. Rejects with a `StoreError` if the store cannot be used. */
export async function openStore({ store, fsync }: Settings, origin: Origin, log: Log): Promise<SandboxStore> {
  if (store === 'memory') return memoryStore();
  const { sandboxFormat } = await import('../engine/codec/sandbox-codec.js');
  const format = sandboxFormat();
  format.writeBase(firstCheckpoint(begin(origin))); // so that its world is found by name, and not decoded again from the store
  if (store.startsWith('file:')) {
    const { fileStore } = await import('../store/file/file-store.js');
    return fileStore({ folder: store.slice('file:'.length), format, fsync, log });
  }
  const { redisStore } = await import('../store/redis/redis-store.js');
  return redisStore({ url: store, format, timeout: PATIENCE_MS, log });
}
