// A JSON value as text in pieces, so that to write a large one keeps nobody waiting. Together they are what `JSON.stringify` gives.

/** Characters of a piece, unless a single value has more. */
const PIECE = 16_384;
/** A value with no more values in it is written in one go. */
const FEW = 100;

export function* jsonPieces(value: unknown): Generator<string, void> {
  const written = new Written();
  yield* written.value(value);
  yield written.taken();
}

/** What has been written and is not taken yet. */
class Written {
  #text = '';

  taken(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  *value(value: unknown): Generator<string, void> {
    if (typeof value !== 'object' || value === null || 'toJSON' in value || isShort(value))
      this.#text += JSON.stringify(value) ?? 'null';
    else if (Array.isArray(value)) yield* this.#list(value);
    else yield* this.#object(value);
    if (this.#text.length >= PIECE) yield this.taken();
  }

  *#list(list: readonly unknown[]): Generator<string, void> {
    for (let i = 0; i < list.length; i += 1) {
      this.#text += i === 0 ? '[' : ',';
      yield* this.value(list[i]);
    }
    this.#text += ']';
  }

  *#object(object: object): Generator<string, void> {
    let before = '{';
    for (const [key, value] of Object.entries(object)) {
      if (value === undefined || typeof value === 'function') continue;
      this.#text += `${before}${JSON.stringify(key)}:`;
      yield* this.value(value);
      before = ',';
    }
    this.#text += before === '{' ? '{}' : '}';
  }
}

function isShort(value: object): boolean {
  return leftOf(FEW, value) > 0;
}

/** What is left of a number when one is taken for each value in a value; 0 where there are as many or more. */
function leftOf(many: number, value: unknown): number {
  if (typeof value !== 'object' || value === null) return many - 1;
  let left = many - 1;
  for (const key in value) {
    if (left <= 0) return 0;
    left = leftOf(left, value[key as keyof typeof value]);
  }
  return Math.max(0, left);
}
