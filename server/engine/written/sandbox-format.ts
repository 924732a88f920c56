// How a sandbox is written, so that it crosses the edge of the process: its states, its changes, its journal entries, each as one line of JSON.
// Knows no store. Whoever changes what is written gives it another version: who finds that leaves it alone.
import type { Noted } from '../journal-entry.js';
import type { Change, State } from '../state.js';
import type { Format } from '../store.js';
import { changesShape } from './change-shape.js';
import { noteShape } from './note-shape.js';
import { parsed } from './reading.js';
import { readState, writeState } from './states.js';
import { WorldParts } from './world-parts.js';

/** Each knows the worlds that it has written or read, as long as somebody uses them: one for a process is enough. */
export function sandboxFormat(): Format<State, readonly Change[], Noted> {
  const parts = new WorldParts();
  return {
    version: 2,
    writeBase: base => writeState(base, parts),
    readBase: (text, part) => readState(text, parts, part),
    writeEntry: entry => JSON.stringify(entry),
    readEntry: text => parsed<readonly Change[]>(text, changesShape, 'an entry'),
    writeNote: note => JSON.stringify({ ...note, id: undefined }), // its place among the notes is its number
    readNote: text => parsed<Noted>(text, noteShape, 'a journal entry'),
  };
}
