// Reads values of flags, each of which has been checked with its flag.
import type { Wrong } from './flag-checks.js';
import { type FlagValues, listOf } from './settings.js';

/** The values of a flag as its parser reads them. */
export function parsedBy<T extends object>(parse: (text: string) => T | Wrong, value: FlagValues[string]): T[] {
  return listOf(value).flatMap(text => {
    const parsed = parse(text);
    return 'problem' in parsed ? [] : [parsed];
  });
}

/** The texts of flags, by the name of an option for each flag. Flags that are not given are absent. */
export function textsOf<K extends string>(
  values: FlagValues,
  flags: Readonly<Record<K, string>>,
): { readonly [Option in K]?: string } {
  const texts = Object.entries<string>(flags).map(([option, name]) => [option, values[name]] as const);
  return Object.fromEntries(texts.filter(([, text]) => typeof text === 'string')) as { [Option in K]?: string }; // its keys
}
