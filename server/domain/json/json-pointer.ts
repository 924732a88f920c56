// Places in JSON values: as paths, and as JSON pointers (RFC 6901).

export type Path = readonly (string | number)[];

/** The pointer to a member of what `within` points to. */
export function pointerTo(name: string, within = ''): string {
  return `${within}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function pointerOf(path: Path): string {
  return path.map(step => pointerTo(String(step))).join('');
}

export function pathOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return /^(0|[1-9]\d*)$/.test(String(step)) ? inner[Number(step)] : undefined;
    return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
      ? (inner as Readonly<Record<string | number, unknown>>)[step]
      : undefined;
  }, value);
}

/** Whether a place is one of these, or within one of them. */
export function isWithin(path: Path, places: readonly Path[]): boolean {
  return places.some(place => place.every((step, i) => i < path.length && String(step) === String(path[i])));
}

/** The place of the first text in a JSON value, or of a member with such a name, that is not well-formed Unicode: no UTF-8 can hold it. */
export function malformedText(value: unknown): Path | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const place = name.isWellFormed() ? malformedText(inner) : [];
    if (place !== undefined) return [name.toWellFormed(), ...place];
  }
  return undefined;
}
