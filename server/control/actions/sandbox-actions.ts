// The actions that create, describe, change and drop sandboxes.
import { randomUUID } from 'node:crypto';
import * as Type from '@sinclair/typebox';
import { seed } from '../../engine/faults/trigger.js';
import { checkReadings } from '../../engine/request/readings.js';
import { found } from '../../engine/request/validate.js';
import type { Origin } from '../../engine/sandbox/state.js';
import { resetting, stateAt } from '../../engine/sandbox/versions.js';
import { describe, descriptionSchema, sandboxName } from '../../engine/session/describe.js';
import { LONGEST_TTL_S, ttlOf } from '../../engine/store.js';
import type { SomeReadings } from '../../operations/gaps/gaps.js';
import { type ProfileName, profileNames } from '../../operations/gaps/profiles.js';
import { MANY } from '../../operations/operation.js';
import { type Described, described, fields, integer, string } from '../../operations/schema.js';
import { instantErrors } from '../../scenario/checks/step-checks.js';
import { firstOf } from '../../scenario/checks/world-patch.js';
import type { Loaded } from '../../scenario/load/load-scenario.js';
import { isProblems, MAX_PROBLEMS, type Problems, type ValidationError } from '../../scenario/yaml/problem.js';
import { type Action, ActionProblem, change, noSandbox, onSandbox, withProblems } from './action.js';
import type { ControlContext } from './control-context.js';
import { isLoading, loadingErrors, notLoaded, opened, openedText, sourceErrors } from './opened-source.js';

const newSandbox = described<string>({ ...sandboxName, title: 'Name of the new sandbox' });
const creationFields = {
  ...openedText,
  scenario: string("Name of a scenario or a fixture. Default: the server's scenario."),
  profile: described<ProfileName>({
    enum: profileNames,
    description: "A profile of readings, instead of the scenario's or the server's.",
  }),
  readings: described<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: "Readings by gap. They override the scenario's readings.",
  }),
  clock: described<string>({
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$',
    description: 'An instant at which to freeze the clock, such as 2026-01-05T09:00:00Z',
  }),
  seed: described<number>({
    ...seed,
    description: 'Random seed for faults that have `chance` but no seed of their own. Default: 0.',
  }),
  ttl: described<number>({
    type: 'number',
    exclusiveMinimum: 0,
    maximum: LONGEST_TTL_S,
    description: 'Idle time in seconds after which the sandbox expires, rounded to milliseconds.',
  }),
};
export const creationSchema = fields({}, creationFields);
type Creation = Described<typeof creationSchema>;

export const listingSandboxes = {
  id: 'sandboxes.list',
  method: 'GET',
  path: '/sandboxes',
  summary: 'List the sandboxes, longest idle first',
  replies: [
    {
      status: 200,
      when: 'The sandboxes.',
      body: Type.Object({ sandboxes: Type.Array(descriptionSchema) }),
    },
  ],
  isHeavy: (_, { session }) => session.sandboxes.list().length > MANY,
  run: async (_, { session }) => {
    const now = session.settings.machineTime();
    return { sandboxes: (await session.sandboxes.all()).map(sandbox => describe(sandbox, now)) };
  },
} satisfies Action;

export const creatingSandbox: Action<ReturnType<typeof describe>, Creation & { readonly name?: string }> = {
  id: 'sandboxes.create',
  method: 'POST',
  path: '/sandboxes',
  summary: 'Create a sandbox, with a random name if none is given',
  body: { schema: fields({}, { name: newSandbox, ...creationFields }), isOptional: true },
  replies: [
    { status: 201, when: 'Created.', body: descriptionSchema },
    { status: 409, when: 'The name is in use.' },
  ],
  isHeavy: ({ body }, context) => isLoading(body as Creation, context),
  furtherErrors: (body, _, context) => creationErrors(body, context),
  run: async ({ body: { name: wanted = newName(), ...creation } }, context) => {
    const origin = originFrom(creation, await loadedFor(creation, context));
    return (await made(wanted, origin, creation, context)) ?? taken(wanted);
  },
};

export const describingSandbox = onSandbox({
  id: 'sandboxes.describe',
  method: 'GET',
  path: '/sandboxes/{s}',
  summary: 'Describe a sandbox',
  replies: [{ status: 200, when: 'The sandbox.', body: descriptionSchema }],
  run: async (sandbox, _, { session }) => describe(sandbox, session.settings.machineTime()),
});

export const replacingSandbox: Action<ReturnType<typeof describe>, Creation> = {
  id: 'sandboxes.replace',
  method: 'PUT',
  path: '/sandboxes/{s}',
  summary: 'Create a sandbox with the given name, or replace the existing one',
  body: { schema: creationSchema, isOptional: true },
  replies: [{ status: 201, when: 'Created.', body: descriptionSchema }],
  isHeavy: ({ body }, context) => isLoading(body as Creation, context),
  furtherErrors: (body, _, context) => creationErrors(body, context),
  run: async ({ sandbox: wanted, body }, context) => {
    const origin = originFrom(body, await loadedFor(body, context));
    for (;;) {
      await context.session.drop(wanted);
      const description = await made(wanted, origin, body, context);
      if (description !== undefined) return description; // else a request in between has created it again
    }
  },
};

