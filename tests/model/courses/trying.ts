// Tries random courses until the time or the number is used up, and reports a failure with seed, path, and the shrunk course as a list.
// MODEL_SEED and MODEL_PATH repeat one; MODEL_RUNS=n tries n courses, however long that takes.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Driver } from '../driver.js';
import type { Origin } from '../model.js';
import type { Json } from '../model-world.js';
import { courses, type Step } from '../steps.js';
import { Course, Place } from './course.js';

/** The scenario that a fake has to begin with. */
export const SCENARIO = new URL('standing-clock.yaml', import.meta.url).pathname;

export const origin: Origin = {
  world: parse(readFileSync(new URL('../../../fixtures/small-team.yaml', import.meta.url), 'utf8')) as Json,
  readings: {},
  clock: '2026-01-05T09:00:00Z',
};

type Steps = ReturnType<typeof courses> extends fc.Arbitrary<infer T> ? T : never;

let tried = 0;

/** Runs one course on a fake, and leaves it with only the sandbox `default`, in its initial state. */
export async function go(driver: Driver, steps: Steps): Promise<void> {
  tried += 1;
  const place = new Place(driver, `run${tried}-`);
  const course = new Course(origin);
  await driver.replace('default', {});
  try {
    await fc.asyncModelRun(() => ({ model: course, real: place }), steps as Iterable<Step>);
    await course.compareAll(place);
  } finally {
    for (const name of await driver.names()) if (name !== 'default') await driver.drop(name);
  }
}

export interface Trying {
  /** Milliseconds after which no further course begins. */
  readonly time: number;
  /** How to repeat a failure: the file, and the title of the test. */
  readonly test: string;
}

/** Courses of at most this many steps; returns how many were run. */
export function tryCourses(driver: Driver, steps: number, trying: Trying): Promise<number> {
  const [, replayPath] = wanted();
  const property = fc.asyncProperty(courses(steps, replayPath), course => go(driver, course));
  return tryAll(property, trying, ([course]) => ({
    lines: [...course].map(String),
    replayPath: /replayPath="([^"]*)"/.exec(String(course))?.[1] ?? '',
  }));
}

interface Shown {
  readonly lines: readonly string[];
  readonly replayPath?: string;
}

/** Each run uses another seed, since one may find what another misses. A failure names it. */
export async function tryAll<T>(
  property: fc.IAsyncProperty<T>,
  { time, test }: Trying,
  show: (example: T) => Shown,
): Promise<number> {
  const { MODEL_SEED, MODEL_RUNS } = process.env;
  const [path] = wanted();
  const details = await fc.check(property, {
    ...(MODEL_SEED !== undefined && { seed: Number(MODEL_SEED) }),
    ...(path !== undefined && { path }),
    ...(MODEL_RUNS === undefined
      ? { numRuns: 100_000, interruptAfterTimeLimit: time }
      : { numRuns: Number(MODEL_RUNS) }),
  });
  if (!details.failed || details.counterexample === null) return details.numRuns;
  const { seed, counterexamplePath, counterexample, errorInstance, numShrinks } = details;
  const { lines, replayPath } = show(counterexample);
  const again = `${counterexamplePath}${replayPath === undefined ? '' : `@${replayPath}`}`;
  throw new Error(
    [
      `the fake is not what the model says: ${difference(errorInstance)}`,
      ...lines.map((line, i) => `  ${i + 1}. ${line}`),
      `(after ${numShrinks} shrinkings) to repeat it: MODEL_SEED=${seed} MODEL_PATH='${again}' npx mocha ${test}`,
    ].join('\n'),
  );
}

/** The two parts of MODEL_PATH: the path of a property, and that of its commands. */
function wanted(): readonly [path?: string, replayPath?: string] {
  const { MODEL_PATH } = process.env;
  return MODEL_PATH === undefined ? [] : (MODEL_PATH.split('@') as [string, string?]); // there is always a first part
}

function difference(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('actual' in error && 'expected' in error)) return error.stack ?? error.message;
  return `${error.message}\n  it is ${JSON.stringify(error.actual)}\n  and should be ${JSON.stringify(error.expected)}`;
}
