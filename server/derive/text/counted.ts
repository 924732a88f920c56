// Numbers of things in words.

/** `1 interaction`, `2 interactions`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** The first names, and how many more there are: `a, b, c and 2 more`. */
export function fewOf(names: readonly unknown[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
