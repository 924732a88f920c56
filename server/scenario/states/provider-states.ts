// The provider states with parameters: what each adds to a world, and the values it returns. Pure.

import * as Type from '@sinclair/typebox';
import { collection } from '../../domain/form/form.js';
import { itemSchema, pageSchema, spaceSchema, userSchema } from '../../domain/form/form-shapes.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import { exact, oneOf, type Shape } from '../../domain/json/shape.js';
import { pageTitled } from '../../domain/world/pages.js';
import type { Item, World } from '../../domain/world/world.js';
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

/** The type of its parameters is inferred from their schema. */
function state<S extends Type.TSchema>(
  spec: Omit<ProviderState, 'params' | 'add'> & { readonly params: S; add(params: Shape<S>, world: World): Added },
): ProviderState {
  return spec;
}

const name = Type.String({ pattern: '[^ ]', description: 'A name that is not blank' });
const idOf = (digits: number) =>
  Type.Union(
    [
      Type.Integer({ minimum: 1, maximum: 10 ** digits - 1 }),
      Type.String({ pattern: `^[1-9][0-9]{0,${digits - 1}}$` }),
    ],
    { description: `A numeric id of 1 to ${digits} digits without a leading zero` },
  );

/** A filter or a dashboard. By default a new one is shared with everyone and belongs to the first admin. */
function itemState(kind: 'filters' | 'dashboards', word: 'filter' | 'dashboard'): ProviderState {
  const { name: itemName, owner, sharedWith } = itemSchema(word).properties;
  return state({
    name: `${word} exists`,
    says: `A ${word} with this id exists. By default, a new one is shared with everyone and owned by the admin whose name sorts first.`,
    params: exact({ id: idOf(9), name: itemName, owner: Type.Optional(owner), sharedWith }),
    gives: [`${word}Id`],
    add: ({ id: number, ...fields }, world) => {
      const known: Item | undefined = world[kind].get(Number(number));
      const admin = firstAdmin(world);
      const due = known === undefined ? { ...(admin !== undefined && { owner: admin }), sharedWith: 'everyone' } : {};
      return {
        patch: { [kind]: { [String(number)]: { ...due, ...fields } } },
        values: { [`${word}Id`]: Number(number) },
      };
    },
  });
}

export const providerStateCatalogue: readonly ProviderState[] = [
  state({
    name: 'user exists',
    says: 'A user with this name and these fields exists.',
    params: exact({ name, ...userSchema.properties }),
    gives: ['user', 'password', 'token'],
    add: ({ name: user, ...fields }) => {
      const { password, token } = fields;
      const values = { user, ...(password !== undefined && { password }), ...(token !== undefined && { token }) };
      return { patch: { users: { [user]: fields } }, values };
    },
  }),
  state({
    name: 'group exists',
    says: 'A group with this name exists. If members are given, it has exactly these.',
    params: exact({ name, members: Type.Optional(Type.Array(name)) }),
    gives: ['group'],
    add: ({ name: group, members }, world) => {
      const those = members ?? collection('groups').read(world, group) ?? [];
      return { patch: { groups: { [group]: those } }, values: { group } };
    },
  }),
  state({
    name: 'space exists',
    says: 'A space with this key exists.',
    params: exact({ key: name, name: spaceSchema.properties.name }),
    gives: ['spaceKey', 'spaceName'],
    add: ({ key, name: title }, world) => ({
      patch: { spaces: { [key]: title === undefined ? {} : { name: title } } },
      values: { spaceKey: key, spaceName: title ?? world.spaces.get(key)?.name ?? key },
    }),
  }),
  state({
    name: 'page exists',
    says: 'A page with this title exists in an existing space. Without an id, it is the existing page, or a new one with the next id.',
    params: exact({ id: Type.Optional(idOf(15)), space: name, title: name, body: pageSchema.properties.body }),
    gives: ['pageId', 'pageTitle', 'spaceKey'],
    add: ({ id: given, ...fields }, world) => {
      const { space, title } = fields;
      const known = pageTitled(world, space, title);
      const pageId = String(given ?? known ?? world.nextPageId);
      return { patch: { pages: { [pageId]: fields } }, values: { pageId, pageTitle: title, spaceKey: space } };
    },
  }),
  itemState('filters', 'filter'),
  itemState('dashboards', 'dashboard'),
  state({
    name: 'caller is not an admin',
    says: 'A user with this name exists and is not an admin.',
    params: exact({ user: name }),
    gives: ['user'],
    add: ({ user }) => ({ patch: { users: { [user]: { admin: false } } }, values: { user } }),
  }),
  state({
    name: 'licence is',
    says: 'The licence of the push and pull add-on is valid, expired or missing.',
    params: exact({ licence: oneOf(['valid', 'expired', 'none']) }),
    gives: ['licence'],
    add: ({ licence }) => ({ patch: { licence: { ppf: licence } }, values: { licence } }),
  }),
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
  const { errors } = shapeOf(state.params, given, [], 'params');
  return errors.length > 0 ? { errors } : state.add(given as never, world); // it fits the schema beside it
}

function firstAdmin(world: World): string | undefined {
  return [...world.users.filter(user => user.admin).keys()].sort()[0];
}
