// Judges responses: which ones need Pact's verifier, which do not, and that each result returns to its interaction.
import { expect } from 'chai';
import type { Json } from '../../../../harness/verify/contract/contract.js';
import { Judging } from '../../../../harness/verify/judging/judgements.js';
import { numberAll } from '../../../../harness/verify/native/numbered.js';
import { type NativeRun, NativeVerifier } from '../../../../harness/verify/native/verifier.js';
import type { Answered } from '../../../../server/scenario/play/target.js';
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

function answered(status: number, text: string, ...fields: ReadonlyArray<readonly [string, string]>): Answered {
  const all = [['content-type', 'application/json'] as const, ...fields];
  const bytes = new TextEncoder().encode(text);
  return { status, headers: Object.fromEntries(all), fields: all, text, bytes };
}

const [first, second, matched] = numberAll([
  contractOf([
    pushes('succeeds', {}, replies(200, { success: true })),
    pushes('is anything', {}, {}),
    pushes(
      'is some success',
      {},
      {
        status: 200,
        matchingRules: { status: { $: { matchers: [{ match: 'statusCode', status: 'success' }], combine: 'AND' } } },
      },
    ),
  ]),
]);
if (first === undefined || second === undefined || matched === undefined) throw new Error('there are three');

describe('judging', () => {
  let verifier: Counting;
  beforeEach(() => {
    verifier = new Counting();
  });
  afterEach(() => verifier.end());

  it('asks once for equal responses, whatever the fake adds to them and whatever the time', async () => {
    const judging = new Judging();
    const one = judging.ask(first, answered(200, '{"success":true}', ['x-fake-gaps', 'a=b'], ['date', 'today']));
    const same = judging.ask(first, answered(200, '{"success":true}', ['x-fake-gaps', 'a=c'], ['date', 'tomorrow']));
    const other = judging.ask(first, answered(200, '{"success":false}'));
    const elsewhere = judging.ask(second, answered(200, '{"success":true}'));
    const header = judging.ask(first, answered(200, '{"success":true}', ['allow', 'POST']));
    await judging.settle([verifier]);
    expect(verifier.asked).to.deep.equal([4]);
    expect([one, same, other, elsewhere, header].map(asked => judging.resultOf(asked).passed)).to.deep.equal([
      true,
      true,
      false,
      true,
      true,
    ]);
    expect(judging.resultOf(other).differences).to.deep.equal([
      {
        part: 'body',
        place: '$.success',
        says: 'The body at $.success: expected true (Boolean) but was false (Boolean).',
      },
    ]);
  });

  it('asks once for interactions with the same expectation in the same version, and for each with another', async () => {
    const answer = answered(200, '{"success":1}');
    const expecting = (response: Json, rest = {}) =>
      contractOf([pushes('some', {}, response), pushes('some more', {}, response)], rest);
    const v3 = { metadata: { pactSpecification: { version: '3.0.0' } } };
    const numbered = numberAll([
      expecting(replies(200, { success: 1 })),
      expecting(replies(200, { success: 1 })),
      expecting(replies(200, { success: true })),
      expecting({ status: 200, body: { success: 1 } }, v3),
    ]);
    const judging = new Judging();
    const asked = numbered.map(one => judging.ask(one, answer));
    await judging.settle([verifier]);
    expect(verifier.asked).to.deep.equal([3]);
    expect(asked.map(one => judging.resultOf(one).passed)).to.deep.equal([
      true,
      true,
      true,
      true,
      false,
      false,
      true,
      true,
    ]);
  });

  it('does not ask if the status alone decides, nor for known results', async () => {
    const judging = new Judging();
    const wrong = judging.ask(first, answered(403, '{}'));
    const wrongBody = answered(200, '{"success":1}');
    judging.know(first, wrongBody, { passed: true, differences: [], duration: 7 });
    const known = judging.ask(first, wrongBody);
    await judging.settle([verifier]);
    expect(verifier.asked).to.deep.equal([]);
    expect(judging.resultOf(wrong)).to.deep.equal({
      passed: false,
      differences: [{ part: 'status', place: '', says: 'The status: expected 200 but was 403.' }],
      duration: 0,
    });
    expect(judging.resultOf(known)).to.deep.equal({ passed: true, differences: [], duration: 7 });
  });

  it('asks if a matcher describes the status', async () => {
    const judging = new Judging();
    const asked = [201, 204, 404].map(status => judging.ask(matched, answered(status, '')));
    await judging.settle([verifier]);
    expect(verifier.asked).to.deep.equal([3]);
    expect(asked.map(one => judging.resultOf(one).passed)).to.deep.equal([true, true, false]);
  });

  it('gets the same result from the verifier as from the status', async () => {
    const judging = new Judging();
    const asked = judging.ask(matched, answered(404, ''));
    await judging.settle([verifier]);
    expect(judging.resultOf(asked).differences.map(({ part, place }) => [part, place])).to.deep.equal([['status', '']]);
  });

  it('separates many in several processes, each with its contract', async () => {
    const contracts = [contractOf([pushes('v4', {}, replies(200, { n: 1 }))]), pactFile('v2-ruby-favourites.json')];
    const numbered = numberAll(contracts);
    const [v4, v2] = numbered;
    if (v4 === undefined || v2 === undefined) throw new Error('there are four');
    const judging = new Judging();
    const asked = Array.from({ length: 60 }, (_, n) => judging.ask(v4, answered(200, JSON.stringify({ n }))));
    const texts = Array.from({ length: 30 }, (_, n) =>
      judging.ask(v2, answered(200, JSON.stringify({ success: n % 2 === 1, messages: [`${n}`] }))),
    );
    await judging.settle([verifier]);
    expect(asked.map(one => judging.resultOf(one).passed)).to.deep.equal(asked.map((_, n) => n === 1));
    expect(texts.map(one => judging.resultOf(one).passed)).to.deep.equal(texts.map((_, n) => n % 2 === 0));
  });

  it('passes bytes, empty bodies and headers on to the verifier unchanged', async () => {
    const some = answered(200, '', ['set-cookie', 'a=1'], ['set-cookie', 'b=2']);
    const bytes = new Uint8Array([0x7b, 0xff, 0x00, 0x7d]);
    const binary = { type: 'application/octet-stream', content: Buffer.from(bytes).toString('base64') };
    const [numbered] = numberAll([
      contractOf([
        pushes(
          'bytes',
          {},
          { status: 200, body: { content: binary.content, contentType: binary.type, encoded: 'base64' } },
        ),
      ]),
    ]);
    if (numbered === undefined) throw new Error('there is one');
    const fields = [['content-type', binary.type] as const];
    const judging = new Judging();
    const right = judging.ask(numbered, { ...some, fields, bytes, text: '1' });
    const wrong = judging.ask(numbered, { ...some, fields, bytes: bytes.slice(1), text: '2' });
    const empty = judging.ask(numbered, { ...some, fields, bytes: new Uint8Array(), text: '' });
    await judging.settle([verifier]);
    expect([right, wrong, empty].map(one => judging.resultOf(one).passed)).to.deep.equal([true, false, false]);
  });

  it('reports a result that is requested too early', () => {
    const judging = new Judging();
    const asked = judging.ask(first, answered(200, '{}'));
    expect(() => judging.resultOf(asked)).to.throw('a judgement was asked for before it was settled');
  });
});
