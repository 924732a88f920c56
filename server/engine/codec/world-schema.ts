// The format of a world as a JSON Schema: of fixtures, patches and `then`. References between records are checked on the world itself.
import type { CollectionName, NamesForm, SparseForm, WorldForm } from '../../domain/form/form-shapes.js';
import { LONGEST_TEXT } from '../../domain/world/pages.js';
import type { SidebarLink } from '../../domain/world/world.js';
import { either, instant, type JsonSchema, type MemberSchemas, objectSchemaOf } from '../../operations/schema.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const list = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description });
const userNames = list(text('The name of a user.'), 'Users, by name.');
const groupNames = list(text('The name of a group.'), 'Groups, by name.');
const ids = (what: string): JsonSchema =>
  list({ type: 'integer', minimum: 1, maximum: 999_999_999 }, `${what}, by id.`);

/** A record of the world, with every member of its form. */
function record<T>(
  properties: MemberSchemas<T>,
  description: string,
  required: readonly (keyof T & string)[] = [],
): JsonSchema {
  return { ...objectSchemaOf<T>(properties, required), description };
}

const names = (description: string): JsonSchema =>
  record<NamesForm>({ users: userNames, groups: groupNames }, description);

const item = (what: string): JsonSchema =>
  record<SparseForm<'filters'>>(
    {
      name: text('Its name. Default: its id.'),
      owner: text('The name of its owner, who always sees it.'),
      sharedWith: {
        title: 'Who may see it',
        description: '`everyone`, `nobody` (the default), or users and groups.',
        ...either({ type: 'object' }, names('These users, and the members of these groups.'), {
          enum: ['everyone', 'nobody'],
        }),
      },
    },
    `A ${what}.`,
    ['owner'],
  );

/** The format of names of users, groups and spaces: code that accepts any name compares with this object. */
export const named: JsonSchema = { pattern: '[^ ]', description: 'A name that is not blank' };
const pageNumber: JsonSchema = {
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'An id: a whole number from 1 with at most 15 digits',
};
/** A number below 2^32 is its own hash in the maps of a world; of larger ones somebody could choose thousands with one hash. */
const itemNumber: JsonSchema = {
  pattern: '^[1-9][0-9]{0,8}$',
  description: 'An id: a whole number from 1 with at most 9 digits',
};

const table = (title: string, description: string, propertyNames: JsonSchema, additionalProperties: JsonSchema) => ({
  title,
  description,
  type: 'object',
  propertyNames,
  additionalProperties,
});

/** The texts of a page. */
export const pageTexts = {
  title: text('Its title, unique in the space.'),
  body: { ...text('Its body in storage format.'), maxLength: LONGEST_TEXT },
};

const tables: { readonly [C in CollectionName]: JsonSchema } = {
  users: table(
    'Users',
    'By user name. No user may be called `anonymous`, the caller without credentials.',
    named,
    record<SparseForm<'users'>>(
      {
        displayName: text('Display name. Default: the user name.'),
        password: text('Password. Default: any password is accepted.'),
        token: { type: 'string', minLength: 1, description: 'Personal access token for Bearer.' },
        admin: { type: 'boolean', description: 'Whether the user is an admin. Default: false.' },
      },
      'A user.',
    ),
  ),
  groups: table('Groups', 'The user names of the members, by group name.', named, userNames),
  spaces: table(
    'Spaces',
    'By key.',
    named,
    record<SparseForm<'spaces'>>(
      {
        name: text('Name. Default: the key.'),
        admins: userNames,
        sidebar: list(
          record<SidebarLink>({ label: text('The text of the link.'), url: text('URL of the link.') }, 'A link.', [
            'label',
            'url',
          ]),
          'The links of the sidebar, in order.',
        ),
      },
      'A space.',
    ),
  ),
  pages: table(
    'Pages',
    'By id.',
    pageNumber,
    record<SparseForm<'pages'>>(
      {
        space: text('The key of the space it is in.'),
        ...pageTexts,
        author: text('The user who created it, or `anonymous` (default).'),
        created: { ...instant, title: 'Time of creation. Default: the first second of 2025' },
        updatedBy: text('The user who changed it last. Default: the author.'),
        updated: { ...instant, title: 'Time of the last change. Default: time of creation' },
        version: { type: 'integer', minimum: 1, maximum: 2_147_483_647, description: 'Version, from 1 (default).' },
        position: {
          type: 'integer',
          minimum: 0,
          maximum: 2_147_483_647,
          description: 'Position among the pages of its space. Default: the order of the file.',
        },
        edit: names('Who may edit it; empty means everyone.'),
        view: names('Who may view it; empty means everyone.'),
      },
      'A page.',
      ['space', 'title'],
    ),
  ),
  filters: table('Filters', 'By id.', itemNumber, item('filter')),
  dashboards: table('Dashboards', 'By id.', itemNumber, item('dashboard')),
  favourites: table(
    'Favourites',
    'By user name.',
    named,
    record<SparseForm<'favourites'>>(
      { filters: ids('Filters'), dashboards: ids('Dashboards') },
      'The favourites of a user.',
    ),
  ),
};

/** A whole world, with defaults for absent parts. */
export const worldSchema: JsonSchema = {
  ...objectSchemaOf<WorldForm>({
    ...tables,
    licence: record<WorldForm['licence']>(
      {
        ppf: {
          enum: ['valid', 'expired', 'none'],
          description: 'Licence of the push and pull add-on. Default: valid.',
        },
      },
      'The licences.',
    ),
    nextPageId: {
      type: 'integer',
      minimum: 1,
      maximum: 999_999_999_999_999,
      description: 'The minimum id of the next page; always above the ids of all pages.',
    },
  }),
};
