// Validates values against JSON Schemas, with messages for the sender. The only user of ajv.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isObject } from '../../domain/form/patch.js';
import type { JsonSchema } from '../../operations/schema.js';
import { orList } from '../nearest.js';
import { isSecretField } from '../secrets.js';

export interface SchemaError {
  /** JSON pointer into the value; '' for the value itself. */
  readonly pointer: string;
  /** What is wrong and what is allowed, without the place. */
  readonly problem: string;
  readonly found: string;
  /** The rule of the violated part of the schema. */
  readonly rule?: string;
  readonly keyword: string;
  /** The property that is unknown, missing or misnamed. */
  readonly property?: string;
  /** The allowed values or names, if they can be listed. */
  readonly allowed: readonly string[];
}

/** `, not a list` where that says more: not for an object whose members are wrong. */
export function foundText({ keyword, problem, found }: SchemaError): string {
  if (keyword === 'uniqueItems') return '';
  const isAboutMembers = (keyword === 'anyOf' || keyword === 'minProperties') && found === 'an object';
  return isAboutMembers ? '' : contrast(problem, found);
}

/** A message lists at most this many names. */
export const MAX_LISTED_NAMES = 12;

/** What was expected: with many names, only the one that was meant, ` (did you mean …?)`. */
export function expectedText({ problem, allowed }: SchemaError, meant: string): string {
  return meant !== '' && allowed.length > MAX_LISTED_NAMES
    ? `must be one of the ${allowed.length} allowed names`
    : problem;
}

function oneOf(values: readonly string[]): string {
  return `${values.length > 2 ? 'one of ' : ''}${orList(values)}`;
}

/** The found value after what was expected: `must be a string` is followed by `, not null`, `must have 2 items` by `, but is null`. */
export function contrast(problem: string, found: string): string {
  if (problem.includes(' must not be ')) return `, but it is ${found}`;
  return /\b(must be|expected) /.test(problem) ? `, not ${found}` : `, but is ${found}`;
}

/** For texts of this length only the first error is reported: half a million errors help nobody. */
const LONG_TEXT = 65_536;

export function isLong(length: number): boolean {
  return length > LONG_TEXT;
}

/** Further errors are not reported. */
const MAX_ERRORS = 25_000;

/** Schemas are compiled at first use. Tests check them against their meta-schema. */
const options = {
  strict: true,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false,
  ownProperties: true,
  verbose: true,
  code: { optimize: false },
  meta: false,
  validateSchema: false,
} as const;

/** The validators of schemas: those of one instance of ajv stop at the first error, those of the other find all. */
const [firstOf, everyOf] = [validators(false), validators(true)];

function validators(allErrors: boolean): (schema: JsonSchema) => ValidateFunction {
  let ajv: Ajv2020 | undefined;
  return schema => {
    ajv ??= vocabulary(new Ajv2020({ ...options, allErrors }));
    return ajv.compile(schema); // it keeps what it has compiled
  };
}

interface About {
  /** Length of the text of the value, in characters. */
  readonly length?: number;
  /** Approximate maximum of errors. Default: 25,000. */
  readonly most?: number | undefined;
}

/** Whether a value is valid; stops at the first error. */
export function isValid(schema: JsonSchema, value: unknown): boolean {
  return firstOf(schema)(value) === true;
}

/** The errors; empty if the value is valid. */
export function schemaErrors(
  schema: JsonSchema,
  value: unknown,
  { length = 0, most = MAX_ERRORS }: About = {},
): SchemaError[] {
  const validate = firstOf(schema);
  if (validate(value)) return [];
  const thorough = isLong(length) ? validate : everyOf(schema);
  thorough(value);
  const errors = (thorough.errors ?? []).filter(({ keyword }) => keyword !== 'if').slice(0, most); // its branch has an error too
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf').map(choiceOf);
  return errors.filter(error => choices.every(choice => isTelling(error, choice))).map(schemaError);
}

interface Choice {
  readonly error: ErrorObject;
  /** The path of the alternative that was meant: the only one with all fields of the object, or of the type of the value. */
  readonly meant?: string;
}

function choiceOf(error: ErrorObject): Choice {
  if (!Array.isArray(error.schema)) return { error };
  const fitting = error.schema.flatMap((one: JsonSchema, i) =>
    looksLike(error.data, one) ? `${error.schemaPath}/${i}/` : [],
  );
  return fitting.length === 1 ? { error, meant: fitting[0] as string } : { error };
}

function looksLike(value: unknown, { type, properties = {} }: JsonSchema): boolean {
  if (Array.isArray(value)) return type === 'array';
  if (typeof value === 'number') return type === 'integer' || type === 'number';
  const fields = isObject(value) ? Object.keys(value) : [];
  return fields.length > 0 && fields.every(field => Object.hasOwn(properties as object, field));
}

