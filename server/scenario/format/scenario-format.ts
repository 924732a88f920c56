// The YAML format of a scenario as a JSON Schema: a world, the readings, clock and faults of its sandbox, and its steps.
// Knows nothing of how a scenario is read or played.
import type { WorldPatch } from '../../domain/form/patch.js';
import { type Fault, MOST_FAULTS } from '../../engine/faults/fault.js';
import { faultSchema } from '../../engine/faults/fault-schema.js';
import { type GapId, gapIds, type SomeReadings } from '../../operations/gaps/gaps.js';
import { type ProfileName, profileNames } from '../../operations/gaps/profiles.js';
import { formOf, instant, type JsonSchema } from '../../operations/schema.js';
import { fileName } from './fixture-format.js';
import { readingsSchema } from './readings-format.js';
import { patchOf, standInDefinitions } from './schema-variants.js';
import { expectationDefinitions, type Step, stepSchema } from './step-format.js';
import { worldSchema } from './world-format.js';

/** A scenario that has been checked. */
export interface ScenarioForm {
  readonly title: string;
  readonly about?: string;
  readonly fixture?: string;
  readonly world?: WorldPatch;
  readonly profile?: ProfileName;
  readonly readings?: SomeReadings;
  readonly clock?: string;
  readonly faults?: readonly Fault[];
  readonly gap?: GapId;
  readonly steps?: readonly Step[];
}

export const scenarioSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://cwx-fake.dev/schemas/scenario.schema.json',
  title: 'A scenario of cwx-fake',
  description: 'A world, and what happens in it: a demo, a test and a provider state in one.',
  ...formOf<ScenarioForm>(
    {
      title: { type: 'string', description: 'What it shows, in a few words.' },
      about: { type: 'string', description: 'Whom it is for and what they see, in a sentence or two.' },
      fixture: { ...fileName, title: 'The fixture that its world begins with; left out, an empty world' },
      world: { title: 'Laid over the fixture; null takes away', ...patchOf(worldSchema) },
      profile: {
        enum: profileNames,
        title: 'The readings that its gaps have unless one is chosen; left out, those of the server',
      },
      readings: readingsSchema,
      clock: { ...instant, title: 'Where the clock of the sandbox stands; left out, it runs' },
      faults: { title: 'Faults to arm before the steps', type: 'array', items: faultSchema, maxItems: MOST_FAULTS },
      gap: { enum: gapIds, title: 'The gap that the steps with `for` ask about' },
      steps: { title: 'What happens, in order', type: 'array', items: stepSchema },
    },
    ['title'],
  ),
  $defs: { ...standInDefinitions, ...expectationDefinitions },
};
