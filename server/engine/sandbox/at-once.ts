// Decides, appends and applies a change synchronously, for stores that answer at once. Only a long change is computed in pieces, so that others are served
// meanwhile.

import { inPieces } from '../pieces.js';
import type { OrLater } from '../store.js';
import { isReset, type Sandbox } from './cached-sandbox.js';
import type { SandboxStore } from './commits.js';
import type { MemoryBudget } from './memory-budget.js';
import type { Changed, Deciding, Present } from './present.js';
import { advanceAll, advancing, isLong, type State } from './state.js';

const NOTHING: readonly never[] = [];

/** `gone`: the sandbox was dropped. Throws or rejects with what `decide` throws, or with a `StoreError`; then nothing has changed. */
export function changeAtOnce<T>(
  sandbox: Sandbox,
  store: SandboxStore,
  memory: MemoryBudget,
  decide: (present: Present) => Deciding<T>,
  troubled: (error: unknown) => void,
): OrLater<Changed<T> | 'gone'> {
  const { state } = sandbox;
  const commit = (deciding: Deciding<T>, after?: State) =>
    commitAtOnce(sandbox, store, memory, deciding, troubled, after);
  const deciding = decide(sandbox);
  if (!isLong(deciding.changes)) return commit(deciding);
  return inPieces(advancing(state, deciding.changes)).then(after =>
    sandbox.state === state ? commit(deciding, after) : commit(decide(sandbox)),
  );
}

/** `after`: the state after the changes, if it is known. */
function commitAtOnce<T>(
  sandbox: Sandbox,
  store: SandboxStore,
  memory: MemoryBudget,
  { changes, result, note, forget }: Deciding<T>,
  troubled: (error: unknown) => void,
  after?: State,
): Changed<T> | 'gone' {
  const { journal, head } = sandbox;
  const isChanged = changes.length > 0;
  const state = isChanged ? (after ?? advanceAll(sandbox.state, changes, sandbox.history)) : sandbox.state;
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

/** Compacts the log if it is too long. */
function shorten(sandbox: Sandbox, store: SandboxStore, troubled: (error: unknown) => void): void {
  const { excess } = sandbox;
  if (excess === undefined) return;
  try {
    const compacted = atOnce(store.compact(sandbox.name, sandbox.head, excess.version, excess.state));
    if (typeof compacted === 'object') sandbox.compacted(compacted);
  } catch (error) {
    troubled(error); // the next change tries again
  }
}

function atOnce<T>(answer: OrLater<T>): T {
  if (answer instanceof Promise) throw new Error('a store that answers at once answered later');
  return answer;
}
