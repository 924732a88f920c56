// A fake to calibrate within this process: worlds and readings at will, and of it nothing to see but its answers.
// And the probes, loaded once.

import { silentLog } from '../../../server/engine/log.js';
import { injecting } from '../../../server/library/port/inject.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { type Calibration, calibrate } from '../../../server/remote/calibrate/calibrate.js';
import { loadProbes } from '../../../server/remote/calibrate/probes.js';
import { mapped } from '../../../server/remote/names/mapped-steps.js';
import { NamesThere } from '../../../server/remote/names/name-map.js';
import { defaultFolders, packageRoot } from '../../../server/scenario/load/folders.js';
import type { Loaded } from '../../../server/scenario/load/story.js';
import type { Target } from '../../../server/scenario/play/target.js';
import { isProblems, type Problems } from '../../../server/scenario/yaml/problem.js';
import { type Assembled, assemble } from '../../../server/server.js';
import { settingsFrom } from '../../../server/settings.js';

export const probes: readonly Loaded[] = must(loadProbes(defaultFolders(packageRoot())));
/** As they are played where no map gives other names. */
export const unmapped = probes.map(loaded => mapped(loaded, new NamesThere(loaded.origin.world)));

/** What a target answers a request of the calibration. */
export type Answering = Target['send'];

export interface Fakes {
  readonly assembled: Assembled;
  /** A fake of its own, in which nothing has happened: how it answers. */
  fresh(readings: SomeReadings, scenario?: Loaded): Promise<Answering>;
}

/** The fakes of one process; each run has one to itself. */
export async function fakes(): Promise<Fakes> {
  const assembled = must(await assemble(settingsFrom('small-team', { control: 'off', 'no-explain': true }), silentLog));
  const ask = injecting(assembled.app);
  let count = 0;
  return {
    assembled,
    fresh: async (readings, { origin } = assembled.loaded) => {
      const name = `fake-${count++}`;
      await assembled.session.drop(`fake-${count - 2}`);
      await assembled.session.create(name, { ...origin, readings });
      return request => ask({ ...request, headers: { ...request.headers, 'X-Fake-Sandbox': name } });
    },
  };
}

/** Calibrates what answers so, asked below a context path. */
export function calibrating(send: Answering, context = '', run = 'K3F9Z2'): Promise<Calibration> {
  return calibrate({ url: 'http://server.test', context, send, close: async () => {} }, unmapped, { run });
}

/** What a calibration says of each gap: its reading, or the readings that it may be. */
export function answersOf({ findings }: Calibration): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    findings.map(finding => [finding.gap, 'reading' in finding ? finding.reading : finding.candidates]),
  );
}

/** What has no problems. */
export function must<T extends object>(value: T | Problems): T {
  if (isProblems(value)) throw new Error(JSON.stringify(value.problems));
  return value;
}
