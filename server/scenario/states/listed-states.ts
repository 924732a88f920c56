// The list of provider states.
import type { JsonSchema } from '../../operations/schema.js';
import type { Folders } from '../files/folders.js';
import { listFixtures, listScenarios } from '../load/load.js';
import { providerStateCatalogue } from './provider-states.js';

/** A state that begins a world: a scenario or a fixture by name. */
export interface BeginningState {
  readonly name: string;
  readonly title: string;
}

/** A state that adds to a world. */
export interface AddingState {
  readonly name: string;
  readonly says: string;
  /** Schema of an object with its parameters. */
  readonly params: JsonSchema;
  /** Names of its values for `fromProviderState`. */
  readonly gives: readonly string[];
}

export interface ListedStates {
  readonly scenarios: readonly BeginningState[];
  readonly fixtures: readonly BeginningState[];
  readonly states: readonly AddingState[];
}

export function listStates(folders: Folders): ListedStates {
  return {
    scenarios: listScenarios(folders).map(({ name, title }) => ({ name, title })),
    fixtures: listFixtures(folders),
    states: providerStateCatalogue.map(({ name, says, params, gives }) => ({ name, says, params, gives })),
  };
}
