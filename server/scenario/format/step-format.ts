// A step of a scenario: its text, its request, its expectations, and what it proves.

import type { WorldPatch } from '../../domain/form/patch.js';
import { worldSchema } from '../../engine/codec/world-schema.js';
import { DURATION_PATTERN } from '../../engine/duration.js';
import { type Fault, faultSchema, MAX_FAULTS } from '../../engine/faults/fault.js';
import { type AnyOperationId, operationIds, rules } from '../../operations/catalog/catalog.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import { either, instant, type JsonSchema, objectSchemaOf } from '../../operations/schema.js';
import { readingsSchema } from './readings-format.js';
import { expectationOf, patchOf } from './schema-variants.js';

/** A user with the credentials of the fixture; or a user with a password, or a token. */
export type As = string | { readonly user: string; readonly password: string } | { readonly token: string };

/** A request as it is sent. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as sent, or bytes. */
  readonly body?: string | { readonly base64: string };
  /** A context path instead of the target's own; `''` for none. */
  readonly context?: string;
}

/** Values are compared exactly, matchers by what they match; names of headers in any letter case. */
export interface Expectation {
  readonly status?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The answer is cut off; cannot be combined with other expectations. */
  readonly connection?: 'broken';
}

/** The expectation under one reading. */
export interface Probe {
  readonly expect?: Expectation;
  readonly then?: unknown;
}

type QueryValue = string | number | boolean;

/** One step. It sends a request by `call` or by `request`, or sends none and only speaks or checks the world. */
export interface Step {
  readonly say: string;
  /** Default: anonymous. */
  readonly as?: As;
  readonly call?: AnyOperationId;
  /** Method of a call, instead of the operation's own. */
  readonly method?: string;
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  /** JSON body of a call. Default: no body. */
  readonly body?: unknown;
  readonly request?: RawRequest;
  /**
   * Readings for the request; without a request, for all later steps. A fake follows them; another server gets the step only if it is known to follow
   * them.
   */
  readonly readings?: SomeReadings;
  readonly expect?: Expectation;
  /** Expected part of the world's JSON form. */
  readonly then?: unknown;
  /** Ids of rules that apply to the answer, or whose effect the step shows; then an earlier step has proved them by its own answer. */
  readonly proves?: readonly string[];
  /** Values of the answer's body to capture, as JSON pointers by name: later steps refer to them as `${name}`. */
  readonly capture?: Readonly<Record<string, string>>;
  /** Starts the scenario again before the step: world, readings, clock, ids, journal and faults. Captured values stay. */
  readonly reset?: true;
  /** The time from this step on: an instant at which the clock stands, or a duration by which it advances, such as `+P1D`. */
  readonly clock?: string;
  /** Changes of the world before the step, as time or other people make them. */
  readonly world?: WorldPatch;
  /** Faults to arm before the step. */
  readonly faults?: readonly Fault[];
  /** The expectation under each reading of the scenario's gap. */
  readonly for?: Readonly<Record<string, Probe>>;
}

/** A duration after a plus sign. */
const ADVANCE = DURATION_PATTERN.replace('^', '^\\+');

export const CAPTURE_NAME = '[A-Za-z_][A-Za-z0-9_-]*';

/** Names that are predefined for `${name}`: an id of the run (letters and digits, different each time), and the target's context path. */
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
  title: 'The caller: a user of the world, or anonymous (default)',
  ...either(
    { type: 'object' },
    {
      description: 'a user and a password, or a token',
      ...objectSchemaOf<Credentials>({
        user: { type: 'string', description: 'A user name.' },
        password: { type: 'string', description: 'The password that is sent, right or wrong.' },
        token: { type: 'string', description: 'A personal access token, instead of user and password.' },
      }),
      anyOf: [{ required: ['user', 'password'] }, { required: ['token'] }],
    },
    { type: 'string' },
  ),
};

