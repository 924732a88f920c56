// The JSON value of a YAML tree, and the way back from a place in the value to one in the file.
// Aliases share one value and are counted as if written out; every key is a name as it is written, be it a number or `__proto__`.
import type { Alias, ParsedNode, Scalar, YAMLMap } from 'yaml';
import type { Path } from './problem.js';
import { yaml } from './yaml.js';

/** Values that aliases may stand for all together. */
const MOST_ALIASED = 100_000;

export interface Slip {
  readonly offset: number;
  readonly path: Path;
  readonly message: string;
}

type Node = ParsedNode | null;
type Pair = YAMLMap.Parsed['items'][number];
type Targets = ReadonlyMap<Alias, ParsedNode>;

interface Read {
  readonly value: unknown;
  readonly slips: readonly Slip[];
  /** Something has no value at all, so that the rest would be judged wrongly. */
  readonly isUnreadable: boolean;
  /** What each alias stands for. */
  readonly targets: Targets;
}

/** A value, and how many values it is when it is written out. */
interface Sized {
  readonly value: unknown;
  readonly size: number;
}

interface Reading {
  readonly slips: Slip[];
  readonly anchors: Map<string, { readonly node: ParsedNode; readonly sized: Sized }>;
  readonly targets: Map<Alias, ParsedNode>;
  readonly lineOf: (offset: number) => number;
  aliased: number;
  isUnreadable: boolean;
}

const nothing: Sized = { value: null, size: 1 };

export function readValue(root: Node, lineOf: (offset: number) => number): Read {
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

/** Where a place of the value, or the nearest around it that is written down, begins in the file. */
export function placeOf(root: Node, targets: Targets, path: Path, of: 'key' | 'value'): number {
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
  if (node.anchor !== undefined) reading.anchors.delete(node.anchor); // inside itself an anchor stands for nothing yet
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
      `*${alias.source} stands for nothing: there is no &${alias.source} before it.`,
    );
  }
  const already = reading.aliased;
  reading.aliased += found.sized.size;
  if (reading.aliased > MOST_ALIASED) {
    if (already > MOST_ALIASED) return nothing; // told once
    return unreadable(reading, alias.range[0], path, `Up to here aliases stand for more than ${MOST_ALIASED} values.`);
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
    if (name === undefined) {
      unreadable(reading, offset, path, 'A key is a single name here.');
      continue;
    }
    const first = lines.get(name);
    const sized = read(value, reading, [...path, name]);
    if (first === undefined) {
      parts.set(name, sized);
      lines.set(name, reading.lineOf(offset));
    } else {
      const message = `The key ${JSON.stringify(name)} is written twice, first on line ${first}.`;
      reading.slips.push({ offset, path: [...path, name], message });
    }
  }
  const entries = [...parts].map(([name, { value }]) => [name, value] as const);
  return { value: Object.fromEntries(entries), size: sizeOf([...parts.values()]) };
}

const pairs = new WeakMap<object, ReadonlyMap<string, Pair>>();

/** The pairs of a mapping by name, the first of each, kept for the next problem in the same mapping. */
function pairsOf(map: YAMLMap.Parsed): ReadonlyMap<string, Pair> {
  const known = pairs.get(map);
  if (known !== undefined) return known;
  const named = [...map.items].reverse().map(pair => [keyOf(pair.key) ?? '', pair] as const);
  const made = new Map(named);
  pairs.set(map, made);
  return made;
}

/** The name that a key is: as it is written, unless it is quoted. */
function keyOf(key: unknown): string | undefined {
  if (!yaml().isScalar(key)) return undefined;
  return key.type === 'PLAIN' ? (key.source ?? '') : String(key.value);
}

function scalarValue(scalar: Scalar.Parsed, reading: Reading, path: Path): unknown {
  const { value, source, range } = scalar;
  const isNumber = typeof value === 'number';
  if (isNumber && (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))) {
    const message = `${source} is no number of JSON that keeps its value: write it in quotes.`;
    return unreadable(reading, range[0], path, message).value;
  }
  return value;
}

function unreadable(reading: Reading, offset: number, path: Path, message: string): Sized {
  if (!reading.isUnreadable || reading.slips.length < 100) reading.slips.push({ offset, path, message });
  reading.isUnreadable = true;
  return nothing;
}

function sizeOf(parts: readonly Sized[]): number {
  return parts.reduce((sum, { size }) => sum + size, 1);
}
