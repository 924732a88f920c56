// Parses JSON and knows the place of each value; or gives the place of the first syntax error and what is allowed there.
import { pointerTo } from '../../../server/domain/json-pointer.js';

/** From 1; columns in UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface JsonText {
  readonly value: unknown;
  /** Where the value of a JSON pointer begins; if it does not exist or lies too deep, its nearest parent. */
  placeOf(pointer: string): Place;
}

export interface JsonError extends Place {
  /** What was found, and what is allowed. */
  readonly message: string;
}

/** Places are kept down to this depth. */
const DEEPEST_PLACE = 4;
/** Deeper nesting is an error: no pact needs it, and it would overflow the stack of recursive readers. */
const DEEPEST = 500;

/** Accepts what `JSON.parse` accepts, except nesting deeper than 500; and a leading byte order mark. */
export function parseJson(text: string): JsonText | { readonly error: JsonError } {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const walk = new Walk(plain);
  const error = walk.whole();
  if (error !== undefined) return { error };
  return { value: JSON.parse(plain) as unknown, placeOf: pointer => placeIn(walk.places, pointer) };
}

function placeIn(places: ReadonlyMap<string, Place>, pointer: string): Place {
  const place = places.get(pointer);
  if (place !== undefined || pointer === '') return place ?? { line: 1, column: 1 };
  return placeIn(places, pointer.slice(0, pointer.lastIndexOf('/')));
}

class InvalidJson extends Error {}

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/** One walk over the text. */
class Walk {
  readonly places = new Map<string, Place>();
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(private readonly text: string) {}

  whole(): JsonError | undefined {
    try {
      this.#value('', 0);
      this.#space();
      if (this.#at < this.text.length) this.#fail('nothing more');
      return undefined;
    } catch (error) {
      if (!(error instanceof InvalidJson)) throw error;
      return { ...this.#here(), message: error.message };
    }
  }

  #value(pointer: string | undefined, depth: number): void {
    this.#space();
    if (depth > DEEPEST) throw new InvalidJson(`this is nested more than ${DEEPEST} deep`);
    if (pointer !== undefined) this.places.set(pointer, this.#here());
    const first = this.text[this.#at];
    if (first === '{') this.#items('}', key => this.#member(key, pointer, depth));
    else if (first === '[') this.#items(']', i => this.#value(below(pointer, String(i), depth), depth + 1));
    else if (first === '"') this.#string();
    else this.#past(LITERAL, 'a value');
  }

  /** From an opening bracket to past its closing one. */
  #items(close: '}' | ']', item: (i: number) => void): void {
    this.#at += 1;
    this.#space();
    if (this.text[this.#at] === close) {
      this.#at += 1;
      return;
    }
    for (let i = 0; ; i++) {
      item(i);
      this.#space();
      const next = this.text[this.#at];
      if (next !== ',' && next !== close) this.#fail(`, or ${close}`);
      this.#at += 1;
      if (next === close) return;
    }
  }

  #member(_: number, pointer: string | undefined, depth: number): void {
    this.#space();
    const start = this.#at;
    if (this.text[start] !== '"') this.#fail('a name in double quotes');
    this.#string();
    const name =
      depth < DEEPEST_PLACE && pointer !== undefined ? String(JSON.parse(this.text.slice(start, this.#at))) : '';
    this.#space();
    if (this.text[this.#at] !== ':') this.#fail(':');
    this.#at += 1;
    this.#value(below(pointer, name, depth), depth + 1);
  }

  #string(): void {
    for (this.#at += 1; this.text[this.#at] !== '"'; ) {
      const code = this.text.charCodeAt(this.#at);
      if (code === 0x5c) this.#past(ESCAPE, 'an escape such as \\n, \\" or \\u00e9');
      else if (code >= 0x20) this.#at += 1;
      else
        this.#fail(Number.isNaN(code) ? 'the " that ends the text' : 'a text on one line, without control characters');
    }
    this.#at += 1;
  }

  #past(pattern: RegExp, wanted: string): void {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.text)) this.#fail(wanted);
    this.#at = pattern.lastIndex;
  }

  #space(): void {
    for (; ; this.#at += 1) {
      const char = this.text[this.#at];
      if (char === '\n') {
        this.#line += 1;
        this.#lineStart = this.#at + 1;
      } else if (char !== ' ' && char !== '\t' && char !== '\r') return;
    }
  }

  #here(): Place {
    return { line: this.#line, column: this.#at - this.#lineStart + 1 };
  }

  #fail(wanted: string): never {
    const [char] = this.text.slice(this.#at, this.#at + 2);
    const found = char === undefined ? 'the file ends' : `${JSON.stringify(char)} is`;
    throw new InvalidJson(`${found} where ${wanted} is expected`);
  }
}

function below(pointer: string | undefined, name: string, depth: number): string | undefined {
  if (pointer === undefined || depth >= DEEPEST_PLACE) return undefined;
  return pointerTo(name, pointer);
}
