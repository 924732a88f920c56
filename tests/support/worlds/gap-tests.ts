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

/** A request and its refusal. Default status: the first reading, if it is one. Default code: its gap. Default gaps: the readings. */
type RefusedQuestion = Question & Omit<Refusal, 'status' | 'code'> & Partial<Pick<Refusal, 'status' | 'code'>>;

/** Declares a test for each operation: under the readings it refuses the request, and nothing changes. */
export function refuses(
  readings: SomeReadings,
  ids: OperationId | readonly OperationId[],
  { message, rules, gaps = readings, ...refused }: RefusedQuestion,
): void {
  const [[gap = '', reading] = []] = Object.entries(readings);
  const { status = Number(reading), code = gap, ...question } = refused;
  for (const id of [ids].flat())
    it(`${nameOf(readings)}: ${id} refuses it (${status}, ${code})`, () => {
      const asked = ask(id, { ...question, readings });
      const { on } = question;
      expectRefused(asked, { status, code, message, gaps, ...(rules && { rules }), ...(on && { on }) });
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
