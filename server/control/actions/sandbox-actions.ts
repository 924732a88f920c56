// The actions that make sandboxes, describe them, and take them away.
import { randomUUID } from 'node:crypto';
import { seed } from '../../engine/faults/fault-schema.js';
import { checkReadings } from '../../engine/request/readings.js';
import { found } from '../../engine/request/validate.js';
import { describe } from '../../engine/sandbox/describe.js';
import { isHistoryError } from '../../engine/sandbox/history.js';
import type { Origin } from '../../engine/sandbox/state.js';
import { stateAt } from '../../engine/sandbox/travel.js';
import { LONGEST_TTL_S, type OrLater, ttlOf } from '../../engine/store.js';
import { SANDBOX_NAME } from '../../operations/address.js';
import { type ProfileName, profileNames } from '../../operations/gaps/profiles.js';
import { described, fields, type JsonSchema, type Schema } from '../../operations/schema.js';
import { instantFlaws } from '../../scenario/checks/step-checks.js';
import { firstOf } from '../../scenario/checks/world-patch.js';
import type { Loaded } from '../../scenario/load/story.js';
import { isProblems, MOST_PROBLEMS, type Problems, showProblem } from '../../scenario/yaml/problem.js';
import {
  type Action,
  ActionProblem,
  noSandbox,
  onSandbox,
  orHistoryProblem,
  type ValidationError,
  withProblems,
} from '../action.js';
import type { ControlContext } from '../control-context.js';

/** The text of a file from elsewhere, in the place of a scenario by name. */
export interface OpenedText {
  readonly text?: string;
  readonly file?: string;
}

/** What a sandbox is made with. */
export interface Creation extends OpenedText {
  readonly scenario?: string;
  readonly profile?: ProfileName;
  readonly readings?: Readonly<Record<string, string>>;
  readonly clock?: string;
  readonly seed?: number;
  readonly ttl?: number;
}

