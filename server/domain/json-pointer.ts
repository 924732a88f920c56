// JSON pointers (RFC 6901).

/** The pointer to a member of what `within` points to. */
export function pointerTo(name: string, within = ''): string {
  return `${within}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
