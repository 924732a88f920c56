// Operations over HTTP: their addresses, the content of an answer, and the sandbox it belongs to.
import { expect } from 'chai';
import type { Running } from '../../server/process/start.js';
import { basic, send, sendJson, sendRaw, serving } from '../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const PUSH = '/rest/cwx-ppf/latest/push';
const joining = { group: 'team-members', users: ['demouser2'] };
const pushing = { users: ['alice'], filters: [10500] };

describe('operations over HTTP', () => {
  let server: Running;
  beforeEach(async () => {
    server = await serving();
  });
  afterEach(() => server.stop());
  const world = async (sandbox = 'default') =>
    (await send(`${server.url}/_fake/v1/sandboxes/${sandbox}/world`)).json as { groups: Record<string, string[]> };

  it('take effect, and name what decided the answer', async () => {
    const answer = await sendJson(server.url + ADD, 'POST', joining, 'admin');
    expect(answer.status).to.equal(200);
    expect(answer.json).to.deep.equal({});
    expect(answer.headers.get('content-type')).to.equal('application/json');
    expect(answer.headers.get('x-fake-sandbox')).to.equal('default');
    expect(answer.headers.get('x-fake-operation')).to.equal('groups.add-users');
    expect(answer.headers.get('x-fake-rules')).to.equal('groups.body, groups.add-users');
    expect(answer.headers.get('x-fake-gaps')).to.equal('wiki-success=object');
    expect((await world()).groups['team-members']).to.deep.equal(['demouser1', 'demouser2']);
  });

  it('answer push and pull in the type and shape of their host', async () => {
    const done = await sendJson(server.url + PUSH, 'POST', pushing, 'admin');
    expect(done.headers.get('content-type')).to.equal('application/json;charset=UTF-8');
    expect(done.json).to.deep.equal({ success: true, messages: [] });
    const refused = await sendJson(server.url + PUSH, 'POST', pushing, 'alice');
    expect(refused.status).to.equal(403);
    expect(refused.json).to.deep.equal({
      errorMessages: ['"alice" is not an admin: push and pull require one.'],
      errors: {},
    });
    expect(refused.headers.get('x-fake-rules')).to.equal('ppf.admin-only');
  });

  it('accept Basic credentials and personal access tokens', async () => {
    const withToken = (token: string) =>
      sendJson(server.url + PUSH, 'POST', pushing, undefined, { authorization: `Bearer ${token}` });
    expect((await withToken('admin-token')).status).to.equal(200);
    const refused = await withToken('other');
    expect(refused.status).to.equal(401);
    expect(refused.headers.get('www-authenticate')).to.equal('Basic realm="cwx-fake", charset="UTF-8"');
    expect(refused.headers.get('x-fake-gaps')).to.equal(
      'auth-scheme=all, bad-credentials=401, ppf-error-body=jira, error-text=detailed',
    );
  });

  for (const prefix of ['/rest', '/rest/api', '']) {
    for (const context of ['', '/wiki', '/~mine', '/~mine/wiki']) {
      it(`serve the wiki extension below ${context}${prefix}/cwxapiextension (address.context-path, address.no-context-path)`, async () => {
        const answer = await sendJson(
          `${server.url}${context}${prefix}/cwxapiextension/latest/groups/add-users`,
          'POST',
          joining,
        );
        expect(answer.status).to.equal(200);
        expect((await world(context.startsWith('/~') ? 'mine' : 'default')).groups['team-members']).to.deep.equal([
          'demouser1',
          'demouser2',
        ]);
      });
    }
  }

  it('serve push below a context path too, as the wiki-prefix gap does not apply to it (address.ppf-path)', async () => {
    const answer = await sendJson(`${server.url}/jira${PUSH}`, 'POST', pushing, 'admin');
    expect(answer.status).to.equal(200);
    expect(
      (await send(`${server.url}/_fake/v1/sandboxes/default/journal?rule=address.ppf-path`)).json,
    ).to.have.nested.property('entries[0].operation', 'ppf.push');
  });

  it('take the sandbox from the header, and the path wins over it', async () => {
    await sendJson(server.url + ADD, 'POST', joining, undefined, { 'x-fake-sandbox': 'one' });
    const answer = await sendJson(
      `${server.url}/~two${ADD}`,
      'POST',
      { group: 'team-members', users: ['alice'] },
      undefined,
      { 'x-fake-sandbox': 'one' },
    );
    expect(answer.headers.get('x-fake-sandbox')).to.equal('two');
    expect((await world('one')).groups['team-members']).to.deep.equal(['demouser1', 'demouser2']);
    expect((await world('two')).groups['team-members']).to.deep.equal(['alice', 'demouser1']);
    expect((await world()).groups['team-members']).to.deep.equal(['demouser1']);
  });

  for (const name of ['a/b', 'x'.repeat(65), 'ä', '']) {
    it(`refuse the sandbox name ${JSON.stringify(name.slice(0, 10))}`, async () => {
      const answer = await sendRaw(
        server.url,
        `POST ${ADD} HTTP/1.1\r\nHost: localhost\r\nX-Fake-Sandbox: ${name}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).to.match(/^HTTP\/1\.1 400 /);
      expect(answer).to.contain(
        'is not a sandbox name: expected 1 to 64 of A-Z, a-z, 0-9, dot, underscore and hyphen.',
      );
    });
  }

  it('accept readings for one request', async () => {
    const unknown = { group: 'team-members', users: ['bob'] };
    const answer = await sendJson(server.url + ADD, 'POST', unknown, undefined, {
      'x-fake-reading': 'unknown-user=400, wiki-error-body=messages',
    });
    expect(answer.status).to.equal(400);
    expect(answer.json).to.deep.equal({ messages: ['There is no user named "bob".'] });
    expect((await sendJson(server.url + ADD, 'POST', unknown)).status).to.equal(404);
  });

  it('refuse an unknown reading and suggest the nearest', async () => {
    const answer = await sendJson(server.url + ADD, 'POST', joining, undefined, {
      'x-fake-reading': 'unknwon-user=400',
    });
    expect(answer.status).to.equal(400);
    expect(answer.json).to.have.property('message', 'There is no gap "unknwon-user" (did you mean "unknown-user"?).');
    expect((await world()).groups['team-members']).to.deep.equal(['demouser1']);
  });

  it('answer without a body if the readings say so', async () => {
    const empty = await sendJson(server.url + ADD, 'POST', joining, undefined, {
      'x-fake-reading': 'wiki-success=empty',
    });
    expect([
      empty.status,
      empty.text,
      empty.headers.get('content-length'),
      empty.headers.get('content-type'),
    ]).to.deep.equal([200, '', '0', null]);
    const none = await sendJson(server.url + ADD, 'POST', joining, undefined, {
      'x-fake-reading': 'wiki-success=no-content',
    });
    expect([none.status, none.text]).to.deep.equal([204, '']);
  });

  it('accept bodies with DELETE (permissions.edit-remove)', async () => {
    const page = `${server.url}/rest/cwxapiextension/latest/permissions/edit/65601`;
    await sendJson(page, 'PUT', { users: ['alice'], groups: [] });
    const answer = await sendJson(page, 'DELETE', { users: ['alice'], groups: [] });
    expect(answer.headers.get('x-fake-rules')).to.equal('permissions.body, permissions.edit-remove');
    expect(
      ((await world()) as unknown as { pages: Record<string, { edit: unknown }> }).pages['65601']?.edit,
    ).to.deep.equal({ users: [], groups: [] });
  });

  it('omit the headers with --no-explain, and change nothing else', async () => {
    const quiet = await serving('small-team', { 'no-explain': true });
    const answer = await sendJson(quiet.url + ADD, 'POST', joining);
    expect([...answer.headers.keys()].filter(name => name.startsWith('x-fake'))).to.deep.equal([]);
    expect(answer.json).to.deep.equal({});
    await quiet.stop();
  });

  it('create no sandbox with --sandboxes explicit, and explain how to', async () => {
    const strict = await serving('small-team', { sandboxes: 'explicit' });
    const refused = await sendJson(`${strict.url}/~new${ADD}`, 'POST', joining);
    expect(refused.status).to.equal(404);
    expect(refused.json).to.have.property(
      'message',
      'There is no sandbox "new", and sandboxes are not created automatically here: create it with POST /_fake/v1/sandboxes.',
    );
    expect((await sendJson(`${strict.url}/_fake/v1/sandboxes`, 'POST', { name: 'new' })).status).to.equal(201);
    expect((await sendJson(`${strict.url}/~new${ADD}`, 'POST', joining)).status).to.equal(200);
    expect((await sendJson(strict.url + ADD, 'POST', joining)).status).to.equal(200);
    await strict.stop();
  });

  it('never record credentials', async () => {
    await send(server.url + PUSH, {
      method: 'POST',
      headers: { authorization: basic('admin', 'top-secret'), 'content-type': 'application/json' },
      body: '{}',
    });
    await sendJson(server.url + PUSH, 'POST', pushing, undefined, { authorization: 'Bearer admin-token' });
    const { text } = await send(`${server.url}/_fake/v1/sandboxes/default/journal`);
    expect(text).to.contain('ppf.push');
    for (const secret of ['top-secret', 'admin-token', basic('admin', 'top-secret').slice(6)])
      expect(text).not.to.contain(secret);
  });
});
