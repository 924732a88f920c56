// Values in messages: JSON, cut if long.

const MAX_SHOWN = 200;
const MAX_LISTED = 10;

export function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`;
}

/** A list; a long one with its length. */
export function listText(list: readonly unknown[]): string {
  const text = valueText(list);
  return text.endsWith(']') ? text : `a list of ${list.length}: ${text}`;
}

/** The first values, and the number of the others. */
export function listedValues(values: readonly unknown[]): string {
  const more = values.length > MAX_LISTED ? ` and ${values.length - MAX_LISTED} more` : '';
  return `${values.slice(0, MAX_LISTED).map(valueText).join(' and ')}${more}`;
}
