// curl, as users try out an API: the vendor’s own command first.

import { expect } from 'chai';
import type { WorldForm } from '../../server/domain/form/form-shapes.js';
import { curlBare } from '../support/processes/curl.js';
import { send, useServer } from '../support/wire/server.js';

const JSON_TYPE = ['-H', 'Content-Type: application/json'];
const pushing = JSON.stringify({ users: ['alice'], filters: [10500] });

describe('curl', () => {
  const server = useServer();
  let wiki: string;
  let push: string;
  beforeEach(async () => {
    wiki = `${server.url}/rest/cwxapiextension/latest`;
    push = `${server.url}/rest/cwx-ppf/latest/push`;
    await send(`${server.url}/_fake/v1/sandboxes/default/reset`, { method: 'POST' });
  });
  const world = async () => (await send(`${server.url}/_fake/v1/sandboxes/default/world`)).json as WorldForm;

  it('runs the vendor’s own command: without credentials it is 403', async () => {
    const { status, json } = await curl(['-X', 'POST', ...JSON_TYPE, '-d', pushing, push]);
    expect(status).to.equal(403);
    expect(json).to.have.property('errors').that.deep.equals({});
    expect((await world()).favourites.alice).to.deep.equal({ filters: [], dashboards: [] });
  });

  it('sends -d without a type, which curl sends as a form', async () => {
    const { status, json } = await curl(['-u', 'admin:admin', '-d', pushing, push]);
    expect({ status, json }).to.deep.equal({ status: 200, json: { success: true, messages: [] } });
  });

  it('sends a body with DELETE', async () => {
    const page = `${wiki}/permissions/view/65601`;
    await curl(['-X', 'PUT', ...JSON_TYPE, '-d', '{"users":["alice","carol"],"groups":[]}', page]);
    const { status } = await curl(['-X', 'DELETE', ...JSON_TYPE, '-d', '{"users":["alice"],"groups":[]}', page]);
    expect(status).to.equal(200);
    expect((await world()).pages['65601']?.view).to.deep.equal({ users: ['carol'], groups: [] });
  });

  it('reuses its connection, after a refusal too', async () => {
    const ask = ['-s', '-o', '/dev/null', '-w', '%{http_code} %{num_connects}\n', ...JSON_TYPE, '-d', pushing, push];
    const { stdout } = await curlBare([...ask, '--next', ...ask, '--next', ...ask.with(-2, '{'), '--next', ...ask]);
    expect(stdout).to.equal('403 1\n403 0\n403 0\n403 0\n');
  });

  it('receives the response to a body that is too large while it waits for 100 Continue', async () => {
    const body = JSON.stringify({ group: 'customers', users: ['a'.repeat(1_200_000)] });
    const { status, json } = await curl(
      [...JSON_TYPE, '-H', 'Expect: 100-continue', '--data-binary', '@-', `${wiki}/groups/add-users`],
      body,
    );
    expect(status).to.equal(413);
    expect(json).to.include({ statusCode: 413 });
  });
});

/** The response, with its headers as they were sent. */
async function curl(args: readonly string[], input = '') {
  const { stdout, code } = await curlBare(['-sS', '-i', ...args], input);
  expect(code, stdout).to.equal(0);
  const last = stdout.replace(/^(HTTP\/1\.1 100 [\s\S]*?\r\n\r\n)+/, '');
  const [head = '', ...rest] = last.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), headers: head, json: body === '' ? undefined : JSON.parse(body) };
}
