// Tests of readings in one line each: a request that they refuse, or one that they accept with these facts.
import type { Fact } from '../../../server/domain/facts.js';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { ask, type Question } from './ask.js';
import { expectDone, expectRefused, type Refusal } from './judge.js';

const nameOf = (readings: SomeReadings) =>
  Object.entries(readings)
    .map(([gap, reading]) => `${gap}=${reading}`)
    .join(', ');

/** Default status: the reading, if it is one. Default gaps: the readings. */
type RefusalUnder = Omit<Refusal, 'status'> & { readonly status?: number };

/** Declares a test for each operation: under the readings it refuses the request, and nothing changes. */
export function refuses(
  readings: SomeReadings,
  ids: OperationId | readonly OperationId[],
  question: Question,
  refusal: RefusalUnder,
): void {
  const [first] = Object.values(readings);
  const status = refusal.status ?? Number(first);
  for (const id of [ids].flat())
    it(`${nameOf(readings)}: ${id} refuses it (${status}, ${refusal.code})`, () => {
      const on = question.on ?? refusal.on;
      const asked = ask(id, { ...question, readings });
      expectRefused(asked, { gaps: readings, ...refusal, status, ...(on !== undefined && { on }) });
    });
}

/** Declares a test: under the readings the operation accepts the request, with these facts. */
export function accepts(
  readings: SomeReadings,
  id: OperationId,
  question: Question,
  facts: readonly Fact[],
  reply?: unknown,
): void {
  it(`${nameOf(readings)}: ${id} accepts it, with ${facts.length === 0 ? 'no change' : facts.map(({ type }) => type).join(' and ')}`, () => {
    const asked = ask(id, { ...question, readings });
    expectDone(asked, facts, reply);
  });
}
