// The REST APIs of Confluence and Jira over HTTP: beside the operations, in every sandbox and below every context, or switched off.
import { expect } from 'chai';
import { scratch } from '../support/files/scratch.js';
import { basic, entriesIn, send, sendJson, serving, useServer } from '../support/wire/server.js';

describe('the REST APIs of Confluence and Jira over HTTP', () => {
  const server = useServer();

  it('name their product, below any context path and in each sandbox', async () => {
    for (const path of ['', '/wiki', '/~one', '/~one/wiki']) {
      const { status, headers, json } = await send(`${server.url}${path}/rest/api/space/ds?expand=none`);
      expect({
        status,
        source: headers.get('x-fake-source'),
        operation: headers.get('x-fake-operation'),
      }).to.deep.equal({ status: 200, source: 'confluence', operation: 'confluence.space' });
      expect({ rules: headers.get('x-fake-rules'), gaps: headers.get('x-fake-gaps') }).to.deep.equal({
        rules: 'expand.list',
        gaps: 'expand-unknown=ignore',
      });
      expect(json).to.have.nested.property('_links.self', `${server.url}${path}/rest/api/space/ds`);
    }
    const operation = await sendJson(`${server.url}/rest/cwxapiextension/latest/groups/add-users`, 'POST', {
      group: 'customers',
      users: ['alice'],
    });
    expect(operation.headers.get('x-fake-source')).to.equal(null);
    const deeper = await send(`${server.url}/a/b/rest/api/space`);
    expect({ status: deeper.status, source: deeper.headers.get('x-fake-source') }).to.deep.equal({
      status: 404,
      source: null,
    });
  });

  it('answer HEAD as GET without a body, and send errors as the products do', async () => {
    const { status, text, headers } = await send(`${server.url}/rest/api/2/serverInfo`, { method: 'HEAD' });
    expect({ status, text, contentType: headers.get('content-type') }).to.deep.equal({
      status: 200,
      text: '',
      contentType: 'application/json;charset=UTF-8',
    });
    const missing = await send(`${server.url}/rest/api/2/user?username=bob`, {
      headers: { authorization: basic('alice', 'x') },
    });
    expect({ status: missing.status, contentType: missing.headers.get('content-type') }).to.deep.equal({
      status: 404,
      contentType: 'application/json;charset=UTF-8',
    });
  });

  it('are in the journal, filtered by their ids, and explained without a difference', async () => {
    await send(`${server.url}/~read/jira/rest/api/2/filter/favourite`, {
      headers: { authorization: basic('carol', 'carol') },
    });
    await send(`${server.url}/~read/rest/api/nothing`);
    const at = `${server.url}/_fake/v1/sandboxes/read`;
    const { entries } = (await send(`${at}/journal?operation=jira.favourite-filters`)).json as {
      entries: { id: number }[];
    };
    expect(entries).to.have.lengthOf(1);
    expect(entries[0]).to.deep.include({ caller: 'carol', rules: [], gaps: {}, base: `${server.url}/~read/jira` });
    for (const entry of [1, 2]) {
      const { json } = await sendJson(`${at}/explain`, 'POST', { entry, readings: { 'unknown-user': '400' } });
      expect(json).to.have.deep.nested.property('under.differences', []);
    }
  });

  const login = async (url: string, username = 'carol'): Promise<string> => {
    const { headers } = await sendJson(`${url}/rest/auth/1/session`, 'POST', { username, password: username });
    return headers.get('set-cookie')?.split(';')[0] ?? '';
  };
  const statusWith = async (url: string, cookie: string) =>
    (await send(`${url}/rest/auth/1/session`, { headers: { cookie } })).status;

  it('accept the cookie of a log-in for a day, whatever happens to the world, until the sandbox is dropped', async () => {
    const [url, at] = [`${server.url}/~kept`, `${server.url}/_fake/v1/sandboxes/kept`];
    const cookie = await login(url);
    const out = await send(`${url}/rest/auth/1/session`, { method: 'DELETE', headers: { cookie } });
    expect(out.headers.get('set-cookie')).to.equal('JSESSIONID=; Path=/~kept; Max-Age=0; HttpOnly');
    await sendJson(`${at}/world`, 'PATCH', { users: { bob: { displayName: 'Bob' } } });
    const ofBob = await login(url, 'bob');
    expect(await statusWith(url, ofBob)).to.equal(200);
    await send(`${at}/reset`, { method: 'POST' });
    expect(await statusWith(url, cookie)).to.equal(200);
    expect(await statusWith(url, ofBob)).to.equal(401);
    await sendJson(`${at}/clock`, 'PUT', { advance: 'PT23H' });
    expect(await statusWith(url, cookie)).to.equal(200);
    await sendJson(`${at}/clock`, 'PUT', { advance: 'PT1H' });
    expect(await statusWith(url, cookie)).to.equal(401);
    const second = await login(url);
    await send(at, { method: 'DELETE' });
    expect(await statusWith(url, second)).to.equal(401);
  });

  it('ignore a forged cookie', async () => {
    const cookie = await login(server.url);
    const [name = '', user = '', expiry = '', signature = ''] = cookie.split(/[=.]/);
    const admin = Buffer.from('admin').toString('base64url');
    const forged = [
      `${admin}.${expiry}.${signature}`,
      `${user}.${Number(expiry) + 1}.${signature}`,
      `${user}.${expiry}.${signature.slice(1)}`,
      `${user}.${expiry}.`,
      `${user}.${expiry}`,
      user,
    ];
    for (const value of forged) expect(await statusWith(server.url, `${name}=${value}`), value).to.equal(401);
    expect(await statusWith(server.url, cookie)).to.equal(200);
  });

  it('keep nothing of a log-in', async () => {
    const at = `${server.url}/_fake/v1/sandboxes/free`;
    for (let i = 0; i < 3; i += 1) await login(`${server.url}/~free`);
    expect((await entriesIn(server, 'free')).map(({ facts }) => facts)).to.deep.equal([[], [], []]);
    expect((await send(at)).json).to.include({ version: 0 });
  });

  it('accept a cookie after a restart if the store is persistent', async () => {
    const { path, drop } = scratch({ 'kept/.keep': '' });
    const store = `file:${path}/kept`;
    const first = await serving(undefined, { store });
    const cookie = await login(first.url);
    await first.stop();
    const second = await serving(undefined, { store });
    expect(await statusWith(second.url, cookie)).to.equal(200);
    await second.stop();
    drop();
  });
});
