// A capsule: what a sandbox was, was asked and answered, in one JSON file that can be played again anywhere. No secret is in it.

import type { WorldPatch } from '../../domain/form/patch.js';
import type { ArmedFault } from '../../engine/faults/fault.js';
import type { JournalEntry } from '../../engine/journal/journal-entry.js';
import type { Readings } from '../../operations/gaps/gaps.js';
import type { JsonSchema } from '../../operations/schema.js';
import { faultSchema } from '../format/fault-format.js';

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
const fields = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
});
const texts: JsonSchema = { type: 'object', additionalProperties: text };
const { properties: ofFault } = faultSchema as { properties: Readonly<Record<string, JsonSchema>> };
const faults: JsonSchema = {
  type: 'array',
  items: {
    ...faultSchema,
    title: 'CapsuleFault',
    properties: { ...ofFault, met: integer, fired: integer },
    required: [...((faultSchema.required ?? []) as string[]), 'met', 'fired'],
  },
};

/** As far as playing it relies on it; the world is held against its own format. */
export const capsuleSchema: JsonSchema = fields(
  {
    capsule: { const: 1 },
    version: text,
    sandbox: text,
    scenario: text,
    world: { type: 'object', properties: { shipped: text, form: object }, minProperties: 1, maxProperties: 1 },
    readings: texts,
    clock: fields({ now: text, running: { type: 'boolean' } }, ['now', 'running']),
    faults,
    seed: integer,
    earlier: integer,
    entries: {
      type: 'array',
      items: fields(
        {
          id: integer,
          at: text,
          method: text,
          url: { type: 'string' },
          endpoint: text,
          params: texts,
          caller: text,
          unasked: text,
          unproved: text,
          readings: text,
          request: fields({ contentType: text, body: text, unread: fields({ kind: text }, ['kind']) }, ['contentType']),
          answer: fields({ status: integer, body: text }, ['status']),
          rules: { type: 'array', items: text },
          forwarded: fields(
            { to: text, agrees: { type: 'object', additionalProperties: { type: 'array', items: text } } },
            ['to'],
          ),
          between: { type: 'object', properties: { world: object, readings: texts, faults } },
        },
        ['id', 'at', 'method', 'url', 'request', 'answer', 'rules'],
      ),
    },
  },
  ['capsule', 'version', 'sandbox', 'scenario', 'world', 'readings', 'clock', 'faults', 'earlier', 'entries'],
);
