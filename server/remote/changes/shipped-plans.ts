// What the shipped suites of rules and gaps change on a server, as `npm run generate` has found it out by playing them: to play them takes seconds.
// A plan is known by all that it depends on. Plays nothing.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formOf } from '../../domain/form/form.js';
import type { World } from '../../domain/world.js';
import { keyOf } from '../../scenario/load/checked.js';
import { packageRoot } from '../../scenario/load/folders.js';
import type { Loaded } from '../../scenario/load/story.js';
import type { Change } from './changes.js';

/** What a scenario changes on a server. */
export interface Plan {
  /** By step, in the names of the fixture, what it may change under one reading or another. */
  readonly changes: ReadonlyArray<readonly Change[]>;
  /** The steps that a server refuses, under whatever readings: they change nothing. */
  readonly refused: ReadonlySet<number>;
  /** By id the pages that are created with a space, and the space. */
  readonly made: ReadonlyMap<string, string>;
}

/** Below the folder of the package. */
const PLANS_FILE = 'contracts/suite-plans.json';

/** A plan as it is written down: the run is called `${run}` in it. */
export interface WrittenPlan {
  readonly changes: Plan['changes'];
  readonly refused: readonly number[];
  readonly made: ReadonlyArray<readonly [page: string, space: string]>;
}

/** Stands for the name of the run. */
const RUN = ['$', '{run}'].join('');

export function writtenPlan({ changes, refused, made }: Plan, run: string): WrittenPlan {
  const plan: WrittenPlan = { changes, refused: [...refused], made: [...made] };
  return named(plan, run, RUN);
}

/** `undefined`: it is not shipped, or its world is another one. */
export function shippedPlan(story: Loaded, run: string): Plan | undefined {
  plans ??= read();
  const written = plans[planKey(story)];
  if (written === undefined) return undefined;
  const { changes, refused, made } = named(written, RUN, run);
  return { changes, refused: new Set(refused), made: new Map(made) };
}

/** Changes with everything that a plan depends on. */
export function planKey({ origin, gap, steps }: Loaded): string {
  const { world, readings, profile, clock, faults } = origin;
  return keyOf(JSON.stringify([textOf(world), readings, profile, clock, faults, gap, steps]));
}

let plans: Readonly<Record<string, WrittenPlan>> | undefined;
const texts = new WeakMap<World, string>();

function textOf(world: World): string {
  const text = texts.get(world) ?? JSON.stringify(formOf(world));
  texts.set(world, text);
  return text;
}

function named(plan: WrittenPlan, before: string, after: string): WrittenPlan {
  return JSON.parse(JSON.stringify(plan).replaceAll(before, after)) as WrittenPlan; // the same with another name in it
}

function read(): Readonly<Record<string, WrittenPlan>> {
  const file = join(packageRoot(), PLANS_FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, WrittenPlan>) : {}; // made by contracts/suite-plans.ts
}
