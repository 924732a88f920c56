// Loads a map of names on a real server, or reports all its errors.
import { collection } from '../../domain/form/form.js';
import { isObject } from '../../domain/form/patch.js';
import { isWithin, type Path } from '../../domain/json/json-pointer.js';
import type { World } from '../../domain/world/world.js';
import { found } from '../../engine/request/validate.js';
import { unknownName } from '../checks/overlay.js';
import { shapeOf } from '../checks/schema-problems.js';
import { type MapForm, type MappedKind, mappedKinds, mapSchema } from '../format/map-format.js';
import { isProblems, type Problems, sortedProblems, type ValueError } from '../yaml/problem.js';
import { readSource } from '../yaml/source.js';

/** Real names by the names and ids of the fixture. */
export interface NameMap {
  readonly users: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, string>;
  readonly spaces: ReadonlyMap<string, { readonly key: string; readonly name?: string }>;
  readonly pages: ReadonlyMap<string, { readonly id: string; readonly title?: string }>;
  readonly filters: ReadonlyMap<number, number>;
  readonly dashboards: ReadonlyMap<number, number>;
}

/** Loads a map; its names must exist in the world of the fixture. */
export function loadMap(file: string, world: World): { readonly map: NameMap } | Problems {
  const source = readSource(file);
  if (isProblems(source)) return source;
  const value = source.value ?? {};
  const shape = shapeOf(mapSchema, value);
  const fits = (path: Path) => !isWithin(path, shape.unfit);
  const errors = [...shape.errors, ...nameErrors(value, world), ...sharedErrors(value, fits)];
  const problems = [...source.slips, ...errors.map(source.problem)];
  if (problems.length > 0) return { problems: sortedProblems(problems) };
  return { map: mapFrom(value as MapForm) }; // it fits the schema
}

const kinds = Object.keys(mappedKinds) as MappedKind[];

function nameErrors(value: unknown, world: World): ValueError[] {
  return tablesOf(value).flatMap(([kind, table]) => {
    const { read, keys } = collection(kind);
    return Object.keys(table)
      .filter(name => read(world, name) === undefined)
      .map(name => ({
        path: [kind, name],
        of: 'key' as const,
        message: `${unknownName(mappedKinds[kind], name, [...keys(world)].map(String))} The keys are names of the fixture.`,
      }));
  });
}

/** Two names that are one on the real server would interfere with each other. */
function sharedErrors(value: unknown, fits: (path: Path) => boolean): ValueError[] {
  return tablesOf(value).flatMap(([kind, table]) => {
    const first = new Map<string, string>();
    return Object.entries(table).flatMap(([name, real]) => {
      const known = isObject(real) ? (real.key ?? real.id) : real;
      const id = typeof known === 'string' ? known : found(known);
      const other = first.get(id);
      if (other === undefined) first.set(id, name);
      if (other === undefined || !fits([kind, name])) return [];
      return [
        {
          path: [kind, name],
          message: `${found(isObject(real) ? id : real)} is already mapped to ${JSON.stringify(other)}: each ${mappedKinds[kind]} needs its own.`,
        },
      ];
    });
  });
}

function tablesOf(value: unknown): Array<readonly [MappedKind, Readonly<Record<string, unknown>>]> {
  if (!isObject(value)) return [];
  return kinds.flatMap(kind => {
    const table = Object.hasOwn(value, kind) ? value[kind] : undefined;
    return isObject(table) ? [[kind, table] as const] : [];
  });
}

function mapFrom({ users, groups, spaces, pages, filters, dashboards }: MapForm): NameMap {
  const numbers = (table: Readonly<Record<string, number>> = {}) =>
    new Map(Object.entries(table).map(([id, real]) => [Number(id), real] as const));
  return {
    users: new Map(Object.entries(users ?? {})),
    groups: new Map(Object.entries(groups ?? {})),
    spaces: new Map(Object.entries(spaces ?? {})),
    pages: new Map(Object.entries(pages ?? {}).map(([id, page]) => [id, { ...page, id: String(page.id) }] as const)),
    filters: numbers(filters),
    dashboards: numbers(dashboards),
  };
}