const name: Schema<string> = described({
  type: 'string',
  pattern: SANDBOX_NAME.source,
  description: 'a name of 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, other than "." and ".."',
});
/** Longer names of files are taken by no system. */
const FILE_NAME = 255;
export const openedText = {
  text: described<string>({
    type: 'string',
    description: 'The text of a scenario, a fixture or a capsule, in the place of one by name.',
  }),
  file: described<string>({
    type: 'string',
    minLength: 1,
    maxLength: FILE_NAME,
    description: 'The name of the file that the text is from, for messages. Default: opened.yaml.',
  }),
};
const creationFields = {
  ...openedText,
  scenario: described<string>({
    type: 'string',
    description: 'A scenario, or a fixture, by name; left out, that of the server.',
  }),
  profile: described<ProfileName>({
    enum: profileNames,
    description: 'A named set of readings, in the place of that of the scenario or of the server.',
  }),
  readings: described<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Readings by gap, over those of the scenario.',
  }),
  clock: described<string>({
    type: 'string',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$',
    description: 'an instant such as 2026-01-05T09:00:00Z, at which the clock stands still',
  }),
  seed: described<number>({
    ...seed,
    description: 'Decides for faults with a chance that name no seed of their own; left out, 0.',
  }),
  ttl: described<number>({
    type: 'number',
    exclusiveMinimum: 0,
    maximum: LONGEST_TTL_S,
    description: 'Seconds for which it may be idle, rounded to milliseconds.',
  }),
};
/** The schema of what a sandbox is made with. */
export const creationSchema: JsonSchema = fields({}, creationFields).json;
const sandboxSchema: JsonSchema = {
  title: 'Sandbox',
  type: 'object',
  required: ['name', 'scenario', 'profile', 'version', 'oldest', 'now', 'readings', 'seed', 'url', 'journal', 'idle'],
  properties: {
    name: name.json,
    scenario: { type: 'string' },
    profile: { enum: profileNames, description: 'The named set of readings over which single ones lie.' },
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

export const listingSandboxes = {
  id: 'sandboxes.list',
  method: 'GET',
  path: '/sandboxes',
  summary: 'The live sandboxes, the one that has been idle longest first',
  replies: {
    200: {
      description: 'The sandboxes.',
      schema: { type: 'object', properties: { sandboxes: { type: 'array', items: sandboxSchema } } },
    },
  },
  run: async (_, { session }) => {
    const now = session.settings.machineTime();
    return { sandboxes: (await session.all()).map(sandbox => describe(sandbox, now)) };
  },
} satisfies Action;

export const creatingSandbox: Action<ReturnType<typeof describe>, Creation & { readonly name?: string }> = {
  id: 'sandboxes.create',
  method: 'POST',
  path: '/sandboxes',
  summary: 'Make a sandbox; without a name it gets one',
  body: fields({}, { name, ...creationFields }),
  bodyOptional: true,
  replies: {
    201: { description: 'It is made.', schema: sandboxSchema },
    409: { description: 'There is one of that name.' },
  },
  run: async ({ body: { name: wanted = newName(), ...creation } }, context) => {
    const loaded = loadedFor(creation, context);
    const origin = originFrom(creation, loaded instanceof Promise ? await loaded : loaded);
    return origin instanceof ActionProblem ? origin : made(wanted, origin, creation, context);
  },
};

export const describingSandbox = onSandbox({
  id: 'sandboxes.describe',
  method: 'GET',
  path: '/sandboxes/{s}',
  summary: 'Describe a sandbox',
  createsNone: true,
  replies: { 200: { description: 'The sandbox.', schema: sandboxSchema } },
  run: async (sandbox, _, { session }) => describe(sandbox, session.settings.machineTime()),
});

export const replacingSandbox: Action<ReturnType<typeof describe>, Creation> = {
  id: 'sandboxes.replace',
  method: 'PUT',
  path: '/sandboxes/{s}',
  summary: 'Make a sandbox of this name, in place of the one there may be',
  body: fields({}, creationFields),
  bodyOptional: true,
  replies: { 201: { description: 'It is made.', schema: sandboxSchema } },
  run: async ({ sandbox: wanted, body }, context) => {
    const loaded = loadedFor(body, context);
    const origin = originFrom(body, loaded instanceof Promise ? await loaded : loaded); // where it can, without a wait: a request meets it at once
    if (origin instanceof ActionProblem) return origin;
    for (;;) {
      const dropping = context.session.drop(wanted);
      if (context.session.settings.store.isImmediate !== true) await dropping; // else it could take the new one
      const outcome = await made(wanted, origin, body, context);
      await dropping;
      if (!(outcome instanceof ActionProblem)) return outcome; // else a request in between has made one of that name
    }
  },
};

export const droppingSandbox: Action<undefined> = {
  id: 'sandboxes.drop',
  method: 'DELETE',
  path: '/sandboxes/{s}',
  summary: 'Drop a sandbox; `default` is made anew when it is next used',
  replies: { 204: { description: 'It is gone.' } },
  run: async ({ sandbox }, { session }) => ((await session.drop(sandbox)) ? undefined : noSandbox(sandbox, session)),
};

export const resettingSandbox = onSandbox({
  id: 'sandboxes.reset',
  method: 'POST',
  path: '/sandboxes/{s}/reset',
  summary: 'Back to its scenario: world, readings, clock, faults, ids and journal in one step; snapshots stay',
  body: fields({}, {}),
  bodyOptional: true,
  replies: { 204: { description: 'It is as it was.' } },
  run: async (sandbox, _, { session }) => ((await session.reset(sandbox)) === 'gone' ? 'gone' : undefined),
});

export const forkingSandbox = onSandbox({
  id: 'sandboxes.fork',
  method: 'POST',
  path: '/sandboxes/{s}/fork',
  summary: 'A second sandbox from the present of this one, or from one of its versions, without its snapshots',
  body: fields(
    {},
    {
      name,
      at: described<number>({
        type: 'integer',
        minimum: 0,
        description: 'The version that it begins with; left out, the present.',
      }),
    },
  ),
  bodyOptional: true,
  replies: {
    201: { description: 'It is made.', schema: sandboxSchema },
    409: { description: 'There is one of that name.' },
    410: { description: 'The version is kept no longer.' },
  },
  run: async (sandbox, { body: { name: wanted = newName(), at } }, { session }) => {
    const state = at === undefined ? sandbox.state : stateAt(sandbox, at);
    if (isHistoryError(state)) return orHistoryProblem<never>(state);
    const forked = await session.fork(sandbox, wanted, state);
    return forked === undefined ? taken(wanted) : describe(forked, session.settings.machineTime());
  },
});

/** What a text is called that comes without a name. */
export const OPENED = 'opened.yaml';

export const eitherOr = new ActionProblem(
  400,
  'The body does not fit',
  'It has both scenario and text: give the name of a scenario, or the text of one.',
);

function newName(): string {
  return `sandbox-${randomUUID().slice(0, 8)}`;
}

async function made(wanted: string, origin: Origin, { ttl }: Creation, { session }: ControlContext) {
  const sandbox = await session.create(wanted, origin, ttl && ttlOf(ttl));
  return sandbox === undefined ? taken(wanted) : describe(sandbox, session.settings.machineTime());
}

function loadedFor(
  { scenario, text, file = OPENED }: Creation,
  { session, open, openText }: ControlContext,
): OrLater<Pick<Loaded, 'origin'> | Problems> {
  if (text !== undefined) return openText(file, text);
  return scenario === undefined ? { origin: session.origin } : open(scenario);
}

/** What the sandbox starts from and returns to: a scenario with the readings, the clock and the seed it is made with. */
function originFrom(creation: Creation, loaded: Pick<Loaded, 'origin'> | Problems): Origin | ActionProblem {
  const { profile, readings = {}, clock, seed, scenario, text } = creation;
  if (scenario !== undefined && text !== undefined) return eitherOr;
  const problems = creationProblems(creation);
  if (isProblems(loaded) && problems.length === 0)
    return new ActionProblem(
      400,
      'The scenario does not load',
      loaded.problems.map(showProblem).join('\n'),
      loaded.problems,
    );
  if (isProblems(loaded))
    problems.push(...loaded.problems.map(problem => ({ pointer: '/scenario', message: showProblem(problem) })));
  if (problems.length > 0 || isProblems(loaded)) return withProblems(400, 'The sandbox cannot be made so', problems);
  return {
    ...loaded.origin,
    ...(profile !== undefined && { profile }),
    readings: { ...loaded.origin.readings, ...readingsIn(readings) },
    ...(clock !== undefined && { clock }),
    ...(seed !== undefined && { seed }),
  };
}

/** What is wrong with what fits the schema: readings that there are not, an instant that there is not. */
export function creationProblems({ readings = {}, clock }: Creation): ValidationError[] {
  return [
    ...readingProblems(readings, '/readings'),
    ...(clock === undefined ? [] : instantFlaws(clock, []).map(({ message }) => ({ pointer: '/clock', message }))),
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
          : `must be text, and it is ${found(value)}`;
    if (message !== undefined) problems.push({ pointer: `${pointer}/${gap}`, message });
    if (problems.length === MOST_PROBLEMS) break; // the nearest name of a hundred thousand takes half a second
  }
  return firstOf(problems);
}

function readingsIn(readings: Readonly<Record<string, string>>) {
  const checked = checkReadings(Object.entries(readings));
  return 'problem' in checked ? {} : checked.readings; // each has been checked
}

function taken(wanted: string): ActionProblem {
  return new ActionProblem(
    409,
    'The name is taken',
    `There is a sandbox ${JSON.stringify(wanted)} already: drop it first, or PUT it to replace it.`,
  );
}
