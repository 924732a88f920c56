// Plays the rules suite for tests: on a fake in process, with known or unknown readings, each file on a fresh fixture; returns what failed.
import { expect } from 'chai';
import fc from 'fast-check';
import { inProcess } from '../../server/library/target/in-process-target.js';
import { gapIds, isReading, readingNames, type SomeReadings } from '../../server/operations/gaps/gaps.js';
import { namesBeside } from '../../server/scenario/files/folders.js';
import { loadNamed } from '../../server/scenario/load/load.js';
import type { Loaded } from '../../server/scenario/load/load-scenario.js';
import type { PlaySettings } from '../../server/scenario/play/player.js';
import { type Played, Player } from '../../server/scenario/play/player.js';
import type { Target } from '../../server/scenario/play/target.js';
import { isProblems, showProblem } from '../../server/scenario/yaml/problem.js';
import { assembled } from '../support/scenarios/shipped-runs.js';

export const fake = await assembled();
const names = namesBeside('rules/x', fake.context.folders.scenarios);
export const suite = new Map(names.map(name => [name.slice('rules/'.length), loaded(name)]));

export function loaded(name: string): Loaded {
  const story = loadNamed(name, fake.context.folders);
  if (isProblems(story)) throw new Error(story.problems.map(showProblem).join('\n'));
  return story;
}

export async function all(story: Loaded, target: Target, settings?: PlaySettings): Promise<Played[]> {
  const played: Played[] = [];
  for await (const step of new Player(story, target, settings).all()) played.push(step);
  return played;
}

/** The whole suite, by file. The target has to reset its world for each file. */
export async function everything(target: Target, settings?: PlaySettings): Promise<Map<string, Played[]>> {
  const played = new Map<string, Played[]>();
  for (const [rule, story] of suite) played.set(rule, await all(story, target, settings));
  return played;
}

/** The suite against fakes without their control API, one for each file. */
export async function asked(readings: SomeReadings, known: SomeReadings): Promise<Map<string, Played[]>> {
  const played = new Map<string, Played[]>();
  for (const [file, story] of suite) {
    await fake.session.drop('asked');
    await fake.session.create('asked', { ...loaded('small-team').origin, readings });
    const { control: _, ...target } = inProcess(fake, 'asked');
    played.set(file, await all(story, target, { known }));
  }
  return played;
}

/** The address of a server is always known: otherwise it could not be called. */
export function addressOf(readings: SomeReadings): SomeReadings {
  const { 'wiki-prefix': prefix, 'context-path': path } = readings;
  return { ...(prefix && { 'wiki-prefix': prefix }), ...(path && { 'context-path': path }) };
}

function choices(gap: (typeof gapIds)[number]): string[] {
  return [...readingNames(gap), ...(isReading(gap, '/team') ? ['/team'] : [])];
}

/** What failed, by file. Steps whose precondition is missing are not judged, and the licence of a server has not expired. */
export function failures(suitePlayed: ReadonlyMap<string, readonly Played[]>, isLicensed = false): string[] {
  return [...suitePlayed].flatMap(([rule, played]) => {
    const [first] = failed(played);
    if (isLicensed && rule === 'ppf.licensed-only' && first?.step.proves === undefined) return [];
    return failed(played).map(
      ({ step, line, differences }) =>
        `${rule}:${line} ${step.proves === undefined ? '(ground) ' : ''}${step.say}: ${differences.map(({ of, says }) => `${of} ${says}`).join('; ')}`,
    );
  });
}

function failed(played: readonly Played[]): Played[] {
  return played.filter(({ outcome }) => outcome === 'failed');
}

export function shown({ step, outcome, received, differences, insight }: Played) {
  return { step, outcome, status: received?.status, text: received?.text, differences, rules: insight?.rules };
}

/** Plays the suite against servers with random readings, a random part of which is known. */
export async function holdOnAny(runs: number): Promise<void> {
  const chosen = fc.record(Object.fromEntries(gapIds.map(gap => [gap, fc.constantFrom(...choices(gap))])));
  const known = fc.array(fc.boolean(), { minLength: gapIds.length, maxLength: gapIds.length });
  await fc.assert(
    fc.asyncProperty(chosen, known, async (readings: SomeReadings, isKnown) => {
      const part = Object.fromEntries(Object.entries(readings).filter((_, i) => isKnown[i]));
      expect(failures(await asked(readings, { ...part, ...addressOf(readings) }), true)).to.deep.equal([]);
    }),
    { numRuns: runs, includeErrorInReport: true },
  );
}
