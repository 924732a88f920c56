// Looks up names of a request in the world, with the gap that decides about an unknown name.
// Decides nothing else.
import type { Fact } from '../domain/facts.js';
import type { Page, Space } from '../domain/world.js';
import type { Asks } from './operation-context.js';
import type { Refused } from './provenance.js';

/** The distinct users in `names`, or the refusal. */
export function knownUsers(given: Asks<'unknown-user', 'unknown-user'>, names: readonly string[]): string[] | Refused {
  const { known, unknown } = partition(names, name => given.world.users.has(name));
  if (unknown.length === 0 || given.reading('unknown-user') === 'skip') return known;
  return given.refuse('unknown-user', `There is no ${listed('user', unknown)}.`);
}

/** The distinct groups in `names`, with the facts that create missing ones; or the refusal. */
export function knownGroups(
  given: Asks<'unknown-group', 'unknown-group'>,
  names: readonly string[],
): { groups: string[]; created: Fact[] } | Refused {
  const { known, unknown } = partition(names, name => given.world.groups.has(name));
  if (unknown.length === 0) return { groups: known, created: [] };
  switch (given.reading('unknown-group')) {
    case 'skip':
      return { groups: known, created: [] };
    case 'create':
      return { groups: [...new Set(names)], created: unknown.map(group => ({ type: 'group-created', group })) };
    default:
      return given.refuse('unknown-group', `There is no ${listed('group', unknown)}.`);
  }
}

export function knownPage(given: Asks<'unknown-page', 'unknown-page'>, id: string): Page | Refused {
  return given.world.pages.get(id) ?? given.refuse('unknown-page', `There is no page with the id ${quoted(id)}.`);
}

export function knownSpace(given: Asks<'unknown-space', 'unknown-space'>, key: string): Space | Refused {
  return given.world.spaces.get(key) ?? given.refuse('unknown-space', `There is no space with the key ${quoted(key)}.`);
}

/** A name in a message: quoted, control characters escaped, cut if long. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 77)}...` : name);
}

function listed(kind: string, names: readonly string[]): string {
  const shown = names.slice(0, 10).map(quoted).join(', ');
  const more = names.length > 10 ? ` and ${names.length - 10} more` : '';
  return `${kind} named ${shown}${more}`;
}

function partition(
  names: readonly string[],
  isKnown: (name: string) => boolean,
): { known: string[]; unknown: string[] } {
  const known: string[] = [];
  const unknown: string[] = [];
  for (const name of new Set(names)) (isKnown(name) ? known : unknown).push(name);
  return { known, unknown };
}
