// The formats with a published JSON Schema, by name. Editors and loading use the same schemas.
import { fixtureSchema } from './fixture-format.js';
import { mapSchema } from './map-format.js';
import { scenarioSchema } from './scenario-format.js';

export const formatSchemas = { fixture: fixtureSchema, scenario: scenarioSchema, map: mapSchema } as const;
