// What a run leaves to be checked: who asked for what, when, and what was answered; and the journals. Knows neither a model nor where it is from.

/** A cell is one small thing of a sandbox that has a value: a link of a sidebar, the text of a page, whether somebody is a member. */
export type Cells = ReadonlyMap<string, string>;

export type Asked =
  | { readonly kind: 'write'; readonly cell: string; readonly value: string }
  /** Only where the value is `from`. */
  | { readonly kind: 'swap'; readonly cell: string; readonly from: string; readonly to: string }
  /** All cells of the sandbox, its version, or the number of its latest journal entry. */
  | { readonly kind: 'look' | 'count' | 'recall' };

export type Answer =
  /** `entry`: the number of the journal entry that the answer names. */
  | { readonly kind: 'done' | 'missed'; readonly entry: number }
  /** It says that nothing was done. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'cells'; readonly cells: Cells }
  | { readonly kind: 'number'; readonly number: number };

export interface Operation {
  /** No other operation of the run has it. */
  readonly tag: string;
  readonly sandbox: string;
  /** Who asked whom. */
  readonly by: string;
  readonly asked: Asked;
  /** By a clock of events that counts up: what ended at a lower count than another began was over before. */
  readonly began: number;
  /** Absent where no answer came that says anything: it may have been done, then or at any later time, or never. */
  readonly ended?: number;
  readonly answer?: Answer;
}

/** What a journal says of one change. */
export interface Written {
  readonly id: number;
  readonly tag: string;
  readonly kind: 'done' | 'missed';
  readonly before: number;
  readonly version: number;
}

export interface SandboxHistory {
  readonly sandbox: string;
  /** What the cells are before anything was asked. */
  readonly cells: Cells;
  readonly operations: readonly Operation[];
  /** All entries of its journal, in the order in which they were read; the same entry may have been read several times. */
  readonly written: readonly Written[];
}

/** When an operation was over: that of which nobody knows may happen at any time. */
export function endOf({ ended }: Operation): number {
  return ended ?? Number.POSITIVE_INFINITY;
}

/** An operation in words. */
export function tell({ by, asked, began, ended, answer, tag }: Operation): string {
  const what =
    asked.kind === 'write'
      ? `write ${asked.cell} = "${asked.value}"`
      : asked.kind === 'swap'
        ? `swap ${asked.cell} "${asked.from}" for "${asked.to}"`
        : asked.kind;
  const outcome =
    answer === undefined
      ? 'outcome unknown'
      : answer.kind === 'cells'
        ? `${answer.cells.size} cells`
        : answer.kind === 'number'
          ? String(answer.number)
          : answer.kind === 'refused'
            ? 'refused'
            : `${answer.kind}, entry ${answer.entry}`;
  return `${tag} [${by}: ${what}; ${began} to ${ended ?? 'never'}: ${outcome}]`;
}
