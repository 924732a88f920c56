// Snapshots, versions, differences, forks and the clock by the control API, each row by fetch and by curl.
import { expect } from 'chai';
import type { Running } from '../../server/start.js';
import { curlBare } from '../support/curl.js';
import { send, sendJson, serving } from '../support/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const CLOCK = '2026-01-05T09:00:00Z';

interface Answered {
  readonly status: number;
  readonly json: unknown;
}
type Ask = (method: string, url: string, body?: unknown) => Promise<Answered>;

async function byFetch(method: string, url: string, body?: unknown): Promise<Answered> {
  return body === undefined ? send(url, { method }) : sendJson(url, method, body);
}

async function byCurl(method: string, url: string, body?: unknown): Promise<Answered> {
  const sent = body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)];
  const { stdout, code } = await curlBare(['-sS', '-X', method, ...sent, '-w', '\n%{http_code}', url]);
  expect(code).to.equal(0);
  const [, text = '', status] = /^([\s\S]*)\n(\d+)$/.exec(stdout) ?? [];
  return { status: Number(status), json: text === '' ? undefined : JSON.parse(text) };
}

for (const [way, ask] of Object.entries<Ask>({ fetch: byFetch, curl: byCurl })) {
  describe(`a sandbox through time, by ${way}`, () => {
    let server: Running;
    let sandbox: string;
    before(async () => {
      server = await serving();
    });
    after(() => server.stop());
    beforeEach(async () => {
      sandbox = `${server.url}/_fake/v1/sandboxes/a`;
      expect((await ask('PUT', sandbox, { clock: CLOCK })).status).to.equal(201);
    });

    const join = (user: string, name = 'a') =>
      sendJson(`${server.url}/~${name}${ADD}`, 'POST', { group: 'customers', users: [user] });
    const customers = async (query = '', name = 'a') =>
      (
        (await ask('GET', `${server.url}/_fake/v1/sandboxes/${name}/world${query}`)).json as {
          groups: { customers: string[] };
        }
      ).groups.customers;
    const call = async (method: string, path: string, body?: unknown) => {
      const { status, json } = await ask(method, sandbox + path, body);
      return [status, json] as const;
    };
    const refused = async (method: string, path: string, body?: unknown) => {
      const { status, json } = await ask(method, sandbox + path, body);
      return `${status} ${(json as { detail: string }).detail}`;
    };

    it('keeps snapshots, lists, restores and drops them', async () => {
      await join('alice');
      expect(await call('POST', '/snapshots', { name: 'before' })).to.deep.equal([
        201,
        { name: 'before', version: 1, at: CLOCK },
      ]);
      await join('carol');
      expect(await call('POST', '/snapshots')).to.deep.equal([201, { name: 'snapshot-2', version: 3, at: CLOCK }]);
      expect(await call('GET', '/snapshots')).to.deep.equal([
        200,
        {
          snapshots: [
            { name: 'before', version: 1, at: CLOCK },
            { name: 'snapshot-2', version: 3, at: CLOCK },
          ],
        },
      ]);
      expect(await call('POST', '/snapshots/before/restore')).to.deep.equal([200, { version: 5 }]);
      expect(await customers()).to.deep.equal(['alice']);
      expect(await call('DELETE', '/snapshots/before')).to.deep.equal([204, undefined]);
      expect(await refused('POST', '/snapshots/before/restore', {})).to.equal(
        '404 There is no snapshot "before": there are snapshot-2.',
      );
      expect(await customers()).to.deep.equal(['alice']);
    });

    it('keeps no snapshot under a name that is taken, unless it is to take its place', async () => {
      await call('POST', '/snapshots', { name: 'before' });
      await join('alice');
      expect(await refused('POST', '/snapshots', { name: 'before' })).to.equal(
        '409 There is a snapshot "before" already: drop it or restore it, or ask to replace it.',
      );
      expect(await call('POST', '/snapshots', { name: 'before', replace: true })).to.deep.equal([
        201,
        { name: 'before', version: 2, at: CLOCK },
      ]);
    });

    it('says what is wrong with a snapshot, and where', async () => {
      for (const name of ['.', '..', 'a/b', '', 'a'.repeat(65)])
        expect(await refused('POST', '/snapshots', { name })).to.contain(
          '400 /name must be a name of 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen, and neither . nor ..',
        );
      expect(await refused('POST', '/snapshots', { nmae: 'a' })).to.equal(
        '400 The body has an unknown field "nmae" (did you mean "name"?).',
      );
      await call('POST', '/snapshots', { name: 'before' });
      expect(await refused('DELETE', '/snapshots/befor')).to.equal(
        '404 There is no snapshot "befor" (did you mean "before"?): there are before.',
      );
      expect(await refused('DELETE', '/snapshots/a%20b')).to.contain('404 There is no snapshot "a b"');
    });

    it('keeps a snapshot over a reset, and over nothing that makes the sandbox anew', async () => {
      await join('alice');
      await call('POST', '/snapshots', { name: '__proto__' });
      await call('POST', '/reset');
      expect(await customers()).to.deep.equal([]);
      await call('POST', '/snapshots/__proto__/restore');
      expect(await customers()).to.deep.equal(['alice']);
      await ask('PUT', sandbox, {});
      expect(await call('GET', '/snapshots')).to.deep.equal([200, { snapshots: [] }]);
    });

    it('rewinds to a version, as a new one, and the journal goes on', async () => {
      for (const user of ['alice', 'carol', 'admin']) await join(user);
      expect(await call('POST', '/rewind', { to: 1 })).to.deep.equal([200, { version: 4 }]);
      expect(await customers()).to.deep.equal(['alice']);
      expect(await call('POST', '/rewind', { to: 3 })).to.deep.equal([200, { version: 5 }]);
      expect(await customers()).to.deep.equal(['admin', 'alice', 'carol']);
      const [, described] = await call('GET', '');
      expect(described).to.deep.include({ version: 5, oldest: 0, now: CLOCK });
      expect(described).to.have.nested.property('journal.entries', 3);
    });

    it('says which versions there are when it is asked for another', async () => {
      await join('alice');
      for (const [method, path, body] of [
        ['POST', '/rewind', { to: 2 }],
        ['GET', '/world?at=2'],
        ['GET', '/diff?from=2'],
        ['GET', '/diff?to=2'],
        ['POST', '/fork', { name: 'b', at: 2 }],
      ] as const)
        expect(await refused(method, path, body), path).to.equal('404 There has been no version 2: 0 to 1 are kept.');
      expect(await refused('POST', '/rewind', {})).to.equal('400 The body lacks the field "to".');
      expect(await refused('POST', '/rewind', { to: '1' })).to.contain('400 /to must be a whole number');
      expect(await refused('POST', '/rewind', { to: -1 })).to.contain('400 /to must be >= 0');
      expect(await refused('GET', '/world?at=now')).to.equal(
        '400 at must be a whole number, and it is the text "now".',
      );
      expect(await refused('GET', '/diff?form=1')).to.contain('(did you mean "from"?); there are from, to.');
      expect(await customers()).to.deep.equal(['alice']);
    });

    it('tells the world of a version', async () => {
      await join('alice');
      await join('carol');
      expect(await customers('?at=0')).to.deep.equal([]);
      expect(await customers('?at=1')).to.deep.equal(['alice']);
      expect(await customers('?at=2')).to.deep.equal(['alice', 'carol']);
    });

    it('tells what differs between two versions, there and back', async () => {
      await join('alice');
      await ask('PATCH', `${sandbox}/world`, { licence: { ppf: 'none' } });
      const added = { version: 1, type: 'group-member-added', group: 'customers', user: 'alice' };
      const patched = { version: 2, type: 'world-patched', patch: { licence: { ppf: 'none' } } };
      expect(await call('GET', '/diff')).to.deep.equal([
        200,
        {
          from: 0,
          to: 2,
          patch: { groups: { customers: ['alice'] }, licence: { ppf: 'none' } },
          changes: [added, patched],
        },
      ]);
      const back = { from: 2, to: 1, patch: { licence: { ppf: 'valid' } }, changes: [patched] };
      expect(await call('GET', '/diff?from=2&to=1')).to.deep.equal([200, back]);
      expect((await ask('PATCH', `${sandbox}/world`, back.patch)).status).to.equal(204);
      expect(await call('GET', '/diff?from=1')).to.have.deep.nested.property('[1].patch', {});
    });

    it('forks at a version', async () => {
      const name = `b-${way}`;
      await join('alice');
      await join('carol');
      const [status, made] = await call('POST', '/fork', { name, at: 1 });
      expect([status, made]).to.deep.include(201);
      expect(made).to.include({ name, version: 0, oldest: 0, now: CLOCK });
      expect(await customers('', name)).to.deep.equal(['alice']);
      await join('admin', name);
      expect(await customers()).to.deep.equal(['alice', 'carol']);
      expect(await refused('POST', '/fork', { name, at: 1 })).to.contain('409 There is a sandbox');
    });

    it('sets its clock, lets it go on, stops it and lets it run', async () => {
      expect(await call('GET', '/clock')).to.deep.equal([200, { now: CLOCK, running: false }]);
      const now = async (order: object) => {
        const [status, clock] = await call('PUT', '/clock', order);
        expect(status).to.equal(200);
        return clock;
      };
      expect(await now({ advance: 'P1DT1H' })).to.deep.equal({ now: '2026-01-06T10:00:00Z', running: false });
      expect(await now({ advance: 90.5 })).to.deep.equal({ now: '2026-01-06T10:01:30.500Z', running: false });
      expect(await now({ set: '2030-02-28T12:00:00Z' })).to.deep.equal({ now: '2030-02-28T12:00:00Z', running: false });
      const running = (await now({ run: true })) as { now: string; running: boolean };
      expect(running.running).to.equal(true);
      expect(running.now).to.match(/^2030-02-28T12:0/);
      expect(await now({ set: '2031-01-01T00:00:00Z', running: true })).to.have.property('running', true);
      const frozen = (await now({ freeze: true })) as { now: string };
      expect(frozen).to.have.property('running', false);
      expect(frozen.now).to.match(/^2031-01-01T00:0/);
      expect(await call('GET', '/clock')).to.deep.equal([200, frozen]);
      await join('alice');
      const { entries } = (await ask('GET', `${sandbox}/journal`)).json as { entries: Array<{ at: string }> };
      expect(entries[0]?.at).to.equal(frozen.now);
      await call('POST', '/reset');
      expect(await call('GET', '/clock')).to.deep.equal([200, { now: CLOCK, running: false }]);
    });

    it('stamps the pages that operations change with its time', async () => {
      await call('PUT', '/clock', { advance: 'P1Y' });
      const url = `${server.url}/~a/rest/cwxapiextension/latest/spaces/replaceInPage?spaceKey=ds&pageTitle=Welcome`;
      expect((await ask('POST', url, [{ oldText: 'Hello', newText: 'Goodbye' }])).status).to.equal(200);
      const { pages } = (await ask('GET', `${sandbox}/world`)).json as { pages: Record<string, { updated: string }> };
      expect(pages['65601']?.updated).to.equal('2027-01-05T09:00:00Z');
    });

    it('ends a fault when its clock says so', async () => {
      const fault = { operation: 'groups.add-users', until: '2026-01-05T10:00:00Z', effect: { status: 503 } };
      expect((await ask('PUT', `${sandbox}/faults`, { faults: [fault] })).status).to.equal(200);
      expect((await join('alice')).status).to.equal(503);
      await call('PUT', '/clock', { advance: 'PT1H' });
      expect((await join('alice')).status).to.equal(200);
      await call('POST', '/rewind', { to: 1 });
      expect((await join('carol')).status).to.equal(503);
    });

    it('turns its clock in no other way', async () => {
      for (const [order, says] of [
        [{}, '422 It takes exactly one of set, advance, freeze, run, and there is none of them.'],
        [
          { freeze: true, run: true },
          '422 It takes exactly one of set, advance, freeze, run, and there are freeze and run.',
        ],
        [{ run: true, running: true }, '422 /running running belongs to set: run and freeze need none.'],
        [
          { set: 'noon' },
          '400 /set must be an instant in UTC, such as 2026-01-05T09:00:00Z, and it is the text "noon".',
        ],
        [{ set: '2026-02-30T00:00:00Z' }, '422 /set 2026-02-30 is no day of the calendar.'],
        [
          { advance: '1h' },
          '400 /advance must be seconds from 0, or an ISO 8601 duration such as PT1H or P1DT12H, and it is the text "1h".',
        ],
        [{ advance: -1 }, '400 /advance must be >= 0, and it is the number -1.'],
        [{ advance: null }, '400 /advance must be a number or text, and it is null.'],
        [{ advance: 'P9999Y' }, '422 The clock would leave the years 0000 to 9999.'],
        [{ freeze: false }, '400 /freeze must be one of true, and it is false.'],
        [{ freze: true }, '400 The body has an unknown field "freze" (did you mean "freeze"?).'],
      ] as const)
        expect(await refused('PUT', '/clock', order), JSON.stringify(order)).to.equal(says);
      expect(await call('GET', '/clock')).to.deep.equal([200, { now: CLOCK, running: false }]);
    });

    it('answers 404 to all of it where there is no sandbox, and makes none', async () => {
      const nobody = `${server.url}/_fake/v1/sandboxes/nobody`;
      for (const [method, path, body] of [
        ['GET', '/snapshots'],
        ['POST', '/snapshots', {}],
        ['POST', '/snapshots/a/restore'],
        ['DELETE', '/snapshots/a'],
        ['POST', '/rewind', { to: 0 }],
        ['GET', '/diff'],
        ['GET', '/world?at=0'],
        ['GET', '/clock'],
        ['PUT', '/clock', { freeze: true }],
      ] as const) {
        const { status, json } = await ask(method, nobody + path, body);
        expect([status, (json as { title: string }).title], path).to.deep.equal([404, 'No such sandbox']);
      }
      expect((await ask('GET', nobody)).status).to.equal(404);
    });
  });
}

