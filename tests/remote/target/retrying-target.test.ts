// Sends a request again if its response may be a random failure.
import { expect } from 'chai';
import { withRetries } from '../../../server/remote/target/retrying-target.js';

const request = { method: 'POST', path: '/rest/cwx-ppf/latest/push', headers: {} };

function answering(...statuses: readonly number[]) {
  const left = [...statuses];
  const target = {
    url: 'http://127.0.0.1:8080',
    context: '',
    send: async () => ({ status: left.shift() ?? 0, headers: {}, text: '' }),
    close: async () => {},
  };
  return { target: withRetries(target), left };
}

describe('a server that gets a request twice', () => {
  it('fails at random if the second response differs', async () => {
    const { target } = answering(503, 200);
    const answer = await target.send(request);
    expect([answer.status, target.isSecond(answer)]).to.deep.equal([200, true]);
    expect(target.chances).to.deep.equal([
      'POST /rest/cwx-ppf/latest/push was answered with 503, and with 200 when it was asked again',
    ]);
  });

  it('is broken if it fails twice, or refuses what it may have done the first time', async () => {
    for (const [statuses, believed] of [
      [[500, 500], 500],
      [[500, 409, 409], 500],
    ] as const) {
      const { target } = answering(...statuses);
      expect((await target.send(request)).status).to.equal(believed);
      expect(target.chances).to.deep.equal([]);
    }
  });

  it('fails at random if it fails again after a refusal', async () => {
    const { target } = answering(503, 409, 503);
    expect((await target.send(request)).status).to.equal(503);
    expect(target.chances).to.deep.equal([
      'POST /rest/cwx-ppf/latest/push was answered with 409, and with 503 when it was asked again',
    ]);
  });

  it('gets a request once if the response is an ordinary one, and is not wrapped twice', async () => {
    const { target, left } = answering(404, 200);
    expect((await target.send(request)).status).to.equal(404);
    expect(left).to.deep.equal([200]);
    expect(withRetries(target)).to.equal(target);
  });
});
