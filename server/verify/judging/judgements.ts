// Judgements on answers of the fake, gathered so that Pact's verifier is asked once for all of them, and only where it is needed.
// Knows no readings.
import type { Answered } from '../../scenario/play/target.js';
import type { Numbered } from '../native/numbered.js';
import type { NativeResult, NativeVerifier } from '../native/verifier.js';
import { judge, type Question } from './answer-check.js';

/** A judgement that will be there once all are settled. */
export interface Pending {
  readonly key: string;
}

export class Judging {
  readonly #results = new Map<string, NativeResult>();
  readonly #questions = new Map<string, Question>();

  /** Takes in a judgement that the verifier has given already. */
  know(numbered: Numbered, answer: Answered, result: NativeResult): void {
    this.#results.set(keyOf(numbered, answer), result);
  }

  /** Whether an answer is what the interaction expects. */
  ask(numbered: Numbered, answer: Answered): Pending {
    const key = keyOf(numbered, answer);
    if (this.#results.has(key) || this.#questions.has(key)) return { key };
    const wrong = wrongStatus(numbered, answer);
    if (wrong === undefined) this.#questions.set(key, { ...numbered, answer });
    else this.#results.set(key, wrong);
    return { key };
  }

  /** Has all that was asked judged. `verifiers` are processes that have been started already. */
  async settle(verifiers: NativeVerifier[]): Promise<void> {
    const keys = [...this.#questions.keys()];
    const results = await judge([...this.#questions.values()], verifiers);
    for (const [i, result] of results.entries()) this.#results.set(keys[i] ?? '', result);
    this.#questions.clear();
  }

  resultOf({ key }: Pending): NativeResult {
    const result = this.#results.get(key);
    if (result === undefined) throw new Error('a judgement was asked for before it was settled');
    return result;
  }
}

/** What each answer says anew. */
const PASSING: ReadonlySet<string> = new Set(['date', 'x-request-id']);

/**
 * The same answer to the same expectation is judged alike, whichever interaction it is of: contracts say the same of many. What the fake says
 * of itself is no part of an answer.
 */
function keyOf({ contract, interaction }: Numbered, { status, fields, bytes }: Answered): string {
  const { type, response } = interaction.written;
  const counting = fields.filter(([name]) => !name.startsWith('x-fake-') && !PASSING.has(name));
  const expected = [contract.document.metadata, type, response];
  return JSON.stringify([expected, status, counting, Buffer.from(bytes).toString('base64')]);
}

/** Another status than the one that is expected settles it; the verifier is asked about everything else. */
function wrongStatus({ interaction: { expected } }: Numbered, { status }: Answered): NativeResult | undefined {
  if (!expected.isExactStatus || expected.status === undefined || expected.status === status) return undefined;
  const says = `The status: expected ${expected.status} but was ${status}.`;
  return { held: false, differences: [{ part: 'status', place: '', says }], duration: 0 };
}
