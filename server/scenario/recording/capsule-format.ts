// The format of a capsule: a sandbox and its journal in one JSON file without secrets, to be replayed anywhere.

import type { WorldPatch } from '../../domain/form/patch.js';
import type { ArmedFault } from '../../engine/faults/fault.js';
import { faultSchema } from '../../engine/faults/fault-schema.js';
import { entrySchema } from '../../engine/journal/entry-schema.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import type { Readings } from '../../operations/gaps/gaps.js';
import { type JsonSchema, schemaOf } from '../../operations/schema.js';

/** The unchanged world of a shipped scenario or fixture by name; or a complete world, with placeholders for secrets. */
export type CapsuleWorld = { readonly shipped: string } | { readonly form: WorldPatch };

/** Changes outside operations before a request. */
export interface Between {
  /** A merge-patch (RFC 7396) of the world. */
  readonly world?: WorldPatch;
  readonly readings?: Readings;
  readonly faults?: readonly ArmedFault[];
}

export interface CapsuleEntry extends JournalEntry {
  readonly between?: Between;
}

export interface Capsule {
  /** Version of this format. */
  readonly capsule: 1;
  /** Version of cwx-fake. */
  readonly version: string;
  readonly sandbox: string;
  readonly scenario: string;
  /** The sandbox before the first entry. */
  readonly world: CapsuleWorld;
  /** One for each gap. */
  readonly readings: Readings;
  /** The time of the sandbox, and whether its clock ran. */
  readonly clock: { readonly now: string; readonly running: boolean };
  readonly faults: readonly ArmedFault[];
  readonly seed?: number;
  /** Number of earlier entries that are missing: they, or their versions, were discarded. */
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

/** Its world is held against its own format, and of its entries less is due than a journal has: nothing that a replay does not read. */
const entries: JsonSchema = {
  type: 'array',
  items: schemaOf<CapsuleEntry>(
    {
      ...entrySchema.properties,
      facts: { type: 'array', items: object },
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
