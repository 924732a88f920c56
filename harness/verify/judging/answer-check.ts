// Lets Pact's own verifier judge given answers: a loopback server replays each answer to an interaction of its own.
import type { Answered } from '../../../server/scenario/play/target.js';
import type { Contract, Interaction, Json } from '../contract/contract.js';
import { handOn, openLoopback } from '../native/loopback.js';
import { withPactFiles } from '../native/pact-files.js';
import { type NativeResult, NativeVerifier } from '../native/verifier.js';
import { runInParts } from '../native/verifier-parts.js';

/** An answer and the interaction whose expectation it must meet. */
export interface Question {
  readonly contract: Contract;
  readonly interaction: Interaction;
  readonly answer: Answered;
}

/** How many verifier processes share the questions: judging is mostly computation. */
const LANES = 2;
/** Below this number one process is faster. */
const WORTH_A_LANE = 40;

/** The judgements, in the order of the questions. `verifiers`: processes that are already started; all are ended. */
export async function judge(questions: readonly Question[], verifiers: NativeVerifier[] = []): Promise<NativeResult[]> {
  const lanes = questions.length < WORTH_A_LANE ? Math.min(1, questions.length) : LANES;
  const size = Math.ceil(questions.length / Math.max(lanes, 1));
  const parts = Array.from({ length: lanes }, (_, lane) => questions.slice(lane * size, (lane + 1) * size));
  const judged = parts.map(part => judgePart(part, verifiers.pop() ?? new NativeVerifier()));
  for (const unneeded of verifiers) unneeded.end();
  return (await Promise.all(judged)).flat();
}

async function judgePart(questions: readonly Question[], verifier: NativeVerifier): Promise<NativeResult[]> {
  const server = await openLoopback((asked, answering) => {
    const answer = questions[Number(asked.url?.slice(1))]?.answer;
    if (answer === undefined) throw new Error(`the verifier asked for ${asked.url}, which is no answer here`);
    handOn(answer, answering);
  });
  try {
    const numbered = questions.map((question, number) => ({ question, number }));
    const run = (part: readonly NumberedQuestion[]) =>
      withPactFiles(filesOf(part), files => verifier.run({ files, url: server.url }));
    const results = await runInParts(numbered, ({ number }) => String(number), run);
    return questions.map((_, i) => results.get(String(i)) ?? NO_RESULT);
  } finally {
    verifier.end();
    await server.close();
  }
}

const NO_RESULT: NativeResult = { passed: false, differences: [], error: 'gave no result', duration: 0 };

interface NumberedQuestion {
  readonly question: Question;
  readonly number: number;
}

/** One file for each contract, because its version decides how an expectation is read. The request only selects the answer. */
function filesOf(numbered: readonly NumberedQuestion[]): Json[] {
  const contracts = [...new Set(numbered.map(({ question }) => question.contract))];
  return contracts.map(contract => ({
    ...contract.document,
    interactions: numbered
      .filter(({ question }) => question.contract === contract)
      .map(({ question, number }) => asked(question, number)),
  }));
}

function asked({ interaction: { written } }: Question, i: number): Json {
  const { type, response } = written;
  return {
    ...(type !== undefined && { type }),
    description: String(i),
    request: { method: 'GET', path: `/${i}` },
    response,
  };
}
