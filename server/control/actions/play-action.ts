// The action that plays a scenario in a sandbox. Shown requests have no credentials.
import { counted } from '../../derive/text/counted.js';
import type { Fact } from '../../domain/facts.js';
import { factSchema } from '../../domain/facts.js';
import { redactFacts, redactUrl } from '../../engine/secrets.js';
import { described, fields, type JsonSchema, string } from '../../operations/schema.js';
import type { Loaded } from '../../scenario/load/story.js';
import type { Played } from '../../scenario/play/player.js';
import { previewOf } from '../../scenario/play/preview.js';
import { Unreachable } from '../../scenario/play/target.js';
import { isProblems } from '../../scenario/yaml/problem.js';
import { ActionProblem, onSandbox, withProblems } from './action.js';
import { loadingErrors, notLoaded, opened, openedText, sourceErrors } from './opened-source.js';

/** Result of one step. */
export interface PlayedStep extends Pick<Played, 'outcome' | 'differences'> {
  /** From 1. */
  readonly step: number;
  /** Line in its file. */
  readonly line: number;
  readonly say: string;
  /** Why it was skipped. */
  readonly why?: string;
  /** Absent: the step sent no request. */
  readonly request?: { readonly method: string; readonly path: string };
  /** Status of the answer. */
  readonly status?: number;
  /** The answer was cut off. */
  readonly connection?: 'broken';
  readonly rules: readonly string[];
  /** The deciding readings. */
  readonly gaps: Readonly<Record<string, string>>;
  readonly facts: readonly Fact[];
  /** The fault that replaced the answer. */
  readonly fault?: string;
}

/** Results of the played steps of a scenario. */
export interface PlayedRun {
  readonly name: string;
  readonly title: string;
  /** Whether every played step passed. */
  readonly passed: boolean;
  readonly steps: readonly PlayedStep[];
}

const text: JsonSchema = { type: 'string' };
const texts: JsonSchema = { type: 'array', items: text };
const differenceSchema: JsonSchema = {
  title: 'StepDifference',
  type: 'object',
  required: ['of', 'pointer', 'says'],
  properties: {
    of: { enum: ['request', 'patch', 'connection', 'status', 'headers', 'body', 'world', 'proves', 'capture'] },
    pointer: { type: 'string', description: 'Place in the answer or the world; for a request, place in the step.' },
    expected: {},
    found: {},
    says: { type: 'string', description: 'The difference in words.' },
  },
};
const stepSchema: JsonSchema = {
  title: 'PlayedStep',
  type: 'object',
  required: ['step', 'line', 'say', 'outcome', 'differences', 'rules', 'gaps', 'facts'],
  properties: {
    step: { type: 'integer', description: 'From 1.' },
    line: { type: 'integer', description: 'Line in its file.' },
    say: text,
    outcome: { enum: ['passed', 'failed', 'skipped'] },
    why: { type: 'string', description: 'Reason for skipping it.' },
    request: {
      type: 'object',
      properties: { method: text, path: text },
      description: 'Absent: the step sent no request.',
    },
    status: { type: 'integer', description: 'Status of the answer.' },
    connection: { enum: ['broken'], description: 'The answer was cut off.' },
    differences: { type: 'array', items: differenceSchema },
    rules: texts,
    gaps: { type: 'object', additionalProperties: text, description: 'The deciding readings.' },
    facts: { type: 'array', items: factSchema },
    fault: { type: 'string', description: 'The fault that replaced the answer.' },
  },
};
const runSchema: JsonSchema = {
  title: 'PlayedRun',
  type: 'object',
  required: ['name', 'title', 'passed', 'steps'],
  properties: {
    name: text,
    title: text,
    passed: { type: 'boolean', description: 'Whether every played step passed.' },
    steps: { type: 'array', items: stepSchema },
  },
};

