// Serializes a JSON value in pieces, so that a large one does not block other requests. Joined, they equal `JSON.stringify`. An iterable of entries is
// written as an object, so its values need not exist together.

/** Characters of a piece, unless a single value is longer. */
const PIECE = 16_384;
/** A value with fewer values inside is serialized at once. */
const FEW = 100;

export function* jsonPieces(value: unknown): Generator<string, void> {
  const written = new Written();
  yield* written.value(value);
  yield written.taken();
}

type Entries = Iterable<readonly [key: string, value: unknown]>;

function isIterable(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && !Array.isArray(value);
}

/** Text that is not taken yet. */
class Written {
  #text = '';
  /** Values known to be large: counting again in each parent would cost more than serializing. */
  readonly #large = new WeakSet<object>();

  taken(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  *value(value: unknown): Generator<string, void> {
    if (isIterable(value)) yield* this.#object(value);
    else if (typeof value !== 'object' || value === null || 'toJSON' in value || this.#isShort(value))
      this.#text += JSON.stringify(value) ?? 'null';
    else if (Array.isArray(value)) yield* this.#list(value);
    else yield* this.#object(Object.entries(value));
    if (this.#text.length >= PIECE) yield this.taken();
  }

  *#list(list: readonly unknown[]): Generator<string, void> {
    for (let i = 0; i < list.length; i += 1) {
      this.#text += i === 0 ? '[' : ',';
      yield* this.value(list[i]);
    }
    this.#text += ']';
  }

  *#object(entries: Entries): Generator<string, void> {
    let before = '{';
    for (const [key, value] of entries) {
      if (value === undefined || typeof value === 'function') continue;
      this.#text += `${before}${JSON.stringify(key)}:`;
      yield* this.value(value);
      before = ',';
    }
    this.#text += before === '{' ? '{}' : '}';
  }

  #isShort(value: object): boolean {
    return this.#count(value, FEW) < FEW;
  }

  /** Number of values in a value, itself included, up to a limit. */
  #count(value: unknown, most: number): number {
    if (typeof value !== 'object' || value === null) return 1;
    if (this.#large.has(value) || isIterable(value)) return most;
    let count = 1;
    let parts = 0;
    if (Array.isArray(value)) {
      parts = value.length;
      for (let i = 0; i < parts && count < most; i += 1) count += this.#count(value[i], most - count);
    } else
      for (const key in value) {
        parts += 1;
        if (count < most) count += this.#count(value[key as keyof typeof value], most - count);
        else if (parts >= FEW) break;
      }
    if (parts >= FEW) this.#large.add(value);
    return count;
  }
}
