// The YAML format of a scenario as a JSON Schema: a world, readings, clock and faults of its sandbox, and its steps.
import type { WorldPatch } from '../../domain/form/patch.js';
import { worldSchema } from '../../engine/codec/world-schema.js';
import { type Fault, faultSchema, MAX_FAULTS } from '../../engine/faults/fault.js';
import { type GapId, gapIds, type SomeReadings } from '../../operations/gaps/gaps.js';
import { type ProfileName, profileNames } from '../../operations/gaps/profiles.js';
import { instant, type JsonSchema, objectSchemaOf } from '../../operations/schema.js';
import { fileName } from './fixture-format.js';
import { readingsSchema } from './readings-format.js';
import { patchOf, standInDefinitions } from './schema-variants.js';
import { expectationDefinitions, type Step, stepSchema } from './step-format.js';

/** A valid scenario. */
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
  description: 'A world and steps in it: a demo, a test and a provider state in one.',
  ...objectSchemaOf<ScenarioForm>(
    {
      title: { type: 'string', description: 'Title in a few words.' },
      about: { type: 'string', description: 'Audience and content, in a sentence or two.' },
      fixture: { ...fileName, title: 'The fixture of its world. Default: an empty world' },
      world: { title: 'Changes to the fixture; null removes', ...patchOf(worldSchema) },
      profile: {
        enum: profileNames,
        title: 'Profile of its readings. Default: that of the server',
      },
      readings: readingsSchema,
      clock: { ...instant, title: 'The instant at which the clock is frozen. Default: the clock runs' },
      faults: { title: 'Faults to arm before the steps', type: 'array', items: faultSchema, maxItems: MAX_FAULTS },
      gap: { enum: gapIds, title: 'The gap that steps with `for` probe' },
      steps: { title: 'The steps, in order', type: 'array', items: stepSchema },
    },
    ['title'],
  ),
  $defs: { ...standInDefinitions, ...expectationDefinitions },
};
