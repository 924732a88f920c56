// The action that reports what requests have exercised since the server started.
import { COVERAGE_MARK, type Coverage, coverageSchema } from '../../engine/journal/coverage.js';
import { type Action, ActionProblem } from './action.js';

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
  run: async ({ query: { since } }, { session }): Promise<Coverage> =>
    session.coverage.coverage(since) ?? markGone(since),
} satisfies Action;

function markGone(mark: string | undefined): never {
  throw new ActionProblem(
    410,
    'Unknown mark',
    `This process does not know the mark ${JSON.stringify(mark)}: it keeps only its own latest 64 marks. Read the coverage again and use its mark.`,
  );
}
