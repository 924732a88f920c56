// Unsaved records: kept until they are saved or discarded, whatever is looked at meanwhile.
import { signal } from '@preact/signals';
import type { Json } from '../client/wire.js';

interface Draft {
  /** Absent: nothing of the record was changed yet. */
  readonly text?: string | undefined;
  /** The record when the draft was begun; absent: a new one. */
  readonly base?: Json | undefined;
  /** The name of a new record. */
  readonly name?: string;
}

export const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

/** Without `recordKey`: of a new record. */
export const draftOf = (sandbox: string, collection: string, recordKey?: string) =>
  JSON.stringify([sandbox, collection, recordKey]);

/** `undefined` discards it. */
export function keepDraft(at: string, draft: Draft | undefined): void {
  const next = new Map(drafts.peek());
  if (draft === undefined) next.delete(at);
  else next.set(at, draft);
  drafts.value = next;
}

addEventListener('beforeunload', event => {
  if (drafts.peek().size > 0) event.preventDefault(); // the browser asks
});
