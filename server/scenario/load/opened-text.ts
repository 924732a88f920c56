// Loads the text of a file from elsewhere, such as one dropped on the dashboard: a scenario, a fixture or a capsule.
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

/** Loads a text; errors name the given file and the place in it. Interruptible. */
export function* loadingText(file: string, text: string, folders: Folders): Generator<unknown, Loaded | Problems> {
  const scenario = isCapsule(file, text) ? yield* scenarioOf(file, text) : text;
  if (typeof scenario !== 'string') return scenario;
  const source = yield* parsingSource(file, scenario);
  if (isProblems(source)) return source;
  const name = nameOf(file);
  if (isStory(source.value)) return yield* storyFrom(source, name, folders);
  return asScenario(yield* settling(source, folders), name);
}

/** A capsule is JSON with a journal; scenarios and fixtures may be JSON too. */
function isCapsule(file: string, text: string): boolean {
  if (!file.endsWith('.json') && !text.trimStart().startsWith('{')) return false;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && Object.hasOwn(value, 'entries');
  } catch {
    return file.endsWith('.json') && !/\.(scenario|fixture)\.json$/.test(file) && /"entries"\s*:/.test(text);
  }
}

/** A capsule as the text of a scenario with the same requests. */
function* scenarioOf(file: string, text: string): Generator<unknown, string | Problems> {
  const read = readCapsule(text);
  if ('errors' in read) return { problems: read.errors.map(error => problemWith(file, error)) };
  const { capsule } = read;
  yield;
  try {
    const world = worldOf(capsule);
    const everything = { from: 1, to: Number.MAX_SAFE_INTEGER };
    const recorded = world && (yield* recording(capsule, world, everything));
    return recorded === undefined
      ? { problems: [problemWith(file, 'The capsule has no requests.')] }
      : scenarioText(recorded);
  } catch (error) {
    if (error instanceof Unplayable) return { problems: [problemWith(file, error.message)] };
    throw error;
  }
}

/** The scenario name of its sandboxes. */
function nameOf(file: string): string {
  return basename(file).replace(/\.(ya?ml|json)$/, '') || 'opened';
}
