// The YAML format of a map as a JSON Schema: it maps names of the fixture to names on a real server.
import type { JsonSchema } from '../../operations/schema.js';

/** A map as written: the real thing by the fixture's name. Things that are left out have no counterpart. */
export interface MapForm {
  readonly users?: Readonly<Record<string, string>>;
  readonly groups?: Readonly<Record<string, string>>;
  readonly spaces?: Readonly<Record<string, { readonly key: string; readonly name?: string }>>;
  readonly pages?: Readonly<Record<string, { readonly id: string | number; readonly title?: string }>>;
  readonly filters?: Readonly<Record<string, number>>;
  readonly dashboards?: Readonly<Record<string, number>>;
}

/** The kinds of mapped things, with the word for one of them. */
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
  description: 'Maps names of the fixture small-team to names on a real server, for conform and calibrate.',
  type: 'object',
  properties: {
    users: table('Real user names by fixture name', named('The name of the real user.')),
    groups: table('Real group names by fixture name', named('The name of the real group.')),
    spaces: table(
      'Real spaces by fixture key',
      record('A real space.', { key: named('Its key.'), name: named('Its name.') }, ['key']),
    ),
    pages: table(
      'Real pages by fixture id',
      record(
        'A real page.',
        {
          id: { type: ['string', 'integer'], pattern: '[^ ]', description: 'An id that is not blank.' },
          title: named('Its title.'),
        },
        ['id'],
      ),
    ),
    filters: table('Ids of real filters by fixture id', numbered),
    dashboards: table('Ids of real dashboards by fixture id', numbered),
  },
  additionalProperties: false,
};
