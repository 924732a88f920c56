// Stores that break the contract of the port, each in one way: the defects the check has to find. Each wraps a correct store.
import type { SandboxStore } from '../../../server/engine/session/cached-sandbox.js';
import { StoreError } from '../../../server/engine/store.js';

type Append = SandboxStore['append'];

/** Replaces some methods of a store. */
function but(store: SandboxStore, changed: Partial<SandboxStore>): SandboxStore {
  const verbs: SandboxStore = {
    name: store.name,
    isShared: true,
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
  return async (sandbox, head, records) => {
    for (let at = head; ; ) {
      const appended = await store.append(sandbox, at, records);
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
        return { ...tail, head: { ...tail.head, last: seen.last, id: seen.id }, records: [] };
      },
    });
  },

  'acknowledges before it appends': store => {
    const append = wherever(store);
    let count = 0;
    return but(store, {
      append: async (sandbox, head, records) => {
        count += 1;
        void append(sandbox, head, records);
        return { head: { ...head, last: head.last + records.length, id: `before-${count}` } };
      },
    });
  },

  'acknowledges now and then what it does not append': store => {
    let turn = 0;
    return but(store, {
      append: async (sandbox, head, records) => {
        turn += 1;
        if (turn % 20 !== 0) return store.append(sandbox, head, records);
        return { head: { ...head, last: head.last + records.length } };
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
      append: async (sandbox, head, records) => {
        turn += 1;
        const left = records.map(({ entry, ...record }) =>
          turn % 20 === 0 ? record : { ...record, ...(entry && { entry }) },
        );
        return store.append(sandbox, head, left);
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
