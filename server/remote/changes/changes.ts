// What facts change, small piece by small piece, so that it can be told beforehand and put back afterwards.
// Speaks in the names of the fixture; knows neither servers nor readings.
import { evolve, type Fact } from '../../domain/facts.js';
import type { ItemKind, Permission, World } from '../../domain/world.js';

export type Change =
  | { readonly kind: 'member'; readonly group: string; readonly user: string }
  | {
      readonly kind: 'permission';
      readonly page: string;
      readonly permission: Permission;
      readonly of: 'users' | 'groups';
      readonly name: string;
    }
  | { readonly kind: 'favourite'; readonly item: ItemKind; readonly id: number; readonly user: string }
  | { readonly kind: 'group'; readonly group: string }
  | { readonly kind: 'space'; readonly space: string; readonly name: string }
  | { readonly kind: 'link'; readonly space: string; readonly label: string }
  | { readonly kind: 'text'; readonly page: string };

/** What facts change, each once. `before` is the world they came to; what `origin` did not have goes with whatever brought it. */
export function changesBy(facts: readonly Fact[], before: World, origin: World): readonly Change[] {
  let world = before;
  const changes: Change[] = [];
  for (const fact of facts) {
    changes.push(...changed(fact, world, origin));
    world = evolve(world, fact);
  }
  return each(changes);
}

/** Changes each once, in the order in which they first came. */
export function each(changes: readonly Change[]): readonly Change[] {
  return [...new Map(changes.map(change => [JSON.stringify(change), change])).values()];
}

/** Whether a documented operation takes it back. */
export function isTakenBack({ kind }: Change): boolean {
  return kind === 'member' || kind === 'permission' || kind === 'favourite';
}

function changed(fact: Fact, before: World, origin: World): Change[] {
  switch (fact.type) {
    case 'group-created':
      return [{ kind: 'group', group: fact.group }];
    case 'group-member-added':
    case 'group-member-removed':
      return members(fact.group, [fact.user], origin);
    case 'group-members-set':
      return members(fact.group, [...fact.users, ...(before.groups.get(fact.group) ?? [])], origin);
    case 'page-permission-added':
    case 'page-permission-removed': {
      const { page, permission } = fact;
      if (!origin.pages.has(page)) return [];
      return (['users', 'groups'] as const).flatMap(of =>
        fact[of].map(name => ({ kind: 'permission' as const, page, permission, of, name })),
      );
    }
    case 'favourite-added':
    case 'favourite-removed':
      return fact.ids.flatMap(id =>
        fact.users.map(user => ({ kind: 'favourite' as const, item: fact.item, id, user })),
      );
    case 'space-copied':
      return [{ kind: 'space', space: fact.target, name: fact.name }];
    case 'sidebar-link-added':
    case 'sidebar-link-replaced':
      return origin.spaces.has(fact.space) ? [{ kind: 'link', space: fact.space, label: fact.label }] : [];
    case 'page-text-replaced':
      return origin.pages.has(fact.page) ? [{ kind: 'text', page: fact.page }] : [];
    case 'session-started':
    case 'session-ended':
      return []; // a session ends by itself
    case 'world-patched':
      return []; // no operation does this
  }
}

function members(group: string, users: readonly string[], origin: World): Change[] {
  if (!origin.groups.has(group)) return [];
  return [...new Set(users)].map(user => ({ kind: 'member', group, user }));
}
