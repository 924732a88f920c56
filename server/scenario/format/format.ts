// The formats with a published JSON Schema, by name. Editors and loading use the same schemas.
import type { JsonSchema } from '../../operations/schema.js';
import { fixtureSchema } from './fixture-format.js';
import { mapSchema } from './map-format.js';
import { scenarioSchema } from './scenario-format.js';

export const formatSchemas: Readonly<Record<'fixture' | 'scenario' | 'map', JsonSchema>> = {
  fixture: fixtureSchema,
  scenario: scenarioSchema,
  map: mapSchema,
};
