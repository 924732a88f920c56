// A range of journal entries as a flag says it. Reads no journal.

/** `3-7`, `3-` or `3`; `undefined` where it is none of these. */
export function rangeIn(text: string): { readonly from: number; readonly to: number } | undefined {
  const [, from, dash, to] = /^(\d{1,15})(?:(-)(\d{1,15})?)?$/.exec(text) ?? [];
  if (from === undefined) return undefined;
  const first = Number(from);
  const last = dash === undefined ? first : to === undefined ? Number.MAX_SAFE_INTEGER : Number(to);
  return first >= 1 && first <= last ? { from: first, to: last } : undefined;
}