describe('versions that are let go, by HTTP', () => {
  it('are 410 wherever they are asked for, with those that are kept', async () => {
    const server = await serving();
    const sandbox = `${server.url}/_fake/v1/sandboxes/a`;
    await sendJson(sandbox, 'PUT', {});
    for (let i = 0; i < 1_025; i += 1)
      await sendJson(`${sandbox}/readings`, 'PUT', { 'unknown-user': i % 2 === 0 ? '400' : '404' });
    const says = 'Version 3 has been let go: 257 to 1025 are kept. A snapshot would have stayed.';
    for (const [method, path, body] of [
      ['POST', '/rewind', { to: 3 }],
      ['GET', '/world?at=3'],
      ['GET', '/diff?from=3'],
      ['GET', '/diff?to=3'],
      ['POST', '/fork', { at: 3 }],
    ] as const) {
      const { status, json } = await byFetch(method, sandbox + path, body);
      expect([status, (json as { detail: string }).detail], path).to.deep.equal([410, says]);
    }
    expect((await send(sandbox)).json).to.include({ version: 1_025, oldest: 257 });
    expect((await send(`${sandbox}/diff`)).json).to.include({ from: 257, to: 1_025 });
    await server.stop();
  });
});

describe('a hundred requests in flight beside a snapshot, a rewind and a restore, by HTTP', () => {
  it('leave one order, which the journal and the versions tell alike', async () => {
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

describe('a sandbox with a seed, by HTTP', () => {
  const fault = { operation: 'groups.add-users', when: { chance: 0.5 }, effect: { status: 503 } };
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

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

  it('has the same faults with a chance each time, and others with another seed', async () => {
    expect(await statuses(7)).to.deep.equal(await statuses(7));
    expect(await statuses(7)).not.to.deep.equal(await statuses(8));
    expect(await statuses()).to.deep.equal(await statuses(0));
  });

  it('leaves faults alone that name a seed of their own', async () => {
    const own = { ...fault, when: { chance: 0.5, seed: 3 } };
    expect(await statuses(7, own)).to.deep.equal(await statuses(8, own));
  });

  it('takes whole numbers from 0', async () => {
    const { status, json } = await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { seed: -1 });
    expect([status, (json as { detail: string }).detail]).to.deep.equal([
      400,
      '/seed must be >= 0, and it is the number -1.',
    ]);
  });
});
