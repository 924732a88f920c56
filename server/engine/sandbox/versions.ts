// Past versions of a sandbox: their states, differences between two, rewinding; and changes of its clock.
import * as Type from '@sinclair/typebox';
import { limitedDifference } from '../../domain/form/difference.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import { type Shape, typed } from '../../domain/json/shape.js';
import { type ClockOrder, turned } from './clock.js';
import { type Happened, type History, HistoryError } from './history.js';
import type { CurrentSandbox, SandboxDecision } from './sandbox-decision.js';
import type { State } from './state.js';

/** @internal */
export const differenceSchema = Type.Object(
  {
    from: Type.Integer(),
    to: Type.Integer(),
    patch: typed<WorldPatch>('WorldPatch', {
      type: 'object',
      description: 'The merge-patch (RFC 7396) from the world of `from` to that of `to`.',
    }),
    more: Type.Optional(
      Type.Integer({ description: 'Number of changed records omitted because of `limit`. Absent: none.' }),
    ),
    changes: Type.Array(
      typed<Happened>(
        'Happened',
        Type.Object({
          version: Type.Integer({ description: 'The version after the request that it belongs to.' }),
          type: Type.String(),
        }),
      ),
      { description: 'The facts between the two versions, in their order, whichever is later.' },
    ),
  },
  { title: 'Difference' },
);
export type VersionDifference = Shape<typeof differenceSchema>;

/** The state of a version. Throws `HistoryError`. */
export function stateAt({ history }: Pick<CurrentSandbox, 'history'>, version: number): State {
  const state = Number.isInteger(version) ? history.at(version) : undefined;
  if (state !== undefined) return state;
  const { from, to } = history;
  const kept = from === to ? `the sandbox has only version ${from}` : `the sandbox has versions ${from} to ${to}`;
  throw version >= 0 && version < from
    ? new HistoryError('let-go', `Version ${version} was discarded: ${kept}. A snapshot would have kept it.`)
    : new HistoryError('unknown', `Unknown version ${JSON.stringify(version)}: ${kept}.`);
}

/** Default: from the oldest version to the current one, with all records; `limit`: of each collection. Throws `HistoryError`. */
export function differenceIn(
  sandbox: { readonly history: History },
  from?: number,
  to?: number,
  limit = Number.POSITIVE_INFINITY,
): VersionDifference {
  const { history } = sandbox;
  const versions = { from: from ?? history.from, to: to ?? history.to };
  const [then, other] = [stateAt(sandbox, versions.from), stateAt(sandbox, versions.to)];
  const [earlier, later] = versions.from < versions.to ? [versions.from, versions.to] : [versions.to, versions.from];
  const { patch, more } = limitedDifference(then.world, other.world, limit);
  return {
    ...versions,
    patch,
    ...(more > 0 && { more }),
    changes: history.between(earlier, later),
  };
}

/** Rewinds to a version, as a new version: the log keeps everything. Throws `HistoryError`. */
export function rewinding(to: number): (present: CurrentSandbox) => SandboxDecision<undefined> {
  return present => {
    stateAt(present, to);
    return { changes: [{ type: 'rewound', to }], result: undefined };
  };
}

/** Resets to the scenario: world, readings, clock, ids and journal. */
export function resetting(): SandboxDecision<undefined> {
  return { changes: [{ type: 'sandbox-reset' }], result: undefined };
}

/** The error of a change that is impossible. */
export function turning(
  order: ClockOrder,
  machine: () => Date,
): (present: CurrentSandbox) => SandboxDecision<{ readonly problem: string } | undefined> {
  return ({ state }) => {
    const clock = turned(state.clock, order, machine());
    if (clock !== undefined && 'problem' in clock) return { changes: [], result: clock };
    const isSame = clock === undefined || clock === state.clock;
    return { changes: isSame ? [] : [{ type: 'clock-set', clock }], result: undefined };
  };
}
