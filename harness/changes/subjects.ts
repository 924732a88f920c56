// What steps may change on a server and what a run restores afterwards: members of groups, restrictions of pages, favourites of users.

import { Set as PSet } from 'immutable';
import { isObject } from '../../server/domain/form/patch.js';
import { putPage } from '../../server/domain/world/pages.js';
import { favouritesOf, type Permission, type World } from '../../server/domain/world/world.js';
import { type AnyOperationId, anyOperationOf } from '../../server/operations/catalog/catalog.js';
import type { Step } from '../../server/scenario/format/step-format.js';
import type { Mapped, Named } from '../names/mapped-steps.js';
import type { NameKind, NamesThere } from '../names/name-map.js';
import { type State, type SubjectKind, stateKey } from '../target/rest-api.js';

export interface Subject {
  readonly kind: SubjectKind;
  /** The group, page or user in the fixture. */
  readonly name: string;
  /** Its name on the server. */
  readonly real: string;
}

/** A subject with a state that is not the fixture's; `undefined`: unknown. */
export interface Deviation {
  readonly subject: Subject;
  readonly state: State | undefined;
}

export function keyOf({ kind, real }: Subject): string {
  return stateKey(kind, real);
}

/** What the requests of a family may change, and a run restores. What spaces are given cannot be taken back. */
const changesOfFamily: Readonly<Record<string, SubjectKind>> = {
  groups: 'members',
  permissions: 'restrictions',
  ppf: 'favourites',
};

/** What a step may change, whether or not it should be refused. */
export function changedBy({ loaded, named }: Mapped, index: number, names: NamesThere): readonly Subject[] {
  const step = loaded.steps[index];
  if (step === undefined) return [];
  const groups = known('group', named[index] ?? [], names.world.groups);
  switch (changesOfFamily[familyOf(step) ?? '']) {
    case 'members':
      return groups.flatMap(group => subject('members', group, names));
    case 'restrictions':
      return known('page', named[index] ?? [], names.world.pages).flatMap(page => subject('restrictions', page, names));
    case 'favourites': {
      const members = groups.flatMap(group => [...(names.world.groups.get(group) ?? [])]);
      const users = [...known('user', named[index] ?? [], names.world.users), ...members];
      return users.flatMap(user => subject('favourites', user, names));
    }
    default:
      return [];
  }
}

/** What a step changes, looks at, or depends on otherwise. */
export function subjectsOf(scenario: Mapped, index: number, names: NamesThere): readonly Subject[] {
  const step = scenario.loaded.steps[index];
  if (step === undefined) return [];
  const needed = neededBy(step, scenario.named[index] ?? [], names);
  return [...changedBy(scenario, index, names), ...needed, ...lookedAt(step, names)];
}

/** All subjects of a scenario, each once, without those of the steps for which `isLeftOut` holds. */
export function allSubjects(
  mapped: Mapped,
  names: NamesThere,
  isLeftOut: (index: number) => boolean = () => false,
): readonly Subject[] {
  const found = [...mapped.loaded.steps.keys()].filter(i => !isLeftOut(i)).flatMap(i => subjectsOf(mapped, i, names));
  return [...new Map(found.map(subject => [keyOf(subject), subject])).values()];
}

/** A push or pull depends on the members of its groups and of those that share its items; a copy or replacement on who may see and edit the pages. */
function neededBy(step: Step, named: readonly Named[], names: NamesThere): Subject[] {
  const { world } = names;
  const family = familyOf(step);
  if (family === 'spaces') {
    const keys = known('space', named, world.spaces);
    const pages = [...world.pages].flatMap(([id, { space }]) => (keys.includes(space) ? [id] : []));
    return pages.flatMap(page => subject('restrictions', page, names));
  }
  if (family !== 'ppf') return [];
  return [...known('group', named, world.groups), ...sharingGroups(named, world)].flatMap(group =>
    subject('members', group, names),
  );
}

/** The groups with which the named filters and dashboards are shared. */
export function sharingGroups(named: readonly Named[], world: World): string[] {
  const items = named.flatMap(([kind, id]) =>
    kind === 'filter' ? world.filters.get(Number(id)) : kind === 'dashboard' ? world.dashboards.get(Number(id)) : [],
  );
  return items.flatMap(item => (typeof item?.sharedWith === 'object' ? [...item.sharedWith.groups] : []));
}

/** The names of a kind that the fixture knows. */
function known(kind: NameKind, named: readonly Named[], all: { keys(): Iterable<string> }): string[] {
  return named.flatMap(([is, name]) => (is === kind ? [...all.keys()].filter(one => alike(one, name)) : []));
}

