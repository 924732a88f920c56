// Decides about taking, restoring and dropping snapshots. The decisions throw `HistoryError`.

import * as Type from '@sinclair/typebox';
import type { Shape } from '../../domain/json/shape.js';
import { expectedOf, nearest } from '../nearest.js';
import { timeOn } from './clock.js';
import { HistoryError } from './history.js';
import type { CurrentSandbox, SandboxDecision } from './sandbox-decision.js';
import type { Change, State } from './state.js';

export const MAX_SNAPSHOTS = 100;
/** A name that is safe in a path: not `.` or `..`. */
export const SNAPSHOT_NAME = '^(?![.]{1,2}$)[A-Za-z0-9._-]{1,64}$';

/** @internal */
export const snapshotSchema = Type.Object(
  {
    name: Type.String({
      pattern: SNAPSHOT_NAME,
      description: '1 to 64 letters (A-Z, a-z), digits, dots, underscores or hyphens, but not "." or ".."',
    }),
    version: Type.Integer({ description: 'The version that the snapshot keeps.' }),
    at: Type.String({ description: 'The time of the sandbox at that version.' }),
  },
  { title: 'Snapshot' },
);
/** A snapshot for display. */
export type Kept = Shape<typeof snapshotSchema>;

type DecidesOnSnapshot = (present: CurrentSandbox) => SandboxDecision<Kept>;

/** The oldest first. */
export function keptIn({ snapshots = new Map() }: State): Kept[] {
  return [...snapshots].map(([name, { version, at }]) => ({ name, version, at }));
}

/** Without a name it gets a generated one. `machine`: the machine's time. */
export function keeping(wanted: string | undefined, replace: boolean, machine: () => Date): DecidesOnSnapshot {
  return ({ state, version }) => {
    const name = wanted ?? freeName(state);
    const isTaken = state.snapshots?.has(name) ?? false;
    if (isTaken && !replace)
      throw new HistoryError(
        'taken',
        `A snapshot named ${JSON.stringify(name)} already exists: drop it, or take the snapshot with replace: true.`,
      );
    if (!isTaken && (state.snapshots?.size ?? 0) >= MAX_SNAPSHOTS)
      throw new HistoryError('full', `A sandbox can have at most ${MAX_SNAPSHOTS} snapshots: drop one first.`);
    const result = { name, version, at: timeOn(state.clock, machine()) };
    return { changes: [{ type: 'snapshot-kept', name, of: result.version, at: result.at }], result };
  };
}

export function restoring(name: string): DecidesOnSnapshot {
  return ifFound(name, { type: 'restored', name });
}

export function dropping(name: string): DecidesOnSnapshot {
  return ifFound(name, { type: 'snapshot-dropped', name });
}

function ifFound(name: string, change: Change): DecidesOnSnapshot {
  return ({ state }) => ({ changes: [change], result: found(name, state) });
}

function found(name: string, state: State): Kept {
  const kept = keptIn(state);
  const snapshot = kept.find(one => one.name === name);
  if (snapshot !== undefined) return snapshot;
  const names = kept.map(one => one.name);
  const there = names.length === 0 ? 'the sandbox has no snapshots' : expectedOf(names.slice(-10));
  const what = `Unknown snapshot ${JSON.stringify(name.slice(0, 80))}`;
  throw new HistoryError('unknown', `${what}${nearest(name, names)}: ${there}.`);
}

/** Deterministic: the same history gives the same name. */
function freeName({ snapshots }: State): string {
  let number = (snapshots?.size ?? 0) + 1;
  while (snapshots?.has(`snapshot-${number}`)) number += 1;
  return `snapshot-${number}`;
}
