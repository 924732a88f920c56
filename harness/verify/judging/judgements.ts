// Collects judgements on answers of the fake, so that Pact's verifier runs once for all of them, and only if needed.
import type { Answered } from '../../../server/scenario/play/target.js';
import type { Numbered } from '../native/numbered.js';
import type { NativeResult, NativeVerifier } from '../native/verifier.js';
import { judge, type Question } from './answer-check.js';

/** A judgement that is available after `settle`. */
export interface Pending {
  readonly key: string;
}

export class Judging {
  readonly #results = new Map<string, NativeResult>();
  readonly #questions = new Map<string, Question>();

  /** Stores a judgement that the verifier has already made. */
  know(numbered: Numbered, answer: Answered, result: NativeResult): void {
    this.#results.set(keyOf(numbered, answer), result);
  }

  /** Whether an answer meets the expectation of the interaction. */
  ask(numbered: Numbered, answer: Answered): Pending {
    const key = keyOf(numbered, answer);
    if (this.#results.has(key) || this.#questions.has(key)) return { key };
    const wrong = wrongStatus(numbered, answer);
    if (wrong === undefined) this.#questions.set(key, { ...numbered, answer });
    else this.#results.set(key, wrong);
    return { key };
  }

  /** Lets the verifier judge everything that was collected. `verifiers`: processes that are already started. */
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

/** Headers that change with every answer. */
const PASSING: ReadonlySet<string> = new Set(['date', 'x-request-id']);

/**
 * The same answer to the same expectation has the same judgement, whichever interaction it belongs to: contracts repeat themselves. The fake's own
 * headers are no part of an answer.
 */
function keyOf({ contract, interaction }: Numbered, { status, fields, bytes }: Answered): string {
  const { type, response } = interaction.written;
  const counting = fields.filter(([name]) => !name.startsWith('x-fake-') && !PASSING.has(name));
  const expected = [contract.document.metadata, type, response];
  return JSON.stringify([expected, status, counting, Buffer.from(bytes).toString('base64')]);
}

/** A wrong status decides at once; everything else goes to the verifier. */
function wrongStatus({ interaction: { expected } }: Numbered, { status }: Answered): NativeResult | undefined {
  if (!expected.isExactStatus || expected.status === undefined || expected.status === status) return undefined;
  const says = `The status: expected ${expected.status} but was ${status}.`;
  return { passed: false, differences: [{ part: 'status', place: '', says }], duration: 0 };
}
