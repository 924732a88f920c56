// The action that reports what requests have exercised since the server started.
import { COVERAGE_MARK, type Coverage } from '../../engine/journal/coverage.js';
import type { JsonSchema } from '../../operations/schema.js';
import { type Action, ActionProblem } from './action.js';

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
    mark: { type: 'string', description: 'Mark of this response, for `since`.' },
    requests: { ...count, description: 'Requests in the sandboxes of this process, including dropped ones.' },
    operations: {
      type: 'object',
      additionalProperties: operation,
      description: 'Requests by operation; `none`: no operation; `injected`: a fault replaced the response.',
    },
    rules: { ...counts, description: 'Requests by deciding rule.' },
    refusals: { ...counts, description: 'Requests by refusal code.' },
    gaps: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: countsOf('requests', 'pinned') },
      description:
        'Requests by gap and deciding reading; `pinned`: the scenario, the sandbox, the request or the program chose this reading.',
    },
  },
};

export const readingCoverage = {
  id: 'coverage.read',
  method: 'GET',
  path: '/coverage',
  summary: 'Count the operations, rules, refusals and readings that the requests of all sandboxes have covered',
  query: {
    since: {
      type: 'string',
      pattern: COVERAGE_MARK,
      description: 'The mark of an earlier response; only later requests count.',
    },
  },
  replies: [
    { status: 200, when: 'The counts of this process.', body: coverageSchema },
    { status: 410, when: 'The mark is unknown: it is too old, or from another process.' },
  ],
  run: async ({ query: { since } }, { session }): Promise<Coverage | ActionProblem> =>
    session.coverage.coverage(since) ?? markGone(since),
} satisfies Action;

function markGone(mark: string | undefined): ActionProblem {
  return new ActionProblem(
    410,
    'Unknown mark',
    `This process does not know the mark ${JSON.stringify(mark)}: it keeps only its own latest 64 marks. Read the coverage again and use its mark.`,
  );
}
