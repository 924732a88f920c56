// The action that tells what requests have met since the server started.
import { COVERAGE_MARK, type Coverage } from '../../engine/journal/coverage.js';
import type { JsonSchema } from '../../operations/schema.js';
import { type Action, ActionProblem } from '../action.js';

const count: JsonSchema = { type: 'integer', minimum: 0 };
const counts: JsonSchema = { type: 'object', additionalProperties: count };
const countsOf = (...names: readonly string[]): JsonSchema => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map(name => [name, count])),
});
const operation: JsonSchema = {
  type: 'object',
  required: ['requests', 'injected', 'statuses'],
  properties: { requests: count, injected: count, statuses: counts },
};

const coverageSchema: JsonSchema = {
  title: 'Coverage',
  type: 'object',
  required: ['mark', 'requests', 'operations', 'rules', 'refusals', 'gaps'],
  properties: {
    mark: { type: 'string', description: 'This moment, for `since`.' },
    requests: { ...count, description: 'Requests performed in a sandbox of this process, dropped sandboxes included.' },
    operations: {
      type: 'object',
      additionalProperties: operation,
      description: 'By operation; `none`: the request meant none. `injected`: a fault answered.',
    },
    rules: { ...counts, description: 'Requests by the rules that decided them.' },
    refusals: { ...counts, description: 'Requests by the code of their refusal.' },
    gaps: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: countsOf('requests', 'pinned') },
      description:
        'Requests by gap and by the reading that decided; `pinned`: the scenario, the sandbox, the request or the program chose it.',
    },
  },
};

export const readingCoverage = {
  id: 'coverage.read',
  method: 'GET',
  path: '/coverage',
  summary: 'Which operations, rules, refusals and readings the requests of all sandboxes have met, with counts',
  query: {
    since: {
      type: 'string',
      pattern: COVERAGE_MARK,
      description: 'The mark of an earlier answer, from which on requests count.',
    },
  },
  replies: {
    200: { description: 'The counts of this process.', schema: coverageSchema },
    410: { description: 'The mark is not kept: it is of another process, or too old.' },
  },
  run: async ({ query: { since } }, { session }): Promise<Coverage | ActionProblem> =>
    session.coverage.coverage(since) ?? markGone(since),
} satisfies Action;

function markGone(mark: string | undefined): ActionProblem {
  return new ActionProblem(
    410,
    'The mark is not kept',
    `${JSON.stringify(mark)} is no mark that this process keeps: it keeps its latest 64, and a mark of another process means nothing here. Read the coverage anew and count from its mark.`,
  );
}
