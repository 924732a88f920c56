// What is missing from a body and what is one too many, settled by the readings before the schema is asked.
// Knows no operation: it reads schemas.
import { isObject } from '../../domain/patch.js';
import { quoted } from '../../operations/lookups.js';
import type { BodySpec } from '../../operations/operation.js';
import { type Grounds, isRefused, type Refused } from '../../operations/provenance.js';
import type { JsonSchema } from '../../operations/schema.js';

/** What may decide about the fields of a body. */
type FieldGrounds = Grounds<
  'unknown-field' | 'missing-field',
  'unknown-field' | 'missing-field' | 'all-group-field' | 'ppf-empty-arrays',
  string
>;

type Settled = { readonly value: unknown } | Refused;

/** The body with what the readings add and take away, ready for its schema; or the refusal. */
export function settleBody(spec: BodySpec<unknown>, value: unknown, given: FieldGrounds): Settled {
  const { json } = spec.schema;
  if (Array.isArray(value) && isObject(json.items) && json.items.type === 'object')
    return settleEach(json.items, value, given);
  if (!isObject(value) || json.type !== 'object') return { value };
  const renamed = settleAlias(spec, value, given);
  const settled = settleObject(json, renamed, '', given);
  return isRefused(settled) ? settled : { value: settleEmptyLists(spec, settled.value, given) };
}

function settleEach(items: JsonSchema, values: readonly unknown[], given: FieldGrounds): Settled {
  const settled: unknown[] = [];
  for (const [i, element] of values.entries()) {
    const outcome = isObject(element) ? settleObject(items, element, `/${i}`, given) : { value: element };
    if (isRefused(outcome)) return outcome;
    settled.push(outcome.value);
  }
  return { value: settled };
}

function settleObject(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  pointer: string,
  given: FieldGrounds,
): { readonly value: Readonly<Record<string, unknown>> } | Refused {
  const properties = schema.properties as Readonly<Record<string, JsonSchema>>;
  const unknown = namesBesides(value, properties);
  const missing = namesLacking(value, (schema.required ?? none) as readonly string[]); // as the schema builder writes them
  if (unknown === none && missing === none) return { value };
  const place = pointer === '' ? 'The body' : pointer;
  if (unknown.length > 0 && given.reading('unknown-field') === '400') {
    return given.refuse(
      'unknown-field',
      `${place} has ${fieldNames(unknown)}; it takes ${Object.keys(properties).join(', ')}.`,
    );
  }
  if (missing.length > 0 && given.reading('missing-field') === '400') {
    return given.refuse(
      'missing-field',
      `${place} lacks ${fieldNames(missing)}; it takes ${Object.keys(properties).join(', ')}.`,
    );
  }
  const kept = Object.keys(properties).filter(name => Object.hasOwn(value, name) || missing.includes(name));
  return {
    value: Object.fromEntries(
      kept.map(name => [name, Object.hasOwn(value, name) ? value[name] : absentValue(properties[name] ?? {})]),
    ),
  };
}

const none: readonly string[] = Object.freeze([]);

function namesBesides(value: object, properties: object): readonly string[] {
  for (const name in value)
    if (!Object.hasOwn(properties, name)) return Object.keys(value).filter(other => !Object.hasOwn(properties, other));
  return none;
}

function namesLacking(value: object, names: readonly string[]): readonly string[] {
  for (const name of names) if (!Object.hasOwn(value, name)) return names.filter(other => !Object.hasOwn(value, other));
  return none;
}

function settleAlias(
  { alias }: BodySpec<unknown>,
  value: Readonly<Record<string, unknown>>,
  given: FieldGrounds,
): Readonly<Record<string, unknown>> {
  if (alias === undefined || !Object.hasOwn(value, alias.name)) return value;
  given.applies(alias.rule);
  if (given.reading(alias.gap) !== alias.reading) return value;
  const { [alias.name]: other, ...rest } = value;
  const own = rest[alias.of];
  if (Array.isArray(own) && Array.isArray(other)) return { ...rest, [alias.of]: [...own, ...other] };
  return { ...rest, [alias.of]: own === undefined || Array.isArray(own) ? other : own };
}

/** Empty lists taken out where the reading says that an empty list is none and that decides whether a constraint is met. */
function settleEmptyLists(
  { emptyLists }: BodySpec<unknown>,
  value: Readonly<Record<string, unknown>>,
  given: FieldGrounds,
): unknown {
  if (emptyLists === undefined) return value;
  const { gap, absent, groups } = emptyLists;
  const isEmpty = (name: string) => Array.isArray(value[name]) && value[name].length === 0;
  const deciding = groups
    .filter(names => names.some(isEmpty) && names.every(name => value[name] === undefined || isEmpty(name)))
    .flat();
  if (deciding.length === 0 || given.reading(gap) !== absent) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !(deciding.includes(name) && isEmpty(name))));
}

/** What a field stands for that is left out and need not be there. */
export function absentValue(schema: JsonSchema): unknown {
  return schema.type === 'array' ? [] : schema.type === 'boolean' ? false : '';
}

function fieldNames(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return `${names.slice(0, 5).map(quoted).join(', ')}${more}`;
}
