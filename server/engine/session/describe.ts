// The description of a sandbox for the control API and the library.

import * as Type from '@sinclair/typebox';
import { type Shape, table, typed } from '../../domain/json/shape.js';
import { SANDBOX_NAME } from '../../operations/address.js';
import { defaultReadings, gapIds, type Readings, type SomeReadings } from '../../operations/gaps/gaps.js';
import { chosenProfile, type ProfileName, profileNames } from '../../operations/gaps/profiles.js';
import { timeOn } from '../sandbox/clock.js';
import { DEFAULT_SANDBOX } from '../sandbox/state.js';
import type { CachedSandbox } from './cached-sandbox.js';

/** @internal */
export const sandboxName = Type.String({
  pattern: SANDBOX_NAME.source,
  description: '1 to 64 letters (A-Z, a-z), digits, dots, underscores or hyphens, but not "." or ".."',
});

/** @internal */
export const descriptionSchema = Type.Object(
  {
    name: sandboxName,
    scenario: Type.String(),
    profile: typed<ProfileName>('ProfileName', {
      enum: profileNames,
      description: 'The profile; individual readings override it.',
    }),
    version: Type.Integer({ description: 'Number of changes since the sandbox was created.' }),
    oldest: Type.Integer({ description: 'The oldest version that it can be rewound to.' }),
    now: Type.String({ description: "The sandbox's time." }),
    readings: typed<SomeReadings>('SomeReadings', table(Type.String(), 'Readings that differ from the defaults.')),
    seed: Type.Integer({ description: 'Random seed for faults that have `chance` but no seed of their own.' }),
    url: Type.String({ description: 'Base path of its requests.' }),
    journal: Type.Object(
      { entries: Type.Integer(), bytes: Type.Integer(), evicted: Type.Integer() },
      {
        description:
          '`bytes`: approximate memory of its entries. `evicted`: number of entries discarded to stay within the limits.',
      },
    ),
    idle: Type.Number({ description: 'Seconds since the sandbox was last used.' }),
    ttl: Type.Optional(
      Type.Number({
        description: 'Idle time in seconds after which the sandbox expires; absent for `default`, which never expires.',
      }),
    ),
  },
  { title: 'Sandbox' },
);
export type Description = Shape<typeof descriptionSchema>;

export function describe(sandbox: CachedSandbox, machine: Date): Description {
  const { name, state, history, journal, readings, usedAt, ttl } = sandbox;
  return {
    name,
    scenario: state.origin.scenario,
    profile: chosenProfile(sandbox.server, state.origin),
    version: sandbox.version,
    oldest: history.from,
    now: timeOn(state.clock, machine),
    readings: differing(readings),
    seed: state.origin.seed ?? 0,
    url: name === DEFAULT_SANDBOX ? '/' : `/~${name}`,
    journal: { entries: journal.size, bytes: journal.bytes, evicted: journal.evicted },
    idle: Math.max(0, machine.getTime() - usedAt) / 1000,
    ...(name !== DEFAULT_SANDBOX && { ttl: ttl / 1000 }),
  };
}

/** The readings that differ from the defaults. */
function differing(readings: Readings): SomeReadings {
  return Object.fromEntries(
    gapIds.filter(gap => readings[gap] !== defaultReadings[gap]).map(gap => [gap, readings[gap]]),
  );
}
