// The action that plays a scenario in a sandbox. What was sent is shown without what proves who asked.
import type { Fact } from '../../domain/facts.js';
import { redactFacts } from '../../engine/journal/redacted.js';
import { redactUrl } from '../../engine/journal/secrets.js';
import { described, fields, type JsonSchema, string } from '../../operations/schema.js';
import type { Loaded } from '../../scenario/load/story.js';
import type { Played } from '../../scenario/play/player.js';
import { previewOf } from '../../scenario/play/preview.js';
import { Unreachable } from '../../scenario/play/target.js';
import { isProblems, showProblem } from '../../scenario/yaml/problem.js';
import { ActionProblem, onSandbox } from '../action.js';
import { eitherOr, OPENED, openedText } from './sandbox-actions.js';

/** What came of one step. */
export interface PlayedStep extends Pick<Played, 'outcome' | 'differences'> {
  /** From 1. */
  readonly step: number;
  /** Where it stands in its file. */
  readonly line: number;
  readonly say: string;
  /** Why it was skipped. */
  readonly why?: string;
  /** Absent: it asked nothing. */
  readonly request?: { readonly method: string; readonly path: string };
  /** Of the answer. */
  readonly status?: number;
  /** The answer did not come whole. */
  readonly connection?: 'broken';
  readonly rules: readonly string[];
  /** The readings that decided. */
  readonly gaps: Readonly<Record<string, string>>;
  readonly facts: readonly Fact[];
  /** The fault that was put in the place of the answer. */
  readonly fault?: string;
}

/** What came of the steps of a scenario that were played. */
export interface PlayedRun {
  readonly name: string;
  readonly title: string;
  /** Whether every step that was played held. */
  readonly held: boolean;
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
    pointer: { type: 'string', description: 'Where in it; of the request, where in the step.' },
    expected: {},
    found: {},
    says: { type: 'string', description: 'The difference in words, without its place.' },
  },
};
const stepSchema: JsonSchema = {
  title: 'PlayedStep',
  type: 'object',
  required: ['step', 'line', 'say', 'outcome', 'differences', 'rules', 'gaps', 'facts'],
  properties: {
    step: { type: 'integer', description: 'From 1.' },
    line: { type: 'integer', description: 'Where it stands in its file.' },
    say: text,
    outcome: { enum: ['held', 'failed', 'skipped'] },
    why: { type: 'string', description: 'Why it was skipped.' },
    request: { type: 'object', properties: { method: text, path: text }, description: 'Absent: it asked nothing.' },
    status: { type: 'integer', description: 'Of the answer.' },
    connection: { enum: ['broken'], description: 'The answer did not come whole.' },
    differences: { type: 'array', items: differenceSchema },
    rules: texts,
    gaps: { type: 'object', additionalProperties: text, description: 'The readings that decided.' },
    facts: { type: 'array', items: { type: 'object' } },
    fault: { type: 'string', description: 'The fault that was put in the place of the answer.' },
  },
};
const runSchema: JsonSchema = {
  title: 'PlayedRun',
  type: 'object',
  required: ['name', 'title', 'held', 'steps'],
  properties: {
    name: text,
    title: text,
    held: { type: 'boolean', description: 'Whether every step that was played held.' },
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
          line: { type: 'integer', description: 'Where it stands in its file.' },
          say: text,
          as: { type: 'string', description: 'Who asks.' },
          operation: text,
          request: {
            type: 'object',
            properties: { method: text, path: text, body: text },
            description: 'What it sends, as far as no step before it captures a part of that. Absent: it asks nothing.',
          },
          status: { description: 'Of the answer that it expects.' },
          proves: texts,
        },
      },
    },
  },
};

const neither = new ActionProblem(
  400,
  'The body does not fit',
  'The body lacks the field "scenario", and has no text in its place.',
);

export const playingScenario = onSandbox({
  id: 'play',
  method: 'POST',
  path: '/sandboxes/{s}/play',
  summary:
    'Play a scenario in a sandbox: the whole of it, or one step. Whole, and at its first step, the sandbox begins it afresh; any other step is played on the sandbox as it is, with what the steps before have captured there',
  body: fields(
    {},
    {
      scenario: string('A scenario by name.'),
      ...openedText,
      step: described<number>({ type: 'integer', minimum: 1, description: 'Only this step, from 1.' }),
      preview: described<boolean>({
        type: 'boolean',
        description: 'Tell what the steps are going to ask, and play nothing. Default: false.',
      }),
    },
  ),
  replies: {
    200: {
      description:
        'What came of each step, whether or not it held. With `preview`: its steps as they are written, each with the request that it is going to send.',
      schema: { anyOf: [runSchema, previewSchema] },
    },
    409: { description: 'A scenario is being played there, or the sandbox went away in between.' },
  },
  run: async (sandbox, { body }, { players, open, openText }): Promise<PlayedRun | ActionProblem> => {
    const { scenario, text, file = OPENED, step, preview } = body;
    if (scenario !== undefined && text !== undefined) return eitherOr;
    if (scenario === undefined && text === undefined) return neither;
    const loaded = await (text === undefined ? open(scenario ?? '') : openText(file, text));
    if (isProblems(loaded)) {
      const lines = loaded.problems.map(showProblem).join('\n');
      return new ActionProblem(400, 'The scenario does not load', lines, loaded.problems);
    }
    const absent = preview && step === undefined ? undefined : absentStep(loaded, step);
    if (absent !== undefined)
      return new ActionProblem(
        400,
        loaded.steps.length === 0 ? 'There is nothing to play' : 'There is no such step',
        absent,
      );
    if (preview) return previewOf(loaded, step, sandbox.server) as never; // not a run, but what it would ask
    try {
      const played = await players.play(sandbox, loaded, step === undefined ? undefined : step - 1);
      if (played !== 'busy') return runOf(loaded, played);
      return new ActionProblem(
        409,
        'A scenario is being played',
        `Wait until it has ended in the sandbox ${sandbox.name}.`,
      );
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      return new ActionProblem(409, 'The play was cut short', `${error.message}.`);
    }
  },
});

function runOf({ origin, title }: Loaded, played: readonly Played[]): PlayedRun {
  return {
    name: origin.scenario,
    title,
    held: played.every(({ outcome }) => outcome === 'held'),
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

/** Why there is nothing to play, or no such step, from 1; `undefined` where there is. */
function absentStep({ origin, steps }: Loaded, step: number | undefined): string | undefined {
  const name = JSON.stringify(origin.scenario);
  if (steps.length === 0) return `${name} has no steps: it only says what a sandbox starts from.`;
  if (step === undefined || step <= steps.length) return undefined;
  return `${name} has ${steps.length === 1 ? '1 step' : `${steps.length} steps`}, and step is ${step}.`;
}
