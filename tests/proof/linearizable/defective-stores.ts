// Stores that break the contract of the port, each in one way: the defects the check has to find. Each wraps a correct store.
import type { SandboxStore } from '../../../server/engine/sandbox/commits.js';
import { StoreError } from '../../../server/engine/store.js';

type Append = SandboxStore['append'];

/** Replaces some methods of a store. */
function but(store: SandboxStore, changed: Partial<SandboxStore>): SandboxStore {
  const verbs: SandboxStore = {
    name: store.name,
    isShared: true,
    isImmediate: false,
    trouble: undefined,
    now: () => store.now(),
    ready: () => store.ready(),
    create: (...given) => store.create(...given),
    append: (...given) => store.append(...given),
    since: (...given) => store.since(...given),
    compact: (...given) => store.compact(...given),
    drop: (...given) => store.drop(...given),
    list: () => store.list(),
    watch: (...given) => store.watch(...given),
    close: () => store.close(),
  };
  return { ...verbs, ...changed };
}

/** Appends wherever the log ends, whatever head was given. */
function wherever(store: SandboxStore): Append {
  return async (sandbox, head, batch, seen) => {
    for (let at = head; ; ) {
      const appended = await store.append(sandbox, at, batch, seen);
      if (appended === 'gone' || !('behind' in appended)) return appended;
      at = appended.behind.head;
    }
  };
}

export const defectiveStores: Readonly<Record<string, (store: SandboxStore) => SandboxStore>> = {
  'appends without comparing': store => but(store, { append: wherever(store) }),

  'tells now and then that there is nothing new': store => {
    let turn = 0;
    return but(store, {
      since: async (sandbox, seen, isOnlyLook) => {
        turn += 1;
        const tail = await store.since(sandbox, seen, isOnlyLook);
        if (seen === undefined || tail === undefined || tail.base !== undefined || turn % 5 !== 0) return tail;
        const notes = { ...tail.notes, last: seen.notes?.last ?? 0, latest: [] };
        return { ...tail, head: { ...tail.head, version: seen.version, id: seen.id }, entries: [], notes };
      },
    });
  },

  'acknowledges before it appends': store => {
    const append = wherever(store);
    let count = 0;
    return but(store, {
      append: async (sandbox, head, batch, seen) => {
        count += 1;
        void append(sandbox, head, batch, seen);
        const version = head.version + batch.entries.length;
        const lastNote = (seen?.last ?? 0) + batch.notes.length;
        return { head: { ...head, version, id: `before-${count}` }, run: seen?.run ?? 0, lastNote };
      },
    });
  },

  'acknowledges now and then what it does not append': store => {
    let turn = 0;
    return but(store, {
      append: async (sandbox, head, batch, seen) => {
        turn += 1;
        if (turn % 20 !== 0 || batch.newRunAt !== undefined) return store.append(sandbox, head, batch, seen);
        const version = head.version + batch.entries.length;
        const lastNote = (seen?.last ?? 0) + batch.notes.length;
        return { head: { ...head, version }, run: seen?.run ?? 0, lastNote };
      },
    });
  },

  'appends again what it has appended': store => {
    const append = wherever(store);
    let turn = 0;
    return but(store, {
      append: async (...given) => {
        turn += 1;
        const appended = await store.append(...given);
        return turn % 20 === 0 && appended !== 'gone' && 'head' in appended ? append(...given) : appended;
      },
    });
  },

  'appends the changes, and forgets to write them down': store => {
    let turn = 0;
    return but(store, {
      append: async (sandbox, head, batch, seen) => {
        turn += 1;
        return store.append(sandbox, head, turn % 20 === 0 ? { ...batch, notes: [] } : batch, seen);
      },
    });
  },

  'says that it did nothing, and did it': store => {
    let turn = 0;
    return but(store, {
      append: async (...given) => {
        turn += 1;
        const appended = await store.append(...given);
        if (turn % 20 === 0) throw new StoreError('busy', 'others were faster');
        return appended;
      },
    });
  },
};
