// The action that plays a scenario in a sandbox. Shown requests have no credentials.
import * as Type from '@sinclair/typebox';
import { counted } from '../../derive/text/counted.js';
import { type Fact, factSchema } from '../../domain/facts.js';
import { oneOf, type Shape, table, typed } from '../../domain/json/shape.js';
import { redactFacts } from '../../engine/journal/redacted-state.js';
import { differenceSchema, type MatchDifference } from '../../engine/patterns/match.js';
import { redactUrl } from '../../engine/secrets.js';
import { boolean, described, fields, integer, string } from '../../operations/schema.js';
import type { Loaded } from '../../scenario/load/load-scenario.js';
import type { Played } from '../../scenario/play/player.js';
import { previewOf, previewSchema } from '../../scenario/play/preview.js';
import { Unreachable } from '../../scenario/play/target.js';
import { isProblems } from '../../scenario/yaml/problem.js';
import { ActionProblem, onSandbox, withProblems } from './action.js';
import { loadingErrors, notLoaded, opened, openedText, sourceErrors } from './opened-source.js';

const text = Type.String();

/** @internal */
export const playedStepSchema = Type.Object(
  {
    step: Type.Integer({ description: 'From 1.' }),
    line: Type.Integer({ description: 'Line in its file.' }),
    say: text,
    outcome: oneOf(['passed', 'failed', 'skipped']),
    why: Type.Optional(Type.String({ description: 'Reason why the step was skipped.' })),
    request: Type.Optional(
      Type.Object({ method: text, path: text }, { description: 'Absent: the step sent no request.' }),
    ),
    status: Type.Optional(Type.Integer({ description: 'Status of the response.' })),
    connection: Type.Optional(oneOf(['broken'], { description: 'The response was cut off.' })),
    differences: Type.Array(typed<MatchDifference>('MatchDifference', differenceSchema)),
    rules: Type.Array(text),
    gaps: table(text, 'The deciding readings.'),
    facts: Type.Array(typed<Fact>('Fact', factSchema)),
    fault: Type.Optional(Type.String({ description: 'The fault that replaced the response.' })),
    stub: Type.Optional(Type.String({ description: 'The stub that sent the response.' })),
  },
  { title: 'PlayedStep' },
);
export type PlayedStep = Shape<typeof playedStepSchema>;

/** @internal */
export const playedRunSchema = Type.Object(
  {
    name: text,
    title: text,
    passed: Type.Boolean({ description: 'Whether every played step passed.' }),
    steps: Type.Array(playedStepSchema),
  },
  { title: 'PlayedRun' },
);
export type PlayedRun = Shape<typeof playedRunSchema>;

export const playingScenario = onSandbox({
  id: 'play',
  method: 'POST',
  path: '/sandboxes/{s}/play',
  summary:
    "Play a scenario in a sandbox, or one step of it. A whole scenario and its first step start from the scenario's world; any other step runs on the current state, with the values that earlier steps captured",
  body: {
    schema: fields(
      {},
      {
        scenario: string('The name of a scenario.'),
        ...openedText,
        step: described<number>({ ...integer('The number of the only step to play; the first is 1.'), minimum: 1 }),
        preview: boolean('Return the requests of the steps without playing them. Default: false.'),
      },
    ),
  },
  replies: [
    {
      status: 200,
      when: 'The result of each step: passed, failed or skipped. With `preview`: the steps, each with its request.',
      body: { anyOf: [playedRunSchema, previewSchema] },
    },
    { status: 409, when: 'A scenario is being played in the sandbox, or the sandbox was dropped meanwhile.' },
  ],
  furtherErrors: async (body, _, context) => [
    ...sourceErrors(body),
    ...loadingErrors(body, await opened(body, context)),
  ],
  run: async (sandbox, { body }, context): Promise<PlayedRun> => {
    const { step, preview } = body;
    const sources = sourceErrors(body);
    if (sources.length > 0) throw withProblems(400, 'Invalid body', sources);
    const loaded = await opened(body, context);
    if (loaded === undefined)
      throw new ActionProblem(400, 'Invalid body', 'The body needs the field "scenario" or "text".');
    if (isProblems(loaded)) throw notLoaded(loaded);
    const absent = preview && step === undefined ? undefined : absentStep(loaded, step);
    if (absent !== undefined)
      throw new ActionProblem(400, loaded.steps.length === 0 ? 'Nothing to play' : 'No such step', absent);
    if (preview) return previewOf(loaded, step, sandbox.server) as never; // not a run, but its requests
    try {
      const played = await context.players.play(sandbox, loaded, step === undefined ? undefined : step - 1);
      if (played !== 'busy') return runOf(loaded, played);
      throw new ActionProblem(409, 'A scenario is being played', `Wait until it ends in the sandbox ${sandbox.name}.`);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      throw new ActionProblem(409, 'The play was interrupted', `${error.message}.`);
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
  const { rules = [], gaps = {}, facts = [], fault, stub } = insight ?? {};
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
    ...(stub !== undefined && { stub }),
  };
}

/** Why there is nothing to play, or no step of this number (from 1); otherwise `undefined`. */
function absentStep({ origin, steps }: Loaded, step: number | undefined): string | undefined {
  const name = JSON.stringify(origin.scenario);
  if (steps.length === 0) return `${name} has no steps: it only defines the initial state of a sandbox.`;
  if (step === undefined || step <= steps.length) return undefined;
  return `Unknown step ${step}: ${name} has ${counted(steps.length, 'step')}.`;
}
