// Checks the body of a request against the document: JSON with exactly its fields and types. If a reading would decide, the gap is named.
import { isObject } from '../../domain/form/patch.js';
import type { Body } from '../../engine/request/request.js';
import { type MissingGap, missingGap, unknownGap } from '../../engine/request/stages/body-fields.js';
import { bodyRule, isJsonType, missingGaps } from '../../engine/request/stages/json-body.js';
import { found as foundIn, schemaErrors } from '../../engine/request/validate.js';
import { quoted } from '../../operations/lookups.js';
import type { BodySpec, Operation } from '../../operations/operation.js';
import type { JsonSchema } from '../../operations/schema.js';
import { queryOnlyRule } from './own-rule.js';
import { violationOf } from './schema-violation.js';
import type { Violation } from './violation.js';

/** The violations of a body. */
export function checkBody(operation: Operation, body: Body): Violation[] {
  const { body: spec } = operation;
  if (spec === undefined) return unwantedBody(operation, body);
  switch (body.kind) {
    case 'json':
      return checkValue(spec, body.value, body.text.length);
    case 'absent':
      return missingGaps(spec).length > 0 ? missingGaps(spec).map(absentBody) : checkValue(spec, {}, 0); // its own constraints say what is missing
    case 'not-json':
      return [noJson(`a body that is not JSON (${body.problem})`)];
    case 'not-utf8':
      return [noJson('a body that is not UTF-8')];
    default:
      return []; // how a body is packed and cut up is nothing that a contract says
  }
}

/** The violation by a content type. `contentType` is empty if there is none. */
export function checkContentType(operation: Operation, body: Body, contentType: string): Violation[] {
  const isTyped = body.kind === 'json' || body.kind === 'not-json' || body.kind === 'not-utf8';
  if (operation.body === undefined || !isTyped || isJsonType(contentType)) return [];
  return [
    {
      pointer: '/Content-Type',
      expected: 'application/json',
      found: contentType === '' ? 'no content type' : quoted(contentType),
      gap: 'content-type',
    },
  ];
}

function absentBody(gap: MissingGap): Violation {
  return { pointer: '', expected: 'a body, but does not say whether it is optional', found: 'none', gap };
}

function noJson(found: string): Violation {
  return { pointer: '', expected: 'JSON', found, rule: 'address.json-bodies' };
}

function unwantedBody(operation: Operation, body: Body): Violation[] {
  if (body.kind === 'absent') return [];
  const rule = queryOnlyRule(operation);
  const found = body.kind === 'json' ? foundIn(body.value) : 'a body';
  return [{ pointer: '', expected: 'query parameters only', found, ...(rule !== undefined && { rule }) }];
}

/** The fields of the body, or of the elements of a list. */
function fieldsOf({ schema: json }: BodySpec<unknown>): Readonly<Record<string, JsonSchema>> {
  const { properties } = (json.items ?? json) as { properties: Readonly<Record<string, JsonSchema>> }; // as the schema builder writes it
  return properties;
}

function checkValue(spec: BodySpec<unknown>, sent: unknown, length: number): Violation[] {
  const { value, violations } = withoutAlias(spec, sent);
  const wrong = schemaErrors(spec.schema, value, { length }).flatMap(schemaError =>
    violationOf(schemaError, value, bodyRule(spec), {
      unknown: unknownGap(spec),
      missing: name => missingGap(fieldsOf(spec)[name]),
      isNull: 'null-field',
    }),
  );
  const named = violations.length === 0 ? wrong : wrong.map(violation => asWritten(violation, spec, sent));
  return [...violations, ...named, ...emptyLists(spec, value)];
}

/** The value with an alias replaced by its field, and the violation. */
function withoutAlias({ alias }: BodySpec<unknown>, value: unknown): { value: unknown; violations: Violation[] } {
  if (alias === undefined || !isObject(value) || !Object.hasOwn(value, alias.name)) return { value, violations: [] };
  const { name, of, gap } = alias;
  const { [name]: other, ...rest } = value;
  const expected = `the field ${quoted(of)} in its example, and ${quoted(name)} only in its shape`;
  const violation = { pointer: `/${name}`, expected, found: `the field ${quoted(name)}`, gap };
  return { value: { [of]: other, ...rest }, violations: [violation] };
}

/** The violation under the name that the contract uses. */
function asWritten(violation: Violation, { alias }: BodySpec<unknown>, sent: unknown): Violation {
  if (alias === undefined || (isObject(sent) && Object.hasOwn(sent, alias.of))) return violation;
  return { ...violation, pointer: violation.pointer.replace(new RegExp(`^/${alias.of}(?=/|$)`), `/${alias.name}`) };
}

/** Empty lists without another item: whether they count is a gap. */
function emptyLists({ emptyLists: spec }: BodySpec<unknown>, value: unknown): Violation[] {
  if (spec === undefined || !isObject(value)) return [];
  const isEmpty = (name: string) => Array.isArray(value[name]) && value[name].length === 0;
  return spec.groups
    .filter(names => names.every(name => value[name] === undefined || isEmpty(name)))
    .flatMap(names => names.filter(isEmpty))
    .map(name => ({
      pointer: `/${name}`,
      expected: 'a list, but does not say whether it can be empty',
      found: 'an empty list',
      gap: spec.gap,
    }));
}
