// Sandboxes: list, create, describe, replace, drop, reset, fork.
import { randomUUID } from 'node:crypto';
import { checkReadings } from '../../engine/request/readings.js';
import { type Description, describe } from '../../engine/sandbox/describe.js';
import { isHindrance } from '../../engine/sandbox/history-error.js';
import type { Sandbox } from '../../engine/sandbox/sandbox.js';
import type { Session } from '../../engine/sandbox/session.js';
import type { Origin } from '../../engine/sandbox/state.js';
import { stateAt } from '../../engine/sandbox/travel.js';
import { LONGEST_TTL_S, ttlOf } from '../../engine/store.js';
import type { JsonSchema } from '../../operations/schema.js';
import { instantFlaws } from '../../scenario/checks/step-checks.js';
import { seed } from '../../scenario/format/fault-format.js';
import { isProblems, showProblem } from '../../scenario/yaml/problem.js';
import { type ControlAnswer, type ControlEndpoint, type Controlled, problem } from './endpoint.js';
import { hinderedBy } from './hindered.js';
import { noSandbox, sandboxOf } from './named.js';

const name: JsonSchema = {
  type: 'string',
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  description: 'a name of 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen',
};
const creation = {
  scenario: { type: 'string', description: 'A scenario, or a fixture, by name; left out, that of the server.' },
  readings: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Readings by gap, over those of the scenario.',
  },
  clock: {
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$',
    description: 'an instant such as 2026-01-05T09:00:00Z, at which the clock stands still',
  },
  seed: {
    ...seed,
    description: 'Decides for faults with a chance that name no seed of their own; left out, 0.',
  },
  ttl: {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: LONGEST_TTL_S,
    description: 'Seconds for which it may be idle, rounded to milliseconds.',
  },
};
const creationSchema: JsonSchema = { type: 'object', properties: creation, additionalProperties: false };
const sandboxSchema: JsonSchema = {
  type: 'object',
  required: ['name', 'scenario', 'version', 'oldest', 'now', 'readings', 'seed', 'url', 'journal', 'idle'],
  properties: {
    name,
    scenario: { type: 'string' },
    version: { type: 'integer', description: 'Counts the changes since it was made.' },
    oldest: { type: 'integer', description: 'The oldest version that is kept, to which it can be rewound.' },
    now: { type: 'string', description: 'Its time.' },
    readings: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Those that differ from the defaults.',
    },
    seed: { type: 'integer', description: 'Decides for faults with a chance that name no seed of their own.' },
    url: { type: 'string', description: 'Its own base path.' },
    journal: {
      type: 'object',
      properties: { entries: { type: 'integer' }, bytes: { type: 'integer' }, evicted: { type: 'integer' } },
    },
    idle: { type: 'number', description: 'Seconds since it was last used.' },
    ttl: { type: 'number', description: 'Seconds for which it may be idle; absent for `default`, which stays.' },
  },
};

