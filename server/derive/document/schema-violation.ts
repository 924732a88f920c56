// What does not fit a schema as a departure from the document that the schema was written from. Knows no part of a message.
import { isObject } from '../../domain/form/patch.js';
import { nearestName } from '../../engine/nearest.js';
import type { Misfit } from '../../engine/request/validate.js';
import type { GapId } from '../../operations/gaps/gaps.js';
import { isSameButForCase, quoted } from '../../operations/lookups.js';
import { type Departure, pointerTo } from './violation.js';

/** What becomes of fields that the document does not know: where it is no gap, the rule. What becomes of those left out: where it is no gap, nothing. */
interface FieldGaps {
  readonly unknown?: GapId;
  /** By the name of the field. */
  readonly missing?: (field: string) => GapId;
  readonly isNull?: GapId;
}

/** The departure that a misfit is, if it is one. `value` is the whole; `rule` is what it keeps where its schema says nothing nearer. */
export function departureOf(misfit: Misfit, value: unknown, rule: string, gaps: FieldGaps = {}): Departure[] {
  const { pointer, keyword, property = '' } = misfit;
  switch (keyword) {
    case 'additionalProperties':
      return [{ ...unknownField(misfit, property), ...against(misfit, property, gaps.unknown, rule) }];
    case 'required':
      return gaps.missing === undefined || isThereInAnotherCase(value, misfit)
        ? []
        : [missingField(pointer, property, gaps.missing(property))];
    case 'anyOf':
      return [{ pointer, expected: withoutMust(misfit), found: 'none of them', rule: misfit.rule ?? rule }];
    default:
      if (gaps.isNull !== undefined && misfit.found === 'null' && /\/[A-Za-z]+$/.test(pointer))
        return [{ pointer, expected: withoutMust(misfit), found: misfit.found, gap: gaps.isNull }];
      return [{ pointer, expected: withoutMust(misfit), found: misfit.found, rule: misfit.rule ?? rule }];
  }
}

function unknownField({ pointer, allowed }: Misfit, name: string): Departure {
  const nearest = nearestName(name, allowed);
  return {
    pointer: pointerTo(name, pointer),
    expected: `the fields ${allowed.join(', ')}`,
    found: `the field ${quoted(name)}`,
    ...(nearest !== undefined && { nearest }),
  };
}

/** A name in another case goes against a rule of its own. */
function against({ allowed }: Misfit, name: string, gap: GapId | undefined, rule: string) {
  if (allowed.some(other => isSameButForCase(name, other))) return { rule: 'address.case-sensitive' };
  return gap === undefined ? { rule } : { gap };
}

function missingField(pointer: string, name: string, gap: GapId): Departure {
  const expected = `the field ${quoted(name)}, without saying whether it may be left out`;
  return { pointer: pointerTo(name, pointer), expected, found: 'no such field', gap };
}

/** The name in another case is told already. */
function isThereInAnotherCase(value: unknown, { pointer, property = '' }: Misfit): boolean {
  const within = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((place, step) => (Array.isArray(place) ? place[Number(step)] : undefined), value); // objects are only at the top and in lists
  return isObject(within) && Object.keys(within).some(name => isSameButForCase(name, property));
}

function withoutMust({ problem }: Misfit): string {
  return problem.replace(/^must (?:be|have) /, '');
}
