// Composes large collections of a YAML document in pieces: the library's composer cannot be interrupted, and a mapping with 100,000 keys takes half a
// second. Their entries are removed from the tokens, composed piece by piece, and put back.
import type { Composer, CST, Document, ParsedNode, YAMLMap, YAMLSeq } from 'yaml';
import { yaml } from './yaml.js';

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;
type Entry = CST.CollectionItem;
type Options = ConstructorParameters<typeof Composer>[0];

/** The removed entries of a collection, by its place. */
export type LargeCollections = Map<string, { readonly collection: Collection; readonly entries: readonly Entry[] }>;

/** Entries composed in one piece. */
const PIECE = 500;

/** Removes the entries of large collections from a token. Interruptible. */
export function* takeOut(token: CST.Token | null | undefined, large: LargeCollections): Generator<unknown, void> {
  if (!isCollection(token)) return;
  for (const [i, entry] of token.items.entries()) {
    if (i % PIECE === PIECE - 1) yield;
    if (isCollection(entry.key)) yield* takeOut(entry.key, large);
    if (isCollection(entry.value)) yield* takeOut(entry.value, large);
  }
  if (token.items.length <= PIECE) return;
  const entries = token.items;
  token.items = asFirst(entries.slice(-1)); // the last one stays, so that the collection keeps its end
  if (isClosed(token)) large.set(placeOf(token), { collection: token, entries: entries.slice(0, -1) });
}

/** Composes the removed entries and puts them back. Interruptible. */
export function* putBack(
  document: Document.Parsed<ParsedNode>,
  large: LargeCollections,
  options: Options,
): Generator<unknown, void> {
  const fill = function* (node: ParsedNode | null): Generator<unknown, void> {
    if (large.size === 0 || !isFillable(node)) return;
    const place = `${node.range[0]}${node.flow === true ? '[' : ''}`;
    const found = large.get(place);
    large.delete(place);
    yield* within(node);
    if (found === undefined) return;
    const last = node.items.splice(0);
    for (const entries of inPieces(found.entries)) {
      const piece = composed({ ...found.collection, offset: beginOf(entries), items: entries } as Collection, options); // with its own entries
      document.errors.push(...piece.errors);
      document.warnings.push(...piece.warnings);
      yield;
      if (!isFillable(piece.contents)) continue;
      yield* within(piece.contents);
      (node.items as unknown[]).push(...piece.contents.items); // the same kind of collection
    }
    (node.items as unknown[]).push(...last);
  };
  const within = function* (node: YAMLMap.Parsed | YAMLSeq.Parsed): Generator<unknown, void> {
    for (const [i, item] of node.items.entries()) {
      if (i % PIECE === PIECE - 1) yield;
      if (yaml().isPair(item)) {
        yield* fill(item.key);
        yield* fill(item.value);
      } else yield* fill(item);
    }
  };
  yield* fill(document.contents);
}

function composed(value: Collection, options: Options): Document.Parsed<ParsedNode> {
  const composer = new (yaml().Composer)(options);
  const { offset } = value;
  const [document] = [...composer.next({ type: 'document', offset, start: [], value }), ...composer.end(true, offset)];
  if (document === undefined) throw new Error('the composer must make a document');
  return document;
}

/** An empty entry is an error only if another follows. */
function* inPieces(entries: readonly Entry[]): Generator<Entry[]> {
  for (let from = 0; from < entries.length; ) {
    let to = Math.min(from + PIECE, entries.length);
    while (to < entries.length && isEmpty(entries[to - 1])) to += 1;
    yield from === 0 ? entries.slice(0, to) : asFirst(entries.slice(from, to));
    from = to;
  }
}

/** The first entry of a collection has no comma before it, which the library would search from the beginning of the collection. */
function asFirst(entries: Entry[]): Entry[] {
  const [first, ...others] = entries;
  if (first === undefined) return [];
  const comma = first.start.findIndex(({ type }) => type === 'comma');
  const here: CST.SourceToken = { type: 'space', offset: beginOf(entries), indent: 0, source: '' };
  return [{ ...first, start: [here, ...first.start.filter((_, i) => i !== comma)] }, ...others];
}

/** Where a piece begins: errors in its first entry are placed there. */
function beginOf([first]: readonly Entry[]): number {
  const token = first?.start[0] ?? first?.key ?? first?.sep?.[0] ?? first?.value;
  return token?.offset ?? 0;
}

/** An unclosed collection is reported there, and nothing else. */
function isClosed(token: Collection): boolean {
  if (token.type !== 'flow-collection') return true;
  return token.end[0]?.source === (token.start.source === '{' ? '}' : ']');
}

function isEmpty(entry: Entry | undefined): boolean {
  return entry?.key === undefined && entry?.sep === undefined && entry?.value === undefined;
}

/** Two collections begin at one place if one is the key of the other: then only one is in brackets. */
function placeOf({ offset, type }: Collection): string {
  return `${offset}${type === 'flow-collection' ? '[' : ''}`;
}

function isCollection(token: CST.Token | null | undefined): token is Collection {
  return token?.type === 'block-map' || token?.type === 'block-seq' || token?.type === 'flow-collection';
}

function isFillable(node: ParsedNode | null): node is YAMLMap.Parsed | YAMLSeq.Parsed {
  return yaml().isCollection(node);
}
