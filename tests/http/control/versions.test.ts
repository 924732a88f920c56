// A sandbox through time with requests and the control API together, over HTTP. The table of tests/control covers each row of the
// control API.
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { entriesIn, send, sendJson, serving, useServer, worldIn } from '../../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const CLOCK = '2026-01-05T09:00:00Z';

describe('the clock of a sandbox, over HTTP', () => {
  let server: Running;
  let sandbox: string;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());
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

  it('stamps the pages that operations change', async () => {
    await turn({ advance: 'P1Y' });
    const url = `${server.url}/~a/rest/cwxapiextension/latest/spaces/replaceInPage?spaceKey=ds&pageTitle=Welcome`;
    expect((await sendJson(url, 'POST', [{ oldText: 'Hello', newText: 'Goodbye' }])).status).to.equal(200);
    expect((await worldIn(server, 'a')).pages['65601']?.updated).to.equal('2027-01-05T09:00:00Z');
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
    for (let i = 0; i < 42; i += 1)
      await Promise.all(Array.from({ length: 25 }, () => sendJson(`${sandbox}/clock`, 'PUT', { advance: 1 })));
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

describe('a hundred requests in flight beside a snapshot, a rewind and a restore, over HTTP', () => {
  it('leave one order, which the journal and the versions agree on', async () => {
    const server = await serving();
    const sandbox = `${server.url}/_fake/v1/sandboxes/a`;
    await sendJson(sandbox, 'PUT', {});
    const group = (i: number) => `group-${i}`;
    const groups = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [group(i), []]));
    await sendJson(`${sandbox}/world`, 'PATCH', { groups });
    const flight = Array.from({ length: 100 }, (_, i) => [
      sendJson(`${server.url}/~a${ADD}`, 'POST', { group: group(i), users: ['alice'] }),
      ...(i === 20 ? [sendJson(`${sandbox}/snapshots`, 'POST', { name: 'kept' })] : []),
      ...(i === 50 ? [sendJson(`${sandbox}/rewind`, 'POST', { to: 1 })] : []),
      ...(i === 80 ? [sendJson(`${sandbox}/snapshots/kept/restore`, 'POST', {})] : []),
    ]).flat();
    const statuses = (await Promise.all(flight)).map(({ status }) => status);
    expect(statuses.filter(status => status >= 500)).to.deep.equal([]);
    const { to, changes } = (await send(`${sandbox}/diff`)).json as {
      to: number;
      changes: Array<{ version: number; type: string; group?: string; of?: number; to?: number }>;
    };
    const { entries } = (await send(`${sandbox}/journal`)).json as {
      entries: Array<{ version: number; facts: Array<{ group: string }> }>;
    };
    const joined = changes.filter(({ type }) => type === 'group-member-added');
    expect(joined.map(({ version, group: one }) => [version, one])).to.deep.equal(
      entries.map(({ version, facts }) => [version, facts[0]?.group]),
    );
    expect(joined).to.have.lengthOf(100);
    const full = async (query: string) =>
      Object.entries(((await send(`${sandbox}/world${query}`)).json as { groups: Record<string, string[]> }).groups)
        .filter(([name, users]) => name.startsWith('group-') && users.length > 0)
        .map(([name]) => name)
        .sort();
    const at: string[][] = [[], []];
    let kept: string[] = [];
    for (const change of changes.slice(1)) {
      const before = at[change.version - 1] ?? [];
      if (change.type === 'snapshot-kept') kept = at[change.of ?? 0] ?? [];
      if (change.type === 'rewound') at[change.version] = at[change.to ?? 0] ?? [];
      else if (change.type === 'restored') at[change.version] = kept;
      else at[change.version] = change.group === undefined ? before : [...before, change.group].sort();
    }
    for (const version of [1, 2, 30, 60, 90, to])
      expect(await full(`?at=${version}`), `${version}`).to.deep.equal(at[version]);
    expect(await full('')).to.deep.equal(at[to]);
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
    for (let i = 0; i < 40; i += 1) {
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

  it('leaves faults with a seed of their own alone', async () => {
    const own = { ...fault, when: { chance: 0.5, seed: 3 } };
    expect(await statuses(7, own)).to.deep.equal(await statuses(8, own));
  });
});
