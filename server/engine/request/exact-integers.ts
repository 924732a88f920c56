// Large integers as they were sent: JSON.parse rounds those beyond a double. Parses the text again only if there are any.
import type { BodySpec } from '../../operations/operation.js';
import type { JsonSchema } from '../../operations/schema.js';

type Lists = Readonly<Record<string, ReadonlyArray<number | string> | undefined>>;

const known = new WeakMap<BodySpec<unknown>, readonly string[]>();

/** Names of the fields that are lists of integers. */
function integerLists(spec: BodySpec<unknown>): readonly string[] {
  const names = known.get(spec);
  if (names !== undefined) return names;
  const { properties = {} } = spec.schema as { readonly properties?: Readonly<Record<string, JsonSchema>> }; // as the schema builder writes it
  const found = Object.keys(properties).filter(name => {
    const items = properties[name]?.items as JsonSchema | undefined; // likewise
    return items?.type === 'integer';
  });
  known.set(spec, found);
  return found;
}

/** The valid body with each inexact integer replaced by its text. No record has such an id, so the text only appears in messages. */
export function exactIntegers(spec: BodySpec<unknown>, value: unknown, text: string): unknown {
  const body = value as Lists; // it was validated, and is an object if it has lists of integers
  const inexact = integerLists(spec).filter(name => body[name]?.some(id => !Number.isSafeInteger(id)));
  if (inexact.length === 0) return value;
  const sent = JSON.parse(text.replace(TEXT_OR_NUMBER, quotedIfInexact)) as Lists; // the same lists as those of `body`
  return { ...body, ...Object.fromEntries(inexact.map(name => [name, exact(body[name] ?? [], sent[name] ?? [])])) };
}

const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function quotedIfInexact(token: string): string {
  return token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`;
}

function exact(ids: ReadonlyArray<number | string>, sent: ReadonlyArray<number | string>): Array<number | string> {
  return ids.map((id, i) => (Number.isSafeInteger(id) ? id : (sent[i] ?? id)));
}
