// The record of a run to be checked: who sent which request, when, and the response; and the journals.

/** A cell is one small value of a sandbox: a link of a sidebar, the text of a page, whether somebody is a member. */
export type Cells = ReadonlyMap<string, string>;

export type Asked =
  | { readonly kind: 'write'; readonly cell: string; readonly value: string }
  /** Only if the value is `from`. */
  | { readonly kind: 'swap'; readonly cell: string; readonly from: string; readonly to: string }
  /** All cells of the sandbox, its version, or the number of its latest journal entry. */
  | { readonly kind: 'look' | 'count' | 'recall' };

export type ApiResponse =
  /** `entry`: the number of the journal entry in the response. */
  | { readonly kind: 'done' | 'missed'; readonly entry: number }
  /** The response says that nothing was done. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'cells'; readonly cells: Cells }
  | { readonly kind: 'number'; readonly number: number };

export interface Operation {
  /** Unique in the run. */
  readonly tag: string;
  readonly sandbox: string;
  /** The client and the replica. */
  readonly by: string;
  readonly asked: Asked;
  /** By a logical clock that counts up: an operation that ended at a lower count was over before. */
  readonly began: number;
  /** Absent without a clear response: it may have been done, then or at any later time, or never. */
  readonly ended?: number;
  readonly response?: ApiResponse;
}

/** One change as the journal records it. */
export interface Written {
  readonly id: number;
  readonly tag: string;
  readonly kind: 'done' | 'missed';
  readonly before: number;
  readonly version: number;
}

export interface SandboxHistory {
  readonly sandbox: string;
  /** The cells before the first request. */
  readonly cells: Cells;
  readonly operations: readonly Operation[];
  /** All entries of its journal, in the order in which they were read; an entry may have been read several times. */
  readonly written: readonly Written[];
}

/** When an operation was over: one with unknown outcome may happen at any time. */
export function endOf({ ended }: Operation): number {
  return ended ?? Number.POSITIVE_INFINITY;
}

/** An operation as text. */
export function tell({ by, asked, began, ended, response, tag }: Operation): string {
  const what =
    asked.kind === 'write'
      ? `write ${asked.cell} = "${asked.value}"`
      : asked.kind === 'swap'
        ? `swap ${asked.cell} "${asked.from}" for "${asked.to}"`
        : asked.kind;
  const outcome =
    response === undefined
      ? 'outcome unknown'
      : response.kind === 'cells'
        ? `${response.cells.size} cells`
        : response.kind === 'number'
          ? String(response.number)
          : response.kind === 'refused'
            ? 'refused'
            : `${response.kind}, entry ${response.entry}`;
  return `${tag} [${by}: ${what}; ${began} to ${ended ?? 'never'}: ${outcome}]`;
}
