// The `expand` tree of resources, and entities with the expanded parts; the others are listed in `_expandable`.
import type { Expansion } from '../expand.js';

/** The expandable names of a response, as a tree. */
export interface Expandable {
  readonly [name: string]: Expandable;
}

/** The names as paths: `body.view`. */
export function expandableNames(expandable: Expandable): string[] {
  return Object.entries(expandable).flatMap(([name, inner]) => [
    name,
    ...expandableNames(inner).map(deeper => `${name}.${deeper}`),
  ]);
}

/** The names to expand, as a tree. */
export interface ExpansionTree {
  readonly [name: string]: ExpansionTree;
}

export const noExpansion: ExpansionTree = Object.freeze({});

/** The known names as a tree, and the unknown ones. */
export function wantedOf(
  asked: readonly Expansion[],
  expandable: Expandable,
): { wanted: ExpansionTree; unknown: readonly Expansion[] } {
  const wanted: Record<string, ExpansionTree> = Object.create(null);
  const unknown: Expansion[] = [];
  for (const steps of asked) {
    if (isKnown(steps, expandable)) add(steps, wanted);
    else unknown.push(steps);
  }
  return { wanted, unknown };
}

function isKnown(steps: Expansion, expandable: Expandable): boolean {
  let at: Expandable | undefined = expandable;
  for (const step of steps) {
    const { name } = ranged(step);
    if (at === undefined || !Object.hasOwn(at, name)) return false;
    at = at[name];
  }
  return true;
}

function add(steps: Expansion, wanted: Record<string, ExpansionTree>): void {
  let at = wanted;
  for (const step of steps.flatMap(one => Object.values(ranged(one)))) {
    at[step] ??= Object.create(null) as ExpansionTree;
    at = at[step] as Record<string, ExpansionTree>; // made here
  }
}

/** `users[0:49]` requests a range of a list: it becomes a name of its own below `users`. */
function ranged(step: string): { readonly name: string; readonly range?: string } {
  const [, name = step, range] = /^([^[]+)(\[\d+:\d+\])$/.exec(step) ?? [];
  return range === undefined ? { name } : { name, range };
}

/**
 * The expanded parts, and the resources of the others. `P`: the types of the shown parts. `absent`: names of parts that the product has and the world
 * lacks; they stay unexpanded.
 */
export function expandParts<P>(
  wanted: ExpansionTree,
  parts: { readonly [K in keyof P]-?: PartOf<P[K]> },
  absent: Expandable = {},
): Partial<P> & Folded {
  const all: Record<string, unknown> = {};
  const folded: Record<string, string> = unexpanded(absent);
  for (const name of Object.keys(parts) as (keyof P & string)[]) {
    const inner = wanted[name];
    if (inner === undefined) folded[name] = parts[name].at;
    else all[name] = parts[name].show(inner);
  }
  return { ...(all as Partial<P>), _expandable: folded }; // each part is shown as its own type
}

/** Parts that stay unexpanded. */
export function unexpanded(parts: Expandable): Record<string, string> {
  return Object.fromEntries(Object.keys(parts).map(name => [name, '']));
}

type PartOf<T> = { readonly at: string; show(wanted: ExpansionTree): Exclude<T, undefined> };

export interface Folded {
  readonly _expandable: Readonly<Record<string, string>>;
}
