// Judges responses: which ones need Pact's verifier, which do not, and that each result returns to its interaction.
import { expect } from 'chai';
import { judge, type Question } from '../../../../harness/verify/judging/judge.js';
import { type Numbered, numberAll } from '../../../../harness/verify/native/numbered-interactions.js';
import { type NativeRun, NativeVerifier } from '../../../../harness/verify/native/verifier.js';
import type { RawResponse } from '../../../../server/scenario/play/target.js';
import { contractOf, pactFile, pushes, replies } from '../running.js';

/** The real one, which counts its requests. */
class Counting extends NativeVerifier {
  asked: number[] = [];

  override async run(run: NativeRun) {
    const results = await super.run(run);
    this.asked.push(results.size);
    return results;
  }
}

function answered(status: number, text: string, ...fields: ReadonlyArray<readonly [string, string]>): RawResponse {
  const all = [['content-type', 'application/json'] as const, ...fields];
  const bytes = new TextEncoder().encode(text);
  return { status, headers: Object.fromEntries(all), fields: all, text, bytes };
}

const [first, second] = numberAll([
  contractOf([pushes('succeeds', {}, replies(200, { success: true })), pushes('is anything', {}, {})]),
]);
if (first === undefined || second === undefined) throw new Error('there are two');

const question = (numbered: Numbered, response: RawResponse): Question => ({ ...numbered, response });
const passes = async (verifier: NativeVerifier, ...questions: readonly Question[]) =>
  (await judge(questions, [], [verifier])).map(({ passed }) => passed);

describe('judging', () => {
  let verifier: Counting;
  beforeEach(() => {
    verifier = new Counting();
  });
  afterEach(() => verifier.end());

  it('asks once for equal responses, whatever the fake adds to them and whatever the time', async () => {
    const results = await judge(
      [
        question(first, answered(200, '{"success":true}', ['x-fake-gaps', 'a=b'], ['date', 'today'])),
        question(first, answered(200, '{"success":true}', ['x-fake-gaps', 'a=c'], ['date', 'tomorrow'])),
        question(first, answered(200, '{"success":false}')),
        question(second, answered(200, '{"success":true}')),
        question(first, answered(200, '{"success":true}', ['allow', 'POST'])),
      ],
      [],
      [verifier],
    );
    expect(verifier.asked).to.deep.equal([4]);
    expect(results.map(({ passed }) => passed)).to.deep.equal([true, true, false, true, true]);
    expect(results[2]?.differences).to.deep.equal([
      { part: 'body', place: '$.success', says: 'Body at $.success: expected true (Boolean), got false (Boolean).' },
    ]);
  });

  it('does not ask if the status alone decides, nor for known results', async () => {
    const known = question(first, answered(200, '{"success":1}'));
    const results = await judge(
      [question(first, answered(403, '{}')), known],
      [[known, { passed: true, differences: [], duration: 7 }]],
      [verifier],
    );
    expect(verifier.asked).to.deep.equal([]);
    expect(results).to.deep.equal([
      {
        passed: false,
        differences: [{ part: 'status', place: '', says: 'Status: expected 200, got 403.' }],
        duration: 0,
      },
      { passed: true, differences: [], duration: 7 },
    ]);
  });

  it('separates many in several processes, each with its contract', async () => {
    const contracts = [contractOf([pushes('v4', {}, replies(200, { n: 1 }))]), pactFile('v2-ruby-favourites.json')];
    const numbered = numberAll(contracts);
    const [v4, v2] = numbered;
    if (v4 === undefined || v2 === undefined) throw new Error('there are four');
    const numbers = Array.from({ length: 40 }, (_, n) => question(v4, answered(200, JSON.stringify({ n }))));
    const texts = Array.from({ length: 8 }, (_, n) =>
      question(v2, answered(200, JSON.stringify({ success: n % 2 === 1, messages: [`${n}`] }))),
    );
    expect(await passes(verifier, ...numbers, ...texts)).to.deep.equal([
      ...numbers.map((_, n) => n === 1),
      ...texts.map((_, n) => n % 2 === 0),
    ]);
  });
});
