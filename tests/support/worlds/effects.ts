// One sample of each effect of a fault: tests of all of them take these, so that a new one is in each.
import type { Fault } from '../../../server/engine/faults/fault.js';

type Effect = Fault['effect'];

export const effectSamples: { readonly [Part in keyof Required<Effect>]: NonNullable<Effect[Part]> } = {
  delay: 1,
  hold: 'a.b-C_1',
  rateLimit: { limit: 1, window: 60 },
  status: 503,
  headers: { 'X-Mine': '1' },
  body: { a: 1 },
  retryAfter: 3,
  hangUp: true,
  truncateAt: 3,
  garble: true,
  dribble: { bytes: 50, every: 1 },
  partial: { succeed: 1 },
};

/** Each alone. */
export const effects: readonly Effect[] = Object.entries(effectSamples).map(([part, value]) => ({ [part]: value }));
