// The form of each fact by its type: as the control API shows it and as a store keeps it.
import type { Facts, FactType } from '../../domain/facts.js';
import { type JsonSchema, type MemberSchemas, schemaOf } from '../../operations/schema.js';
import { pageTexts } from '../codec/world-schema.js';

const text: JsonSchema = { type: 'string' };
const number: JsonSchema = { type: 'integer' };
const texts: JsonSchema = { type: 'array', items: text };
const numbers: JsonSchema = { type: 'array', items: number };

/** The patch of a fact, without its details. */
export const patchSchema: JsonSchema = { type: 'object', description: 'A merge-patch (RFC 7396) of the world.' };

const permission: MemberSchemas<Facts['page-permission-added']> = {
  page: text,
  permission: { enum: ['edit', 'view'] },
  users: texts,
  groups: texts,
};
const link: MemberSchemas<Facts['sidebar-link-added']> = { space: text, label: text, url: text };
const favourite: MemberSchemas<Facts['favourite-added']> = {
  item: { enum: ['filters', 'dashboards'] },
  ids: numbers,
  users: texts,
};
const stamp = schemaOf<NonNullable<Facts['space-copied']['restamp']>>({ author: text, at: text }, ['author', 'at']);

const members: { readonly [T in FactType]: MemberSchemas<Facts[T]> } = {
  'group-created': { group: text },
  'group-member-added': { group: text, user: text },
  'group-member-removed': { group: text, user: text },
  'group-members-set': { group: text, users: texts },
  'page-permission-added': permission,
  'page-permission-removed': permission,
  'sidebar-link-added': link,
  'sidebar-link-replaced': link,
  'space-copied': {
    source: text,
    target: text,
    name: text,
    admins: texts,
    firstPageId: number,
    content: { enum: ['pages'] },
    restamp: stamp,
  },
  'page-text-replaced': { page: text, ...pageTexts, by: text, at: text },
  'favourite-added': favourite,
  'favourite-removed': favourite,
  'world-patched': { patch: patchSchema },
};
const optional: readonly string[] = ['content', 'restamp'] satisfies ReadonlyArray<keyof Facts['space-copied']>;

/** By type; the compiler checks that none is missing. */
export const factSchemas: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(members).map(([type, properties]) => [
    type,
    {
      type: 'object',
      required: ['type', ...Object.keys(properties).filter(name => !optional.includes(name))],
      properties: { type: { enum: [type] }, ...properties },
    },
  ]),
);

export const factSchema: JsonSchema = {
  title: 'Fact',
  description: 'One thing that happened to the world.',
  anyOf: Object.values(factSchemas),
};
