// The YAML format of a fixture: a world, alone or over another fixture, and the recipe of a large one.
import * as Type from '@sinclair/typebox';
import { type SparseWorldForm, worldSchema } from '../../domain/form/form-shapes.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import { either, exact, type Shape } from '../../domain/json/shape.js';
import type { JsonSchema } from '../../operations/schema.js';
import { patchOf } from './schema-variants.js';

/** The format of names of fixtures and scenarios. */
export const fileName = {
  pattern: '^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$',
  description: 'A file name without its extension, such as small-team',
};

const amount = (description: string, maximum: number) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum, description }));

/** @internal */
export const recipeSchema = exact(
  {
    users: amount('Number of users: user1, user2, and so on.', 1_000_000),
    groups: amount(
      'Number of groups: all-users, which contains all generated users, then group2, group3, and so on.',
      100_000,
    ),
    spaces: amount('Number of spaces: space1, space2, and so on.', 100_000),
    pages: amount('Number of pages, with ids from 1000001, spread evenly over the spaces.', 1_000_000),
    filters: amount('Number of filters, with ids from 100001.', 1_000_000),
    dashboards: amount('Number of dashboards, with ids from 100001.', 1_000_000),
    seed: amount('Random seed for texts, owners and members. Default: 1.', 4_294_967_295),
  },
  {
    title: 'Recipe',
    description:
      'Generates a large world, always the same for the same numbers. The rest of the file is applied to it.',
  },
);

/** Number of things of each kind. Default: none. */
export type Recipe = Shape<typeof recipeSchema>;

const own = {
  extends: Type.String({
    ...fileName,
    title: 'The fixture to build on. The rest of the file is applied to it; null removes a record',
  }),
  generate: recipeSchema,
};

/** A valid fixture. With `extends`, the rest is a patch. */
export type FixtureForm = (SparseWorldForm | WorldPatch) & { readonly extends?: string; readonly generate?: Recipe };

const fixtureOf = (world: JsonSchema): JsonSchema => ({
  ...world,
  properties: { ...own, ...(world.properties as JsonSchema) }, // every schema of a world has properties
});

/** A fixture with `extends`, and one without. */
export const extendingSchema = fixtureOf(patchOf(worldSchema));
export const ownSchema = fixtureOf(worldSchema);

export const fixtureSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://cwx-fake.dev/schemas/fixture.schema.json',
  title: 'A fixture of cwx-fake',
  description: 'A world: users, groups, spaces, pages, filters, dashboards, favourites and the licence.',
  type: 'object',
  ...either({ type: 'object', required: ['extends'] }, extendingSchema, ownSchema),
};
