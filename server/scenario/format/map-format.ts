// The YAML format of a map: it maps names of the fixture to names on a real server.
import * as Type from '@sinclair/typebox';
import { exact, type Shape, table } from '../../domain/json/shape.js';

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

const named = (description: string) => Type.String({ minLength: 1, description });
const numbered = Type.Integer({ minimum: 1, description: 'The id on the real server.' });

/** @internal */
export const mapSchema = exact(
  {
    users: Type.Optional(table(named('The name of the real user.'), 'Real user names by fixture name.')),
    groups: Type.Optional(table(named('The name of the real group.'), 'Real group names by fixture name.')),
    spaces: Type.Optional(
      table(
        exact({ key: named('Its key.'), name: Type.Optional(named('Its name.')) }, { description: 'A real space.' }),
        'Real spaces by fixture key.',
      ),
    ),
    pages: Type.Optional(
      table(
        exact(
          {
            id: Type.Unsafe<string | number>({
              type: ['string', 'integer'],
              pattern: '[^ ]',
              description: 'An id that is not blank.',
            }),
            title: Type.Optional(named('Its title.')),
          },
          { description: 'A real page.' },
        ),
        'Real pages by fixture id.',
      ),
    ),
    filters: Type.Optional(table(numbered, 'Ids of real filters by fixture id.')),
    dashboards: Type.Optional(table(numbered, 'Ids of real dashboards by fixture id.')),
  },
  {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://cwx-fake.dev/schemas/map.schema.json',
    title: 'A map of cwx-fake',
    description: 'Maps names of the fixture small-team to names on a real server, for conform and calibrate.',
  },
);

/** Things that are left out have no counterpart. */
export type MapForm = Shape<typeof mapSchema>;
