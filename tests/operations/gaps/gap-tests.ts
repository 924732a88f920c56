// Tests of readings: a request that they refuse, or one that they accept with these facts.
import type { Fact } from '../../../server/domain/facts.js';
import type { OperationId } from '../../../server/operations/catalog/catalog.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { ask, type Question } from '../../support/worlds/ask.js';
import { expectDone, expectRefused, type Refusal } from '../../support/worlds/judge.js';

const nameOf = (readings: SomeReadings) =>
  Object.entries(readings)
    .map(([gap, reading]) => `${gap}=${reading}`)
    .join(', ');

/** What a request sends, in a title. */
const shown = ({ json, query, credentials }: Question) => {
  const text = JSON.stringify(json ?? query ?? credentials) ?? 'a request';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

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
    it(`${nameOf(readings)}: ${id} refuses ${shown(question)} (${status}, ${code})`, () => {
      const asked = ask(id, { ...question, readings });
      const { on } = question;
      expectRefused(asked, {
        status,
        code,
        ...(message !== undefined && { message }),
        gaps,
        ...(rules && { rules }),
        ...(on && { on }),
      });
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
  const effect = facts.length === 0 ? 'changes nothing' : facts.map(({ type }) => type).join(', ');
  it(`${nameOf(readings)}: ${id} accepts ${shown(question)} (${effect})`, () => {
    const asked = ask(id, { ...question, readings });
    expectDone(asked, facts, reply);
  });
}
