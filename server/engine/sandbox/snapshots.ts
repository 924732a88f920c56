// Points of a sandbox that are kept under a name: what is decided when one is kept, restored or dropped. Appends nothing itself.

import { nearest } from '../nearest.js';
import { type HistoryError, isHistoryError } from './history.js';
import type { Deciding, Present } from './present.js';
import { type State, timeIn } from './state.js';

export const MOST_SNAPSHOTS = 100;
/** A name that can stand in a path: `.` and `..` cannot. */
export const SNAPSHOT_NAME = '^(?![.]{1,2}$)[A-Za-z0-9._-]{1,64}$';

/** A snapshot as it is told. */
export interface Kept {
  readonly name: string;
  /** The version of the sandbox whose state it is. */
  readonly version: number;
  /** The sandbox's time then. */
  readonly at: string;
}

/** The one kept longest ago first. */
export function keptIn({ snapshots = new Map() }: State): Kept[] {
  return [...snapshots].map(([name, { version, at }]) => ({ name, version, at }));
}

/** Without a name it gets one. `machine` is the machine's time. */
export function keeping(
  wanted: string | undefined,
  replace: boolean,
  machine: () => Date,
): (present: Present) => Deciding<Kept | HistoryError> {
  return ({ state, version }) => {
    const name = wanted ?? freeName(state);
    const isTaken = state.snapshots?.has(name) ?? false;
    if (isTaken && !replace) return refused('taken', `${taken(name)}: drop it or restore it, or ask to replace it.`);
    if (!isTaken && (state.snapshots?.size ?? 0) >= MOST_SNAPSHOTS)
      return refused('full', `A sandbox keeps at most ${MOST_SNAPSHOTS} snapshots: drop one first.`);
    const result = { name, version, at: timeIn(state, machine()) };
    return { changes: [{ type: 'snapshot-kept', name, of: result.version, at: result.at }], result };
  };
}

export function restoring(name: string): (present: Present) => Deciding<Kept | HistoryError> {
  return ({ state }) => {
    const result = found(name, state);
    return isHistoryError(result) ? { changes: [], result } : { changes: [{ type: 'restored', name }], result };
  };
}

export function dropping(name: string): (present: Present) => Deciding<Kept | HistoryError> {
  return ({ state }) => {
    const result = found(name, state);
    return isHistoryError(result) ? { changes: [], result } : { changes: [{ type: 'snapshot-dropped', name }], result };
  };
}

function found(name: string, state: State): Kept | HistoryError {
  const kept = keptIn(state);
  const names = kept.map(one => one.name);
  const there = names.length === 0 ? 'there are none' : `there are ${names.slice(-10).join(', ')}`;
  return (
    kept.find(one => one.name === name) ?? {
      code: 'unknown',
      message: `There is no snapshot ${JSON.stringify(name.slice(0, 80))}${nearest(name, names)}: ${there}.`,
    }
  );
}

/** The same in every sandbox in which the same has happened. */
function freeName({ snapshots }: State): string {
  let number = (snapshots?.size ?? 0) + 1;
  while (snapshots?.has(`snapshot-${number}`)) number += 1;
  return `snapshot-${number}`;
}

function taken(name: string): string {
  return `There is a snapshot ${JSON.stringify(name)} already`;
}

function refused(why: HistoryError['code'], message: string): Deciding<HistoryError> {
  return { changes: [], result: { code: why, message } };
}