const requestSchema: JsonSchema = {
  title: 'A raw request, instead of a call',
  ...objectSchemaOf<RawRequest>(
    {
      method: methodSchema,
      path: { type: 'string', pattern: '^/', description: 'A path with its leading slash and query' },
      context: {
        type: 'string',
        pattern: '^(/[^/]+)?$',
        description: "A context path such as /wiki, instead of the target's own; empty: none",
      },
      headers: { description: 'Headers by name.', ...headers({ type: 'string' }) },
      body: {
        title: 'Text as sent, or bytes',
        ...either(
          { type: 'object' },
          objectSchemaOf<{ base64: string }>(
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
  title: 'The query parameters; a list repeats a parameter',
  type: 'object',
  additionalProperties: either({ type: 'array' }, { items: scalar }, scalar),
};

const expected = expectationOf({
  title: 'The expected answer: values or matchers',
  ...objectSchemaOf<Omit<Expectation, 'connection'>>({
    status: {
      title: 'The status, or a class such as 2XX',
      ...either(
        { type: 'string' },
        { pattern: '^[1-5]XX$', description: 'a status, or a class such as 2XX' },
        { type: 'integer', minimum: 100, maximum: 599, description: 'The status.' },
      ),
    },
    headers: { description: 'Headers by name, in any letter case.', ...headers({ type: 'string' }) },
    body: { description: 'The body: JSON, or text if it is not JSON.' },
  }),
});

/** Definitions that are used more than once. */
export const expectationDefinitions: Readonly<Record<string, JsonSchema>> = {
  expect: {
    ...expected,
    properties: {
      ...(expected.properties as Readonly<Record<string, JsonSchema>>), // definitions of the fields above
      connection: {
        enum: ['broken'],
        description:
          'broken: a fault ends the connection before the answer is complete (hangUp, truncateAt). Cannot be combined with other expectations.',
      },
    },
  },
  // biome-ignore lint/suspicious/noThenProperty: the name that steps have for it
  then: { title: 'Expected part of the world', ...expectationOf(worldSchema) },
};
const expect = { $ref: '#/$defs/expect' };
const then = { $ref: '#/$defs/then' };

export const stepSchema: JsonSchema = {
  title: 'Step',
  ...objectSchemaOf<Step>(
    {
      say: { type: 'string', description: 'Text of the step, for people.' },
      as: asSchema,
      call: { enum: operationIds, title: 'The operation to call' },
      method: { ...methodSchema, title: "The method of the call, instead of the operation's own" },
      path: { title: 'The path parameters', type: 'object', additionalProperties: { type: ['string', 'integer'] } },
      query: querySchema,
      body: { title: 'The body, sent as JSON' },
      request: requestSchema,
      readings: {
        ...readingsSchema,
        title: 'Readings for the request; in a step without a request, for all later steps',
      },
      expect,
      then,
      proves: { title: 'The rules that the step proves', type: 'array', items: { enum: Object.keys(rules) } },
      capture: {
        title: 'Values of the answer to capture for later steps, as JSON pointers by name',
        type: 'object',
        propertyNames: { pattern: `^${CAPTURE_NAME}$`, description: 'A name of letters, digits, - and _' },
        additionalProperties: {
          type: 'string',
          pattern: '^(/.*)?$',
          description: 'A JSON pointer, such as /messages/0',
        },
      },
      reset: {
        enum: [true],
        title: 'Start the scenario again before the step: world, readings, clock, ids, journal and faults',
      },
      clock: {
        type: 'string',
        pattern: `${instant.pattern}|${ADVANCE}`,
        title: 'The time from this step on',
        description:
          'An instant such as 2026-01-05T09:00:00Z, at which the clock stands, or a duration such as +P1D or +PT1H by which it advances',
      },
      world: { title: 'Changes of the world before the step; null removes', ...patchOf(worldSchema) },
      faults: { title: 'Faults to arm before the step', type: 'array', items: faultSchema, maxItems: MAX_FAULTS },
      for: {
        title: 'The expectation under each reading of the gap',
        type: 'object',
        additionalProperties: objectSchemaOf<Probe>({ expect, then }),
      },
    },
    ['say'],
  ),
};
