// Sends a request again if its response may be a random failure.
import { expect } from 'chai';
import { withRetries } from '../../../harness/target/retrying-target.js';

const request = { method: 'POST', path: '/rest/cwx-ppf/latest/push', headers: {} };

function serverResponse(...statuses: readonly number[]) {
  const left = [...statuses];
  const target = {
    url: 'http://127.0.0.1:8080',
    context: '',
    send: async () => ({ status: left.shift() ?? 0, headers: {}, text: '' }),
    close: async () => {},
  };
  return { target: withRetries(target) };
}

describe('a request that fails', () => {
  it('is repeated once, and the success is recorded as a chance', async () => {
    const { target } = serverResponse(503, 200);
    expect((await target.send(request)).status).to.equal(200);
    expect(target.chances).to.deep.equal(['POST /rest/cwx-ppf/latest/push got 503, and 200 when it was repeated']);
  });

  for (const [statuses, believed] of [
    [[500, 500], 500],
    [[500, 409], 500], // perhaps it was served the first time
    [[404, 200], 404],
  ] as const)
    it(`counts as ${believed} after ${statuses.join(' and ')}`, async () => {
      const { target } = serverResponse(...statuses);
      expect((await target.send(request)).status).to.equal(believed);
      expect(target.chances).to.deep.equal([]);
    });
});
