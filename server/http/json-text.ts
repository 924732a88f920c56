// A JSON value as text in pieces, so that to write a large one keeps nobody waiting. Together they are what `JSON.stringify` gives.

/** Values so deep in a large one are written in one go: a record of a world, an entry of a journal. */
const DEPTH = 3;
/** Characters of a piece, unless a single value has more. */
const PIECE = 16_384;

export function* jsonPieces(value: unknown): Generator<string, void> {
  let piece = '';
  for (const text of written(value, DEPTH)) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function* written(value: unknown, depth: number): Generator<string, void> {
  if (depth === 0 || typeof value !== 'object' || value === null || 'toJSON' in value)
    yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) yield* writtenList(value, depth - 1);
  else yield* writtenObject(value, depth - 1);
}

function* writtenList(list: readonly unknown[], depth: number): Generator<string, void> {
  yield '[';
  for (let i = 0; i < list.length; i += 1) {
    if (i > 0) yield ',';
    yield* written(list[i], depth);
  }
  yield ']';
}

function* writtenObject(object: object, depth: number): Generator<string, void> {
  yield '{';
  let isFirst = true;
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined || typeof value === 'function') continue;
    yield `${isFirst ? '' : ','}${JSON.stringify(key)}:`;
    yield* written(value, depth);
    isFirst = false;
  }
  yield '}';
}
