// The shape of a merge-patch of a world's form, and so that of a whole form too: what can be laid over a world without anything breaking.
// Says nothing of references between records.
import type { CollectionName, NamesForm, SparseForm } from '../../domain/form/form-shapes.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import type { SidebarLink } from '../../domain/world.js';
import {
  count,
  counts,
  flag,
  listOf,
  type Members,
  mapOf,
  nullable,
  objectOf,
  oneOf,
  pageText,
  type Shape,
  text,
  texts,
} from './shape.js';

/** Any member of a record may be taken away, or left as it was. */
function record<T>(members: Members<T>): Shape {
  const entries = Object.entries<Shape>(members).map(([name, shape]) => [name, nullable(shape)]);
  return nullable(objectOf(Object.fromEntries(entries)));
}

const names = record<NamesForm>({ users: texts, groups: texts });
const audience: Shape = value => (typeof value === 'string' ? oneOf('everyone', 'nobody')(value) : names(value));
const item = record<SparseForm<'filters'>>({ name: text, owner: text, sharedWith: audience });

const records: { readonly [C in CollectionName]: Shape } = {
  users: record<SparseForm<'users'>>({ displayName: text, password: text, token: text, admin: flag }),
  groups: nullable(texts),
  spaces: record<SparseForm<'spaces'>>({
    name: text,
    admins: texts,
    sidebar: listOf(objectOf<SidebarLink>({ label: text, url: text })),
  }),
  pages: record<SparseForm<'pages'>>({
    space: text,
    title: pageText,
    body: pageText,
    author: text,
    created: text,
    updatedBy: text,
    updated: text,
    version: count,
    position: count,
    edit: names,
    view: names,
  }),
  filters: item,
  dashboards: item,
  favourites: record<SparseForm<'favourites'>>({ filters: counts, dashboards: counts }),
};

export const patchShape: Shape = objectOf<WorldPatch>({
  ...(Object.fromEntries(
    Object.entries(records).map(([name, shape]) => [name, nullable(mapOf(shape))]),
  ) as typeof records), // the same names
  licence: record<{ ppf: string }>({ ppf: oneOf('valid', 'expired', 'none') }),
  nextPageId: nullable(count),
});
