// A step of a scenario: what is said and asked, what is expected, and what that proves.
// Knows nothing of how a step is played.

import type { WorldPatch } from '../../domain/form/patch.js';
import { type Fault, MOST_FAULTS } from '../../engine/faults/fault.js';
import { faultSchema } from '../../engine/faults/fault-schema.js';
import { type AnyOperationId, operationIds, rules } from '../../operations/catalog.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import { either, formOf, type JsonSchema } from '../../operations/schema.js';
import { readingsSchema } from './readings-format.js';
import { expectationOf, patchOf } from './schema-variants.js';
import { worldSchema } from './world-format.js';

/** A user, who proves it by what the fixture says; or, to prove it otherwise, a user with a password, or a token. */
export type As = string | { readonly user: string; readonly password: string } | { readonly token: string };

/** A request as it goes over the wire. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is sent, or bytes. */
  readonly body?: string | { readonly base64: string };
  /** A context path in the place of the target's own, `''` for none. */
  readonly context?: string;
}

/** Values are matched exactly, matchers by what they match; a header's name in any case. */
export interface Expectation {
  readonly status?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The answer does not come whole; it stands alone. */
  readonly connection?: 'broken';
}

/** What is expected under one reading. */
export interface Probe {
  readonly expect?: Expectation;
  readonly then?: unknown;
}

type QueryValue = string | number | boolean;

/** One step. It asks by `call` or by `request`, or asks nothing and only speaks or looks at the world. */
export interface Step {
  readonly say: string;
  /** Left out: anonymous. */
  readonly as?: As;
  readonly call?: AnyOperationId;
  /** Of a call, in the place of the operation's own method. */
  readonly method?: string;
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  /** Of a call, as JSON. Left out: there is no body. */
  readonly body?: unknown;
  readonly request?: RawRequest;
  /** A fake is asked under these readings; another server only where it is known to follow them. */
  readonly readings?: SomeReadings;
  readonly expect?: Expectation;
  /** What the world now holds, as a part of its JSON form. */
  readonly then?: unknown;
  /** Ids of rules that apply to the answer, or that the step shows the effect of: these a step before it has proved by its own answer. */
  readonly proves?: readonly string[];
  /** Values of the answer's body to keep, as JSON pointers by name: `${name}` stands for them in later steps. */
  readonly capture?: Readonly<Record<string, string>>;
  /** Laid over the world before the step, from behind: as time and other people change it. */
  readonly world?: WorldPatch;
  /** Armed before the step. */
  readonly faults?: readonly Fault[];
  /** The expectation under each reading of the scenario's gap. */
  readonly for?: Readonly<Record<string, Probe>>;
}

export const CAPTURE_NAME = '[A-Za-z_][A-Za-z0-9_-]*';

/** What `${name}` can stand for from the first step on: a text of letters and digits that no run before had, and the target's context path. */
export const GIVEN_NAMES = ['run', 'context'] as const;

const headers = (value: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: value });
const methodSchema: JsonSchema = { type: 'string', pattern: '^[A-Za-z]+$', description: 'A method, such as POST' };
/** Any of the members of `As`. */
interface Credentials {
  readonly user: string;
  readonly password: string;
  readonly token: string;
}

const asSchema: JsonSchema = {
  title: 'Who asks: a user of the world, or anonymous, the default',
  ...either(
    { type: 'object' },
    {
      description: 'a user and a password, or a token',
      ...formOf<Credentials>({ user: { type: 'string' }, password: { type: 'string' }, token: { type: 'string' } }),
      anyOf: [{ required: ['user', 'password'] }, { required: ['token'] }],
    },
    { type: 'string' },
  ),
};

const requestSchema: JsonSchema = {
  title: 'A request as it goes over the wire, instead of a call',
  ...formOf<RawRequest>(
    {
      method: methodSchema,
      path: { type: 'string', pattern: '^/', description: 'A path from its slash on, with the query' },
      context: {
        type: 'string',
        pattern: '^(/[^/]+)?$',
        description: "A context path such as /wiki in the place of the target's own; empty: none",
      },
      headers: headers({ type: 'string' }),
      body: {
        title: 'Text as it is sent, or bytes',
        ...either(
          { type: 'object' },
          formOf<{ base64: string }>(
            { base64: { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$', description: 'Bytes in base 64' } },
            ['base64'],
          ),
          { type: 'string' },
        ),
      },
    },
    ['method', 'path'],
  ),
};

const scalar: JsonSchema = { type: ['string', 'number', 'boolean'] };
const querySchema: JsonSchema = {
  title: 'The query parameters; a list repeats one',
  type: 'object',
  additionalProperties: either({ type: 'array' }, { items: scalar }, scalar),
};

const expected = expectationOf({
  title: 'What the answer is: values, or matchers in their place',
  ...formOf<Omit<Expectation, 'connection'>>({
    status: {
      title: 'The status, or a class of them, such as 2XX',
      ...either(
        { type: 'string' },
        { pattern: '^[1-5]XX$', description: 'a status, or a class of them such as 2XX' },
        { type: 'integer', minimum: 100, maximum: 599, description: 'The status.' },
      ),
    },
    headers: headers({ type: 'string' }),
    body: { description: 'The body: JSON, or text where it is none.' },
  }),
});

/** Used more than once, so they stand apart. */
export const expectationDefinitions: Readonly<Record<string, JsonSchema>> = {
  expect: {
    ...expected,
    properties: {
      ...(expected.properties as Readonly<Record<string, JsonSchema>>), // those of the fields above
      connection: {
        enum: ['broken'],
        description:
          'broken: a fault ends the connection before the answer is whole (hangUp, truncateAt). It stands alone.',
      },
    },
  },
  // biome-ignore lint/suspicious/noThenProperty: the name that steps have for it
  then: { title: 'What the world now holds, as far as it is written here', ...expectationOf(worldSchema) },
};
const expect = { $ref: '#/$defs/expect' };
const then = { $ref: '#/$defs/then' };

export const stepSchema: JsonSchema = {
  title: 'Step',
  ...formOf<Step>(
    {
      say: { type: 'string', description: 'What happens, for people.' },
      as: asSchema,
      call: { enum: operationIds, title: 'The operation to ask' },
      method: { ...methodSchema, title: "The method of the call, in the place of the operation's own" },
      path: { title: 'The path parameters', type: 'object', additionalProperties: { type: ['string', 'integer'] } },
      query: querySchema,
      body: { title: 'The body, sent as JSON' },
      request: requestSchema,
      readings: { ...readingsSchema, title: 'The readings that the step is about' },
      expect,
      then,
      proves: { title: 'The rules that the step proves', type: 'array', items: { enum: Object.keys(rules) } },
      capture: {
        title: 'Values of the answer to keep, as JSON pointers by name, for later steps',
        type: 'object',
        propertyNames: { pattern: `^${CAPTURE_NAME}$`, description: 'A name of letters, digits, - and _' },
        additionalProperties: {
          type: 'string',
          pattern: '^(/.*)?$',
          description: 'A JSON pointer, such as /messages/0',
        },
      },
      world: { title: 'What has changed in the world by then; null takes away', ...patchOf(worldSchema) },
      faults: { title: 'Faults to arm before the step', type: 'array', items: faultSchema, maxItems: MOST_FAULTS },
      for: {
        title: 'What is expected under each reading of the gap',
        type: 'object',
        additionalProperties: formOf<Probe>({ expect, then }),
      },
    },
    ['say'],
  ),
};
