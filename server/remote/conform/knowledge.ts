// Which readings the server follows, found out before the suite is played, as far as the suite needs to know.
// Judges no rule.

import type { World } from '../../domain/world.js';
import type { GapId, SomeReadings } from '../../operations/gaps/gaps.js';
import type { Loaded } from '../../scenario/load/story.js';
import type { Played } from '../../scenario/play/player.js';
import { type Target, Unreachable } from '../../scenario/play/target.js';
import { type Calibration, calibrate } from '../calibrate/calibrate.js';
import { neededBy } from '../calibrate/probes.js';
import { each } from '../changes/changes.js';
import { type Cleanup, cleanUp } from '../changes/cleanup.js';
import type { Planned } from '../changes/plan.js';
import type { NamesThere } from '../names/name-map.js';
import { NOTHING, type Shown, viewsOf } from '../target/host-view.js';
import { steady } from '../target/steady-target.js';

/**
 * The probes of the gaps on which the suite depends, and of those on which these probes depend. What a probe needs besides the fixture it
 * looks for itself, so each begins in the world of the fixture.
 */
export function probesFor(suite: readonly Loaded[], probes: readonly Loaded[], world: World): readonly Loaded[] {
  const needed = new Set<GapId>(suite.flatMap(one => [...neededBy(one)]));
  for (let size = -1; size !== needed.size; ) {
    size = needed.size;
    for (const probe of probes)
      if (probe.gap !== undefined && needed.has(probe.gap)) for (const gap of neededBy(probe)) needed.add(gap);
  }
  return probes
    .filter(({ gap }) => gap !== undefined && needed.has(gap))
    .map(probe => ({ ...probe, origin: { ...probe.origin, world } }));
}

export interface Knowledge {
  readonly known: SomeReadings;
  readonly calibration?: Calibration;
  readonly cleanup: Cleanup;
  /** Why it was not found out. */
  readonly ended?: Unreachable;
}

/** Plays the probes and puts back what they have changed. */
export async function knowledgeOf(
  planned: readonly Planned[],
  target: Target,
  {
    names,
    run,
    signal,
    assumed,
    jobs,
    shown = NOTHING,
  }: {
    readonly names: NamesThere;
    readonly run: string;
    readonly signal: AbortSignal;
    readonly assumed?: SomeReadings;
    readonly jobs?: number;
    readonly shown?: Shown;
  },
): Promise<Knowledge> {
  const probes = planned.map(({ mapped }) => mapped);
  const admin = names.real('user', names.admin) ?? names.admin;
  const options = {
    admin,
    passwords: names.passwords,
    run,
    signal,
    views: viewsOf(planned, { target, names, run }, shown),
    ...(assumed !== undefined && { assumed }),
    ...(jobs !== undefined && { jobs }),
  };
  const changes = each(planned.flatMap(one => one.changes.flat()));
  try {
    const calibration = await calibrate(steady(target), probes, options);
    const known = calibration.readings;
    return { known, calibration, cleanup: await cleanUp(changes, { target, names, known }) };
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return { known: {}, cleanup: await cleanUp(changes, { target, names, known: {} }), ended: error };
  }
}

/** A probe whose answers fit no reading at all, and the answers. */
export interface Doubt {
  readonly probe: Planned;
  readonly played: readonly Played[];
}

/** What was answered as no reading allows, although all that was asked before it held. */
export function doubtsIn({ calibration }: Knowledge, probes: readonly Planned[]): readonly Doubt[] {
  return (calibration?.findings ?? []).flatMap(finding => {
    const probe = probes.find(({ written }) => written.gap === finding.gap);
    if (probe === undefined || !('isImpossible' in finding)) return [];
    const { observations, gap } = finding;
    const strange = observations.filter(({ fits }) => fits.length === 0);
    const blamed = strange.length > 0 ? strange : observations.slice(-1);
    const says = `is an answer that no reading of ${gap} gives${strange.length > 0 ? '' : ' after those before it'}`;
    return [
      {
        probe,
        played: blamed.flatMap(({ played }) =>
          played === undefined
            ? []
            : [
                {
                  ...played,
                  outcome: 'failed' as const,
                  differences: [{ ...nothing, found: played.received?.text, says }],
                },
              ],
        ),
      },
    ];
  });
}

const nothing = { of: 'body', pointer: '', expected: undefined } as const;