/** Some servers ignore the case of names. */
function alike(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function lookedAt({ then, for: probes = {} }: Step, names: NamesThere): Subject[] {
  return [then, ...Object.values(probes).map(probe => probe.then)].filter(isObject).flatMap(one => {
    const keys = (collection: string) => (isObject(one[collection]) ? Object.entries(one[collection]) : []);
    return [
      ...keys('groups').flatMap(([group]) => subject('members', group, names)),
      ...keys('pages').flatMap(([page, expected]) =>
        isObject(expected) && ('view' in expected || 'edit' in expected) ? subject('restrictions', page, names) : [],
      ),
      ...keys('favourites').flatMap(([user]) => subject('favourites', user, names)),
    ];
  });
}

function subject(kind: SubjectKind, name: string, names: NamesThere): Subject[] {
  const { world } = names;
  const kinds = {
    members: ['group', world.groups],
    restrictions: ['page', world.pages],
    favourites: ['user', world.users],
  } as const;
  const [nameKind, collection] = kinds[kind];
  const real = names.real(nameKind, name);
  return collection.has(name) && real !== undefined ? [{ kind, name, real }] : [];
}

/** The resource family that a step asks for: part of a path; `ppf`: push and pull. */
function familyOf({ call, request }: Step): string | undefined {
  const path = request?.path ?? anyOperationOf(call as AnyOperationId)?.path ?? '';
  const isTracker = request === undefined ? call?.startsWith('ppf.') : /cwx-ppf|\/(?:push|pull)\b/i.test(path);
  return isTracker ? 'ppf' : /\b(groups|permissions|spaces)\b/i.exec(path)?.[1]?.toLowerCase();
}

/**
 * The state of the fixture, in the server's names. Favourites and restrictions that the fixture does not know stay as they are: they change no result.
 * Members do not: a push to the group would reach them.
 */
export function fixtureState({ kind, name }: Subject, names: NamesThere, current: State): State {
  const { world } = names;
  const all = (of: NameKind, list: string, some: Iterable<string | number>) => {
    const own = [...some].flatMap(one => names.real(of, String(one)) ?? []);
    const others = (current[list] ?? []).filter(one => names.fixture(of, String(one)) === undefined);
    return [list, [...(of === 'filter' || of === 'dashboard' ? own.map(Number) : own), ...others]] as const;
  };
  if (kind === 'members') return { users: all('user', '', world.groups.get(name) ?? [])[1] };
  if (kind === 'favourites') {
    const { filters, dashboards } = favouritesOf(world, name);
    return Object.fromEntries([all('filter', 'filters', filters), all('dashboard', 'dashboards', dashboards)]);
  }
  const page = world.pages.get(name);
  const lists = (['view', 'edit'] as const).flatMap(permission => [
    all('user', `${permission}.users`, page?.[permission].users ?? []),
    all('group', `${permission}.groups`, page?.[permission].groups ?? []),
  ]);
  return Object.fromEntries(lists);
}

/** A world in the server's names with deviations, as far as the world knows their users, groups and items. */
export function withDeviations(world: World, deviations: readonly Deviation[]): World {
  return deviations.reduce((other, { subject, state = {} }) => withState(other, subject, state), world);
}

function withState(world: World, { kind, real }: Subject, state: State): World {
  const known = (list: string, of: { has(name: string): boolean }) =>
    PSet((state[list] ?? []).map(String).filter(name => of.has(name)));
  const ids = (list: string, of: { has(id: number): boolean }) =>
    PSet((state[list] ?? []).map(Number).filter(id => of.has(id)));
  if (kind === 'members') return { ...world, groups: world.groups.set(real, known('users', world.users)) };
  if (kind === 'favourites') {
    const own = { filters: ids('filters', world.filters), dashboards: ids('dashboards', world.dashboards) };
    return { ...world, favourites: world.favourites.set(real, own) };
  }
  const page = world.pages.get(real);
  const both = (permission: Permission) => ({
    users: known(`${permission}.users`, world.users),
    groups: known(`${permission}.groups`, world.groups),
  });
  return page === undefined ? world : putPage(world, real, { ...page, view: both('view'), edit: both('edit') });
}

/** Keys of the spaces that a scenario tries to create, such as `CWXA${run}`. */
export function spacesIn({ loaded: { steps } }: Mapped): readonly string[] {
  return steps.flatMap(({ call, query }) =>
    call === 'spaces.copy' && typeof query?.targetSpaceKey === 'string' ? [query.targetSpaceKey] : [],
  );
}