export const sandboxEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'list-sandboxes',
    method: 'GET',
    path: '/sandboxes',
    summary: 'The live sandboxes, the one that has been idle longest first',
    replies: {
      200: {
        description: 'The sandboxes.',
        schema: { type: 'object', properties: { sandboxes: { type: 'array', items: sandboxSchema } } },
      },
    },
    handle: async (_, { session }) => ({
      status: 200,
      body: { sandboxes: (await session.all()).map(sandbox => described(sandbox, session)) },
    }),
  },
  {
    id: 'create-sandbox',
    method: 'POST',
    path: '/sandboxes',
    summary: 'Make a sandbox; without a name it gets one',
    body: { type: 'object', properties: { name, ...creation }, additionalProperties: false },
    bodyOptional: true,
    replies: {
      201: { description: 'It is made.', schema: sandboxSchema },
      409: { description: 'There is one of that name.' },
    },
    handle: async ({ body }, controlled) => {
      const { name: wanted = `sandbox-${randomUUID().slice(0, 8)}`, ...rest } = body as Creation & { name?: string };
      const origin = await originFor(rest, controlled);
      return 'status' in origin ? origin : admitted(wanted, origin, rest, controlled);
    },
  },
  {
    id: 'describe-sandbox',
    method: 'GET',
    path: '/sandboxes/{s}',
    summary: 'Describe a sandbox',
    replies: { 200: { description: 'The sandbox.', schema: sandboxSchema } },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      return sandbox === undefined ? noSandbox(call, session) : { status: 200, body: described(sandbox, session) };
    },
  },
  {
    id: 'replace-sandbox',
    method: 'PUT',
    path: '/sandboxes/{s}',
    summary: 'Make a sandbox of this name, in place of the one there may be',
    body: creationSchema,
    bodyOptional: true,
    replies: { 201: { description: 'It is made.', schema: sandboxSchema } },
    handle: async ({ params, body }, controlled) => {
      const wanted = params.s ?? '';
      const creation = body as Creation; // as its schema says
      const origin = await originFor(creation, controlled);
      if ('status' in origin) return origin;
      for (;;) {
        await controlled.session.drop(wanted);
        const made = await admitted(wanted, origin, creation, controlled);
        if (made.status !== 409) return made; // else a request in between has made one of that name
      }
    },
  },
  {
    id: 'drop-sandbox',
    method: 'DELETE',
    path: '/sandboxes/{s}',
    summary: 'Drop a sandbox; `default` is made anew when it is next used',
    replies: { 204: { description: 'It is gone.' } },
    handle: async (call, { session }) =>
      (await session.drop(call.params.s ?? '')) ? { status: 204 } : noSandbox(call, session),
  },
  {
    id: 'reset-sandbox',
    method: 'POST',
    path: '/sandboxes/{s}/reset',
    summary: 'Back to its scenario: world, readings, clock, faults, ids and journal in one step; snapshots stay',
    body: { type: 'object', additionalProperties: false },
    bodyOptional: true,
    replies: { 204: { description: 'It is as it was.' } },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined || (await session.reset(sandbox)) === 'gone') return noSandbox(call, session);
      return { status: 204 };
    },
  },
  {
    id: 'fork-sandbox',
    method: 'POST',
    path: '/sandboxes/{s}/fork',
    summary: 'A second sandbox from the present of this one, or from one of its versions, without its snapshots',
    body: {
      type: 'object',
      properties: {
        name,
        at: { type: 'integer', minimum: 0, description: 'The version that it begins with; left out, the present.' },
      },
      additionalProperties: false,
    },
    bodyOptional: true,
    replies: {
      201: { description: 'It is made.', schema: sandboxSchema },
      409: { description: 'There is one of that name.' },
      410: { description: 'The version is kept no longer.' },
    },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      const { name: wanted = `sandbox-${randomUUID().slice(0, 8)}`, at } = call.body as { name?: string; at?: number };
      const state = at === undefined ? sandbox.state : stateAt(sandbox, at);
      if (isHindrance(state)) return hinderedBy(state);
      const forked = await session.fork(sandbox, wanted, state);
      return forked === undefined ? taken(wanted) : { status: 201, body: described(forked, session) };
    },
  },
];

interface Creation {
  readonly scenario?: string;
  readonly readings?: Readonly<Record<string, string>>;
  readonly clock?: string;
  readonly seed?: number;
  readonly ttl?: number;
}

async function admitted(
  wanted: string,
  origin: Origin,
  { ttl }: Creation,
  { session }: Controlled,
): Promise<ControlAnswer> {
  const made = await session.create(wanted, origin, ttl && ttlOf(ttl));
  return made === undefined ? taken(wanted) : { status: 201, body: described(made, session) };
}

function described(sandbox: Sandbox, session: Session): Description {
  return describe(sandbox, session.settings.machineTime());
}

/** What the sandbox starts from and returns to: a scenario with the readings, the clock and the seed it is made with. */
async function originFor(
  { scenario, readings = {}, clock, seed }: Creation,
  { session, scenarios }: Controlled,
): Promise<Origin | ControlAnswer> {
  const checked = checkReadings(Object.entries(readings));
  if ('problem' in checked) return problem(400, 'Unknown reading', checked.problem);
  const [flaw] = clock === undefined ? [] : instantFlaws(clock, []);
  if (flaw !== undefined) return problem(400, 'No instant', `/clock ${flaw.message}`);
  const loaded = scenario === undefined ? { origin: session.origin } : await scenarios.open(scenario);
  if (isProblems(loaded))
    return problem(400, 'The scenario does not load', loaded.problems.map(showProblem).join('\n'), loaded.problems);
  return {
    ...loaded.origin,
    readings: { ...loaded.origin.readings, ...checked.readings },
    ...(clock !== undefined && { clock }),
    ...(seed !== undefined && { seed }),
  };
}

function taken(wanted: string): ControlAnswer {
  return problem(
    409,
    'The name is taken',
    `There is a sandbox ${JSON.stringify(wanted)} already: drop it first, or PUT it to replace it.`,
  );
}
