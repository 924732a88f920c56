// The JSON value of a YAML tree, and the place of each value in the file. Aliases share one value and count as if written out; every key is a name as
// written, even a number or `__proto__`.

import type { Alias, ParsedNode, Scalar, YAMLMap } from 'yaml';
import type { Path } from '../../domain/json/json-pointer.js';
import { keptFor } from '../../domain/kept-for.js';
import { yaml } from './yaml.js';

/** Maximum number of values that all aliases stand for. */
const MAX_ALIASED = 100_000;

export interface ValueSlip {
  readonly offset: number;
  readonly path: Path;
  readonly message: string;
}

type Node = ParsedNode | null;
type Pair = YAMLMap.Parsed['items'][number];
type Targets = ReadonlyMap<Alias, ParsedNode>;

interface Read {
  readonly value: unknown;
  readonly slips: readonly ValueSlip[];
  /** Some part has no value, so that checking the rest would be misleading. */
  readonly isUnreadable: boolean;
  /** The value of each alias. */
  readonly targets: Targets;
}

/** A value, and its number of values when written out. */
interface Sized {
  readonly value: unknown;
  readonly size: number;
}

interface Reading {
  readonly slips: ValueSlip[];
  readonly anchors: Map<string, { readonly node: ParsedNode; readonly sized: Sized }>;
  readonly targets: Map<Alias, ParsedNode>;
  readonly lineOf: (offset: number) => number;
  aliased: number;
  isUnreadable: boolean;
}

const nothing: Sized = { value: null, size: 1 };

export function valueIn(root: Node, lineOf: (offset: number) => number): Read {
  const reading: Reading = {
    slips: [],
    anchors: new Map(),
    targets: new Map(),
    lineOf,
    aliased: 0,
    isUnreadable: false,
  };
  const { value } = read(root, reading, []);
  const { slips, isUnreadable, targets } = reading;
  return { value, slips, isUnreadable, targets };
}

/** The beginning of a value in the file, or of its nearest written parent. */
export function offsetOf(root: Node, targets: Targets, path: Path, of: 'key' | 'value'): number {
  let node = root;
  let place = root?.range[0] ?? 0;
  const { isAlias, isMap, isSeq } = yaml();
  for (const [i, step] of path.entries()) {
    const inner = isAlias(node) ? (targets.get(node) ?? node) : node;
    if (isMap(inner)) {
      const pair = pairsOf(inner).get(String(step));
      if (pair === undefined) return place;
      const isLast = i === path.length - 1;
      const shown = isLast && of === 'value' ? (pair.value ?? pair.key) : pair.key;
      place = shown?.range?.[0] ?? place;
      node = pair.value;
    } else if (isSeq(inner)) {
      node = inner.items[Number(step)] ?? null;
      if (node === null) return place;
      place = node.range[0];
    } else {
      return place;
    }
  }
  return place;
}

function read(node: Node, reading: Reading, path: Path): Sized {
  if (node === null) return nothing;
  if (yaml().isAlias(node)) return readAlias(node, reading, path);
  if (node.anchor !== undefined) reading.anchors.delete(node.anchor); // an anchor has no value within itself
  const sized = readWritten(node, reading, path);
  if (node.anchor !== undefined) reading.anchors.set(node.anchor, { node, sized });
  return sized;
}

function readWritten(node: Exclude<ParsedNode, Alias>, reading: Reading, path: Path): Sized {
  const { isMap, isScalar } = yaml();
  if (isScalar(node)) return { value: scalarValue(node, reading, path), size: 1 };
  if (isMap(node)) return readMap(node, reading, path);
  const parts = node.items.map((item, i) => read(item, reading, [...path, i]));
  return { value: parts.map(({ value }) => value), size: sizeOf(parts) };
}

function readAlias(alias: Alias.Parsed, reading: Reading, path: Path): Sized {
  const found = reading.anchors.get(alias.source);
  if (found === undefined) {
    return unreadable(
      reading,
      alias.range[0],
      path,
      `*${alias.source} is undefined: there is no &${alias.source} before it. If this is text, put it in quotes.`,
    );
  }
  const already = reading.aliased;
  reading.aliased += found.sized.size;
  if (reading.aliased > MAX_ALIASED) {
    if (already > MAX_ALIASED) return nothing; // reported once
    return unreadable(
      reading,
      alias.range[0],
      path,
      `Up to this point, aliases expand to more than ${MAX_ALIASED} values.`,
    );
  }
  reading.targets.set(alias, found.node);
  return found.sized;
}

function readMap(map: YAMLMap.Parsed, reading: Reading, path: Path): Sized {
  const parts = new Map<string, Sized>();
  const lines = new Map<string, number>();
  for (const { key, value } of map.items) {
    const name = keyOf(key);
    const offset = key?.range[0] ?? map.range[0];
    if (name === undefined || !name.isWellFormed()) {
      unreadable(reading, offset, path, name === undefined ? 'A key must be a single name.' : HALF_PAIR);
      continue;
    }
    const first = lines.get(name);
    const sized = read(value, reading, [...path, name]);
    if (first === undefined) {
      parts.set(name, sized);
      lines.set(name, reading.lineOf(offset));
    } else {
      const message = `Duplicate key ${JSON.stringify(name)}: it is already on line ${first}.`;
      reading.slips.push({ offset, path: [...path, name], message });
    }
  }
  const entries = [...parts].map(([name, { value }]) => [name, value] as const);
  return { value: Object.fromEntries(entries), size: sizeOf([...parts.values()]) };
}

/** The pairs of a mapping by name, the first of each; cached for further errors in the same mapping. */
const pairsOf = keptFor(
  (map: YAMLMap.Parsed): ReadonlyMap<string, Pair> =>
    new Map([...map.items].reverse().map(pair => [keyOf(pair.key) ?? '', pair])),
);

/** The name of a key: as written, unless quoted. */
function keyOf(key: unknown): string | undefined {
  if (!yaml().isScalar(key)) return undefined;
  return key.type === 'PLAIN' ? (key.source ?? '') : String(key.value);
}

function scalarValue(scalar: Scalar.Parsed, reading: Reading, path: Path): unknown {
  const { value, source, range } = scalar;
  const isNumber = typeof value === 'number';
  if (isNumber && (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))) {
    const message = `${source} cannot be represented as a JSON number: write it in quotes.`;
    return unreadable(reading, range[0], path, message).value;
  }
  if (typeof value === 'string' && !value.isWellFormed()) return unreadable(reading, range[0], path, HALF_PAIR).value;
  return value;
}

const HALF_PAIR = 'The text must be well-formed Unicode, but has half of a surrogate pair.';

function unreadable(reading: Reading, offset: number, path: Path, message: string): Sized {
  if (!reading.isUnreadable || reading.slips.length < 100) reading.slips.push({ offset, path, message });
  reading.isUnreadable = true;
  return nothing;
}

function sizeOf(parts: readonly Sized[]): number {
  return parts.reduce((sum, { size }) => sum + size, 1);
}