const previewSchema: JsonSchema = {
  title: 'Preview',
  type: 'object',
  required: ['name', 'title', 'about', 'steps'],
  properties: {
    name: text,
    title: text,
    about: text,
    steps: {
      type: 'array',
      items: {
        type: 'object',
        required: ['step', 'line', 'say'],
        properties: {
          step: { type: 'integer', description: 'From 1.' },
          line: { type: 'integer', description: 'Line in its file.' },
          say: text,
          as: { type: 'string', description: 'Who asks.' },
          operation: text,
          request: {
            type: 'object',
            properties: { method: text, path: text, body: text },
            description:
              'The request, except for values that earlier steps capture. Absent: the step sends no request.',
          },
          status: { description: 'Expected status.' },
          proves: texts,
        },
      },
    },
  },
};

const neither = new ActionProblem(400, 'Invalid body', 'The body needs the field "scenario" or "text".');

export const playingScenario = onSandbox({
  id: 'play',
  method: 'POST',
  path: '/sandboxes/{s}/play',
  summary:
    'Play a scenario in a sandbox, whole or one step. A whole scenario and a first step start from its world; any other step runs on the current state, with the values captured before',
  body: {
    schema: fields(
      {},
      {
        scenario: string('A scenario by name.'),
        ...openedText,
        step: described<number>({ type: 'integer', minimum: 1, description: 'Only this step, from 1.' }),
        preview: described<boolean>({
          type: 'boolean',
          description: 'Return the requests of the steps without playing them. Default: false.',
        }),
      },
    ),
  },
  replies: [
    {
      status: 200,
      when: 'Result of each step: passed, failed or skipped. With `preview`: the steps, each with its request.',
      body: { anyOf: [runSchema, previewSchema] },
    },
    { status: 409, when: 'A scenario is being played in the sandbox, or the sandbox was dropped meanwhile.' },
  ],
  furtherErrors: async (body, _, context) => [
    ...sourceErrors(body),
    ...loadingErrors(body, await opened(body, context)),
  ],
  run: async (sandbox, { body }, context): Promise<PlayedRun | ActionProblem> => {
    const { step, preview } = body;
    const sources = sourceErrors(body);
    if (sources.length > 0) return withProblems(400, 'Invalid body', sources);
    const loaded = await opened(body, context);
    if (loaded === undefined) return neither;
    if (isProblems(loaded)) return notLoaded(loaded);
    const absent = preview && step === undefined ? undefined : absentStep(loaded, step);
    if (absent !== undefined)
      return new ActionProblem(400, loaded.steps.length === 0 ? 'Nothing to play' : 'No such step', absent);
    if (preview) return previewOf(loaded, step, sandbox.server) as never; // not a run, but its requests
    try {
      const played = await context.players.play(sandbox, loaded, step === undefined ? undefined : step - 1);
      if (played !== 'busy') return runOf(loaded, played);
      return new ActionProblem(409, 'A scenario is being played', `Wait until it ends in the sandbox ${sandbox.name}.`);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      return new ActionProblem(409, 'The play was interrupted', `${error.message}.`);
    }
  },
});

function runOf({ origin, title }: Loaded, played: readonly Played[]): PlayedRun {
  return {
    name: origin.scenario,
    title,
    passed: played.every(({ outcome }) => outcome === 'passed'),
    steps: played.map(stepOf),
  };
}

function stepOf({ index, line, step, outcome, why, sent, received, broken, differences, insight }: Played): PlayedStep {
  const { rules = [], gaps = {}, facts = [], fault } = insight ?? {};
  return {
    step: index + 1,
    line,
    say: step.say,
    outcome,
    ...(why !== undefined && { why }),
    ...(sent !== undefined && { request: { method: sent.method, path: redactUrl(sent.path) } }),
    ...(received !== undefined && { status: received.status }),
    ...(broken !== undefined && { connection: 'broken' }),
    differences,
    rules,
    gaps,
    facts: redactFacts(facts),
    ...(fault !== undefined && { fault }),
  };
}

/** Why there is nothing to play, or no step of this number (from 1); otherwise `undefined`. */
function absentStep({ origin, steps }: Loaded, step: number | undefined): string | undefined {
  const name = JSON.stringify(origin.scenario);
  if (steps.length === 0) return `${name} has no steps: it only defines the start of a sandbox.`;
  if (step === undefined || step <= steps.length) return undefined;
  return `${name} has ${counted(steps.length, 'step')}, but step is ${step}.`;
}
