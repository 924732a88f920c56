// What is decided on a sandbox whose store answers at once: decided, appended and taken in without anybody waiting, so that no other change comes between.

import type { OrLater } from '../store.js';
import { isReset, type Sandbox } from './cached-sandbox.js';
import type { SandboxStore } from './commits.js';
import type { MemoryBudget } from './memory-budget.js';
import type { Changed, Deciding, Present } from './present.js';
import { advanceAll } from './state.js';

const NOTHING: readonly never[] = [];

/** `gone`: the sandbox has been dropped. Throws what `decide` throws, and a `StoreError`; then nothing has changed. */
export function changeAtOnce<T>(
  sandbox: Sandbox,
  store: SandboxStore,
  memory: MemoryBudget,
  decide: (present: Present) => Deciding<T>,
  troubled: (error: unknown) => void,
): Changed<T> | 'gone' {
  const { changes, result, note, forget } = decide(sandbox);
  const { journal, head } = sandbox;
  const isChanged = changes.length > 0;
  const state = isChanged ? advanceAll(sandbox.state, changes, sandbox.history) : sandbox.state;
  if (isChanged) memory.check(sandbox.name, sandbox.state, state);
  const version = isChanged ? head.version + 1 : head.version;
  const entry = note?.(journal.lastId + 1, version);
  if (!isChanged && entry === undefined && forget === undefined) return { result, version, entry: 0 };
  const given = forget ?? journal.forgettable(journal.lastId);
  const appended = atOnce(
    store.append(sandbox.name, head, {
      entries: isChanged ? [changes] : NOTHING,
      notes: entry === undefined ? NOTHING : [entry],
      ...(isChanged && changes.some(isReset) && { newRunAt: 0 }),
      ...(given !== undefined && { forget: given }),
    }),
  );
  if (appended === 'gone') return 'gone';
  if ('behind' in appended) throw new Error(`sandbox ${sandbox.name} has two writers in this process`);
  if (isChanged) sandbox.settle(changes, state, appended.head);
  if (entry !== undefined) sandbox.keep(entry);
  shorten(sandbox, store, troubled);
  return { result, version, entry: entry?.id ?? 0 };
}

/** Lets the log begin later, where it has grown too long. */
function shorten(sandbox: Sandbox, store: SandboxStore, troubled: (error: unknown) => void): void {
  const { excess } = sandbox;
  if (excess === undefined) return;
  try {
    const compacted = atOnce(store.compact(sandbox.name, sandbox.head, excess.version, excess.state));
    if (typeof compacted === 'object') sandbox.compacted(compacted);
  } catch (error) {
    troubled(error); // it is done with the next change
  }
}

function atOnce<T>(answer: OrLater<T>): T {
  if (answer instanceof Promise) throw new Error('a store that answers at once answered later');
  return answer;
}
