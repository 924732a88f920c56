// Remembers what follows from an immutable object.

/** A function whose result for an object is computed once and kept as long as the object. */
export function keptFor<K extends object, V extends NonNullable<unknown>>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, V>();
  return of => {
    const known = made.get(of);
    if (known !== undefined) return known;
    const value = make(of);
    made.set(of, value);
    return value;
  };
}
