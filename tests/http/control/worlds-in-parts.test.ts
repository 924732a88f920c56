// What the control API returns in pages or takes from elsewhere: parts of a world, one entry, scenarios as text, and a preview of
// a scenario's requests.
import { expect } from 'chai';
import { send, sendJson, useServer } from '../../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';

interface Part {
  readonly version: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly matching: number;
  readonly offset: number;
  readonly records: ReadonlyArray<{ key: string; record: unknown; cut?: Record<string, number> }>;
}

describe('worlds in parts, and files from elsewhere', () => {
  const server = useServer();
  before(async () => {
    for (const name of ['many', 'large', 'long', 'story', 'again', 'c', 'f', 'quiet'])
      await send(at('', name), { method: 'PUT' });
  });
  const at = (path: string, sandbox = 'default') => `${server.url}/_fake/v1/sandboxes/${sandbox}${path}`;
  const part = async (query: string, sandbox?: string) => (await send(at(`/world?${query}`, sandbox))).json as Part;
  const keysOf = ({ records }: Part) => records.map(({ key }) => key);

  it('send a large world as they send its parts', async () => {
    const users = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`"${i}\u2028ü`, { displayName: '\n' }]));
    await sendJson(at('/world', 'large'), 'PATCH', { users });
    const { text, json } = await send(at('/world', 'large'));
    expect(text).to.equal(JSON.stringify(json)).and.have.length.above(150_000);
    const { licence, nextPageId, ...collections } = json as Record<string, object>;
    expect({ licence, nextPageId }).to.deep.equal({ licence: { ppf: 'valid' }, nextPageId: 65_702 });
    for (const [name, records] of Object.entries(collections)) {
      const keys = encodeURIComponent(JSON.stringify(Object.keys(records).slice(-20)));
      const read = (await part(`collection=${name}&limit=500&whole=true&keys=${keys}`, 'large')).records;
      expect(Object.fromEntries(read.map(({ key, record }) => [key, record]))).to.deep.equal(
        Object.fromEntries(Object.entries(records).slice(-20)),
      );
      expect((await part(`collection=${name}&limit=0`, 'large')).counts[name]).to.equal(Object.keys(records).length);
    }
  });

  for (const path of ['/journal', '/journal.har'])
    it(`send a long ${path} while they make it, so that nobody waits for the whole`, async () => {
      const body = JSON.stringify({ group: 'customers', users: Array(7_000).fill('al\u2028"ice') });
      for (let i = 0; i < 10; i += 1) await send(`${server.url}/~long${ADD}`, { method: 'POST', body });
      const { text, json, headers } = await send(at(path, 'long'));
      expect(headers.get('transfer-encoding')).to.equal('chunked');
      expect(text).to.equal(JSON.stringify(json)).and.have.length.above(500_000);
      const { entries } =
        path === '/journal' ? (json as { entries: unknown[] }) : (json as { log: { entries: unknown[] } }).log;
      expect(entries).to.have.length.of.at.least(10);
    });

  it('list records of one collection in the order of their keys, ids by number, with the size of each collection', async () => {
    await sendJson(at('/world', 'many'), 'PATCH', {
      pages: Object.fromEntries([9, 100_000, 70_001].map(id => [id, { space: 'ds', title: `Page ${id}` }])),
    });
    const first = await part('collection=pages&limit=2', 'many');
    expect({ keys: keysOf(first), matching: first.matching, version: first.version }).to.deep.equal({
      keys: ['9', '65601'],
      matching: 5,
      version: 1,
    });
    expect(first.counts).to.deep.include({ users: 5, groups: 3, pages: 5, favourites: 5 });
    expect(keysOf(await part('collection=pages&offset=3&limit=9', 'many'))).to.deep.equal(['70001', '100000']);
    expect(keysOf(await part('collection=pages&at=0', 'many'))).to.deep.equal(['65601', '65701']);
    expect((await part('collection=groups&limit=0')).records).to.deep.equal([]);
  });

  it('find records by a part of their key or name, in any case, and by their exact keys', async () => {
    expect(keysOf(await part('collection=users&containing=ADA'))).to.deep.equal(['admin']);
    expect(keysOf(await part('collection=pages&containing=home'))).to.deep.equal(['65701']);
    const asked = await part(`collection=groups&keys=${encodeURIComponent('["customers","__proto__","nobody"]')}`);
    expect(asked.records).to.deep.equal([{ key: 'customers', record: [] }]);
  });

  it('truncate long values, say so, and give them whole on request', async () => {
    await sendJson(at('/world', 'long'), 'PATCH', {
      pages: { 65601: { body: 'x'.repeat(1000) } },
      spaces: { ds: { sidebar: Array.from({ length: 60 }, (_, i) => ({ label: `l${i}`, url: '/' })) } },
    });
    const { records } = await part('collection=pages&containing=welcome', 'long');
    expect(records[0]).to.have.nested.property('record.body').with.lengthOf(300);
    expect(records[0]?.cut).to.deep.equal({ '/body': 1000 });
    const [space] = (await part('collection=spaces&containing=ds', 'long')).records;
    expect(space).to.deep.include({ cut: { '/sidebar': 60 } });
    expect(space).to.have.nested.property('record.sidebar').with.lengthOf(40);
    const whole = (await part('collection=pages&containing=welcome&whole=true', 'long')).records[0];
    expect(whole).to.have.nested.property('record.body').with.lengthOf(1000);
    expect(whole).not.to.have.property('cut');
  });

  it('report an invalid request for a part', async () => {
    const cases: ReadonlyArray<readonly [query: string, says: string]> = [
      ['limit=5', 'limit requires collection, one of users, groups'],
      ['collection=group', '(did you mean "groups"?)'],
      ['collection=groups&keys=customers', 'keys must be a JSON list of strings.'],
      ['collection=groups&keys=[1]', 'keys must be a JSON list of strings.'],
      ['collection=groups&limit=501', 'The parameter "limit" must be'],
      ['collection=groups&offset=-1', 'The parameter "offset" must be'],
    ];
    for (const [query, says] of cases) {
      const { status, json } = await send(at(`/world?${query}`));
      expect(status, query).to.equal(400);
      expect((json as { detail: string }).detail, query).to.include(says);
    }
  });

  it('give one entry, the world under another reading, and the requests as a scenario that plays', async () => {
    const own = `${server.url}/~story${ADD}`;
    await sendJson(own, 'POST', { group: 'customers', users: ['alice'] }, 'admin');
    await sendJson(own, 'POST', { group: 'customers', users: ['bob', 'carol'] }, 'admin');
    const { entries } = (await send(at('/journal?entry=2', 'story'))).json as { entries: Array<{ id: number }> };
    expect(entries.map(({ id }) => id)).to.deep.equal([2]);
    const explained = await sendJson(at('/explain', 'story'), 'POST', {
      entry: 2,
      readings: { 'unknown-user': 'skip' },
    });
    expect(explained.json)
      .to.have.nested.property('under.patch')
      .that.deep.equals({
        groups: { customers: ['alice', 'carol'] },
      });
    const { text } = (await send(at('/recording?from=1&to=1', 'story'))).json as { text: string };
    expect(text).to.include('customers').and.not.to.include('bob');
    const played = await sendJson(at('/play', 'again'), 'POST', { text, file: 'story.yaml' });
    expect(played.json).to.deep.include({ name: 'story', passed: true }).and.to.have.property('steps').with.lengthOf(1);
    expect((await send(at('/recording?from=7', 'story'))).status).to.equal(404);
  });

  it('create a sandbox from a scenario and a fixture given as text, and reset to it', async () => {
    const fixture = 'extends: small-team\nusers: { zoe: {} }\n';
    const made = await sendJson(at('', 'f'), 'PUT', { text: fixture, file: 'mine.yaml' });
    expect(made.status).to.equal(201);
    expect(made.json).to.include({ scenario: 'mine' });
    expect((await part('collection=users&containing=zoe', 'f')).matching).to.equal(1);
    const { text } = (await send(at('/recording', 'story'))).json as { text: string };
    expect((await sendJson(at('', 'c'), 'PUT', { text, file: 'story.yaml' })).status).to.equal(201);
    const replayed = await sendJson(at('/play', 'c'), 'POST', { text, file: 'story.yaml' });
    expect(replayed.json).to.have.property('passed', true);
    expect(replayed.json).to.have.property('steps').with.lengthOf(2);
    await send(at('/reset', 'f'), { method: 'POST' });
    expect((await part('collection=users&containing=zoe', 'f')).matching).to.equal(1);
  });

  it('report each problem of a text with its line, and change nothing', async () => {
    const text =
      'title: Mine\nfixture: small-team\nsteps:\n  - say: One\n    call: groups.add-user\n    expect: { status: 20 }\n';
    for (const [path, method] of [
      ['', 'PUT'],
      ['/play', 'POST'],
    ] as const) {
      const { status, json } = await sendJson(at(path, 'f'), method, { text, file: 'broken.yaml' });
      const { problems } = json as { problems: Array<{ file: string; line: number; message: string }> };
      expect(status).to.equal(400);
      expect(problems.map(({ file, line }) => `${file}:${line}`)).to.deep.equal(['broken.yaml:5', 'broken.yaml:6']);
      expect(problems[0]?.message).to.include('(did you mean "groups.add-users"?)');
    }
    expect((await part('collection=users&containing=zoe', 'f')).matching).to.equal(1);
    for (const bad of ['{', '{"entries":', 'fixture: ../../secret\ntitle: x\n', '\u0000'])
      expect((await sendJson(at('/play', 'f'), 'POST', { text: bad, file: 'x.json' })).status, bad).to.equal(400);
    const both = await sendJson(at('/play', 'f'), 'POST', { text, scenario: 'unlicensed' });
    expect(both.status).to.equal(400);
    expect((both.json as { detail: string }).detail).to.include('both scenario and text');
  });

  it('list the requests of a scenario without sending them', async () => {
    const { json } = await sendJson(at('/play', 'quiet'), 'POST', { scenario: 'first-steps', preview: true });
    const { title, steps } = json as { title: string; steps: Array<Record<string, unknown>> };
    expect({ title, length: steps.length }).to.deep.equal({ title: 'A first look', length: 4 });
    const path = '/rest/cwxapiextension/latest/permissions/edit/65601';
    const request = { method: 'PUT', path, body: '{"groups":["team-members"],"users":[]}' };
    const second = { step: 2, as: 'admin', operation: 'permissions.edit-add', request, status: 200 };
    expect(steps[1]).to.deep.include(second);
    expect((await send(at('/journal', 'quiet'))).json).to.deep.include({ entries: [] });
  });
});
