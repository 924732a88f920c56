// Merges headers; names are case-insensitive.

type Headers = Readonly<Record<string, string>>;

/** Both sets; on conflict the second wins. */
export function mergedHeaders(below: Headers, above: Headers): Record<string, string> {
  const names = new Set(Object.keys(above).map(name => name.toLowerCase()));
  const kept = Object.entries(below).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...above };
}
