// Converts schema errors to violations of the document.

import { isObject } from '../../domain/form/patch.js';
import { pointerTo } from '../../domain/json/json-pointer.js';
import { nearestName } from '../../engine/nearest.js';
import type { SchemaError } from '../../engine/request/validate.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import { isSameButForCase, quoted } from '../../operations/lookups.js';
import type { Violation } from './violation.js';

/** The gaps for unknown, missing and null fields. Without a gap, an unknown field violates the rule, and a missing one is fine. */
interface FieldGaps {
  /** `open`: the document does not exclude further fields. A misspelt one violates the rule all the same. */
  readonly unknown?: GapId | 'open';
  /** By the name of the field. */
  readonly missing?: (field: string) => GapId;
  readonly isNull?: GapId;
}

/** The violation for a schema error, if it is one. `value`: the whole body; `rule`: the fallback if the schema names none. */
export function violationOf(schemaError: SchemaError, value: unknown, rule: string, gaps: FieldGaps = {}): Violation[] {
  const { pointer, keyword, property = '' } = schemaError;
  switch (keyword) {
    case 'additionalProperties':
      return [{ ...unknownField(schemaError, property), ...against(schemaError, property, gaps.unknown, rule) }];
    case 'required':
      return gaps.missing === undefined || isThereInAnotherCase(value, schemaError)
        ? []
        : [missingField(pointer, property, gaps.missing(property))];
    case 'anyOf':
      return [{ pointer, expected: withoutMust(schemaError), found: 'none of them', rule: schemaError.rule ?? rule }];
    default:
      if (gaps.isNull !== undefined && schemaError.found === 'null' && /\/[A-Za-z]+$/.test(pointer))
        return [{ pointer, expected: withoutMust(schemaError), found: schemaError.found, gap: gaps.isNull }];
      return [
        { pointer, expected: withoutMust(schemaError), found: schemaError.found, rule: schemaError.rule ?? rule },
      ];
  }
}

function unknownField({ pointer, allowed }: SchemaError, name: string): Violation {
  const nearest = nearestName(name, allowed);
  return {
    pointer: pointerTo(name, pointer),
    expected: `the fields ${allowed.join(', ')}`,
    found: `the field ${quoted(name)}`,
    ...(nearest !== undefined && { nearest }),
  };
}

/** A name in another letter case violates a rule of its own. */
function against({ allowed }: SchemaError, name: string, gap: FieldGaps['unknown'], rule: string) {
  if (allowed.some(other => isSameButForCase(name, other))) return { rule: 'address.case-sensitive' };
  if (gap === 'open') return nearestName(name, allowed) === undefined ? {} : { rule };
  return gap === undefined ? { rule } : { gap };
}

function missingField(pointer: string, name: string, gap: GapId): Violation {
  const expected = `the field ${quoted(name)}, but does not say whether it is optional`;
  return { pointer: pointerTo(name, pointer), expected, found: 'no such field', gap };
}

/** The name in another letter case is reported already. */
function isThereInAnotherCase(value: unknown, { pointer, property = '' }: SchemaError): boolean {
  const within = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((place, step) => (Array.isArray(place) ? place[Number(step)] : undefined), value); // objects are only at the top and in lists
  return isObject(within) && Object.keys(within).some(name => isSameButForCase(name, property));
}

function withoutMust({ problem }: SchemaError): string {
  return problem.replace(/^must (?:be|have) /, '');
}