export const droppingSandbox: Action<undefined> = {
  id: 'sandboxes.drop',
  method: 'DELETE',
  path: '/sandboxes/{s}',
  summary: 'Drop a sandbox. If it is `default`, the next request creates it again',
  replies: [{ status: 204, when: 'Dropped.' }],
  run: async ({ sandbox }, { session }) => {
    if (!(await session.drop(sandbox))) throw noSandbox(sandbox, session);
    return undefined;
  },
};

export const resettingSandbox = onSandbox({
  id: 'sandboxes.reset',
  method: 'POST',
  path: '/sandboxes/{s}/reset',
  summary:
    'Reset a sandbox to its scenario: world, readings, clock, faults, stubs, ids and journal. Snapshots are kept',
  body: { schema: fields({}, {}), isOptional: true },
  replies: [{ status: 204, when: 'The sandbox after the reset.' }],
  run: async (sandbox, _, context) => (await change(sandbox, context, resetting)).result,
});

export const forkingSandbox = onSandbox({
  id: 'sandboxes.fork',
  method: 'POST',
  path: '/sandboxes/{s}/fork',
  summary: 'Fork a sandbox from its current state or one of its versions, without its snapshots',
  body: {
    schema: fields(
      {},
      {
        name: newSandbox,
        at: described<number>({ ...integer('The version to fork from. Default: the current one.'), minimum: 0 }),
      },
    ),
    isOptional: true,
  },
  replies: [
    { status: 201, when: 'Created.', body: descriptionSchema },
    { status: 409, when: 'The name is in use.' },
    { status: 410, when: 'The version has been discarded.' },
  ],
  run: async (sandbox, { body: { name: wanted = newName(), at } }, { session }) => {
    const state = at === undefined ? sandbox.state : stateAt(sandbox, at);
    const forked = await session.fork(sandbox, wanted, state);
    return forked === undefined ? taken(wanted) : describe(forked, session.settings.machineTime());
  },
});

function newName(): string {
  return `sandbox-${randomUUID().slice(0, 8)}`;
}

/** `undefined`: the name is in use. */
async function made(wanted: string, origin: Origin, { ttl }: Creation, { session }: ControlContext) {
  const sandbox = await session.create(wanted, origin, ttl && ttlOf(ttl));
  return sandbox && describe(sandbox, session.settings.machineTime());
}

async function loadedFor(creation: Creation, context: ControlContext): Promise<Pick<Loaded, 'origin'> | Problems> {
  return (await opened(creation, context)) ?? { origin: context.session.origin };
}

/** The origin of a sandbox: a scenario with readings, clock and seed. */
function originFrom(creation: Creation, loaded: Pick<Loaded, 'origin'> | Problems): Origin {
  const { profile, readings = {}, clock, seed } = creation;
  const problems = creationProblems(creation);
  if (isProblems(loaded) && problems.length === 0) throw notLoaded(loaded);
  if (isProblems(loaded) || problems.length > 0)
    throw withProblems(400, 'The sandbox cannot be created', [...problems, ...loadingErrors(creation, loaded)]);
  return {
    ...loaded.origin,
    ...(profile !== undefined && { profile }),
    readings: { ...loaded.origin.readings, ...readingsFrom(readings) },
    ...(clock !== undefined && { clock }),
    ...(seed !== undefined && { seed }),
  };
}

/** Errors beyond the schema. */
async function creationErrors(creation: Creation, context: ControlContext): Promise<readonly ValidationError[]> {
  return [...creationProblems(creation), ...loadingErrors(creation, await loadedFor(creation, context))];
}

/** Errors beyond the schema that need no fake: two sources, unknown readings, invalid instants. */
export function creationProblems({ readings = {}, clock, ...source }: Creation): ValidationError[] {
  return [
    ...sourceErrors(source),
    ...readingProblems(readings, '/readings'),
    ...(clock === undefined ? [] : instantErrors(clock, []).map(({ message }) => ({ pointer: '/clock', message }))),
  ];
}

/** The first readings that do not exist, each with the nearest, or that are no text. */
export function readingProblems(readings: Readonly<Record<string, unknown>>, pointer: string): ValidationError[] {
  const problems: ValidationError[] = [];
  for (const [gap, value] of Object.entries(readings)) {
    const checked = checkReadings([[gap, value]]);
    const message =
      'problem' in checked
        ? checked.problem
        : typeof value === 'string'
          ? undefined
          : `must be a string, not ${found(value)}`;
    if (message !== undefined) problems.push({ pointer: `${pointer}/${gap}`, message });
    if (problems.length === MAX_PROBLEMS) break; // finding the nearest name of 100,000 takes half a second
  }
  return firstOf(problems);
}

/** The readings, if all exist. */
export function readingsFrom(readings: Readonly<Record<string, string>>, pointer = ''): SomeReadings {
  const checked = checkReadings(Object.entries(readings));
  if ('problem' in checked) throw withProblems(400, 'Invalid readings', readingProblems(readings, pointer));
  return checked.readings;
}

function taken(wanted: string): never {
  throw new ActionProblem(
    409,
    'The name is in use',
    `The sandbox ${JSON.stringify(wanted)} already exists: drop or replace it, or choose another name.`,
  );
}
