// Plays a scenario in a sandbox, and tells what came of each step. What was sent is told without what proves who asked.
import { redactFacts } from '../../engine/journal/redacted.js';
import { redactUrl } from '../../engine/journal/secrets.js';
import type { JsonSchema } from '../../operations/schema.js';
import type { Loaded } from '../../scenario/load/story.js';
import { absentStep } from '../../scenario/play/absent-step.js';
import type { Played } from '../../scenario/play/player.js';
import { Unreachable } from '../../scenario/play/target.js';
import { isProblems, showProblem } from '../../scenario/yaml/problem.js';
import { type Call, type ControlAnswer, type ControlEndpoint, type Controlled, problem } from './endpoint.js';
import { noSandbox, sandboxOf } from './named.js';

const text: JsonSchema = { type: 'string' };
const texts: JsonSchema = { type: 'array', items: text };
const differenceSchema: JsonSchema = {
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
  type: 'object',
  required: ['name', 'title', 'held', 'steps'],
  properties: {
    name: text,
    title: text,
    held: { type: 'boolean', description: 'Whether every step that was played held.' },
    steps: { type: 'array', items: stepSchema },
  },
};

export const playEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'play-scenario',
    method: 'POST',
    path: '/sandboxes/{s}/play',
    summary:
      'Play a scenario in a sandbox: the whole of it, or one step. Whole, and at its first step, the sandbox begins it afresh; any other step is played on the sandbox as it is, with what the steps before have captured there',
    body: {
      type: 'object',
      properties: {
        scenario: { type: 'string', description: 'A scenario by name.' },
        step: { type: 'integer', minimum: 1, description: 'Only this step, from 1.' },
      },
      required: ['scenario'],
      additionalProperties: false,
    },
    replies: {
      200: { description: 'What came of each step, whether or not it held.', schema: runSchema },
      409: { description: 'A scenario is being played there, or the sandbox went away in between.' },
    },
    handle: play,
  },
];

async function play(call: Call, controlled: Controlled): Promise<ControlAnswer> {
  const { session, players, scenarios } = controlled;
  const sandbox = await sandboxOf(call, session);
  if (sandbox === undefined) return noSandbox(call, session);
  const { scenario, step } = call.body as { scenario: string; step?: number }; // as its schema says
  const loaded = await scenarios.open(scenario);
  if (isProblems(loaded))
    return problem(400, 'The scenario does not load', loaded.problems.map(showProblem).join('\n'), loaded.problems);
  const absent = absentStep(loaded, step);
  if (absent !== undefined)
    return problem(400, loaded.steps.length === 0 ? 'There is nothing to play' : 'There is no such step', absent);
  try {
    const played = await players.play(sandbox, loaded, step === undefined ? undefined : step - 1);
    if (played !== 'busy') return { status: 200, body: told(loaded, played) };
    return problem(409, 'A scenario is being played', `Wait until it has ended in the sandbox ${sandbox.name}.`);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return problem(409, 'The play was cut short', `${error.message}.`);
  }
}

function told({ origin, title }: Loaded, played: readonly Played[]): object {
  return {
    name: origin.scenario,
    title,
    held: played.every(({ outcome }) => outcome === 'held'),
    steps: played.map(toldStep),
  };
}

function toldStep({ index, line, step, outcome, why, sent, received, broken, differences, insight }: Played): object {
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
