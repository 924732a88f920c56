// What `expand` asks a host for, as a tree, and entities with the parts that were asked for. What was not is named in `_expandable`.
import type { Expansion } from '../expand.js';

/** The names that an answer can expand, each with those inside it. */
export interface Expandable {
  readonly [name: string]: Expandable;
}

/** Each of them as `expand` takes it: `body.view`. */
export function expandableNames(expandable: Expandable): string[] {
  return Object.entries(expandable).flatMap(([name, inner]) => [
    name,
    ...expandableNames(inner).map(deeper => `${name}.${deeper}`),
  ]);
}

/** The names that are to be shown in full, each with those inside it. */
export interface Wanted {
  readonly [name: string]: Wanted;
}

export const nothing: Wanted = Object.freeze({});

/** The names that an answer has, as a tree, and those that it does not have. */
export function wantedOf(
  asked: readonly Expansion[],
  expandable: Expandable,
): { wanted: Wanted; unknown: readonly Expansion[] } {
  const wanted: Record<string, Wanted> = Object.create(null);
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

function add(steps: Expansion, wanted: Record<string, Wanted>): void {
  let at = wanted;
  for (const step of steps.flatMap(one => Object.values(ranged(one)))) {
    at[step] ??= Object.create(null) as Wanted;
    at = at[step] as Record<string, Wanted>; // made here
  }
}

/** `users[0:49]` asks for a range of a list: it stands inside the name as a name of its own. */
function ranged(step: string): { readonly name: string; readonly range?: string } {
  const [, name = step, range] = /^([^[]+)(\[\d+:\d+\])$/.exec(step) ?? [];
  return range === undefined ? { name } : { name, range };
}

/** A part of an entity: the resource that has it (empty where there is none), and how it is shown. */
export interface Part {
  readonly at: string;
  show(wanted: Wanted): unknown;
}

/** The parts that are wanted, and the others by the resources that have them. `P`: what the parts are, once shown. */
export function shown<P>(wanted: Wanted, parts: { readonly [K in keyof P]-?: PartOf<P[K]> }): Partial<P> & Folded {
  const all: Record<string, unknown> = {};
  const folded: Record<string, string> = {};
  for (const name of Object.keys(parts) as (keyof P & string)[]) {
    const inner = wanted[name];
    if (inner === undefined) folded[name] = parts[name].at;
    else all[name] = parts[name].show(inner);
  }
  return { ...(all as Partial<P>), _expandable: folded }; // each part is shown as its own type
}

type PartOf<T> = { readonly at: string; show(wanted: Wanted): Exclude<T, undefined> };

export interface Folded {
  readonly _expandable: Readonly<Record<string, string>>;
}
