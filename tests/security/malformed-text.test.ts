// Text that is not well-formed Unicode: refused where it enters, with its place; the APIs take it for an ordinary unknown name.
import { expect } from 'chai';
import { sendJson, useServer } from '../support/wire/server.js';

const HALF = '\ud800';
const CONTROL = '/_fake/v1/sandboxes/default';
const API = '/rest/cwxapiextension/latest';

describe('half of a surrogate pair', () => {
  const server = useServer(undefined, { reading: ['unknown-group=create'] });
  const ask = (
    method: string,
    path: string,
    body?: unknown, // the half is sent as an escape
  ) => sendJson(server.url + path, method, body, 'admin');

  const effect = { status: 503 };
  const entries: ReadonlyArray<readonly [method: string, path: string, body: unknown, place: string]> = [
    ['PUT', `${CONTROL}/faults`, { faults: [{ path: `/rest/${HALF}`, effect }] }, '/faults/0/path'],
    ['PUT', `${CONTROL}/stubs`, { stubs: [{ path: `/${HALF}x` }] }, '/stubs/0/path'],
    ['PATCH', `${CONTROL}/world`, { users: { [HALF]: {} } }, '/users/\ufffd'],
    ['PATCH', `${CONTROL}/world`, { groups: { customers: [HALF] } }, '/groups/customers/0'],
    ['POST', `${CONTROL}/snapshots`, { name: HALF }, '/name'],
    ['POST', '/_fake/v1/provider-states', { state: HALF, action: 'setup' }, '/state'],
  ];
  it('is refused where it enters, with its place', async () => {
    for (const [method, path, body, place] of entries) {
      const { status, json } = await ask(method, path, body);
      expect(status, path).to.equal(400);
      expect(json).to.have.nested.property('problems[0].pointer', place);
      expect((json as { detail: string }).detail).to.contain('must be well-formed Unicode');
    }
  });

  it('is refused in a scenario, as a text and as a key', async () => {
    for (const text of ['title: "\\ud800"\nsteps: []\n', 'users: { "\\ud800": {} }\n']) {
      const { status, json } = await ask('POST', '/_fake/v1/sandboxes', { name: 'odd', text });
      expect(status).to.equal(400);
      expect(JSON.stringify(json)).to.contain('The text must be well-formed Unicode');
    }
  });

  it('is a name like any other to the APIs, whose links replace it', async () => {
    const users = await ask('POST', `${API}/groups/add-users`, { group: 'customers', users: [HALF] });
    expect(users.status).to.equal(404);
    expect((await ask('POST', `${API}/groups/add-users`, { group: HALF, users: ['alice'] })).status).to.equal(200);
    const { status, text } = await ask('GET', '/rest/api/group');
    expect(status).to.equal(200);
    expect(text).to.contain('/rest/api/group/%EF%BF%BD');
  });
});
