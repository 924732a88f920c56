// What a sandbox starts from, given its options. Makes none.
import { found, misfits } from '../engine/request/validate.js';
import type { Origin } from '../engine/sandbox/state.js';
import { LONGEST_TTL_S } from '../engine/store.js';
import { instantFlaws } from '../scenario/checks/step-checks.js';
import { seed as seedSchema } from '../scenario/format/fault-format.js';
import { instant } from '../scenario/format/world-format.js';
import type { Loaded } from '../scenario/load/story.js';
import { isProblems } from '../scenario/yaml/problem.js';
import type { SandboxOptions } from './api.js';
import { FakeError, type FakeProblem, fileProblems } from './fake-error.js';
import type { Inside } from './inside.js';
import { chosenOf, readingProblems, unknownKeys } from './options.js';

/** The beginning of a sandbox with these options, or an error that tells everything that is wrong with them. */
export function originWith(options: SandboxOptions, inside: Inside): Origin {
  const { scenario, readings = {}, clock, seed, ttl } = options;
  const problems = [
    ...unknownKeys(options, ['scenario', 'readings', 'clock', 'seed', 'ttl'], 'a sandbox'),
    ...readingProblems(readings, '/readings'),
    ...(clock === undefined ? [] : clockProblems(clock)),
    ...(seed === undefined ? [] : seedProblems(seed)),
    ...(ttl === undefined ? [] : ttlProblems(ttl)),
  ];
  if (problems.length > 0) throw new FakeError('A sandbox cannot take these options', problems);
  const { origin } = scenario === undefined ? { origin: inside.assembled.session.origin } : loaded(scenario, inside);
  return {
    ...origin,
    readings: { ...origin.readings, ...chosenOf(readings) },
    ...(clock !== undefined && { clock }),
    ...(seed !== undefined && { seed }),
  };
}

/** A scenario by its name or by the path of a file. */
export function loaded(scenario: string, { scenarios }: Pick<Inside, 'scenarios'>): Loaded {
  const story = scenarios.load(String(scenario));
  if (isProblems(story))
    throw new FakeError(`The scenario ${JSON.stringify(scenario)} does not load`, fileProblems(story.problems));
  return story;
}

function clockProblems(clock: string): FakeProblem[] {
  const pointer = '/clock';
  const [wrong] = misfits(instant, clock);
  if (wrong !== undefined) return [{ message: `${wrong.problem}, and it is ${found(clock)}`, pointer }];
  return instantFlaws(clock, []).map(({ message }) => ({ message, pointer }));
}

function seedProblems(seed: number): FakeProblem[] {
  return misfits(seedSchema, seed).map(({ problem, found: what }) => ({
    message: `${problem}, and it is ${what}`,
    pointer: '/seed',
  }));
}

function ttlProblems(ttl: number): FakeProblem[] {
  if (typeof ttl === 'number' && ttl > 0 && ttl <= LONGEST_TTL_S) return [];
  return [{ message: `it takes seconds above 0, up to ${LONGEST_TTL_S}, and it is ${found(ttl)}`, pointer: '/ttl' }];
}
