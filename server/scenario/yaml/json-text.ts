// JSON with the place of each value, or with the place of the first syntax error and what is expected there.
import { type JSONPath, type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser';
import { pointerOf } from '../../domain/json/json-pointer.js';

/** From 1; columns in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export interface JsonText {
  readonly value: unknown;
  /** Where the value of a JSON pointer begins; if it does not exist or lies too deep, its nearest parent. */
  placeOf(pointer: string): TextPosition;
  /** Names that an object already has: the last value counts. */
  readonly repeated: ReadonlyArray<TextPosition & { readonly name: string }>;
}

export interface JsonError extends TextPosition {
  /** What was found, and what is expected. */
  readonly message: string;
}

/** Places are kept down to this depth. */
const DEEPEST_PLACE = 4;
/** Deeper nesting is an error: no file needs it, and it would overflow the stack of recursive readers. */
const DEEPEST = 500;

/** By the parser's names of its errors. */
const expected: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in double quotes',
  ValueExpected: 'a value or a name in double quotes',
  InvalidSymbol: 'a value or a name in double quotes',
  InvalidCommentToken: 'a value or a name in double quotes',
  ColonExpected: '":"',
  CommaExpected: '"," or a closing bracket',
  CloseBraceExpected: '"}"',
  CloseBracketExpected: '"]"',
  EndOfFileExpected: 'nothing more',
  UnexpectedEndOfNumber: 'a number',
  UnexpectedEndOfString: 'a string on one line that ends with a double quote',
  InvalidCharacter: 'a string without control characters',
  InvalidEscapeCharacter: 'a string with escapes such as \\n, \\" or \\u00e9 only',
  InvalidUnicode: 'a string with escapes such as \\n, \\" or \\u00e9 only',
};

/** Accepts what `JSON.parse` accepts, except nesting deeper than 500; and a leading byte order mark. */
export function parseJson(text: string): JsonText | { readonly error: JsonError } {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const places = new Map<string, TextPosition>();
  const known = new Set<string>();
  const repeated: Array<TextPosition & { readonly name: string }> = [];
  let depth = 0;
  const keepPlace = (line: number, column: number, path: () => JSONPath) => {
    if (depth <= DEEPEST_PLACE) places.set(pointerOf(path()), { line: line + 1, column: column + 1 });
  };
  const enter: JSONVisitor['onObjectBegin'] = (_offset, _length, line, column, path) => {
    keepPlace(line, column, path);
    depth += 1;
    if (depth > DEEPEST) throw new InvalidJson(line, column, `this is nested more than ${DEEPEST} levels deep`);
  };
  const leave = () => {
    depth -= 1;
  };
  const visitor: JSONVisitor = {
    onObjectBegin: enter,
    onArrayBegin: enter,
    onObjectEnd: leave,
    onArrayEnd: leave,
    onObjectProperty: (name, _offset, _length, line, column, path) => {
      const { size } = known;
      if (known.add(pointerOf([...path(), name])).size === size)
        repeated.push({ name, line: line + 1, column: column + 1 });
    },
    onLiteralValue: (_value, _offset, _length, line, column, path) => keepPlace(line, column, path),
    onError: (code, offset, length, line, column) => {
      const part = plain.slice(offset, offset + Math.min(length, 20));
      const found = part === '' ? 'the end of the file' : part.startsWith('"') ? part : `"${part}"`;
      const wanted = expected[printParseErrorCode(code)] ?? 'JSON';
      throw new InvalidJson(line, column, `expected ${wanted}, found ${found}`);
    },
  };
  try {
    visit(plain, visitor, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof InvalidJson)) throw error;
    const { line, column, message } = error;
    return { error: { line: line + 1, column: column + 1, message } };
  }
  return { value: JSON.parse(plain) as unknown, repeated, placeOf: pointer => placeIn(places, pointer) };
}

/** From 0, as the parser counts. */
class InvalidJson extends Error {
  constructor(
    readonly line: number,
    readonly column: number,
    message: string,
  ) {
    super(message);
  }
}

function placeIn(places: ReadonlyMap<string, TextPosition>, pointer: string): TextPosition {
  const place = places.get(pointer);
  if (place !== undefined || pointer === '') return place ?? { line: 1, column: 1 };
  return placeIn(places, pointer.slice(0, pointer.lastIndexOf('/')));
}
