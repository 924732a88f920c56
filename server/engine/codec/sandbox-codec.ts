// Encodes bases and records of a sandbox's log, each as one line of JSON. Increase the version with every change of the format: other programs then
// leave the data alone.
import type { Fact } from '../../domain/facts.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import { type Checkpoint, isFact, type SandboxRecord } from '../sandbox/state.js';
import type { LogFormat } from '../store.js';
import { readState, writeState } from './state-codec.js';
import { stored } from './stored.js';
import { WorldParts } from './world-parts.js';

/** An entry usually repeats the changes of its record as its facts, which are then `null`. */
type WrittenRecord = Omit<SandboxRecord, 'entry'> & {
  readonly entry?: Omit<JournalEntry, 'facts'> & { readonly facts: readonly Fact[] | null };
};

/** Caches the worlds in use, so one codec for a process is enough. */
export function sandboxFormat(): LogFormat<Checkpoint, SandboxRecord> {
  const parts = new WorldParts();
  return {
    version: 8,
    writeBase: checkpoint => writeState(checkpoint, parts),
    readBase: (text, part) => readState(text, parts, part),
    writeRecord: record => JSON.stringify(written(record)),
    readRecord: text => {
      const { entry, ...record } = stored<WrittenRecord>(text, 'a record');
      if (entry === undefined) return record;
      return { ...record, entry: { ...entry, facts: entry.facts ?? record.changes?.filter(isFact) ?? [] } };
    },
  };
}

function written({ changes = [], entry, ...rest }: SandboxRecord): WrittenRecord {
  const record = { ...rest, ...(changes.length > 0 && { changes }) };
  if (entry === undefined) return record;
  const facts = changes.filter(isFact);
  const isSame = facts.length === entry.facts.length && facts.every((fact, i) => fact === entry.facts[i]);
  return { ...record, entry: isSame ? { ...entry, facts: null } : entry };
}
