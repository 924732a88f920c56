// A number with its noun.

/** `1 interaction`, `2 interactions`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
