// Headers as they lie over one another: a name is the same in any case. Knows no connection.

type Headers = Readonly<Record<string, string>>;

/** Both together; where both have a name, in whatever case, the one above counts. */
export function laidOver(below: Headers, above: Headers): Record<string, string> {
  const names = new Set(Object.keys(above).map(name => name.toLowerCase()));
  const kept = Object.entries(below).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...above };
}
