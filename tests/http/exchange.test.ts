// Operations over HTTP: their addresses, the content of a response, and the sandbox it belongs to.
import { expect } from 'chai';
import type { Running } from '../../server/process/start.js';
import { send, sendJson, serving } from '../support/wire/server.js';

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

  it('take effect, and name what decided the response', async () => {
    const response = await sendJson(server.url + ADD, 'POST', joining, 'admin');
    expect(response.status).to.equal(200);
    expect(response.json).to.deep.equal({});
    expect(response.headers.get('content-type')).to.equal('application/json');
    expect(response.headers.get('x-fake-sandbox')).to.equal('default');
    expect(response.headers.get('x-fake-operation')).to.equal('groups.add-users');
    expect(response.headers.get('x-fake-rules')).to.equal('groups.body, groups.add-users');
    expect(response.headers.get('x-fake-gaps')).to.equal('wiki-success=object');
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

  it('serve push below a context path too, as the wiki-prefix gap does not apply to it (address.ppf-path)', async () => {
    const response = await sendJson(`${server.url}/jira${PUSH}`, 'POST', pushing, 'admin');
    expect(response.status).to.equal(200);
    expect(
      (await send(`${server.url}/_fake/v1/sandboxes/default/journal?rule=address.ppf-path`)).json,
    ).to.have.nested.property('entries[0].operation', 'ppf.push');
  });

  it('take the sandbox from the header, and the path wins over it', async () => {
    await sendJson(server.url + ADD, 'POST', joining, undefined, { 'x-fake-sandbox': 'one' });
    const response = await sendJson(
      `${server.url}/~two${ADD}`,
      'POST',
      { group: 'team-members', users: ['alice'] },
      undefined,
      { 'x-fake-sandbox': 'one' },
    );
    expect(response.headers.get('x-fake-sandbox')).to.equal('two');
    expect((await world('one')).groups['team-members']).to.deep.equal(['demouser1', 'demouser2']);
    expect((await world('two')).groups['team-members']).to.deep.equal(['alice', 'demouser1']);
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
    const response = await sendJson(page, 'DELETE', { users: ['alice'], groups: [] });
    expect(response.headers.get('x-fake-rules')).to.equal('permissions.body, permissions.edit-remove');
    expect(
      ((await world()) as unknown as { pages: Record<string, { edit: unknown }> }).pages['65601']?.edit,
    ).to.deep.equal({ users: [], groups: [] });
  });
});
