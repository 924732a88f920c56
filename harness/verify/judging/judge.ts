// Lets Pact's own verifier judge given responses: a loopback server replays each to an interaction of its own. Equal questions are asked once.
import type { RawResponse } from '../../../server/scenario/play/target.js';
import type { Contract, Interaction } from '../contract/contract.js';
import { handOn, openLoopback } from '../native/loopback.js';
import { type RunItem, runPacts } from '../native/run-pacts.js';
import { type NativeResult, NativeVerifier } from '../native/verifier.js';

/** A response and the interaction whose expectation it must meet. */
export interface Question {
  readonly contract: Contract;
  readonly interaction: Interaction;
  readonly response: RawResponse;
  /** Without the headers that Node adds: date, connection and length. */
  readonly isBare?: boolean;
}

/** How many verifier processes share the questions: judging is mostly computation. */
const LANES = 2;
/** Below this number one process is faster. */
const WORTH_A_LANE = 40;
/** Headers that change with every response. */
const PASSING: ReadonlySet<string> = new Set(['date', 'x-request-id']);
export const NO_RESULT: NativeResult = { passed: false, differences: [], error: 'gave no result', duration: 0 };

/**
 * The judgements, in the order of the questions. `known`: judgements that the verifier has already made. `verifiers`: processes that are already
 * started; all are ended.
 */
export async function judge(
  questions: readonly Question[],
  known: ReadonlyArray<readonly [Question, NativeResult]>,
  verifiers: readonly NativeVerifier[],
): Promise<NativeResult[]> {
  const results = new Map(known.map(([question, result]) => [keyOf(question), result]));
  const open = new Map<string, Question>();
  const keys = questions.map(question => {
    const key = keyOf(question);
    const wrong = wrongStatus(question);
    if (wrong !== undefined) results.set(key, wrong);
    else if (!results.has(key)) open.set(key, question);
    return key;
  });
  const judged = await judgeByPact([...open.values()], verifiers);
  for (const [i, key] of [...open.keys()].entries()) results.set(key, judged[i] ?? NO_RESULT);
  return keys.map(key => results.get(key) ?? NO_RESULT);
}

/** Contracts repeat themselves. The fake's own headers are no part of a response. */
function keyOf({ contract, interaction, response: { status, fields, bytes }, isBare = false }: Question): string {
  const { type, response } = interaction.written;
  const counting = fields.filter(([name]) => !name.startsWith('x-fake-') && !PASSING.has(name));
  const expected = [contract.document.metadata, type, response];
  return JSON.stringify([expected, status, isBare, counting, Buffer.from(bytes).toString('base64')]);
}

/** A wrong status decides at once; everything else goes to the verifier. */
function wrongStatus({ interaction: { expected }, response: { status } }: Question): NativeResult | undefined {
  if (!expected.isExactStatus || expected.status === undefined || expected.status === status) return undefined;
  const says = `Status: expected ${expected.status}, got ${status}.`;
  return { passed: false, differences: [{ part: 'status', place: '', says }], duration: 0 };
}

async function judgeByPact(
  questions: readonly Question[],
  verifiers: readonly NativeVerifier[],
): Promise<NativeResult[]> {
  const lanes = questions.length < WORTH_A_LANE ? Math.min(1, questions.length) : LANES;
  const size = Math.ceil(questions.length / Math.max(lanes, 1));
  const parts = Array.from({ length: lanes }, (_, lane) => questions.slice(lane * size, (lane + 1) * size));
  for (const unneeded of verifiers.slice(lanes)) unneeded.end();
  const judged = parts.map((part, lane) => judgePart(part, verifiers[lane] ?? new NativeVerifier()));
  return (await Promise.all(judged)).flat();
}

async function judgePart(questions: readonly Question[], verifier: NativeVerifier): Promise<NativeResult[]> {
  const server = await openLoopback((asked, serverResponse) => {
    const question = questions[Number(asked.url?.slice(1))];
    if (question === undefined) throw new Error(`the verifier asked for ${asked.url}, which is no response here`);
    handOn(question.response, serverResponse, question.isBare);
  });
  try {
    const results = await runPacts(questions.map(itemOf), verifier, { url: server.url });
    return questions.map((_, i) => results.get(String(i)) ?? NO_RESULT);
  } finally {
    verifier.end();
    await server.close();
  }
}

/** The request only selects the response. */
function itemOf({ contract, interaction: { written } }: Question, i: number): RunItem {
  const { type, response } = written;
  const request = { method: 'GET', path: `/${i}` };
  return { description: String(i), contract, written: { ...(type !== undefined && { type }), request, response } };
}
