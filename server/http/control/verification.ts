// Whether a sandbox was asked what somebody wishes: verify over HTTP.
import type { Sandbox } from '../../engine/sandbox/sandbox.js';
import type { JsonSchema } from '../../operations/schema.js';
import { BudgetExceeded } from '../../scenario/format/budget.js';
import { type Wish, wishFlaws, wishSchema } from '../../scenario/verify/request-pattern.js';
import { callersIn, type Verdict, verdictLines, verify } from '../../scenario/verify/verify-requests.js';
import { type ControlAnswer, type ControlEndpoint, problem } from './endpoint.js';
import { noSandbox, sandboxOf } from './named.js';

const verifiedSchema: JsonSchema = {
  type: 'object',
  required: ['count', 'entries'],
  properties: {
    count: { type: 'integer', description: 'How many requests were as wished; of an order, how many of its own.' },
    entries: { type: 'array', items: { type: 'integer' }, description: 'Their ids in the journal.' },
    evicted: {
      type: 'integer',
      description:
        'How many entries had been let go: the count may be too low by as many. Absent where there were none.',
    },
  },
};

export const verificationEndpoints: readonly ControlEndpoint[] = [
  {
    id: 'verify-journal',
    method: 'POST',
    path: '/sandboxes/{s}/journal/verify',
    summary: 'Verify that the sandbox was asked something, so often or in this order',
    body: wishSchema,
    bodyOptional: true,
    replies: {
      200: { description: 'It was.', schema: verifiedSchema },
      400: { description: 'No requests could be as wished.' },
      417: {
        description:
          'It was not. The problem has the count, the entries, what was wanted, and the nearest entries, each with how it differs.',
      },
      422: { description: 'The query is too expensive for this journal: simplify its patterns, texts and lists.' },
    },
    handle: async (call, { session }) => {
      const sandbox = await sandboxOf(call, session);
      if (sandbox === undefined) return noSandbox(call, session);
      return verified(sandbox, call.body);
    },
  },
];

async function verified(sandbox: Sandbox, given: unknown): Promise<ControlAnswer> {
  try {
    const flaws = wishFlaws(given, callersIn(sandbox));
    if (flaws.length === 0) return told(await verify(sandbox, given as Wish)); // it has no flaws
    const lines = flaws.map(({ pointer, message }) => `${pointer} ${message}`.trim());
    return problem(400, 'There can be no such requests', lines.join('\n'), flaws);
  } catch (error) {
    if (!(error instanceof BudgetExceeded)) throw error;
    return problem(422, 'It was not verified', `What is wished ${error.message}.`);
  }
}

function told(verdict: Verdict): ControlAnswer {
  if (verdict.holds) {
    const { holds: _, ...verified } = verdict;
    return { status: 200, body: verified };
  }
  const { holds: _, says: __, ...unverified } = verdict;
  const answer = problem(417, 'It was not asked so', verdictLines(verdict).join('\n'));
  return { ...answer, body: { ...Object(answer.body), ...unverified } };
}
