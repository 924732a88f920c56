// Parses parameters of a provider state that came as text, as in a query, by the schema of the state.

import { pointerOf } from '../../domain/json/json-pointer.js';
import { parsedJson } from '../../domain/json/parsed-json.js';
import { schemaErrors } from '../../engine/request/validate.js';
import type { JsonSchema } from '../../operations/schema.js';
import type { ValidationError } from '../yaml/problem.js';
import { providerStateOf } from './provider-states.js';

export type TextPairs = ReadonlyArray<readonly [name: string, value: string]>;

/** The parameters, or those that cannot be parsed. A list is its parameter repeated, or JSON. */
export function paramsFromText(
  state: string,
  pairs: TextPairs,
): { readonly params: Readonly<Record<string, unknown>> } | { readonly problems: readonly ValidationError[] } {
  const properties = (providerStateOf(state)?.params.properties ?? {}) as Readonly<Record<string, JsonSchema>>; // as all of them are strings
  const read = [...textsByName(pairs)].map(([name, texts]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return { name, ...(schema === undefined ? { value: texts.length > 1 ? texts : texts[0] } : readAs(schema, texts)) };
  });
  const problems = read.flatMap(({ name, problem }) =>
    problem === undefined ? [] : [{ message: `${pointerOf([name])} ${problem}`, pointer: pointerOf([name]) }],
  );
  return problems.length > 0
    ? { problems }
    : { params: Object.fromEntries(read.map(({ name, value }) => [name, value])) };
}

function textsByName(pairs: TextPairs): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const [name, value] of pairs) texts.set(name, [...(texts.get(name) ?? []), value]);
  return texts;
}

interface Reading {
  readonly value?: unknown;
  readonly problem?: string;
}

/** Text that fits as text stays text: a title may look like a number. */
function readAs(schema: JsonSchema, texts: readonly string[]): Reading {
  const isList = schema.type === 'array';
  const [text = ''] = texts;
  if (texts.length > 1)
    return isList
      ? { value: texts }
      : { problem: `is given ${texts.length} times in the query, but must have one value.` };
  if (!isList && schemaErrors(schema, text).length === 0) return { value: text };
  const json = parsedJson(schema.type === 'boolean' ? text.toLowerCase() : text);
  if (json !== undefined && (!isList || Array.isArray(json))) return { value: json };
  if (!/^\s*[[{]/.test(text)) return { value: isList ? [text] : text };
  const repeated = isList ? ', or the parameter once for each element' : '';
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}...` : text);
  return { problem: `is ${shown}, which is not JSON: send JSON${repeated}.` };
}
