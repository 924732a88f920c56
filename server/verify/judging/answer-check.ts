// Whether answers that have been given are what contracts expect, as Pact's own verifier judges it: a server gives them again, each to an
// interaction of its own. Knows nothing of how they came about.
import type { Answered } from '../../scenario/play/target.js';
import type { Contract, Interaction, Json } from '../contract.js';
import { withPactFiles } from '../native/pact-files.js';
import { type NativeResult, NativeVerifier } from '../native/verifier.js';
import { handOn, openLoopback } from './loopback.js';

/** An answer, and the interaction whose expectation it is held against. */
export interface Question {
  readonly contract: Contract;
  readonly interaction: Interaction;
  readonly answer: Answered;
}

/** How many processes share the questions: what they do is mostly computing. */
const LANES = 2;
/** Fewer questions than this are faster asked in one process. */
const WORTH_A_LANE = 40;

/** The judgements, in the order of the questions. `verifiers` are processes that have been started already; all are ended. */
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
    const results = await withPactFiles(filesOf(questions), files => verifier.run({ files, url: server.url }));
    return questions.map((_, i) => resultOf(results, i));
  } finally {
    verifier.end();
    await server.close();
  }
}

/** Of each contract one file: its version says how an expectation is read. The request only says which answer is wanted. */
function filesOf(questions: readonly Question[]): Json[] {
  const contracts = [...new Set(questions.map(({ contract }) => contract))];
  return contracts.map(contract => ({
    ...contract.document,
    interactions: questions.flatMap((question, i) => (question.contract === contract ? [asked(question, i)] : [])),
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

function resultOf(results: ReadonlyMap<string, NativeResult>, i: number): NativeResult {
  const result = results.get(String(i));
  if (result === undefined) throw new Error(`Pact's verifier gave no result for the answer ${i}`);
  return result;
}
