// What people ask of the clock of a sandbox: the form of it, and what the form cannot say. Turns no clock.

import { DURATION_PATTERN } from '../../engine/duration.js';
import type { ClockOrder } from '../../engine/sandbox/clock.js';
import { instant, type JsonSchema } from '../../operations/schema.js';
import { instantFlaws } from '../checks/step-checks.js';
import type { Flaw } from '../yaml/problem.js';

const orders = ['set', 'advance', 'freeze', 'run'];
const yes = (description: string): JsonSchema => ({ enum: [true], description });

export const clockOrderSchema: JsonSchema = {
  type: 'object',
  description: 'Exactly one of set, advance, freeze and run; beside set, running.',
  properties: {
    set: { ...instant, title: 'From now on it is this instant' },
    running: { type: 'boolean', description: 'Whether the clock runs from there on; left out, it stands there.' },
    advance: {
      type: ['number', 'string'],
      minimum: 0,
      pattern: DURATION_PATTERN,
      title: 'By how much it goes on',
      description: 'Seconds from 0, or an ISO 8601 duration such as PT1H or P1DT12H',
    },
    freeze: yes('It stands where it is.'),
    run: yes('It goes on from where it stands.'),
  },
  additionalProperties: false,
};

/** What is wrong with an order that fits its schema. */
export function clockFlaws(order: object): Flaw[] {
  const given = orders.filter(name => Object.hasOwn(order, name));
  if (given.length !== 1) {
    const has = given.length === 0 ? 'there is none of them' : `there are ${given.join(' and ')}`;
    return [{ path: [], message: `It takes exactly one of ${orders.join(', ')}, and ${has}.` }];
  }
  if (Object.hasOwn(order, 'running') && given[0] !== 'set')
    return [{ path: ['running'], of: 'key', message: 'running belongs to set: run and freeze need none.' }];
  const only = order as ClockOrder; // it fits its schema, and is one of them
  return 'set' in only ? instantFlaws(only.set, ['set']) : [];
}
