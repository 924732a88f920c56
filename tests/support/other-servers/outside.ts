// Fakes as servers that are not ours: asked over nothing but documented requests, without control API and without telling headers.
import * as fc from 'fast-check';
import type { HttpRequest } from '../../../server/derive/sending/call.js';
import { silentLog } from '../../../server/engine/log.js';
import { gapIds, readingNames, type SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { type Assembled, assemble } from '../../../server/process/server.js';
import { defaultFolders } from '../../../server/scenario/files/folders.js';
import { loadNamed } from '../../../server/scenario/load/load.js';
import type { Loaded } from '../../../server/scenario/load/load-scenario.js';
import type { Target } from '../../../server/scenario/play/target.js';
import { isProblems, type Problems } from '../../../server/scenario/yaml/problem.js';
import { type FlagValues, settingsFrom } from '../../../server/settings/settings.js';

export async function fakeUnder(readings: SomeReadings, flags: FlagValues = {}): Promise<Assembled> {
  const reading = Object.entries(readings).map(([gap, value]) => `${gap}=${value}`);
  const fake = await assemble(settingsFrom(undefined, { reading, ...flags }), silentLog);
  if (isProblems(fake)) throw new Error(JSON.stringify(fake.problems));
  return fake;
}

/** What keeps a fake from telling that it is one. */
export const silent: FlagValues = { control: 'off', 'no-explain': true };

/** Any readings; of the context path no literal. */
export const anyReadings: fc.Arbitrary<SomeReadings> = fc.record(
  Object.fromEntries(gapIds.map(gap => [gap, fc.constantFrom(...readingNames(gap))])),
) as fc.Arbitrary<SomeReadings>; // one reading for each gap

export function smallTeam(): Loaded {
  return must(loadNamed('small-team', defaultFolders(process.cwd())));
}

export function must<T extends object>(value: T | Problems): T {
  if (isProblems(value)) throw new Error(JSON.stringify(value.problems));
  return value;
}

export function withoutRest(target: Target): Target {
  return elsewhere(target, ({ path }) => /\/rest\/api\/(?!cwx)/.test(path));
}

export function elsewhere(target: Target, isGone: (request: HttpRequest) => boolean): Target {
  const gone = { status: 404, headers: {}, text: '' };
  const { url, context } = target;
  const send = async (request: HttpRequest) => (isGone(request) ? gone : target.send(request));
  return { url, context, send, close: async () => {} };
}
