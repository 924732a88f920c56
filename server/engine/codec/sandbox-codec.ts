// Encodes states, changes and journal entries of a sandbox, each as one line of JSON. Increase the version with every change of the format: older
// programs then leave the data alone.
import type { NewJournalEntry } from '../journal/journal-entry.js';
import type { Change, State } from '../sandbox/state.js';
import type { Format } from '../store.js';
import { changesShape, newEntryShape } from './change-shape.js';
import { parsed } from './decode.js';
import { changesIn, PageTexts } from './page-texts.js';
import { readState, writeState } from './state-codec.js';
import { WorldParts } from './world-parts.js';

/** Caches the worlds and texts in use, so one codec for a process is enough. */
export function sandboxFormat(): Format<State, readonly Change[], NewJournalEntry> {
  const texts = new PageTexts();
  const parts = new WorldParts(texts);
  return {
    version: 3,
    oldest: 1, // version 1 has no text parts, and one favourite for each fact; version 2 has no sessions
    writeBase: base => writeState(base, parts, texts),
    readBase: (text, part) => readState(text, parts, part),
    writeEntry: (entry, put) => JSON.stringify(texts.changesOut(entry, put)),
    readEntry: (text, part) => changesIn(parsed<readonly Change[]>(withIds(text), changesShape, 'an entry'), part),
    writeNote: (note, put) => JSON.stringify({ ...note, facts: texts.changesOut(note.facts, put), id: undefined }), // its place among the notes is its id
    readNote: (text, part) => {
      const note = parsed<NewJournalEntry>(withIds(text), newEntryShape, 'a journal entry');
      return { ...note, facts: changesIn(note.facts, part) };
    },
  };
}

/** In version 1 a fact is about one favourite. Text values escape quotation marks, so this finds only keys. */
function withIds(text: string): string {
  return text.replace(
    /("type":"favourite-(?:added|removed)","item":"(?:filters|dashboards)",)"id":(\d+)/g,
    '$1"ids":[$2]',
  );
}
