// Prints a shape, which is declared as a schema, as a plain type: for the published declarations and for the pages of the library.

/** As in server/domain/json/shape.ts. */
const TYPE_NAME = Symbol.for('cwx-fake.type-name');

/** A type whose declaration is a shape: its name and that of the schema. */
export const SHAPE = /(?:export (?:declare )?)?type (\w+) = Shape<typeof (\w+)>;?/g;

/** @typedef {Record<string | symbol, any>} Schema */

/**
 * The declaration of a type. Schemas with a name in `names`, by their text, are printed by it.
 * @param {string} name
 * @param {Schema} schema
 * @param {ReadonlyMap<string, string>} [names]
 */
export function printShape(name, schema, names = new Map()) {
  const others = new Map([...names].filter(([, other]) => other !== name));
  if (schema.properties !== undefined) return `interface ${name} ${membersOf(schema, others, '')}`;
  return `type ${name} = ${typeOf({ ...schema, [TYPE_NAME]: undefined }, others, '')};`;
}

/**
 * @param {Schema} schema
 * @param {ReadonlyMap<string, string>} names
 * @param {string} indent
 * @returns {string}
 */
function typeOf(schema, names, indent) {
  const name = schema[TYPE_NAME] ?? names.get(JSON.stringify(schema));
  if (name !== undefined) return name;
  const again = (/** @type {Schema} */ part) => typeOf(part, names, indent);
  if (schema.enum !== undefined) return unionOf(schema.enum.map(literal));
  if ('const' in schema) return literal(schema.const);
  if (schema.properties !== undefined) return membersOf(schema, names, indent);
  if (schema.anyOf !== undefined) return unionOf(schema.anyOf.map(again));
  if (schema.then !== undefined)
    return unionOf([again({ type: schema.if.type, ...schema.then }), again({ ...schema.else })]);
  if (Array.isArray(schema.type)) return unionOf(schema.type.map(type => again({ ...schema, type })));
  if (schema.type === 'integer') return 'number';
  if (schema.type === 'array') return listOf(schema, again);
  if (schema.type !== 'object') return schema.type ?? 'unknown';
  const { additionalProperties: values } = schema;
  return typeof values === 'object' ? `Readonly<Record<string, ${again(values)}>>` : 'object';
}

/**
 * @param {Schema} schema
 * @param {(schema: Schema) => string} again
 */
function listOf({ items, minItems, maxItems }, again) {
  const element = again(items);
  if (Array.isArray(items)) return `readonly [${items.map(again).join(', ')}]`;
  if (minItems !== undefined && minItems === maxItems) return `readonly [${Array(minItems).fill(element).join(', ')}]`;
  return /^\w+$/.test(element) ? `readonly ${element}[]` : `ReadonlyArray<${element}>`;
}

/**
 * @param {Schema} schema
 * @param {ReadonlyMap<string, string>} names
 * @param {string} indent
 */
function membersOf({ properties, required = [] }, names, indent) {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const text = [member.title, member.description].filter(Boolean).map(sentence).join(' ');
    const doc = text === '' ? '' : `${inner}/** ${text} */\n`;
    const key = /^\w+$/.test(name) ? name : literal(name);
    return `${doc}${inner}readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(member, names, inner)};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

const sentence = (/** @type {string} */ text) => (/[.!?]$/.test(text) ? text : `${text}.`);
const unionOf = (/** @type {string[]} */ types) => [...new Set(types)].join(' | ');
const literal = (/** @type {unknown} */ value) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);

/**
 * The schemas of a module's shapes by the names of their types, as `printShape` needs them.
 * @param {string} source
 * @param {Readonly<Record<string, any>>} module
 */
export function namesIn(source, module) {
  const found = [...source.matchAll(SHAPE)].filter(([, , schema = '']) => module[schema] !== undefined);
  return new Map(found.map(([, name = '', schema = '']) => [JSON.stringify(module[schema]), name]));
}
