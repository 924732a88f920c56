// Through the time of a sandbox: what it was at a version, what differs between two, back to one, and its clock. Appends nothing itself.
import { worldDifference } from '../../domain/form/difference.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import type { Sandbox } from './cached-sandbox.js';
import { type ClockOrder, turned } from './clock.js';
import { type Happened, type HistoryError, isHistoryError } from './history.js';
import type { Deciding, Present } from './present.js';
import type { State } from './state.js';

export interface Difference {
  readonly from: number;
  readonly to: number;
  /** The merge-patch (RFC 7396) that makes the world of `to` out of that of `from`. */
  readonly patch: WorldPatch;
  /** What happened between the two, in its order, whichever of them is the later one. */
  readonly changes: readonly Happened[];
}

/** The state of a version. */
export function stateAt({ history }: Pick<Present, 'history'>, version: number): State | HistoryError {
  const state = Number.isInteger(version) ? history.at(version) : undefined;
  if (state !== undefined) return state;
  const { from, to } = history;
  const kept = from === to ? `only ${from} is kept` : `${from} to ${to} are kept`;
  return version >= 0 && version < from
    ? {
        code: 'let-go',
        message: `Version ${version} has been let go: ${kept}. A snapshot would have stayed.`,
      }
    : { code: 'unknown', message: `There has been no version ${JSON.stringify(version)}: ${kept}.` };
}

/** Left out, `from` is the oldest version that is kept and `to` the present. */
export function differenceIn(sandbox: Sandbox, from?: number, to?: number): Difference | HistoryError {
  const { history } = sandbox;
  const versions = { from: from ?? history.from, to: to ?? history.to };
  const then = stateAt(sandbox, versions.from);
  if (isHistoryError(then)) return then;
  const other = stateAt(sandbox, versions.to);
  if (isHistoryError(other)) return other;
  const [earlier, later] = versions.from < versions.to ? [versions.from, versions.to] : [versions.to, versions.from];
  return {
    ...versions,
    patch: worldDifference(then.world, other.world),
    changes: history.between(earlier, later),
  };
}

/** To the state of a version, as a new version: what has happened stays in the log. */
export function rewinding(to: number): (present: Present) => Deciding<HistoryError | undefined> {
  return present => {
    const then = stateAt(present, to);
    return isHistoryError(then)
      ? { changes: [], result: then }
      : { changes: [{ type: 'rewound', to }], result: undefined };
  };
}

/** A problem is that of an order which no clock can follow. */
export function turning(
  order: ClockOrder,
  machine: () => Date,
): (present: Present) => Deciding<{ readonly problem: string } | undefined> {
  return ({ state }) => {
    const clock = turned(state.clock, order, machine());
    if (clock !== undefined && 'problem' in clock) return { changes: [], result: clock };
    const isSame = clock === undefined || clock === state.clock;
    return { changes: isSame ? [] : [{ type: 'clock-set', clock }], result: undefined };
  };
}
