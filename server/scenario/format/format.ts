// The formats that have a published JSON Schema, by name. Editors read what is written from these; loading checks against the same.
import { fixtureSchema } from './fixture-format.js';
import { mapSchema } from './map-format.js';
import { scenarioSchema } from './scenario-format.js';

export const formatSchemas = { fixture: fixtureSchema, scenario: scenarioSchema, map: mapSchema } as const;
