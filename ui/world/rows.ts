// The visible records of one collection, read in parts and again after changes.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { CollectionName } from '../client/wire.js';
import { here, worldChanges } from '../live/sandbox.js';
import { useResource } from '../parts/resource.js';

export interface ShownRows {
  readonly collection: CollectionName;
  readonly containing: string;
  /** Default: the current version. */
  readonly at: number | undefined;
}

export type Rows = ReturnType<typeof useRows>;

/** Records are read from a multiple of this. */
const PIECE = 100;

export function useRows({ collection, containing, at }: ShownRows) {
  const inSandbox = here();
  const from = useSignal(0);
  const chosen = useRef<{ readonly key: string | undefined; readonly index: number }>(undefined);
  const read = useResource(
    () => inSandbox.part({ collection, containing, at, offset: from.peek(), limit: 4 * PIECE }),
    [collection, containing, at],
    [from.value, at === undefined && worldChanges.value],
  );
  const { records = [], offset = 0 } = read.value ?? {};
  const recordAt = (index: number) => records[index - offset];
  return {
    ...read,
    /** `undefined`: not read. */
    at: recordAt,
    /** The key at an index, read first if need be. */
    keyAt: async (index: number) => {
      const known = recordAt(index)?.key;
      const key =
        known ?? (await inSandbox.part({ collection, containing, at, offset: index, limit: 1 })).records[0]?.key;
      chosen.current = { key, index };
      return key;
    },
    /** The index of a key, if known. */
    indexOf: (key: string | undefined) => {
      const index = records.findIndex(record => record.key === key);
      if (index !== -1) return index + offset;
      return key === undefined || chosen.current?.key !== key ? undefined : chosen.current.index;
    },
    /** Reads what is about to be seen. */
    see: (first: number) => {
      from.value = Math.max(0, Math.floor(first / PIECE) - 1) * PIECE;
    },
  };
}
