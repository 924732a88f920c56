// How a sandbox is written, so that it crosses the edge of the process: its states, its changes, its journal entries, each as one line of JSON.
// Knows no store. Whoever changes what is written gives it another version: who finds that leaves it alone.
import type { NewJournalEntry } from '../journal/journal-entry.js';
import type { Change, State } from '../sandbox/state.js';
import type { Format } from '../store.js';
import { changesShape, newEntryShape } from './change-shape.js';
import { parsed } from './decode.js';
import { changesIn, PageTexts } from './page-texts.js';
import { readState, writeState } from './state-codec.js';
import { WorldParts } from './world-parts.js';

/** Each knows the worlds and texts that it has written or read, as long as somebody uses them: one for a process is enough. */
export function sandboxFormat(): Format<State, readonly Change[], NewJournalEntry> {
  const texts = new PageTexts();
  const parts = new WorldParts(texts);
  return {
    version: 3,
    oldest: 1, // which has no texts as parts, and facts of one favourite each; 2 has no sessions
    writeBase: base => writeState(base, parts, texts),
    readBase: (text, part) => readState(text, parts, part),
    writeEntry: (entry, put) => JSON.stringify(texts.changesOut(entry, put)),
    readEntry: (text, part) => changesIn(parsed<readonly Change[]>(withIds(text), changesShape, 'an entry'), part),
    writeNote: (note, put) => JSON.stringify({ ...note, facts: texts.changesOut(note.facts, put), id: undefined }), // its place among the notes is its number
    readNote: (text, part) => {
      const note = parsed<NewJournalEntry>(withIds(text), newEntryShape, 'a journal entry');
      return { ...note, facts: changesIn(note.facts, part) };
    },
  };
}

/** In version 1 a fact is about one favourite. No text that is a value has such quotation marks. */
function withIds(text: string): string {
  return text.replace(
    /("type":"favourite-(?:added|removed)","item":"(?:filters|dashboards)",)"id":(\d+)/g,
    '$1"ids":[$2]',
  );
}
