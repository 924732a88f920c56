// Fakes to calibrate: any world and readings, and nothing to see but the responses. And the probes, loaded once.

import { type Calibration, calibrate } from '../../../harness/calibrate/calibrate.js';
import { inWorld, loadProbes } from '../../../harness/calibrate/probes.js';
import { type Mapped, mapped } from '../../../harness/names/mapped-steps.js';
import { NamesThere } from '../../../harness/names/name-map.js';
import { respondOn } from '../../../harness/run/faulty-server.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { chosenReadings } from '../../../server/operations/gaps/profiles.js';
import { defaultFolders, packageRoot } from '../../../server/scenario/files/folders.js';
import type { Loaded } from '../../../server/scenario/load/load-scenario.js';
import type { Target } from '../../../server/scenario/play/target.js';
import { contextFor } from './conforming.js';
import { must, smallTeam } from './outside.js';

export const probes: readonly Loaded[] = must(loadProbes(defaultFolders(packageRoot())));
const team = smallTeam();
const names = new NamesThere(team.origin.world);
export const unmapped: readonly Mapped[] = inWorld(probes, names.world).map(loaded => mapped(loaded, names));

export type Responding = Target['send'];

/** The responses of a new fake, which answers on a world alone: no socket, no sandbox, no explanations. */
export function fresh(readings: SomeReadings, { origin } = team): Responding {
  const context = { readings: chosenReadings({ readings }), now: new Date().toISOString() };
  let { world } = origin;
  return async request => {
    const { response, after } = respondOn({ ...context, world }, request);
    world = after;
    return response;
  };
}

export interface CalibratingOptions {
  readonly context?: string;
  readonly run?: string;
  readonly signal?: AbortSignal;
  readonly played?: readonly Mapped[];
}

export interface Calibrated extends Calibration {
  readonly left: readonly string[];
}

export function calibrating(send: Responding, options: CalibratingOptions = {}): Promise<Calibrated> {
  const target = { url: 'http://server.test', context: options.context ?? '', send, close: async () => {} };
  return calibrated(target, options);
}

export async function calibrated(
  target: Target,
  { run, signal, played = unmapped }: CalibratingOptions = {},
): Promise<Calibrated> {
  const context = await contextFor(target, { names, probes: played, suite: [] }, { run, signal });
  const calibration = await calibrate(played, context);
  return { ...calibration, left: await context.state.restore() };
}

/** The result for each gap: its reading, or the readings that it may be. */
export function responsesOf({ findings }: Calibration): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    findings.map(finding => [finding.gap, 'reading' in finding ? finding.reading : finding.candidates]),
  );
}
