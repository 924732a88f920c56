// The form of a world as a JSON Schema: what a fixture holds, what a patch changes, what `then` expects.
// Says nothing of references between records: that every name is the name of something is checked on the world itself.
import type { CollectionName, NamesForm, SparseForm, WorldForm } from '../../domain/form/form-shapes.js';
import { LONGEST_TEXT } from '../../domain/pages.js';
import type { SidebarLink } from '../../domain/world.js';
import { either, formOf, instant, type JsonSchema, type MemberSchemas } from '../../operations/schema.js';

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
  return { ...formOf<T>(properties, required), description };
}

const names = (description: string): JsonSchema =>
  record<NamesForm>({ users: userNames, groups: groupNames }, description);

const item = (what: string): JsonSchema =>
  record<SparseForm<'filters'>>(
    {
      name: text('Its name; left out, its id.'),
      owner: text('The name of the user it belongs to, who always sees it.'),
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

/** What the name of a user, a group or a space has to be: whoever takes any name knows it by this object. */
export const named: JsonSchema = { pattern: '[^ ]', description: 'A name that is not blank' };
const pageNumber: JsonSchema = {
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'An id: a whole number from 1, of at most 15 digits',
};
/** A number of 32 bits is its own hash in the maps of a world: of larger ones somebody could choose thousands with the same. */
const itemNumber: JsonSchema = {
  pattern: '^[1-9][0-9]{0,8}$',
  description: 'An id: a whole number from 1, of at most 9 digits',
};

const table = (title: string, description: string, propertyNames: JsonSchema, additionalProperties: JsonSchema) => ({
  title,
  description,
  type: 'object',
  propertyNames,
  additionalProperties,
});

const tables: { readonly [C in CollectionName]: JsonSchema } = {
  users: table(
    'Users',
    'By user name. There is always an anonymous caller, so no user is called `anonymous`.',
    named,
    record<SparseForm<'users'>>(
      {
        displayName: text('How people see the name; left out, the user name.'),
        password: text('Left out, any password is right.'),
        token: { type: 'string', minLength: 1, description: 'A personal access token, for Bearer.' },
        admin: { type: 'boolean', description: 'Whether the user is an admin; left out, no.' },
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
        name: text('Left out, the key.'),
        admins: userNames,
        sidebar: list(
          record<SidebarLink>({ label: text('The text of the link.'), url: text('Where the link leads.') }, 'A link.', [
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
        title: text('Its title, which no other page of the space has.'),
        body: { ...text('Its text, in storage format.'), maxLength: LONGEST_TEXT },
        author: text('The user who made it, or `anonymous`, the default.'),
        created: { ...instant, title: 'When it was made; left out, the first second of 2025' },
        updatedBy: text('The user who changed it last; left out, the author.'),
        updated: { ...instant, title: 'When it was changed last; left out, when it was made' },
        version: { type: 'integer', minimum: 1, maximum: 2_147_483_647, description: 'From 1, the default.' },
        position: {
          type: 'integer',
          minimum: 0,
          maximum: 2_147_483_647,
          description: 'Pages of a space stand in this order; left out, in the order of the file.',
        },
        edit: names('Who may edit it; nobody named means everyone.'),
        view: names('Who may view it; nobody named means everyone.'),
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

/** A whole world, with defaults for what is left out. */
export const worldSchema: JsonSchema = {
  ...formOf<WorldForm>({
    ...tables,
    licence: record<WorldForm['licence']>(
      {
        ppf: { enum: ['valid', 'expired', 'none'], description: 'That of the push and pull add-on; left out, valid.' },
      },
      'The licences.',
    ),
    nextPageId: {
      type: 'integer',
      minimum: 1,
      maximum: 999_999_999_999_999,
      description: 'The least id that the next page may have; it is always above those of all pages.',
    },
  }),
};

/** What each collection holds, by its name in a sentence. */
export const recordNames: { readonly [C in CollectionName]: string } = {
  users: 'user',
  groups: 'group',
  spaces: 'space',
  pages: 'page',
  filters: 'filter',
  dashboards: 'dashboard',
  favourites: 'user with favourites',
};
