// The YAML format of a map as a JSON Schema: what of a real server stands for what of the fixture, thing by thing.
// Says nothing of which names the fixture has.
import type { JsonSchema } from '../../operations/schema.js';

/** A map as it is written: by the fixture's names, what stands for each. Whatever is left out has nothing that stands for it. */
export interface MapForm {
  readonly users?: Readonly<Record<string, string>>;
  readonly groups?: Readonly<Record<string, string>>;
  readonly spaces?: Readonly<Record<string, { readonly key: string; readonly name?: string }>>;
  readonly pages?: Readonly<Record<string, { readonly id: string | number; readonly title?: string }>>;
  readonly filters?: Readonly<Record<string, number>>;
  readonly dashboards?: Readonly<Record<string, number>>;
}

/** The kinds of things that a map speaks of, each by what one of them is called. */
export const mappedKinds = {
  users: 'user',
  groups: 'group',
  spaces: 'space',
  pages: 'page',
  filters: 'filter',
  dashboards: 'dashboard',
} as const;

export type MappedKind = keyof typeof mappedKinds;

const named = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description });
const numbered: JsonSchema = { type: 'integer', minimum: 1, description: 'The id of the real one.' };
const table = (title: string, additionalProperties: JsonSchema): JsonSchema => ({
  title,
  type: 'object',
  additionalProperties,
});
const record = (description: string, properties: JsonSchema, required: readonly string[]): JsonSchema => ({
  description,
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

export const mapSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://cwx-fake.dev/schemas/map.schema.json',
  title: 'A map of cwx-fake',
  description: 'What of a real server stands for what of the fixture small-team, for conform and calibrate.',
  type: 'object',
  properties: {
    users: table('The real user name, by the name in the fixture', named('The name of the real user.')),
    groups: table('The real group name, by the name in the fixture', named('The name of the real group.')),
    spaces: table(
      'The real space, by the key in the fixture',
      record('A real space.', { key: named('Its key.'), name: named('Its name.') }, ['key']),
    ),
    pages: table(
      'The real page, by the id in the fixture',
      record(
        'A real page.',
        {
          id: { type: ['string', 'integer'], pattern: '[^ ]', description: 'An id that is not blank.' },
          title: named('Its title.'),
        },
        ['id'],
      ),
    ),
    filters: table('The id of the real filter, by the id in the fixture', numbered),
    dashboards: table('The id of the real dashboard, by the id in the fixture', numbered),
  },
  additionalProperties: false,
};
