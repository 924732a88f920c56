// A step of a scenario: its text, its request, its expectations, and what it proves.

import * as Type from '@sinclair/typebox';
import { worldSchema } from '../../domain/form/form-shapes.js';
import type { WorldPatch } from '../../domain/form/patch.js';
import { either, exact, instant, oneOf, type Shape, table, typed } from '../../domain/json/shape.js';
import { DURATION_PATTERN } from '../../engine/duration.js';
import { MAX_ARMED } from '../../engine/faults/armed.js';
import { type Fault, faultSchema } from '../../engine/faults/fault.js';
import { type Stub, stubSchema } from '../../engine/faults/stub.js';
import { CAPTURE_NAME } from '../../engine/patterns/captures.js';
import { type AnyOperationId, operationIds, rules } from '../../operations/catalog/catalog.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import type { JsonSchema } from '../../operations/schema.js';
import { readingsSchema } from './readings-format.js';
import { expectationOf, patchOf, standInDefinitions } from './schema-variants.js';

/** A duration after a plus sign. */
const ADVANCE = DURATION_PATTERN.replace('^', '^\\+');

const method = { pattern: '^[A-Za-z]+$', description: 'A method, such as POST' };

/** A user with the credentials of the fixture; or a user with a password, or a token. */
export type As = string | { readonly user: string; readonly password: string } | { readonly token: string };

const asSchema = typed<As>('As', {
  title: 'The caller: a user of the world, or anonymous (default)',
  ...either(
    { type: 'object' },
    {
      description: 'a user and a password, or a token',
      ...exact({
        user: Type.Optional(Type.String({ description: 'A user name.' })),
        password: Type.Optional(Type.String({ description: 'The password that is sent, right or wrong.' })),
        token: Type.Optional(Type.String({ description: 'A personal access token, instead of user and password.' })),
      }),
      anyOf: [{ required: ['user', 'password'] }, { required: ['token'] }],
    },
    { type: 'string' },
  ),
});

