// The example of each action of a fault, alone: tests of all actions send these, so that a new one is in each.
import { effectSchema, type Fault } from '../../../server/engine/faults/fault.js';

export const effects: ReadonlyArray<Fault['effect']> = Object.entries(effectSchema.properties).map(
  ([part, { examples }]) => ({ [part]: examples[0] }),
);
