// A capsule: what a sandbox was, was asked and answered, in one JSON file that can be played again anywhere. No secret is in it.

import type { WorldPatch } from '../../domain/form/patch.js';
import type { ArmedFault } from '../../engine/faults/fault.js';
import { faultSchema } from '../../engine/faults/fault-schema.js';
import { entrySchema } from '../../engine/journal/entry-schema.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import type { Readings } from '../../operations/gaps/gaps.js';
import { type JsonSchema, schemaOf } from '../../operations/schema.js';

/** The world of a shipped scenario or fixture that nobody has changed, by its name; or a world written out, with stand-ins for secrets. */
export type CapsuleWorld = { readonly shipped: string } | { readonly form: WorldPatch };

/** What was changed from behind before a request. */
export interface Between {
  /** A merge-patch (RFC 7396) of the world written out. */
  readonly world?: WorldPatch;
  readonly readings?: Readings;
  readonly faults?: readonly ArmedFault[];
}

export interface CapsuleEntry extends JournalEntry {
  readonly between?: Between;
}

export interface Capsule {
  /** The version of this format. */
  readonly capsule: 1;
  /** The version of cwx-fake. */
  readonly version: string;
  readonly sandbox: string;
  readonly scenario: string;
  /** What the sandbox was before the first entry. */
  readonly world: CapsuleWorld;
  /** One for each gap. */
  readonly readings: Readings;
  /** The sandbox's time then, and whether it ran on by itself. */
  readonly clock: { readonly now: string; readonly running: boolean };
  readonly faults: readonly ArmedFault[];
  readonly seed?: number;
  /** How many earlier entries are not in it: they, or the versions on which they were decided, had been let go. */
  readonly earlier: number;
  readonly entries: readonly CapsuleEntry[];
}

const text: JsonSchema = { type: 'string' };
const integer: JsonSchema = { type: 'integer' };
const object: JsonSchema = { type: 'object' };
const texts: JsonSchema = { type: 'object', additionalProperties: text };
const faults: JsonSchema = {
  type: 'array',
  items: {
    ...faultSchema,
    title: 'CapsuleFault',
    properties: { ...faultSchema.properties, met: integer, fired: integer },
    required: ['effect', 'met', 'fired'],
  },
};

/** Its world is held against its own format, and of its entries less is due than a journal has. */
const entries: JsonSchema = {
  type: 'array',
  items: schemaOf<CapsuleEntry>(
    {
      ...entrySchema.properties,
      between: schemaOf<Between>({ world: object, readings: texts, faults }),
    },
    ['id', 'at', 'method', 'url', 'request', 'answer', 'rules'],
  ),
};

/** As far as playing it relies on it. */
export const capsuleSchema: JsonSchema = schemaOf<Capsule>(
  {
    capsule: { const: 1 },
    version: text,
    sandbox: text,
    scenario: text,
    world: { type: 'object', properties: { shipped: text, form: object }, minProperties: 1, maxProperties: 1 },
    readings: texts,
    clock: schemaOf<Capsule['clock']>({ now: text, running: { type: 'boolean' } }, ['now', 'running']),
    faults,
    seed: integer,
    earlier: integer,
    entries,
  },
  ['capsule', 'version', 'sandbox', 'scenario', 'world', 'readings', 'clock', 'faults', 'earlier', 'entries'],
);
