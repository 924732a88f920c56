// What is behind a fake and its sandboxes: everything that was put together, until it is stopped. Not for those who use a fake.

import { defaultFolders, type Folders } from '../scenario/load/folders.js';
import { KeptScenarios } from '../scenario/load/kept.js';
import { loadingScenario } from '../scenario/load/load.js';
import type { Assembled } from '../server.js';
import { FakeError } from './fake-error.js';
import type { Ask } from './inject.js';

export interface Inside {
  readonly assembled: Assembled;
  readonly scenarios: KeptScenarios;
  /** Where the fake is, without a slash at the end. */
  readonly url: string;
  /** Asks the whole server within the process; rejects once the fake has been stopped. */
  readonly ask: Ask;
  /** Fails once the fake has been stopped. */
  check(): void;
  /** A name that was given, checked, or else a new one. */
  nameFor(given: string | undefined): string;
}

export function stopped(): FakeError {
  return new FakeError('The fake cannot be asked', [{ message: 'It has been stopped.' }]);
}

const kept = new Map<string, KeptScenarios>();

/** Scenarios that are loaded once in a process, for all fakes that look them up in the same folders. */
export function scenariosOf(options: {
  readonly fixtures?: string | undefined;
  readonly scenarios?: string | undefined;
}): KeptScenarios {
  const folders: Folders = defaultFolders(process.cwd(), options);
  const key = JSON.stringify([process.cwd(), folders]);
  const known = kept.get(key) ?? new KeptScenarios(folders, loadingScenario);
  kept.set(key, known);
  return known;
}
