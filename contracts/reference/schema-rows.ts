// A JSON Schema as rows of a table: each key with what it takes and what it means. Knows no file format.
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
  readonly $ref?: string;
}

/** The rows of all keys, as deep as told: `users.<name>.password`. A required key is in bold. Keys that another object has too are listed once. */
export function schemaRows(schema: JsonSchema, depth: number): string[][] {
  return rowsOf(schema, depth, '', new Map());
}

/** `listed`: by the keys of an object, where they are listed. */
function rowsOf(schema: JsonSchema, depth: number, below: string, listed: Map<string, string>): string[][] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = below === '' ? name : `${below}.${name}`;
    const key = schema.required?.includes(name) ? `**${code(path)}**` : code(path);
    const keys = JSON.stringify(member.properties ?? member.items?.properties);
    const first = depth === 0 ? undefined : listed.get(keys);
    if (first !== undefined) return [[key, typeOf(member), `${meaningOf(member)} Keys as in ${code(first)}.`]];
    if (keys !== undefined) listed.set(keys, path);
    return [[key, typeOf(member), meaningOf(member)], ...deeper(member, depth, path, listed)];
  });
  const { additionalProperties: others } = schema;
  if (typeof others !== 'object' || depth === 0) return own;
  const path = below === '' ? '<name>' : `${below}.<name>`;
  return [...own, ...(others.properties === undefined ? [] : rowsOf(others, depth - 1, path, listed))];
}

function deeper(member: JsonSchema, depth: number, path: string, listed: Map<string, string>): string[][] {
  if (depth === 0) return [];
  if (member.items?.properties !== undefined) return rowsOf(member.items, depth - 1, `${path}[]`, listed);
  return rowsOf(member, depth - 1, path, listed);
}

export function typeOf(schema: JsonSchema): string {
  const { type, items, anyOf, oneOf, additionalProperties } = schema;
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined && schema.enum.length <= 8)
    return schema.enum.map(value => code(String(value))).join(', ');
  if (schema.enum !== undefined) return `one of ${schema.enum.length} names`;
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined && type === undefined) return [...new Set(alternatives.map(typeOf))].join(' or ');
  const names = (typeof type === 'string' ? [type] : (type ?? [])).filter(name => name !== 'null');
  return names.map(name => kindOf(name, items, additionalProperties)).join(' or ') || 'anything';
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
