// The common part of push and pull: users, items, result and messages, in a stable order.
import type { Fact } from '../../domain/facts.js';
import { sortedNames } from '../../domain/world/sorted-names.js';
import { noNames, type World } from '../../domain/world/world.js';
import { asNamed, distinctUnknown } from '../lookups.js';
import type { Asks, Decision } from '../operation-context.js';
import { isRefused, type Refused } from '../provenance.js';
import { affectedUsers, type FavouriteEffect, type NamedItem, wording } from './affected-users.js';

export interface PushPullBody {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
  readonly filters?: readonly number[];
  readonly dashboards?: readonly number[];
}

type Given = Asks<
  | 'name-case'
  | 'ppf-effect'
  | 'ppf-unknown-item'
  | 'ppf-partial'
  | 'ppf-invisible-item'
  | 'ppf-no-change'
  | 'ppf-message-text',
  'ppf-unknown-item' | 'too-much-at-once',
  'ppf.processed-is-200' | 'ppf.success-flag' | 'ppf.failure-message'
> & {
  readonly input: { readonly body: PushPullBody };
  accept(
    facts: readonly Fact[],
    reply: { readonly status: 200; readonly body: { readonly success: boolean; readonly messages: readonly string[] } },
  ): Decision;
};

/** Maximum pairs of a user and an item in one request, and so its maximum users: each is looked up while other requests wait. */
const MAX_PAIRS = 100_000;

interface Named {
  readonly recipients: readonly string[];
  readonly items: readonly NamedItem[];
  readonly messages: readonly string[];
}

export function transfer(given: Given, effect: FavouriteEffect): Decision {
  const named = resolve(given);
  if (isRefused(named)) return named;
  const { recipients, items } = named;
  if (recipients.length * items.length > MAX_PAIRS) {
    return given.refuse(
      'too-much-at-once',
      `${recipients.length} users and ${items.length} items are ${recipients.length * items.length} pairs, but this fake accepts at most ${MAX_PAIRS}. Send fewer at a time.`,
    );
  }
  const outcome = affected(given, effect, recipients, items);
  if (outcome === undefined) {
    return given.refuse(
      'too-much-at-once',
      'The items are shared with too many groups for this fake. Send fewer at a time.',
    );
  }
  const messages = [...named.messages, ...outcome.messages];
  const success = messages.length === outcome.notes;
  given.applies('ppf.processed-is-200', 'ppf.success-flag');
  if (!success) given.applies('ppf.failure-message');
  return given.accept(kept(given, outcome.facts, success), { status: 200, body: { success, messages } });
}

/** Under the reading of the effect, which can matter only if something would change. */
function affected(given: Given, effect: FavouriteEffect, ...named: [readonly string[], readonly NamedItem[]]) {
  const outcome = affectedUsers(given, effect, ...named);
  if (effect.pushedOnly === undefined || outcome === undefined || outcome.facts.length === 0) return outcome;
  return given.reading('ppf-effect') === 'pushed-only' ? affectedUsers(given, effect.pushedOnly, ...named) : outcome;
}

/** The facts under the readings of partial failure and effect. */
function kept(given: Given, facts: readonly Fact[], isSuccess: boolean): readonly Fact[] {
  if (facts.length === 0) return [];
  const isEffective = given.reading('ppf-effect') !== 'record-only';
  const isWhole = isSuccess || given.reading('ppf-partial') === 'apply-rest';
  if (isWhole) given.deciding('ppf-effect');
  if (isEffective && !isSuccess) given.deciding('ppf-partial');
  return isWhole && isEffective ? facts : [];
}

/** Distinct users and items: filters, then dashboards. */
function resolve(given: Given): Named | Refused {
  const { filters = [], dashboards = [], ...sent } = given.input.body;
  const { world } = given;
  const users = asNamed(given, sent.users ?? [], world.users);
  const groups = asNamed(given, sent.groups ?? [], world.groups);
  const named = users.length + groups.reduce((sum, group) => sum + (world.groups.get(group)?.size ?? 0), 0);
  if (named > MAX_PAIRS)
    return given.refuse(
      'too-much-at-once',
      `The request names ${named} users and group members, but this fake accepts at most ${MAX_PAIRS}. Send fewer at a time.`,
    );
  const unknownUsers = users.filter(user => !world.users.has(user));
  const unknownGroups = groups.filter(group => !world.groups.has(group));
  const unknownItems = [
    ...missing(
      'filter',
      'id',
      filters.filter(id => !world.filters.has(id)),
    ),
    ...missing(
      'dashboard',
      'id',
      dashboards.filter(id => !world.dashboards.has(id)),
    ),
  ];
  if (unknownGroups.length + unknownItems.length > 0 && given.reading('ppf-unknown-item') === '400')
    return given.refuse('ppf-unknown-item', shown([...missing('group', 'name', unknownGroups), ...unknownItems]));
  const items = (['filters', 'dashboards'] as const).flatMap(kind =>
    [...new Set(kind === 'filters' ? filters : dashboards)].filter(id => world[kind].has(id)).map(id => ({ kind, id })),
  );
  return {
    recipients: recipientsOf(world, users, groups),
    items,
    messages: worded(given, [
      ...missing('user', 'name', distinctUnknown(given, unknownUsers)),
      ...missing('group', 'name', distinctUnknown(given, unknownGroups)),
      ...unknownItems,
    ]),
  };
}

/** The users as given, then the members of the groups by name; each once. */
function recipientsOf(world: World, users: readonly string[], groups: readonly string[]): readonly string[] {
  const known = users.filter(user => world.users.has(user));
  const members = [...new Set(groups)].map(group => sortedNames(world.groups.get(group) ?? noNames.users));
  const [only] = members;
  if (only !== undefined && members.length === 1 && known.length === 0) return only; // a large group's names are sorted already
  return [...new Set([known, ...members].flat())];
}

interface Missing {
  readonly kind: string;
  readonly key: 'name' | 'id';
  readonly value: string | number;
}

function missing(kind: string, key: Missing['key'], values: readonly Missing['value'][]): Missing[] {
  return [...new Set(values)].map(value => ({ kind, key, value }));
}

function worded(given: Given, unknown: readonly Missing[]): string[] {
  if (unknown.length === 0) return [];
  const words = wording(given);
  return unknown.map(({ kind, key, value }) => words.missing(kind, key, value));
}

function shown(unknown: readonly Missing[]): string[] {
  const more = unknown.length > 10 ? [`And ${unknown.length - 10} more.`] : [];
  return [
    ...unknown.slice(0, 10).map(({ kind, key, value }) => `Could not find ${kind} with ${key} ${value}.`),
    ...more,
  ];
}
