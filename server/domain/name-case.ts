// When two names are the same but for case.

export function isSameButForCase(one: string, other: string): boolean {
  return one.length === other.length && one !== other && one.toLowerCase() === other.toLowerCase();
}
