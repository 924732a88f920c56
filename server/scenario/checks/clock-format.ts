// The format of a change of a sandbox's clock, and the errors that its schema cannot find.

import { instant } from '../../domain/json/shape.js';
import { DURATION_PATTERN } from '../../engine/duration.js';
import type { ClockOrder } from '../../engine/sandbox/clock.js';
import type { JsonSchema } from '../../operations/schema.js';
import type { ValueError } from '../yaml/problem.js';
import { instantErrors } from './step-checks.js';

const orders = ['set', 'advance', 'freeze', 'run'];
const yes = (description: string): JsonSchema => ({ enum: [true], description });

export const clockOrderSchema = {
  type: 'object',
  description: 'Exactly one of set, advance, freeze and run. running is allowed only with set.',
  properties: {
    set: { ...instant, title: 'Set the clock to this instant' },
    running: {
      type: 'boolean',
      description: 'Let the clock run from this instant. Default: false, which freezes it at this instant.',
    },
    advance: {
      type: ['number', 'string'],
      minimum: 0,
      pattern: DURATION_PATTERN,
      title: 'Advance the clock by a duration',
      description: 'A number of seconds (0 or more), or an ISO 8601 duration such as PT1H or P1DT12H',
    },
    freeze: yes('Freeze the clock.'),
    run: yes('Let the clock run.'),
  },
  additionalProperties: false,
} satisfies JsonSchema;

function ordersIn(order: object): string[] {
  return orders.filter(name => Object.hasOwn(order, name));
}

/** Errors beyond the schema in a part of an order: whatever it lacks may be in the rest. */
export function partialClockErrors(order: object): ValueError[] {
  return ordersIn(order).length === 0 ? [] : clockErrors(order);
}

/** Errors beyond the schema. */
export function clockErrors(order: object): ValueError[] {
  const given = ordersIn(order);
  if (given.length !== 1) {
    const has = given.length === 0 ? 'none of them is given' : `${given.join(' and ')} are given`;
    return [{ path: [], message: `Exactly one of ${orders.join(', ')} is required, but ${has}.` }];
  }
  if (Object.hasOwn(order, 'running') && given[0] !== 'set')
    return [{ path: ['running'], of: 'key', message: 'running is allowed only with set.' }];
  const only = order as ClockOrder; // it fits its schema, and is one of them
  return 'set' in only ? instantErrors(only.set, ['set']) : [];
}
