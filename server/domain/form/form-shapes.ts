// The world's JSON form, a fixture: its format, and its types with defaults left out (sparse) or filled in. form.ts reads and writes it. References between
// records are checked on the world itself.
import * as Type from '@sinclair/typebox';
import { either, exact, instant, oneOf, type Shape } from '../json/shape.js';
import { LONGEST_TEXT } from '../world/pages.js';
import type { Licence } from '../world/world.js';

const text = (description: string) => Type.String({ description });
const optional = (description: string) => Type.Optional(text(description));
/** A name out of a collection, from which a form lets somebody choose. */
const nameOf = (collection: 'users' | 'groups' | 'spaces', description: string) =>
  Type.String({ description, 'x-collection': collection });
const count = (minimum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum: 2_147_483_647, description }));
const userNames = Type.Array(nameOf('users', 'The name of a user.'), {
  uniqueItems: true,
  description: 'Names of users.',
});
const groupNames = Type.Array(nameOf('groups', 'The name of a group.'), {
  uniqueItems: true,
  description: 'Names of groups.',
});
const ids = (collection: 'filters' | 'dashboards', description: string) =>
  Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 999_999_999, 'x-collection': collection }), {
      uniqueItems: true,
      description,
    }),
  );
const time = (title: string) => Type.Optional(Type.Unsafe<string>({ ...instant, title }));
const names = (description: string) =>
  exact({ users: Type.Optional(userNames), groups: Type.Optional(groupNames) }, { description });

const audience = names('These users and the members of these groups.');
/** @internal */
export const itemSchema = (what: string) =>
  exact(
    {
      name: optional('The name. Default: the id.'),
      owner: nameOf('users', 'The user name of the owner, who can always see it.'),
      sharedWith: Type.Optional(
        Type.Unsafe<'everyone' | 'nobody' | Type.Static<typeof audience>>({
          title: 'Who can see it',
          description: '`everyone`, `nobody` (the default), or users and groups.',
          ...either({ type: 'object' }, audience, { enum: ['everyone', 'nobody'] }),
        }),
      ),
    },
    { description: `A ${what}.` },
  );

/** The format of names of users, groups and spaces: code that accepts any name compares with this object. */
export const named = { pattern: '[^ ]', description: 'A name that is not blank' };
const pageNumber = {
  pattern: '^[1-9][0-9]{0,14}$',
  description: 'A numeric id of 1 to 15 digits without a leading zero, such as 10500; the title goes in title',
};
/** A number below 2^32 is its own hash in the maps of a world; of larger ones somebody could choose thousands with one hash. */
const itemNumber = {
  pattern: '^[1-9][0-9]{0,8}$',
  description: 'A numeric id from 1 to 999999999, such as 10500; a name goes in name',
};

/** @internal */
export const userSchema = exact(
  {
    displayName: optional('Display name. Default: the user name.'),
    password: optional('Password. Default: any password is accepted.'),
    token: Type.Optional(Type.String({ minLength: 1, description: 'Personal access token for Bearer.' })),
    admin: Type.Optional(Type.Boolean({ description: 'Whether the user is an admin. Default: false.' })),
  },
  { description: 'A user.' },
);

/** @internal */
export const spaceSchema = exact(
  {
    name: optional('Name. Default: the key.'),
    admins: Type.Optional(userNames),
    sidebar: Type.Optional(
      Type.Array(
        exact({ label: text('The text of the link.'), url: text('URL of the link.') }, { description: 'A link.' }),
        { description: 'The links of the sidebar, in order.' },
      ),
    ),
  },
  { description: 'A space.' },
);

/** @internal */
export const pageSchema = exact(
  {
    space: nameOf('spaces', 'The key of its space.'),
    title: text('The title, unique in the space.'),
    body: Type.Optional(Type.String({ description: 'The body in storage format.', maxLength: LONGEST_TEXT })),
    author: Type.Optional(nameOf('users', 'The user who created it, or `anonymous` (default).')),
    created: time('Time of creation. Default: the first second of 2025'),
    updatedBy: Type.Optional(nameOf('users', 'The user who changed it last. Default: the author.')),
    updated: time('Time of the last change. Default: time of creation'),
    version: count(1, 'Version, from 1 (default).'),
    position: count(0, 'Position among the pages of its space. Default: the order of the file.'),
    edit: Type.Optional(names('The users and groups that can edit the page; empty: everyone.')),
    view: Type.Optional(names('The users and groups that can view the page; empty: everyone.')),
  },
  { description: 'A page.' },
);

const records = <S extends Type.TSchema>(title: string, description: string, propertyNames: object, values: S) =>
  Type.Optional(
    Type.Unsafe<Record<string, Type.Static<S>>>({
      title,
      description,
      type: 'object',
      propertyNames,
      additionalProperties: values,
    }),
  );

/** @internal A whole world, with defaults for absent parts. */
export const worldSchema = exact({
  users: records(
    'Users',
    'By user name. The name `anonymous` is reserved for callers without credentials.',
    named,
    userSchema,
  ),
  groups: records('Groups', 'The user names of the members, by group name.', named, userNames),
  spaces: records('Spaces', 'By key.', named, spaceSchema),
  pages: records('Pages', 'By id.', pageNumber, pageSchema),
  filters: records('Filters', 'By id.', itemNumber, itemSchema('filter')),
  dashboards: records('Dashboards', 'By id.', itemNumber, itemSchema('dashboard')),
  favourites: records(
    'Favourites',
    'By user name.',
    named,
    exact(
      { filters: ids('filters', 'Filters, by id.'), dashboards: ids('dashboards', 'Dashboards, by id.') },
      { description: 'The favourites of a user.' },
    ),
  ),
  licence: Type.Optional(
    exact(
      {
        ppf: Type.Optional(
          oneOf(['valid', 'expired', 'none'], {
            description: 'Licence of the push and pull add-on. Default: valid.',
          }),
        ),
      },
      { description: 'The licences.' },
    ),
  ),
  nextPageId: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999_999_999,
      description: 'The lowest possible id of the next page; always above the ids of all pages.',
    }),
  ),
});

type WorldFormat = Shape<typeof worldSchema>;
export type CollectionName = Exclude<keyof WorldFormat, 'licence' | 'nextPageId'>;
type Format<C extends CollectionName> = NonNullable<WorldFormat[C]>[string];

/** A record, as far as it is given. */
export type SparseForm<C extends CollectionName> = C extends 'groups' ? Format<C> : Partial<Format<C>>;
export type SparseNames = NonNullable<Format<'pages'>['edit']>;

/** A fixture: any part of a world, with defaults for the rest. */
export type SparseWorldForm = {
  readonly [C in CollectionName]?: Readonly<Record<string, SparseForm<C>>>;
} & Pick<WorldFormat, 'licence' | 'nextPageId'>;

/** With its defaults. */
type Whole<T> = T extends readonly (infer E)[]
  ? E[]
  : T extends object
    ? { -readonly [K in keyof T]-?: Whole<T[K]> }
    : T;
type Secret = 'password' | 'token';

export type UserForm = Whole<Omit<Format<'users'>, Secret>> & Pick<Format<'users'>, Secret>;

/** The form of each kind of record by collection. */
export type Forms = { [C in CollectionName]: C extends 'users' ? UserForm : Whole<Format<C>> };
export type PageForm = Forms['pages'];
export type NamesForm = PageForm['edit'];
export type FavouritesForm = Forms['favourites'];

export type WorldForm = { [C in CollectionName]: Record<string, Forms[C]> } & {
  licence: { ppf: Licence };
  nextPageId: number;
};
