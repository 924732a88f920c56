// The faults of a scenario, and their counts. The table of tests/control covers arming and refusing them, tests/http/connections their effects.
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { send, sendJson, serving } from '../../support/wire/server.js';

const busy = { operation: 'ppf.push', effect: { status: 503, retryAfter: 5 } };
const unmet = (fault: object) => ({ ...fault, matched: 0, fired: 0 });

describe('the faults of a scenario', () => {
  let files: Scratch;
  let server: Running;
  before(async () => {
    files = scratch({
      'faulty.yaml': `title: Faulty\nfixture: small-team\nfaults: ${JSON.stringify([busy])}\nsteps: []\n`,
    });
    server = await serving('small-team', { scenarios: files.path });
    await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: 'faulty', scenario: 'faulty' });
  });
  after(async () => {
    await server.stop();
    files.drop();
  });

  const url = (path: string) => `${server.url}/_fake/v1/sandboxes/faulty${path}`;
  const armed = async () => ((await send(url('/faults'))).json as { faults: unknown }).faults;

  it('are armed at the start, and again after a reset', async () => {
    expect(await armed()).to.deep.equal([unmet(busy)]);
    const other = { path: '/rest/*', effect: { hangUp: true } };
    await sendJson(url('/faults'), 'PUT', { faults: [other] });
    expect(await armed()).to.deep.equal([unmet(other)]);
    await send(url('/reset'), { method: 'POST' });
    expect(await armed()).to.deep.equal([unmet(busy)]);
  });

  it('are at most a thousand in a sandbox, however they are armed', async () => {
    const many = (length: number) => Array.from({ length }, () => busy);
    const put = (faults: object[], append: boolean) => sendJson(url('/faults'), 'PUT', { faults, append });
    const once = await put(many(1_001), false);
    expect(once.status).to.equal(400);
    expect(once.json).to.have.property('detail', '/faults must have at most 1000 items, but is a list of length 1001.');
    expect((await put(many(600), false)).status).to.equal(200);
    const besides = await put(many(600), true);
    expect(besides.status).to.equal(422);
    expect(besides.json).to.deep.include({
      title: 'Too many faults',
      detail: 'A sandbox can have at most 1000 faults, but this request would make 1200.',
    });
    expect(await armed()).to.have.lengthOf(600);
    expect((await put(many(400), true)).status).to.equal(200);
  });

  it('fire exactly as often as due with a hundred requests in flight', async () => {
    const faults = [
      { operation: 'ppf.push', when: { every: 4 }, effect: { status: 500 } },
      { operation: 'ppf.push', when: { first: 10 }, effect: { delay: 5, status: 503 } },
      { operation: 'ppf.push', times: 7, effect: { status: 429 } },
    ];
    await sendJson(url('/faults'), 'PUT', { faults });
    const pushing = { users: ['alice'], filters: [10500] };
    const push = () => sendJson(`${server.url}/~faulty/rest/cwx-ppf/latest/push`, 'POST', pushing, 'admin');
    const statuses = (await Promise.all(Array.from({ length: 100 }, push))).map(({ status }) => status);
    const count = (status: number) => statuses.filter(one => one === status).length;
    expect([500, 503, 429, 200].map(count)).to.deep.equal([25, 8, 7, 60]);
    const counted = (await armed()) as ReadonlyArray<{ matched: number; fired: number }>;
    expect(counted.map(({ matched, fired }) => [matched, fired])).to.deep.equal([
      [100, 25],
      [100, 8],
      [100, 7],
    ]);
  });
});
