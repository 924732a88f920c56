// Requests that need much work, many at a time: others are served in between, the memory in use stays within its limit, and no response is an error
// of the server but 503.
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { entriesIn, type RawResponse, send, sendJson, serving } from '../../support/wire/server.js';

const SANDBOXES = '/_fake/v1/sandboxes';
const LIMIT = 512 * 1024 * 1024;

interface Health {
  readonly memory: { readonly used: number };
}

describe('heavy work', () => {
  let server: Running;
  beforeEach(async () => {
    server = await serving();
  });
  afterEach(() => server.stop());
  const create = (body: object) => sendJson(server.url + SANDBOXES, 'POST', body);

  /** The statuses of requests, how many others got their responses meanwhile, one after the other, and the greatest memory in use that they report. */
  async function besides(requests: readonly Promise<RawResponse>[]) {
    let isOver = false;
    let [others, mostUsed] = [0, 0];
    const all = Promise.all(requests).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const { status, json } = await send(`${server.url}/_fake/health`);
      expect(status).to.equal(200);
      const { used } = (json as Health).memory;
      expect(used).to.be.below(LIMIT);
      mostUsed = Math.max(mostUsed, used);
      others += 1;
    }
    return { statuses: (await all).map(({ status }) => status), others, mostUsed };
  }
  const times = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));

  it('refuses a body of more than 100,000 values before it is parsed', async () => {
    const body = { x: Array.from({ length: 100_001 }, () => []) };
    const text = (await sendJson(`${server.url}/rest/cwxapiextension/latest/groups/add-users`, 'POST', body, 'admin'))
      .text;
    expect(text).to.include('The body has more than 100000 values.');
    const { json } = await create(body);
    expect(json).to.deep.include({ status: 413, detail: 'It has more than 100000 values.' });
    expect((await entriesIn(server))[0]).to.deep.nested.include({
      'request.unread': { kind: 'too-large', limit: 100_000, of: 'values' },
    });
  });

  it('leaves time for others while 48 large files are refused', async () => {
    const text = `users: [${'x, '.repeat(310_000)}]`;
    const { statuses, others } = await besides(times(48, i => create({ name: `f${i}`, text })));
    const refused = statuses.filter(status => status === 400).length;
    expect(refused).to.be.within(34, 48);
    expect(statuses.filter(status => status === 503)).to.have.length(48 - refused);
    expect(others).to.be.above(2);
  });

  it('leaves time for others while a push to 50,000 users is explained 40 times', async () => {
    const text =
      'generate: { users: 50000, groups: 1 }\nusers: { admin: { admin: true, password: admin } }\nfilters: { 1: { name: F, owner: admin, sharedWith: everyone } }\n';
    expect((await create({ name: 'pushed', text })).status).to.equal(201);
    const push = { groups: ['all-users'], filters: [1] };
    const pushed = await sendJson(`${server.url}/~pushed/rest/cwx-ppf/latest/push`, 'POST', push, 'admin');
    expect(pushed.status).to.equal(200);
    const explain = () => sendJson(`${server.url}${SANDBOXES}/pushed/explain`, 'POST', { entry: 1 });
    const { statuses, others } = await besides(times(40, explain));
    const explained = statuses.filter(status => status === 200).length;
    expect(explained).to.be.within(34, 40);
    expect(statuses.filter(status => status === 503)).to.have.length(40 - explained);
    expect(others).to.be.above(2);
  });

  it('leaves time for others while the largest recipe is loaded, and the sandbox can be changed', async () => {
    const { statuses, others } = await besides([create({ name: 'most', text: 'generate: { users: 250000 }\n' })]);
    expect(statuses).to.deep.equal([201]);
    expect(others).to.be.above(2);
    const { status } = await sendJson(`${server.url}${SANDBOXES}/most/world`, 'PATCH', { users: { new: {} } });
    expect(status).to.equal(204);
  });
});