/** @internal */
export const requestSchema = exact(
  {
    method: Type.String(method),
    path: Type.String({ pattern: '^/', description: 'A path that begins with a slash, with its query' }),
    context: Type.Optional(
      Type.String({
        pattern: '^(/[^/]+)?$',
        description: "A context path such as /wiki, instead of the target's own; empty: no context path",
      }),
    ),
    headers: Type.Optional(table(Type.String(), 'Headers by name.')),
    body: Type.Optional(
      Type.Unsafe<string | { base64: string }>({
        title: 'The text to send, or bytes',
        ...either(
          { type: 'object', required: ['base64'] },
          exact({ base64: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', description: 'Bytes in base64' }) }),
          { type: 'string' },
        ),
      }),
    ),
  },
  { title: 'A raw request, instead of a call' },
);

/** A request as it is sent. */
export type RawRequest = Shape<typeof requestSchema>;

type Scalar = string | number | boolean;
const scalar: JsonSchema = { type: ['string', 'number', 'boolean'] };
const queryValue = Type.Unsafe<Scalar | Scalar[]>(either({ type: 'array' }, { items: scalar }, scalar));

/** Values or matchers. */
const response = {
  status: Type.Optional(
    typed<unknown>('unknown', {
      title: 'The status, or a class such as 2XX',
      ...either(
        { type: 'string' },
        { pattern: '^[1-5]XX$', description: 'a status such as 200, or a class such as 2XX' },
        { type: 'integer', minimum: 100, maximum: 599, description: 'The status.' },
      ),
    }),
  ),
  headers: Type.Optional(table(typed<unknown>('unknown', { type: 'string' }), 'Headers by name, in any letter case.')),
  body: Type.Optional(Type.Unknown({ description: 'The body: JSON, or text if it is not JSON.' })),
};
const connection = Type.Optional(
  oneOf(['broken'], {
    description:
      'broken: a fault ends the connection before the response is complete (hangUp, truncateAt). Cannot be combined with other expectations.',
  }),
);

const expected = expectationOf(exact(response, { title: 'The expected response: values or matchers' }));

/** Definitions that are used more than once. */
export const definitions: Readonly<Record<string, JsonSchema>> = {
  ...standInDefinitions,
  readings: readingsSchema,
  world: patchOf(worldSchema),
  fault: faultSchema,
  stub: stubSchema,
  expect: { ...expected, properties: { ...(expected.properties as object), connection } }, // the fields above
  // biome-ignore lint/suspicious/noThenProperty: the name that steps have for it
  then: { title: 'Expected part of the world', ...expectationOf(worldSchema) },
};

/** @internal */
export const expectation = exact({ ...response, connection });

/** Values are compared exactly, matchers by what they match; names of headers in any letter case. */
export type Expectation = Shape<typeof expectation>;

const probe = {
  expect: Type.Optional(typed<Expectation>('Expectation', { $ref: '#/$defs/expect' })),
  // biome-ignore lint/suspicious/noThenProperty: the name that steps have for it
  then: Type.Optional(Type.Unknown({ $ref: '#/$defs/then' })),
};
/** @internal */
export const probeSchema = exact(probe);

/** The expectation under one reading. */
export type Probe = Shape<typeof probeSchema>;

/** @internal A merge-patch of the world. */
export const changes = (title: string) =>
  Type.Optional(typed<WorldPatch>('WorldPatch', { title, $ref: '#/$defs/world' }));
/** @internal */
export const faultList = (title: string) =>
  Type.Optional(Type.Array(typed<Fault>('Fault', { $ref: '#/$defs/fault' }), { title, maxItems: MAX_ARMED }));
/** @internal */
export const stubList = (title: string) =>
  Type.Optional(Type.Array(typed<Stub>('Stub', { $ref: '#/$defs/stub' }), { title, maxItems: MAX_ARMED }));

/** @internal */
export const stepSchema = exact(
  {
    say: Type.String({ description: 'What happens in the step, for the audience.' }),
    as: Type.Optional(asSchema),
    call: Type.Optional(
      typed<AnyOperationId>('AnyOperationId', { enum: operationIds, title: 'The operation to call' }),
    ),
    method: Type.Optional(Type.String({ ...method, title: "The method of the call, instead of the operation's own" })),
    path: Type.Optional({
      ...table(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
      title: 'The path parameters',
    }),
    query: Type.Optional({ ...table(queryValue), title: 'The query parameters; a list repeats a parameter' }),
    body: Type.Optional(Type.Unknown({ title: 'The body, sent as JSON' })),
    request: Type.Optional(requestSchema),
    /** A fake follows them; another server gets the step only if it is known to follow them. */
    readings: Type.Optional(
      typed<SomeReadings>('SomeReadings', {
        $ref: '#/$defs/readings',
        title: 'Readings for the request; in a step without a request, for all later steps',
      }),
    ),
    ...probe,
    /** They apply to the response, or the step shows their effect; then an earlier step has proved them by its own response. */
    proves: Type.Optional(
      Type.Array(typed<string>('string', { enum: Object.keys(rules) }), { title: 'The rules that the step proves' }),
    ),
    capture: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        title: 'Values of the response to capture for later steps, as JSON pointers by name',
        type: 'object',
        propertyNames: {
          pattern: `^${CAPTURE_NAME}$`,
          description: 'A name of letters, digits, hyphens and underscores',
        },
        additionalProperties: {
          type: 'string',
          pattern: '^(/.*)?$',
          description: 'A JSON pointer, such as /messages/0',
        },
      }),
    ),
    reset: Type.Optional(
      oneOf([true], {
        title: 'Restart the scenario before the step: world, readings, clock, ids, journal, faults and stubs',
      }),
    ),
    clock: Type.Optional(
      Type.String({
        pattern: `${instant.pattern}|${ADVANCE}`,
        title: 'The time, starting with this step',
        description:
          'An instant at which to freeze the clock, such as 2026-01-05T09:00:00Z, or a duration by which to advance it, such as +P1D or +PT1H',
      }),
    ),
    world: changes('Changes to the world before the step; null removes a record'),
    faults: faultList('Faults to add before the step'),
    stubs: stubList('Stubs to add before the step'),
    for: Type.Optional({ ...table(probeSchema), title: 'The expectation under each reading of the gap' }),
  },
  { title: 'Step' },
);

/** One step. It sends a request by `call` or by `request`, or sends none and only speaks or checks the world. */
export type Step = Shape<typeof stepSchema>;
