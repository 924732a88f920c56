// A JSON Schema as rows of a table: each key with what it accepts and what it means. Knows no file format.
import { code } from '../../server/derive/text/markdown-syntax.js';

export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
  readonly if?: JsonSchema;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** The keys whose members are described elsewhere, with a sentence that says where. */
export type Elsewhere = Readonly<Record<string, string>>;

/** The rows of all keys down to a depth, such as `users.<name>.password`. A required key is in bold. Keys that several objects share are listed once. */
export function schemaRows(schema: JsonSchema, depth: number, elsewhere: Elsewhere = {}): string[][] {
  return rowsOf(resolved(schema, schema.$defs ?? {}) as JsonSchema, depth, '', { keys: new Map(), elsewhere });
}

/** The schema with each reference replaced, and without the matchers and captured values that may stand for any value. */
function resolved(value: unknown, definitions: Readonly<Record<string, JsonSchema>>): unknown {
  if (Array.isArray(value)) return value.map(one => resolved(one, definitions));
  if (typeof value !== 'object' || value === null) return value;
  const { $defs: _, $ref, ...schema } = value as JsonSchema;
  const definition = definitions[$ref?.replace('#/$defs/', '') ?? ''];
  if (definition !== undefined) return resolved({ ...definition, ...schema }, definitions);
  const isStandIn = schema.if?.$ref === '#/$defs/isStandIn' || schema.if?.type === 'null';
  if (isStandIn && schema.else !== undefined) return resolved(schema.else, definitions);
  return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, resolved(inner, definitions)]));
}

/** The forms that a value may have: one, or those of a condition. */
function formsOf({ then, else: other, ...schema }: JsonSchema): readonly JsonSchema[] {
  const { if: condition, properties } = schema;
  if (then === undefined || other === undefined || properties !== undefined) return [schema];
  return [other, { ...(condition?.type !== undefined && { type: condition.type }), ...then }].flatMap(formsOf);
}

interface Listed {
  /** Where an object with these keys is listed. */
  readonly keys: Map<string, string>;
  readonly elsewhere: Elsewhere;
}

function rowsOf(schema: JsonSchema, depth: number, below: string, listed: Listed): string[][] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = below === '' ? name : `${below}.${name}`;
    const key = schema.required?.includes(name) ? `**${code(path)}**` : code(path);
    const place = listed.elsewhere[name];
    if (place !== undefined) return [[key, typeOf(member), `${meaningOf(member)} ${place}`]];
    const keyed = formsOf(member).find(form => form.properties ?? form.items?.properties) ?? member;
    const members = keyed.properties ?? keyed.items?.properties;
    const keys = members && Object.keys(members).join();
    const first = depth === 0 || keys === undefined ? undefined : listed.keys.get(keys);
    if (first !== undefined) return [[key, typeOf(member), `${meaningOf(member)} Keys as in ${code(first)}.`]];
    if (keys !== undefined) listed.keys.set(keys, path);
    return [[key, typeOf(member), meaningOf(member)], ...deeper(keyed, depth, path, listed)];
  });
  const { additionalProperties: others } = schema;
  if (typeof others !== 'object' || depth === 0) return own;
  const path = below === '' ? '<name>' : `${below}.<name>`;
  return [...own, ...(others.properties === undefined ? [] : rowsOf(others, depth - 1, path, listed))];
}

function deeper(member: JsonSchema, depth: number, path: string, listed: Listed): string[][] {
  if (depth === 0) return [];
  if (member.items?.properties !== undefined) return rowsOf(member.items, depth - 1, `${path}[]`, listed);
  return rowsOf(member, depth - 1, path, listed);
}

export function typeOf(schema: JsonSchema): string {
  const { type, items, anyOf, oneOf, additionalProperties } = schema;
  const forms = formsOf(schema);
  if (forms.length > 1) return [...new Set(forms.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) {
    const values = [...new Set(schema.enum.map(String))]; // a number may stand beside its text
    return values.length <= 8 ? values.map(value => code(value)).join(', ') : `one of ${values.length} names`;
  }
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined && type === undefined) return [...new Set(alternatives.map(typeOf))].join(' or ');
  const names = (typeof type === 'string' ? [type] : (type ?? [])).filter(name => name !== 'null');
  return names.map(name => kindOf(name, items, additionalProperties)).join(' or ') || 'any value';
}

function kindOf(name: string, items: JsonSchema | undefined, others: boolean | JsonSchema | undefined): string {
  if (name === 'array' && items !== undefined) return `list of ${typeOf(items)}`;
  if (name === 'object' && typeof others === 'object') return 'object by name';
  return name === 'array' ? 'list' : name;
}

export function meaningOf({ title, description }: JsonSchema): string {
  return [title, description]
    .filter(text => text !== undefined)
    .map(text => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(' ');
}
