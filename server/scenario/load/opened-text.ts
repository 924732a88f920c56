// Loads the text of a file from elsewhere, such as one dropped on the dashboard: a scenario or a fixture.
import { basename } from 'node:path';
import type { Folders } from '../files/folders.js';
import { isProblems, type Problems } from '../yaml/problem.js';
import { parseSource } from '../yaml/source.js';
import { buildingFixture } from './fixture.js';
import { asScenario, isStory } from './load.js';
import { type Loaded, storyFrom } from './story.js';

/** Loads a text; errors name the given file and the place in it. Interruptible: a recipe can take seconds. */
export function* loadingText(file: string, text: string, folders: Folders): Generator<unknown, Loaded | Problems> {
  const source = parseSource(file, text, folders.largest);
  if (isProblems(source)) return source;
  const name = basename(file).replace(/\.(ya?ml|json)$/, '') || 'opened'; // of its sandboxes
  if (isStory(source.value)) return yield* storyFrom(source, name, folders);
  return asScenario(yield* buildingFixture(source, folders), name);
}
