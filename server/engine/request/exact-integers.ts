// Large integers as they were sent: JSON.parse rounds those beyond a double. Parses the text again only if there are any.
import { keptFor } from '../../domain/kept-for.js';
import type { BodySpec } from '../../operations/operation.js';
import type { JsonSchema } from '../../operations/schema.js';

type Lists = Readonly<Record<string, ReadonlyArray<number | string> | undefined>>;

/** Names of the fields that are lists of integers. */
const integerLists = keptFor((spec: BodySpec<unknown>): readonly string[] => {
  const { properties = {} } = spec.schema as { readonly properties?: Readonly<Record<string, JsonSchema>> }; // as the schema builder writes it
  return Object.keys(properties).filter(name => {
    const items = properties[name]?.items as JsonSchema | undefined; // `items` is one schema, not a list of them
    return items?.type === 'integer';
  });
});

/** The valid body with each inexact integer replaced by its text. No record has such an id, so the text only appears in messages. */
export function exactIntegers(spec: BodySpec<unknown>, value: unknown, text: string): unknown {
  const body = value as Lists; // it was validated, and is an object if it has lists of integers
  const inexact = integerLists(spec).filter(name => body[name]?.some(id => !Number.isSafeInteger(id)));
  if (inexact.length === 0) return value;
  const sent = withNumbersAsText(text) as Readonly<Record<string, string | readonly string[]>>; // the same fields as those of `body`
  return { ...body, ...Object.fromEntries(inexact.map(name => [name, exact(body[name] ?? [], sent[name] ?? [])])) };
}

const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The value of a JSON text, with each number as the text that was sent. */
export function withNumbersAsText(text: string): unknown {
  return JSON.parse(text.replace(TEXT_OR_NUMBER, token => (token.startsWith('"') ? token : `"${token}"`)));
}

/** `sent`: the same ids as text; one of them if it was sent without a list. */
function exact(ids: ReadonlyArray<number | string>, sent: string | readonly string[]): Array<number | string> {
  const texts = [sent].flat();
  return ids.map((id, i) => (Number.isSafeInteger(id) ? id : (texts[i] ?? id)));
}
