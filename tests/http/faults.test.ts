// Faults as data: armed, told, taken away, and refused where they name what there is not. What they do is looked at in tests/http/faults.
import { expect } from 'chai';
import { misfits } from '../../server/engine/request/validate.js';
import { controlEndpoints } from '../../server/http/control/endpoints.js';
import type { Running } from '../../server/start.js';
import { type Scratch, scratch } from '../support/scratch.js';
import { send, sendJson, serving } from '../support/server.js';

const busy = { operation: 'ppf.push', effect: { status: 503, retryAfter: 5 } };
const slow = {
  path: '/rest/*/latest/push',
  caller: 'alice',
  when: { chance: 0.5, seed: 7 },
  times: 3,
  until: '2026-01-05T10:00:00Z',
  phase: 'after',
  effect: {
    delay: [10, 20],
    headers: { 'X-A': 'b' },
    body: { odd: null },
    truncateAt: 4,
    dribble: { bytes: 1, every: 5 },
  },
};

/** As they are told before any request has met them. */
const unmet = (...faults: readonly object[]) => faults.map(fault => ({ ...fault, met: 0, fired: 0 }));

describe('the faults of a sandbox', () => {
  let files: Scratch;
  let server: Running;
  before(async () => {
    files = scratch({
      'faulty.yaml': `title: Faulty\nfixture: small-team\nfaults: ${JSON.stringify([busy])}\nsteps: []\n`,
    });
    server = await serving('small-team', { scenarios: files.path });
  });
  after(async () => {
    await server.stop();
    files.drop();
  });

  let count = 0;
  const fresh = async (scenario = 'small-team') => {
    count += 1;
    const name = `f${count}`;
    await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name, scenario });
    return name;
  };
  const url = (sandbox: string, path = '/faults') => `${server.url}/_fake/v1/sandboxes/${sandbox}${path}`;
  const armed = async (sandbox: string) => ((await send(url(sandbox))).json as { faults: unknown }).faults;
  const arm = (sandbox: string, faults: unknown) => sendJson(url(sandbox), 'PUT', { faults });

  it('are none to begin with', async () => {
    expect(await armed(await fresh())).to.deep.equal([]);
    expect(await armed('default')).to.deep.equal([]);
  });

  it('are armed in the place of those that were, in order', async () => {
    const sandbox = await fresh();
    const { status, json } = await arm(sandbox, [busy, slow]);
    expect([status, json]).to.deep.equal([200, { faults: unmet(busy, slow) }]);
    expect(await armed(sandbox)).to.deep.equal(unmet(busy, slow));
    await arm(sandbox, [slow]);
    expect(await armed(sandbox)).to.deep.equal(unmet(slow));
    expect((await arm(sandbox, [])).json).to.deep.equal({ faults: [] });
    expect(await armed(sandbox)).to.deep.equal([]);
  });

  for (const effect of [
    { delay: 0 },
    { status: 599 },
    { headers: {} },
    { body: null },
    { retryAfter: 0 },
    { hangUp: true },
    { truncateAt: 0 },
    { garble: true },
    { dribble: { bytes: 1, every: 1 } },
    { partial: { succeed: 0 } },
  ]) {
    it(`take the effect ${JSON.stringify(effect)}`, async () => {
      const sandbox = await fresh();
      expect((await arm(sandbox, [{ operation: 'ppf.push', effect }])).status).to.equal(200);
      expect(await armed(sandbox)).to.deep.equal(unmet({ operation: 'ppf.push', effect }));
    });
  }

  it('are taken away', async () => {
    const sandbox = await fresh();
    await arm(sandbox, [busy]);
    const { status, json } = await send(url(sandbox), { method: 'DELETE' });
    expect([status, json]).to.deep.equal([200, { faults: [] }]);
    expect(await armed(sandbox)).to.deep.equal([]);
  });

  it('are those of the scenario at first, and again after a reset', async () => {
    const sandbox = await fresh('faulty');
    expect(await armed(sandbox)).to.deep.equal(unmet(busy));
    await arm(sandbox, [slow]);
    await send(url(sandbox, '/reset'), { method: 'POST' });
    expect(await armed(sandbox)).to.deep.equal(unmet(busy));
    const plain = await fresh();
    await arm(plain, [slow]);
    await send(url(plain, '/reset'), { method: 'POST' });
    expect(await armed(plain)).to.deep.equal([]);
  });

  it('go with a fork, and each goes its own way from there', async () => {
    const sandbox = await fresh();
    await arm(sandbox, [busy]);
    await sendJson(url(sandbox, '/fork'), 'POST', { name: `${sandbox}-fork` });
    expect(await armed(`${sandbox}-fork`)).to.deep.equal(unmet(busy));
    await arm(`${sandbox}-fork`, [slow]);
    expect(await armed(sandbox)).to.deep.equal(unmet(busy));
  });

  it('are of one sandbox alone', async () => {
    const [one, other] = [await fresh(), await fresh()];
    await arm(one, [busy]);
    expect([await armed(other), await armed('default')]).to.deep.equal([[], []]);
  });

  it('leave world, readings and journal as they are', async () => {
    const sandbox = await fresh();
    const before = (await send(url(sandbox, '/world'))).text;
    await arm(sandbox, [busy]);
    expect((await send(url(sandbox, '/world'))).text).to.equal(before);
    expect((await send(url(sandbox, '/journal'))).json).to.deep.equal({ entries: [], evicted: 0 });
  });

  const refused: ReadonlyArray<readonly [what: string, faults: unknown, status: number, detail: string]> = [
    ['no list', busy, 400, '/faults must be a list, and it is an object.'],
    ['no fault', [7], 400, '/faults/0 must be an object, and it is the number 7.'],
    [
      'an unknown operation',
      [busy, { operation: 'ppf.psh', effect: { hangUp: true } }],
      400,
      '/faults/1/operation must be one of',
    ],
    [
      'an unknown effect',
      [{ operation: 'ppf.push', effect: { hangup: true } }],
      400,
      '/faults/0/effect has an unknown field "hangup" (did you mean "hangUp"?).',
    ],
    ['no effect', [{ operation: 'ppf.push' }], 400, '/faults/0 lacks the field "effect".'],
    ['an empty effect', [{ operation: 'ppf.push', effect: {} }], 400, '/faults/0/effect'],
    ['no operation and no path', [{ effect: { hangUp: true } }], 400, '/faults/0 must have an operation or a path'],
    ['a path without its slash', [{ path: 'rest', effect: { hangUp: true } }], 400, '/faults/0/path must be a path'],
    ['hanging up by halves', [{ operation: 'ppf.push', effect: { hangUp: false } }], 400, '/faults/0/effect/hangUp'],
    ['a status that is none', [{ operation: 'ppf.push', effect: { status: 99 } }], 400, '/faults/0/effect/status'],
    ['when, twice', [{ ...busy, when: { nth: 1, every: 2 } }], 400, '/faults/0/when must be one of nth, every, first'],
    ['never', [{ ...busy, when: { nth: 0 } }], 400, '/faults/0/when'],
    ['a chance above certainty', [{ ...busy, when: { chance: 1.1 } }], 400, '/faults/0/when'],
    ['no phase', [{ ...busy, phase: 'during' }], 400, '/faults/0/phase must be'],
    [
      'an unknown user',
      [busy, { ...busy, caller: 'alcie' }],
      422,
      '/faults/1/caller There is no user "alcie" (did you mean "alice"?): there are',
    ],
    [
      'no day of the calendar',
      [{ ...busy, until: '2026-02-30T00:00:00Z' }],
      422,
      '/faults/0/until 2026-02-30 is no day of the calendar.',
    ],
  ];
  for (const [what, faults, status, detail] of refused) {
    it(`refuses ${what}, with the place, and leaves those that are armed`, async () => {
      const sandbox = await fresh('faulty');
      const answer = await arm(sandbox, faults);
      expect((answer.json as { detail: string }).detail).to.contain(detail);
      expect(answer.status).to.equal(status);
      expect(answer.headers.get('content-type')).to.equal('application/problem+json');
      expect(await armed(sandbox)).to.deep.equal(unmet(busy));
    });
  }

  it('take anonymous for a caller', async () => {
    expect((await arm(await fresh(), [{ ...busy, caller: 'anonymous' }])).status).to.equal(200);
  });

  it('refuse a body without them', async () => {
    const { status, json } = await sendJson(url(await fresh()), 'PUT', { fault: [] });
    expect(status).to.equal(400);
    expect((json as { detail: string }).detail).to.contain('(did you mean "faults"?)');
  });

  it('are of a sandbox that there is', async () => {
    for (const method of ['GET', 'DELETE']) expect((await send(url('nowhere'), { method })).status).to.equal(404);
    expect((await arm('nowhere', [busy])).status).to.equal(404);
  });

  it('answer as their document says', async () => {
    const sandbox = await fresh();
    await arm(sandbox, [busy, slow]);
    const schema = controlEndpoints.find(({ id }) => id === 'read-faults')?.replies[200]?.schema;
    expect(schema && misfits(schema, (await send(url(sandbox))).json)).to.deep.equal([]);
  });
});
