// What is missing from a body or a query and what is one too many, settled by the readings before the schema is asked.
// Knows no operation: it reads schemas.
import { isObject } from '../../domain/patch.js';
import type { GapId } from '../../operations/gaps.js';
import { quoted } from '../../operations/lookups.js';
import type { BodySpec } from '../../operations/operation.js';
import { isRefused, type Provenance, type Refused } from '../../operations/operation-context.js';
import type { JsonSchema } from '../../operations/schema.js';

type Settled = { readonly value: unknown } | Refused;

/** The body with what the readings add and take away, ready for its schema; or the refusal. */
export function settleBody(spec: BodySpec<unknown>, value: unknown, provenance: Provenance): Settled {
  const { json } = spec.schema;
  if (Array.isArray(value) && isObject(json.items) && json.items.type === 'object')
    return settleEach(json.items, value, provenance);
  if (!isObject(value) || json.type !== 'object') return { value };
  const renamed = settleAlias(spec, value, provenance);
  const settled = settleObject(json, renamed, '', provenance);
  return isRefused(settled) ? settled : { value: settleEmptyLists(spec, settled.value, provenance) };
}

/** The parameters of a query, each as its schema wants it. `sent` holds the first value of each name. */
export function settleQuery(
  properties: Readonly<Record<string, { readonly json: JsonSchema }>>,
  sent: ReadonlyMap<string, string>,
  provenance: Provenance,
): { readonly values: Record<string, unknown> } | Refused {
  const names = Object.keys(properties);
  const missing = names.filter(name => !sent.has(name));
  if (missing.length > 0 && provenance.reading('missing-field') === '400') {
    return provenance.refuse('missing-field', `The query lacks ${missing.join(', ')}; it takes ${names.join(', ')}.`);
  }
  const values: Record<string, unknown> = {};
  for (const [name, { json }] of Object.entries(properties)) {
    const text = sent.get(name);
    if (text === undefined) values[name] = emptyOf(json);
    else if (json.type !== 'boolean') values[name] = text;
    else if (/^(true|false)$/i.test(text)) values[name] = text.toLowerCase() === 'true';
    else return provenance.refuse('query-shape', `${name} is ${quoted(text)}: it must be true or false.`);
  }
  return { values };
}

function settleEach(items: JsonSchema, values: readonly unknown[], provenance: Provenance): Settled {
  const settled: unknown[] = [];
  for (const [i, element] of values.entries()) {
    const outcome = isObject(element) ? settleObject(items, element, `/${i}`, provenance) : { value: element };
    if (isRefused(outcome)) return outcome;
    settled.push(outcome.value);
  }
  return { value: settled };
}

function settleObject(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  pointer: string,
  provenance: Provenance,
): { readonly value: Readonly<Record<string, unknown>> } | Refused {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>>;
  const unknown = Object.keys(value).filter(name => !Object.hasOwn(properties, name));
  const missing = ((schema.required ?? []) as readonly string[]).filter(name => !Object.hasOwn(value, name));
  if (unknown.length + missing.length === 0) return { value };
  const place = pointer === '' ? 'The body' : pointer;
  if (unknown.length > 0 && provenance.reading('unknown-field') === '400') {
    return provenance.refuse(
      'unknown-field',
      `${place} has ${fieldNames(unknown)}; it takes ${Object.keys(properties).join(', ')}.`,
    );
  }
  if (missing.length > 0 && provenance.reading('missing-field') === '400') {
    return provenance.refuse(
      'missing-field',
      `${place} lacks ${fieldNames(missing)}; it takes ${Object.keys(properties).join(', ')}.`,
    );
  }
  const kept = Object.keys(properties).filter(name => Object.hasOwn(value, name) || missing.includes(name));
  return {
    value: Object.fromEntries(
      kept.map(name => [name, Object.hasOwn(value, name) ? value[name] : emptyOf(properties[name] ?? {})]),
    ),
  };
}

function settleAlias(
  { alias }: BodySpec<unknown>,
  value: Readonly<Record<string, unknown>>,
  provenance: Provenance,
): Readonly<Record<string, unknown>> {
  if (alias === undefined || !Object.hasOwn(value, alias.name)) return value;
  provenance.applies(alias.rule);
  if (provenance.reading(alias.gap) !== alias.reading) return value;
  const { [alias.name]: other, ...rest } = value;
  const own = rest[alias.of];
  if (Array.isArray(own) && Array.isArray(other)) return { ...rest, [alias.of]: [...own, ...other] };
  return { ...rest, [alias.of]: own === undefined || Array.isArray(own) ? other : own };
}

/** Empty lists taken out where the reading says that an empty list is none and that decides whether a constraint is met. */
function settleEmptyLists(
  { emptyLists }: BodySpec<unknown>,
  value: Readonly<Record<string, unknown>>,
  provenance: Provenance,
): unknown {
  if (emptyLists === undefined) return value;
  const { gap, absent, groups } = emptyLists;
  const isEmpty = (name: string) => Array.isArray(value[name]) && value[name].length === 0;
  const deciding = groups
    .filter(names => names.some(isEmpty) && names.every(name => value[name] === undefined || isEmpty(name)))
    .flat();
  if (deciding.length === 0 || provenance.reading(gap as GapId) !== absent) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !(deciding.includes(name) && isEmpty(name))));
}

function emptyOf(schema: JsonSchema): unknown {
  return schema.type === 'array' ? [] : schema.type === 'boolean' ? false : '';
}

function fieldNames(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return `${names.slice(0, 5).map(quoted).join(', ')}${more}`;
}
