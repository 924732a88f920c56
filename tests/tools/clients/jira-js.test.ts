// jira.js as a team uses it for its real tracker: every operation, every kind of credentials, and its errors, through its own requests.
import { expect } from 'chai';
import { type Client, HttpException, Version2Client } from 'jira.js';
import type { WorldForm } from '../../../server/domain/form/form-shapes.js';
import type { Running } from '../../../server/process/start.js';
import { clientCalls, restrictedPage } from '../../support/wire/client-calls.js';
import { send, sendJson, serving } from '../../support/wire/server.js';

const PUSH = { url: '/rest/cwx-ppf/latest/push', method: 'POST' } as const;
const ADD = { url: '/rest/cwxapiextension/latest/groups/add-users', method: 'POST' } as const;
const pushing = { users: ['alice'], filters: [10500] };
type Access = { readonly basic: { email: string; apiToken: string } } | { readonly oauth2: { accessToken: string } };
const admin: Access = { basic: { email: 'admin', apiToken: 'admin' } };
const token: Access = { oauth2: { accessToken: 'admin-token' } };

interface Refused {
  readonly status: number;
  readonly response: { readonly data: unknown; readonly status: number };
}

describe('jira.js', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  const client = (sandbox: string, authentication?: Access, host = `${server.url}/jira`): Client => {
    const common = {
      host,
      noCheckAtlassianToken: true,
      strictGDPR: true,
      baseRequestConfig: { headers: { 'X-Fake-Sandbox': sandbox } },
    };
    if (authentication === undefined) return new Version2Client(common);
    if ('oauth2' in authentication) return new Version2Client({ ...common, authentication });
    return new Version2Client({ ...common, authentication });
  };
  const control = (sandbox: string) => `${server.url}/_fake/v1/sandboxes/${sandbox}`;
  const worldOf = async (sandbox: string) => (await send(`${control(sandbox)}/world`)).json as WorldForm;
  const refusalOf = async (request: Promise<unknown>): Promise<Refused> => {
    const thrown = await request.then(
      reply => expect.fail(`it was answered: ${JSON.stringify(reply)}`),
      (error: unknown) => error,
    );
    expect(thrown).to.be.instanceOf(HttpException);
    return thrown as Refused;
  };

  for (const [kind, authentication] of Object.entries({
    'user and password': admin,
    'a personal access token': token,
  })) {
    describe(`with ${kind}`, () => {
      for (const { operation, request, reply, afterwards } of clientCalls) {
        it(`calls ${operation} with ${request.method}`, async () => {
          const sandbox = `${operation}-${kind.length}`;
          await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: sandbox });
          await sendJson(`${control(sandbox)}/world`, 'PATCH', restrictedPage);
          expect(await client(sandbox, authentication).sendRequest(request)).to.deep.equal(reply);
          afterwards(await worldOf(sandbox));
          const { entries } = (await send(`${control(sandbox)}/journal`)).json as { entries: object[] };
          expect(entries).to.have.lengthOf(1);
          expect(entries[0]).to.include({ operation, method: request.method, caller: 'admin' });
        });
      }
    });
  }

  it('reads the headers that explain a response, in the whole response', async () => {
    const { status, headers } = await client('whole', admin).sendRequestFullResponse({ ...PUSH, data: pushing });
    expect(status).to.equal(200);
    expect(headers).to.include({
      'content-type': 'application/json;charset=UTF-8',
      'x-fake-sandbox': 'whole',
      'x-fake-operation': 'ppf.push',
    });
    expect(headers['x-fake-rules']).to.contain('ppf.push');
  });

  it('gets a world of its own by its host alone', async () => {
    await client('elsewhere', admin, `${server.url}/~mine/jira`).sendRequest({ ...PUSH, data: pushing });
    expect((await worldOf('mine')).favourites.alice).to.deep.equal({ filters: [10500], dashboards: [] });
    expect((await worldOf('default')).favourites.alice).to.deep.equal({ filters: [], dashboards: [] });
  });

  it('works without a context path, and with a slash at the end of its host', async () => {
    for (const host of [server.url, `${server.url}/`, `${server.url}/jira/`]) {
      expect(await client('slash', admin, host).sendRequest({ ...PUSH, data: pushing }), host).to.deep.equal({
        success: true,
        messages: [],
      });
    }
  });

  describe('reports', () => {
    it('400 without a recipient, and pushes nothing', async () => {
      const { status, response } = await refusalOf(
        client('400', admin).sendRequest({ ...PUSH, data: { filters: [10500] } }),
      );
      expect([status, response.status]).to.deep.equal([400, 400]);
      expect(response.data).to.have.all.keys('errorMessages', 'errors');
      expect(response.data).to.have.property('errors').that.deep.equals({});
      expect(response.data).to.have.property('errorMessages').that.has.lengthOf(1);
      expect((await worldOf('400')).favourites.alice).to.deep.equal({ filters: [], dashboards: [] });
    });

    it('401 for a wrong password and a wrong token', async () => {
      for (const authentication of [
        { basic: { email: 'admin', apiToken: 'wrong' } },
        { oauth2: { accessToken: 'wrong' } },
      ]) {
        const { status, response } = await refusalOf(
          client('401', authentication).sendRequest({ ...PUSH, data: pushing }),
        );
        expect(status).to.equal(401);
        expect(response.data).to.have.property('errorMessages').that.has.lengthOf(1);
      }
    });

    it('403 for a user who is not an admin, and without credentials', async () => {
      for (const authentication of [{ basic: { email: 'carol', apiToken: 'carol' } }, undefined]) {
        const { status, response } = await refusalOf(
          client('403', authentication).sendRequest({ ...PUSH, data: pushing }),
        );
        expect(status).to.equal(403);
        expect(response.data).to.have.property('errorMessages').that.has.lengthOf(1);
      }
    });

    it('403 for an add-on without a licence', async () => {
      await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { name: 'expired' });
      await sendJson(`${control('expired')}/world`, 'PATCH', { licence: { ppf: 'expired' } });
      expect((await refusalOf(client('expired', admin).sendRequest({ ...PUSH, data: pushing }))).status).to.equal(403);
    });

    it('404 for an unknown group, in the words of the wiki', async () => {
      const { status, response } = await refusalOf(
        client('404', admin).sendRequest({ ...ADD, data: { group: 'nobodies', users: [] } }),
      );
      expect(status).to.equal(404);
      expect(response.data).to.include({ statusCode: 404, reason: 'Not Found' });
    });
  });

  it('sends capitalised booleans, blanks as plus, and brackets unescaped in the query', async () => {
    const copy = clientCalls.find(({ operation }) => operation === 'spaces.copy');
    if (copy === undefined) throw new Error('there is no call of spaces.copy');
    await client('query', admin).sendRequest(copy.request);
    const { entries } = (await send(`${control('query')}/journal`)).json as {
      entries: Array<{ path?: string; url?: string }>;
    };
    expect(JSON.stringify(entries[0]))
      .to.contain('targetSpaceTitle=Apollo:+eleven,+[and]+more')
      .and.to.contain('removeAdminPermissions=False');
  });
});
