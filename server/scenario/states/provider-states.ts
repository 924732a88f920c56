// The provider states with parameters: what each adds to a world, and the values it returns. Pure.

import { collection } from '../../domain/form/form.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import { pageTitled } from '../../domain/world/pages.js';
import type { Item, World } from '../../domain/world/world.js';
import { worldSchema } from '../../engine/codec/world-schema.js';
import type { JsonSchema } from '../../operations/schema.js';
import { shapeOf } from '../checks/schema-problems.js';
import type { ValueError } from '../yaml/problem.js';

/** Mutable, because the handlers of @pact-foundation/pact need mutable lists. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { readonly [key: string]: JsonValue };

/** Values for `fromProviderState` generators. Names differ between states, because values of consecutive states are merged. */
export type StateValues = Readonly<Record<string, JsonValue>>;

export interface Added {
  readonly patch: WorldPatch;
  readonly values: StateValues;
}

export interface ProviderState {
  readonly name: string;
  readonly says: string;
  /** Schema of an object with its parameters. */
  readonly params: JsonSchema;
  /** Names of its values; values that do not exist are left out. */
  readonly gives: readonly string[];
  /** The patch that it adds. Parameters are valid; the resulting world is checked elsewhere. */
  add(params: never, world: World): Added;
}

type Properties = Readonly<Record<string, JsonSchema>>;

/** The fields of the records of a collection, as in the fixture format. */
function fieldsOf(name: 'users' | 'spaces' | 'pages' | 'filters' | 'dashboards'): Properties {
  const tables = worldSchema.properties as Readonly<
    Record<string, { additionalProperties: { properties: Properties } }>
  >; // as written there
  return tables[name]?.additionalProperties.properties ?? {};
}

const name: JsonSchema = { type: 'string', pattern: '[^ ]', description: 'A name that is not blank' };
const idOf = (digits: number): JsonSchema => ({
  description: `A whole number from 1, of at most ${digits} digits`,
  anyOf: [
    { type: 'integer', minimum: 1, maximum: 10 ** digits - 1 },
    { type: 'string', pattern: `^[1-9][0-9]{0,${digits - 1}}$` },
  ],
});

function params(properties: Properties, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

interface ItemParams {
  readonly id: number | string;
  readonly name?: string;
  readonly owner?: string;
  readonly sharedWith?: unknown;
}

/** A filter or a dashboard. By default a new one is shared with everyone and belongs to the first admin. */
function itemState(kind: 'filters' | 'dashboards', word: 'filter' | 'dashboard'): ProviderState {
  const { name: itemName = {}, owner = {}, sharedWith = {} } = fieldsOf(kind);
  return {
    name: `${word} exists`,
    says: `A ${word} with this id exists. By default a new one is shared with everyone and belongs to the first admin by name.`,
    params: params({ id: idOf(9), name: itemName, owner, sharedWith }, ['id']),
    gives: [`${word}Id`],
    add: ({ id: number, ...fields }: ItemParams, world) => {
      const known: Item | undefined = world[kind].get(Number(number));
      const owner = firstAdmin(world);
      const due = known === undefined ? { ...(owner !== undefined && { owner }), sharedWith: 'everyone' } : {};
      return {
        patch: { [kind]: { [String(number)]: { ...due, ...fields } } },
        values: { [`${word}Id`]: Number(number) },
      };
    },
  };
}

export const providerStateCatalogue: readonly ProviderState[] = [
  {
    name: 'user exists',
    says: 'A user with this name and these fields exists.',
    params: params({ name, ...fieldsOf('users') }, ['name']),
    gives: ['user', 'password', 'token'],
    add: ({ name: user, ...fields }: { name: string; password?: string; token?: string }) => {
      const { password, token } = fields;
      const values = { user, ...(password !== undefined && { password }), ...(token !== undefined && { token }) };
      return { patch: { users: { [user]: fields } }, values };
    },
  },
  {
    name: 'group exists',
    says: 'A group with this name exists. With members, it has exactly these.',
    params: params({ name, members: { type: 'array', items: name } }, ['name']),
    gives: ['group'],
    add: ({ name: group, members }: { name: string; members?: readonly string[] }, world) => {
      const those = members ?? collection('groups').read(world, group) ?? [];
      return { patch: { groups: { [group]: those } }, values: { group } };
    },
  },
  {
    name: 'space exists',
    says: 'A space with this key exists.',
    params: params({ key: name, name: fieldsOf('spaces').name ?? {} }, ['key']),
    gives: ['spaceKey', 'spaceName'],
    add: ({ key, name: title }: { key: string; name?: string }, world) => ({
      patch: { spaces: { [key]: title === undefined ? {} : { name: title } } },
      values: { spaceKey: key, spaceName: title ?? world.spaces.get(key)?.name ?? key },
    }),
  },
  {
    name: 'page exists',
    says: 'A page with this title exists in an existing space. Without an id it is the existing one, or a new one with the next id.',
    params: params({ id: idOf(15), space: name, title: name, body: fieldsOf('pages').body ?? {} }, ['space', 'title']),
    gives: ['pageId', 'pageTitle', 'spaceKey'],
    add: ({ id: given, ...fields }: { id?: number | string; space: string; title: string; body?: string }, world) => {
      const { space, title } = fields;
      const known = pageTitled(world, space, title);
      const pageId = String(given ?? known ?? world.nextPageId);
      return { patch: { pages: { [pageId]: fields } }, values: { pageId, pageTitle: title, spaceKey: space } };
    },
  },
  itemState('filters', 'filter'),
  itemState('dashboards', 'dashboard'),
  {
    name: 'caller is not an admin',
    says: 'A user with this name exists and is not an admin.',
    params: params({ user: name }, ['user']),
    gives: ['user'],
    add: ({ user }: { user: string }) => ({ patch: { users: { [user]: { admin: false } } }, values: { user } }),
  },
  {
    name: 'licence is',
    says: 'The licence of the push and pull add-on is valid, expired or missing.',
    params: params({ licence: { enum: ['valid', 'expired', 'none'] } }, ['licence']),
    gives: ['licence'],
    add: ({ licence }: { licence: World['licence']['ppf'] }) => ({
      patch: { licence: { ppf: licence } },
      values: { licence },
    }),
  },
];

export function providerStateOf(state: string): ProviderState | undefined {
  return providerStateCatalogue.find(other => other.name === state);
}

/** The patch of a state, or the errors in its parameters. */
export function addedBy(
  state: ProviderState,
  given: unknown,
  world: World,
): Added | { readonly errors: readonly ValueError[] } {
  const { errors } = shapeOf(state.params, given);
  return errors.length > 0 ? { errors } : state.add(given as never, world); // it fits the schema beside it
}

function firstAdmin(world: World): string | undefined {
  return [...world.users.filter(user => user.admin).keys()].sort()[0];
}
