// confluence.js as a team uses it for its real wiki: every operation, every kind of credentials, and its errors, through its own
// requests.
import { Agent } from 'node:https';
import { expect } from 'chai';
import { type Client, type Config, ServerClient } from 'confluence.js';
import type { WorldForm } from '../../../server/domain/form/form-shapes.js';
import type { Running } from '../../../server/process/start.js';
import { clientCalls, restrictedPage } from '../../support/wire/client-calls.js';
import { send, sendJson, serving } from '../../support/wire/server.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const PUSH = '/rest/cwx-ppf/latest/push';
const admin: Config.Authentication = { basic: { username: 'admin', password: 'admin' } };
const token: Config.Authentication = { personalAccessToken: 'admin-token' };

/** The client's error if it passes on axios errors. */
interface Thrown {
  readonly response: {
    readonly status: number;
    readonly data: unknown;
    readonly headers: Readonly<Record<string, string>>;
  };
}
/** A request as the client's middlewares and axios leave it. */
interface Entry {
  readonly method: string;
  readonly operation: string;
  readonly caller: string;
  readonly rules: readonly string[];
  readonly request: { readonly contentType?: string; readonly body?: string };
  readonly unknownQuery?: readonly string[];
}

describe('confluence.js', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  const client = (sandbox: string, authentication?: Config.Authentication, more: Partial<Config> = {}): Client =>
    new ServerClient({
      host: `${server.url}/confluence`,
      noCheckAtlassianToken: true,
      newErrorHandling: true,
      baseRequestConfig: { headers: { 'X-Fake-Sandbox': sandbox } },
      ...(authentication !== undefined && { authentication }),
      ...more,
    });
  const control = (sandbox: string) => `${server.url}/_fake/v1/sandboxes/${sandbox}`;
  const worldOf = async (sandbox: string) => (await send(`${control(sandbox)}/world`)).json as WorldForm;
  const entriesOf = async (sandbox: string) =>
    ((await send(`${control(sandbox)}/journal`)).json as { entries: Entry[] }).entries;
  const errorOf = (request: Promise<unknown>): Promise<unknown> =>
    request.then(
      reply => expect.fail(`it was answered: ${JSON.stringify(reply)}`),
      (error: unknown) => error,
    );

  for (const [kind, authentication] of Object.entries({
    'user and password': admin,
    'a personal access token': token,
  })) {
    describe(`with ${kind}`, () => {
      for (const { operation, request, reply, afterwards } of clientCalls) {
        it(`calls ${operation} with ${request.method}`, async () => {
          const sandbox = `${operation}-${'basic' in authentication ? 'basic' : 'token'}`;
          await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: sandbox });
          await sendJson(`${control(sandbox)}/world`, 'PATCH', restrictedPage);
          expect(await client(sandbox, authentication).sendRequest(request)).to.deep.equal(reply);
          afterwards(await worldOf(sandbox));
          const [entry] = await entriesOf(sandbox);
          expect(entry).to.include({ operation, method: request.method, caller: 'admin' });
          expect(entry?.rules).to.include(operation.startsWith('ppf.') ? 'address.ppf-path' : 'address.context-path');
          expect(entry).not.to.have.any.keys('unknownQuery', 'repeatedQuery');
          expect(entry?.request.body).to.equal(request.data === undefined ? undefined : JSON.stringify(request.data));
        });
      }
    });
  }

  it('posts without a body with the content type of a form', async () => {
    const copy = clientCalls.find(({ operation }) => operation === 'spaces.copy');
    if (copy === undefined) throw new Error('there is no call of spaces.copy');
    await client('form', admin).sendRequest(copy.request);
    const [entry] = await entriesOf('form');
    expect(entry?.request.contentType).to.match(/^application\/x-www-form-urlencoded/);
  });

  it('gets a world of its own by its host alone', async () => {
    const own = client('elsewhere', admin, { host: `${server.url}/~mine/confluence` });
    await own.sendRequest({ url: ADD, method: 'POST', data: { group: 'customers', users: ['alice'] } });
    expect((await worldOf('mine')).groups.customers).to.deep.equal(['alice']);
    expect((await worldOf('default')).groups.customers).to.deep.equal([]);
  });

  it('works without a context path, and with a slash at the end of its host', async () => {
    for (const host of [server.url, `${server.url}/`, `${server.url}/confluence/`]) {
      const reply = await client('slash', admin, { host }).sendRequest({
        url: ADD,
        method: 'POST',
        data: { group: 'customers', users: ['alice'] },
      });
      expect(reply, host).to.deep.equal({});
    }
  });

  it('answers through its callback too', async () => {
    const reply = await new Promise((resolve, reject) =>
      client('callback', admin).sendRequest(
        { url: ADD, method: 'POST', data: { group: 'customers', users: [] } },
        (error, data) => (error === null ? resolve(data) : reject(error)),
      ),
    );
    expect(reply).to.deep.equal({});
  });

  describe('reports', () => {
    it('404 for an unknown user', async () => {
      const error = await errorOf(
        client('404', admin).sendRequest({ url: ADD, method: 'POST', data: { group: 'customers', users: ['bob'] } }),
      );
      expect(error).to.deep.equal({ statusCode: 404, message: 'There is no user named "bob".', reason: 'Not Found' });
      expect((await worldOf('404')).groups.customers).to.deep.equal([]);
    });

    it('404 for an unknown path', async () => {
      const error = await errorOf(
        client('404', admin).sendRequest({
          url: '/rest/cwxapiextension/latest/groups/add-user',
          method: 'POST',
          data: {},
        }),
      );
      expect(error).to.include({ statusCode: 404, reason: 'Not Found' });
      expect(error).to.have.property('message').that.contains('add-users');
    });

    it('400 for a body without a required field', async () => {
      const error = await errorOf(
        client('400', admin).sendRequest({ url: ADD, method: 'POST', data: { users: ['alice'] } }),
      );
      expect(error).to.include({ statusCode: 400, reason: 'Bad Request' });
      expect(error).to.have.property('message').that.contains('group');
    });

    it('400 for a push without a recipient, in the words of the tracker', async () => {
      const error = await errorOf(
        client('400', admin).sendRequest({ url: PUSH, method: 'POST', data: { filters: [10500] } }),
      );
      expect(error).to.have.keys('errorMessages', 'errors');
    });

    it('401 for a wrong password and a wrong token, with a challenge', async () => {
      for (const authentication of [
        { basic: { username: 'admin', password: 'wrong' } },
        { personalAccessToken: 'wrong' },
      ]) {
        const asked = client('401', authentication, { newErrorHandling: false }).sendRequest({
          url: ADD,
          method: 'POST',
          data: { group: 'customers', users: [] },
        });
        const { response } = (await errorOf(asked)) as Thrown;
        expect(response.status).to.equal(401);
        expect(response.headers['www-authenticate']).to.match(/^Basic realm=/);
        expect(response.data).to.include({ statusCode: 401, reason: 'Unauthorized' });
      }
    });

    it('403 for a push by a user who is not an admin, and without credentials', async () => {
      for (const authentication of [{ basic: { username: 'carol', password: 'carol' } }, undefined]) {
        const { response } = (await errorOf(
          client('403', authentication, { newErrorHandling: false }).sendRequest({
            url: PUSH,
            method: 'POST',
            data: { users: ['alice'], filters: [10500] },
          }),
        )) as Thrown;
        expect(response.status).to.equal(403);
        expect(response.data).to.have.property('errors').that.deep.equals({});
        expect(response.data).to.have.property('errorMessages').that.has.lengthOf(1);
      }
    });

    it('405 for a method that the path does not accept', async () => {
      const { response } = (await errorOf(
        client('405', admin, { newErrorHandling: false }).sendRequest({ url: ADD, method: 'PUT', data: {} }),
      )) as Thrown;
      expect(response.status).to.equal(405);
      expect(response.headers.allow).to.contain('POST');
      expect(response.data).to.include({ statusCode: 405, reason: 'Method Not Allowed' });
    });
  });

  it('never needs X-Atlassian-Token', async () => {
    const plain = client('xsrf', admin, { noCheckAtlassianToken: false });
    expect(
      await plain.sendRequest({
        url: '/rest/cwxapiextension/latest/spaces/isUnique',
        method: 'POST',
        params: { spaceKey: 'NEW', spaceName: 'New' },
      }),
    ).to.equal(true);
  });

  it('trusts a generated certificate', async () => {
    const secure = await serving('small-team', { tls: true });
    const wiki = new ServerClient({
      host: secure.url,
      authentication: admin,
      baseRequestConfig: { httpsAgent: new Agent({ ca: secure.tls?.certificate }) },
    });
    const asked = { method: 'POST', url: ADD, data: { group: 'customers', users: ['alice'] } };
    expect(await wiki.sendRequest(asked, undefined as never)).to.deep.equal({});
    await secure.stop();
  });
});
