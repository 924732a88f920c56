// The YAML format of a scenario: a world, readings, clock, faults and stubs of its sandbox, and its steps.
import * as Type from '@sinclair/typebox';
import { exact, instant, oneOf, type Shape, typed } from '../../domain/json/shape.js';
import { gapIds, type SomeReadings } from '../../operations/gaps/gaps.js';
import { profileNames } from '../../operations/gaps/profiles.js';
import { fileName } from './fixture-format.js';
import { changes, definitions, faultList, stepSchema, stubList } from './step-format.js';

/** @internal */
export const scenarioSchema = exact(
  {
    title: Type.String({ description: 'The title, a few words.' }),
    about: Type.Optional(
      Type.String({ description: 'Who the scenario is for and what it shows, in a sentence or two.' }),
    ),
    fixture: Type.Optional(
      Type.String({ ...fileName, title: 'The fixture that the world starts from. Default: an empty world' }),
    ),
    world: changes('Changes to the fixture; null removes a record'),
    profile: Type.Optional(oneOf(profileNames, { title: "The profile of readings. Default: the server's" })),
    readings: Type.Optional(typed<SomeReadings>('SomeReadings', { $ref: '#/$defs/readings' })),
    clock: Type.Optional(
      Type.Unsafe<string>({
        ...instant,
        title: 'The instant at which the clock is frozen. Default: the clock runs',
      }),
    ),
    faults: faultList('Faults to set before the steps'),
    stubs: stubList('Responses to requests that the fake does not model'),
    gap: Type.Optional(oneOf(gapIds, { title: 'The gap that steps with `for` probe' })),
    steps: Type.Optional(Type.Array(stepSchema, { title: 'The steps, in order' })),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://cwx-fake.dev/schemas/scenario.schema.json',
    title: 'A scenario of cwx-fake',
    description: 'A world and steps in it: a demo, a test and a provider state in one.',
    $defs: definitions,
  },
);

/** A valid scenario. */
export type ScenarioForm = Shape<typeof scenarioSchema>;
