// The hosts' own resources over HTTP: beside the operations, in every sandbox and below every context, or switched off.
import { expect } from 'chai';
import type { Running } from '../../server/process/start.js';
import { scratch } from '../support/files/scratch.js';
import { basic, send, sendJson, serving } from '../support/wire/server.js';

describe("the hosts' own resources over HTTP", () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  it('name their host, below any context path and in each sandbox', async () => {
    for (const path of ['', '/wiki', '/~one', '/~one/wiki']) {
      const { status, headers, json } = await send(`${server.url}${path}/rest/api/space/ds?expand=homepage`);
      expect([status, headers.get('x-fake-source'), headers.get('x-fake-operation')]).to.deep.equal([
        200,
        'host',
        'hosts.wiki-space',
      ]);
      expect([headers.get('x-fake-rules'), headers.get('x-fake-gaps')]).to.deep.equal([
        'expand.list',
        'expand-unknown=ignore',
      ]);
      expect(json).to.have.nested.property('_links.self', `${server.url}${path}/rest/api/space/ds`);
    }
    const operation = await sendJson(`${server.url}/rest/cwxapiextension/latest/groups/add-users`, 'POST', {
      group: 'customers',
      users: ['alice'],
    });
    expect(operation.headers.get('x-fake-source')).to.equal(null);
    const deeper = await send(`${server.url}/a/b/rest/api/space`);
    expect([deeper.status, deeper.headers.get('x-fake-source')]).to.deep.equal([404, null]);
  });

  it('answer HEAD as GET without a body, and send errors as the hosts do', async () => {
    const { status, text, headers } = await send(`${server.url}/rest/api/2/serverInfo`, { method: 'HEAD' });
    expect([status, text, headers.get('content-type')]).to.deep.equal([200, '', 'application/json;charset=UTF-8']);
    const missing = await send(`${server.url}/rest/api/2/user?username=bob`, {
      headers: { authorization: basic('alice', 'x') },
    });
    expect([missing.status, missing.headers.get('content-type')]).to.deep.equal([
      404,
      'application/json;charset=UTF-8',
    ]);
  });

  it('are in the journal, filtered by their ids, and explained without a difference', async () => {
    await send(`${server.url}/~read/jira/rest/api/2/filter/favourite`, {
      headers: { authorization: basic('carol', 'carol') },
    });
    await send(`${server.url}/~read/rest/api/nothing`);
    const at = `${server.url}/_fake/v1/sandboxes/read`;
    const { entries } = (await send(`${at}/journal?operation=hosts.tracker-favourite-filters`)).json as {
      entries: { id: number }[];
    };
    expect(entries).to.have.lengthOf(1);
    expect(entries[0]).to.deep.include({ caller: 'carol', rules: [], gaps: {}, base: `${server.url}/~read/jira` });
    for (const entry of [1, 2]) {
      const { json } = await sendJson(`${at}/explain`, 'POST', { entry, readings: { 'unknown-user': '400' } });
      expect(json).to.have.deep.nested.property('under.differs', []);
    }
  });

  it('keep sessions when a snapshot is restored, but not on a reset', async () => {
    const url = `${server.url}/~kept/rest/auth/1/session`;
    const { headers } = await sendJson(url, 'POST', { username: 'carol', password: 'carol' });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    const statusOf = async () => (await send(url, { headers: { cookie } })).status;
    const at = `${server.url}/_fake/v1/sandboxes/kept`;
    await sendJson(`${at}/snapshots`, 'POST', { name: 'in' });
    await send(url, { method: 'DELETE', headers: { cookie } });
    expect(await statusOf()).to.equal(401);
    await send(`${at}/snapshots/in/restore`, { method: 'POST' });
    expect(await statusOf()).to.equal(200);
    await send(`${at}/reset`, { method: 'POST' });
    expect(await statusOf()).to.equal(401);
  });

  it('keep sessions over a restart if the store is persistent', async () => {
    const { path, drop } = scratch({ 'kept/.keep': '' });
    const store = `file:${path}/kept`;
    const first = await serving(undefined, { store });
    const login = (url: string) =>
      sendJson(`${url}/rest/auth/1/session`, 'POST', { username: 'carol', password: 'carol' });
    const cookie = (await login(first.url)).headers.get('set-cookie')?.split(';')[0] ?? '';
    const forgotten = (await login(first.url)).headers.get('set-cookie')?.split(';')[0] ?? '';
    await send(`${first.url}/rest/auth/1/session`, { method: 'DELETE', headers: { cookie: forgotten } });
    await sendJson(`${first.url}/_fake/v1/sandboxes/default/snapshots`, 'POST', { name: 'with-a-session' });
    await first.stop();
    const second = await serving(undefined, { store });
    const statusFor = async (shown: string) =>
      (await send(`${second.url}/rest/auth/1/session`, { headers: { cookie: shown } })).status;
    expect([await statusFor(cookie), await statusFor(forgotten)]).to.deep.equal([200, 401]);
    await second.stop();
    drop();
  });

  it('are missing with --hosts off', async () => {
    const without = await serving(undefined, { hosts: 'off' });
    try {
      for (const path of ['/rest/api/space', '/rest/api/2/serverInfo', '/rest/auth/1/session']) {
        const { status, headers, json } = await send(`${without.url}${path}`);
        expect([status, headers.get('x-fake-source')]).to.deep.equal([404, null]);
        expect(json).to.have.property('message').that.contains('There is nothing at');
      }
    } finally {
      await without.stop();
    }
  });
});
