// The planned changes in words, with server names, for the question of consent.
import type { ItemKind } from '../../domain/world.js';
import type { NameKind, NamesThere } from '../names/name-map.js';
import type { Change } from './changes.js';

/** The changes, how they are undone, and what remains; one line each. */
export function showPlan(changes: readonly Change[], names: NamesThere): string[] {
  const subjects = new Map<string, Set<string>>();
  for (const change of changes) {
    const subject = change.kind === 'space' ? undefined : subjectOf(change, names);
    if (subject === undefined) continue;
    const after = afterwards(change, names);
    subjects.set(after, (subjects.get(after) ?? new Set()).add(subject));
  }
  const spaces = spacesIn(changes).map(
    text => `${text}: created and left there, because no documented operation removes a space`,
  );
  return [...[...subjects].map(([after, names]) => `${[...names].join(', ')}: ${after}`), ...spaces];
}

/** Changes that no documented operation can undo; one line each, all spaces in one. */
export function showStaying(changes: readonly Change[], names: NamesThere): string[] {
  const staying = changes.filter(({ kind }) => kind === 'group' || kind === 'link' || kind === 'text');
  return [...new Set(staying.flatMap(change => subjectOf(change, names) ?? [])), ...spacesIn(changes)];
}

function spacesIn(changes: readonly Change[]): string[] {
  const keys = new Set(changes.flatMap(change => (change.kind === 'space' ? [change.space] : [])));
  if (keys.size === 0) return [];
  return [`${keys.size === 1 ? 'the space' : `${keys.size} spaces`} ${[...keys].sort().join(', ')}`];
}

/** The subject of a change; `undefined` if unmapped. */
export function subjectOf(change: Change, names: NamesThere): string | undefined {
  const real = (kind: NameKind, name: string, say: (real: string) => string) => {
    const found = names.real(kind, name);
    return found === undefined ? undefined : say(found);
  };
  switch (change.kind) {
    case 'member':
      return real('group', change.group, group => `the members of the group ${group}`);
    case 'permission':
      return real('page', change.page, page => `who may ${change.permission} the page ${page}`);
    case 'favourite':
      return real('user', change.user, user => `the favourite ${plural[change.item]} of ${user}`);
    case 'group':
      return `the group ${change.group}, where the server makes groups that are named`;
    case 'space':
      return `the space ${change.space}`;
    case 'link':
      return real(
        'space',
        change.space,
        space => `the link ${JSON.stringify(change.label)} in the sidebar of the space ${space}`,
      );
    case 'text':
      return real('page', change.page, page => `the text of the page ${page}`);
  }
}

const plural: Readonly<Record<ItemKind, string>> = { filters: 'filters', dashboards: 'dashboards' };

function afterwards(change: Change, names: NamesThere): string {
  const { world } = names;
  const all = (kind: NameKind, found: Iterable<string>) => {
    const real = [...found].sort().flatMap(name => names.real(kind, name) ?? []);
    return real.length === 0 ? undefined : real.join(', ');
  };
  switch (change.kind) {
    case 'member':
      return `afterwards ${all('user', world.groups.get(change.group) ?? []) ?? 'nobody'}, whoever is in it now`;
    case 'permission':
      return 'names that the run adds are taken off again, and those it takes off are added';
    case 'favourite':
      return 'what the run pushes is pulled again, and what it pulls is pushed';
    case 'group':
    case 'space':
      return 'is created and stays, because no documented operation removes it';
    case 'link':
      return 'is created and stays, because no documented operation removes it';
    case 'text':
      return 'changes and stays changed';
  }
}
