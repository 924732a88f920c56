// What the document does not show: other responses that it allows as well.
import { expect } from 'chai';
import type { Answered } from '../../../server/scenario/play/target.js';
import { alternativesTo } from '../../../server/verify/judging/unshown.js';

function answer(status: number, body: unknown): Answered {
  const text = JSON.stringify(body);
  const fields = [['content-length', String(text.length)]] as const;
  return { status, headers: Object.fromEntries(fields), fields, text, bytes: new TextEncoder().encode(text) };
}

describe('what the document does not show', () => {
  it('is the status of a refusal of the wiki, of a method and of a path', () => {
    for (const [status, rules] of [
      [400, ['address.extension-path', 'groups.body']],
      [405, ['address.extension-path']],
      [404, []],
    ] as const) {
      const [other, ...more] = alternativesTo(answer(status, {}), rules);
      expect([other?.answer.status, more]).to.deep.equal([422, []]);
      expect(other?.says).to.include(`does not give the status ${status}`);
    }
  });

  it('is not the status of a refusal that push and pull document', () => {
    expect(alternativesTo(answer(400, {}), ['address.ppf-path', 'ppf.body-types'])).to.deep.equal([]);
    expect(alternativesTo(answer(403, {}), ['ppf.admin-only'])).to.deep.equal([]);
  });

  it('is the number of messages', () => {
    const [other] = alternativesTo(answer(200, { success: false, messages: ['a'] }), []);
    const reply = JSON.parse(other?.answer.text ?? '') as { messages: string[] };
    expect([reply.messages.length, other?.answer.bytes.length]).to.deep.equal([2, other?.answer.text.length]);
    expect(other?.says).to.include('how many messages there are: this interaction expects 1');
    expect(alternativesTo(answer(200, { success: true, messages: [] }), [])).to.deep.equal([]);
    expect(alternativesTo(answer(200, {}), [])).to.deep.equal([]);
  });
});