/** Of the errors of an `anyOf`, those of the alternative that was meant; if none was, its own one, which says more than those of its alternatives. */
function isTelling(error: ErrorObject, { error: whole, meant }: Choice): boolean {
  if (error === whole) return meant === undefined;
  const isInside =
    error.schemaPath.startsWith(`${whole.schemaPath}/`) && error.instancePath.startsWith(whole.instancePath);
  return !isInside || (meant !== undefined && error.schemaPath.startsWith(meant));
}

function vocabulary(ajv: Ajv2020): Ajv2020 {
  return ajv.addKeyword({ keyword: 'x-rule' }).addKeyword({ keyword: 'x-collection' });
}

/** Of a repeated item, the later place. */
function placeOf({ keyword, instancePath, params }: ErrorObject): string {
  return keyword === 'uniqueItems' ? `${instancePath}/${Math.max(params.i, params.j)}` : instancePath;
}

function schemaError(error: ErrorObject): SchemaError {
  const rule = (error.parentSchema as JsonSchema | undefined)?.['x-rule'];
  const property = error.params.additionalProperty ?? error.params.missingProperty ?? error.propertyName;
  return {
    pointer: placeOf(error),
    problem: problemOf(error),
    found: isSecretPlace(error.instancePath) ? kindOf(error.data) : found(error.data),
    keyword: error.keyword,
    allowed: allowedBy(error),
    ...(typeof rule === 'string' && { rule }),
    ...(typeof property === 'string' && { property }),
  };
}

/** What a secret is, without the secret. */
function kindOf(value: unknown): string {
  if (typeof value === 'string') return 'a string';
  return typeof value === 'number' ? 'a number' : found(value);
}

/** Whether this is the place of a password or a token: messages do not show its value. */
function isSecretPlace(pointer: string): boolean {
  const [, field = ''] = /(?:^(?:\/[^/]*)?|\/users\/[^/]*|\/params|\/as)\/([^/]+)$/.exec(pointer) ?? [];
  return isSecretField(field);
}

function problemOf(error: ErrorObject): string {
  const { description } = (error.parentSchema ?? {}) as { description?: string };
  switch (error.keyword) {
    case 'type':
      return `must be ${article(String(error.params.type))}`;
    case 'anyOf':
      return description === undefined
        ? 'must be one of the forms allowed here'
        : `must ${isAboutFields(error) ? 'have' : 'be'} ${lowerFirst(description.replace(/\.$/, ''))}`;
    case 'enum':
      return `must be ${oneOf(allowedBy(error))}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `has an unknown field ${JSON.stringify(error.params.additionalProperty)}`;
    case 'required':
      return `is missing the field ${JSON.stringify(error.params.missingProperty)}`;
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`;
    case 'uniqueItems': {
      const first = Math.min(error.params.i, error.params.j);
      return `repeats ${found((error.data as unknown[])[first])}, the item at index ${first}`; // the keyword is one of lists
    }
    case 'minItems':
      if (error.parentSchema?.maxItems === error.params.limit) return `must have exactly ${error.params.limit} items`;
      return atLeast(error);
    case 'minLength':
    case 'minProperties':
      return atLeast(error);
    case 'maxItems':
      return `must have at most ${error.params.limit} items`;
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'exclusiveMinimum':
      return `must be greater than ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'pattern':
      return description === undefined
        ? `must match ${error.params.pattern}`
        : mismatch(description.replace(/(?:;|\. Default:).*|\.$/s, ''), error.data);
    default:
      return error.message ?? 'is not valid';
  }
}

function atLeast({ params: { limit } }: ErrorObject): string {
  return limit === 1 ? 'must not be empty' : `must have at least ${limit} items`;
}

/** `must be 1 to 64 letters`, by a description that may except some values after `, but not`. */
function mismatch(description: string, value: unknown): string {
  const [what = '', except = ''] = description.split(', but not ');
  return except.includes(JSON.stringify(value)) ? `must not be ${except}` : `must be ${lowerFirst(what)}`;
}

/** Whether the alternatives differ only in their required fields. */
function isAboutFields({ schema }: ErrorObject): boolean {
  return Array.isArray(schema) && schema.every(branch => Object.keys(branch).join() === 'required');
}

function allowedBy(error: ErrorObject): string[] {
  if (error.keyword === 'enum') return (error.params.allowedValues as unknown[]).map(String);
  const { properties } = (error.parentSchema ?? {}) as { properties?: object };
  return error.keyword === 'additionalProperties' && properties !== undefined ? Object.keys(properties) : [];
}

/** A value for a message, at most a line long. */
export function found(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of length ${value.length}`;
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
    case 'object':
      return 'an object';
    default:
      return String(value);
  }
}

function article(type: string): string {
  const names: Record<string, string | readonly string[]> = {
    string: 'a string',
    array: 'a list',
    object: 'an object',
    integer: 'a whole number',
    number: 'a number',
    boolean: ['true', 'false'],
    null: 'null',
  };
  return orList(type.split(',').flatMap(name => names[name] ?? name));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
