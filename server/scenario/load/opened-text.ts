// The text of a file that somebody has elsewhere, such as one dropped on the dashboard, as what a sandbox starts from: a scenario, a fixture or a capsule.
import { basename } from 'node:path';
import { isObject } from '../../domain/form/patch.js';
import { readCapsule } from '../recording/read-capsule.js';
import { recording } from '../recording/recorded.js';
import { Unplayable, worldOf } from '../recording/replay.js';
import { scenarioText } from '../recording/scenario-text.js';
import { isProblems, type Problems, problemWith } from '../yaml/problem.js';
import { parsingSource } from '../yaml/source.js';
import { settling } from './fixture.js';
import type { Folders } from './folders.js';
import { asScenario, isStory } from './load.js';
import { type Loaded, storyFrom } from './story.js';

/** Loads a text as the file of that name; problems name the file and the place in it. May be interrupted. */
export function* loadingText(file: string, text: string, folders: Folders): Generator<unknown, Loaded | Problems> {
  const scenario = isCapsule(file, text) ? yield* scenarioOf(file, text) : text;
  if (typeof scenario !== 'string') return scenario;
  const source = yield* parsingSource(file, scenario);
  if (isProblems(source)) return source;
  const name = nameOf(file);
  if (isStory(source.value)) return yield* storyFrom(source, name, folders);
  return asScenario(yield* settling(source, folders), name);
}

/** A capsule is JSON with a journal in it; a scenario or a fixture may be JSON too. */
function isCapsule(file: string, text: string): boolean {
  if (!file.endsWith('.json') && !text.trimStart().startsWith('{')) return false;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && Object.hasOwn(value, 'entries');
  } catch {
    return file.endsWith('.json') && !/\.(scenario|fixture)\.json$/.test(file) && /"entries"\s*:/.test(text);
  }
}

/** A capsule as the text of the scenario that asks the same. */
function* scenarioOf(file: string, text: string): Generator<unknown, string | Problems> {
  const read = readCapsule(text);
  if ('mistakes' in read) return { problems: read.mistakes.map(mistake => problemWith(file, mistake)) };
  const { capsule } = read;
  yield;
  try {
    const world = worldOf(capsule);
    const everything = { from: 1, to: Number.MAX_SAFE_INTEGER };
    const recorded = world && (yield* recording(capsule, world, everything));
    return recorded === undefined
      ? { problems: [problemWith(file, 'The capsule holds no requests.')] }
      : scenarioText(recorded);
  } catch (error) {
    if (error instanceof Unplayable) return { problems: [problemWith(file, error.message)] };
    throw error;
  }
}

/** What its sandboxes tell as their scenario. */
function nameOf(file: string): string {
  return basename(file).replace(/\.(ya?ml|json)$/, '') || 'opened';
}
