// A sandbox through time with requests and the control API together, over HTTP. The table of tests/control covers each row of the
// control API.
import { expect } from 'chai';
import { entriesIn, send, sendJson, serving, useServer } from '../../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const CLOCK = '2026-01-05T09:00:00Z';

describe('the clock of a sandbox, over HTTP', () => {
  const server = useServer();
  let sandbox: string;
  beforeEach(async () => {
    sandbox = `${server.url}/_fake/v1/sandboxes/a`;
    expect((await sendJson(sandbox, 'PUT', { clock: CLOCK })).status).to.equal(201);
  });

  const join = (user: string) => sendJson(`${server.url}/~a${ADD}`, 'POST', { group: 'customers', users: [user] });
  const turn = (order: object) => sendJson(`${sandbox}/clock`, 'PUT', order);

  it('is the time of its entries, until it is reset', async () => {
    await turn({ set: '2031-01-01T00:00:00Z', running: true });
    const frozen = (await turn({ freeze: true })).json as { now: string };
    await join('alice');
    expect((await entriesIn(server, 'a'))[0]?.at).to.equal(frozen.now);
    await send(`${sandbox}/reset`, { method: 'POST' });
    expect((await send(`${sandbox}/clock`)).json).to.deep.equal({ now: CLOCK, running: false });
  });

  it('ends a fault at its instant', async () => {
    const fault = { operation: 'groups.add-users', until: '2026-01-05T10:00:00Z', effect: { status: 503 } };
    expect((await sendJson(`${sandbox}/faults`, 'PUT', { faults: [fault] })).status).to.equal(200);
    expect((await join('alice')).status).to.equal(503);
    await turn({ advance: 'PT1H' });
    expect((await join('alice')).status).to.equal(200);
    await sendJson(`${sandbox}/rewind`, 'POST', { to: 1 });
    expect((await join('carol')).status).to.equal(503);
  });
});

describe('discarded versions, over HTTP', () => {
  it('are 410 everywhere, with the range of the kept ones', async () => {
    const server = await serving();
    const sandbox = `${server.url}/_fake/v1/sandboxes/a`;
    await sendJson(sandbox, 'PUT', {});
    const cached = await server.session.ensure('a', server.session.origin);
    const change = () => ({ changes: [{ type: 'world-patched' as const, patch: {} }], result: undefined });
    for (let i = 0; i < 1_050; i += 1) await server.session.change(cached, change);
    const says = 'Version 3 was discarded: the sandbox has versions 272 to 1050. A snapshot would have kept it.';
    for (const [method, path, body] of [
      ['POST', '/rewind', { to: 3 }],
      ['GET', '/world?at=3'],
      ['GET', '/diff?from=3'],
      ['GET', '/diff?to=3'],
      ['POST', '/fork', { at: 3 }],
    ] as const) {
      const { json } = await sendJson(sandbox + path, method, body);
      expect(json, path).to.deep.include({ status: 410, detail: says });
    }
    expect((await send(sandbox)).json).to.include({ version: 1_050, oldest: 272 });
    expect((await send(`${sandbox}/diff`)).json).to.include({ from: 272, to: 1_050 });
    await server.stop();
  });
});

describe('a sandbox with a seed, over HTTP', () => {
  const fault = { operation: 'groups.add-users', when: { chance: 0.5 }, effect: { status: 503 } };
  const server = useServer();

  async function statuses(seed?: number, own = fault as object): Promise<number[]> {
    const { json } = await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', seed === undefined ? {} : { seed });
    const { name } = json as { name: string };
    await sendJson(`${server.url}/_fake/v1/sandboxes/${name}/faults`, 'PUT', { faults: [own] });
    const seen: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      const url = `${server.url}/~${name}${ADD}`;
      seen.push((await sendJson(url, 'POST', { group: 'customers', users: ['alice'] })).status);
    }
    return seen;
  }

  it('repeats its random faults, and has others with another seed', async () => {
    expect(await statuses(7)).to.deep.equal(await statuses(7));
    expect(await statuses(7)).not.to.deep.equal(await statuses(8));
    expect(await statuses()).to.deep.equal(await statuses(0));
  });
});
