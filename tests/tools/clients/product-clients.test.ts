// confluence.js and jira.js as teams use them for real servers: every operation, every kind of credentials, and errors, through their own requests.
import { Agent } from 'node:https';
import { expect } from 'chai';
import { type Config, type Client as ConfluenceClient, ServerClient } from 'confluence.js';
import { HttpException, type Client as JiraClient, Version2Client } from 'jira.js';
import { requestFor } from '../../../server/derive/sending/call.js';
import { type OperationId, operationOf } from '../../../server/operations/catalog/catalog.js';
import { entriesIn, sendJson, serving, useServer, worldIn } from '../../support/wire/server.js';
import { operationIds, validQuestions } from '../../support/worlds/valid.js';

interface ClientRequest {
  readonly url: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly data?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
}

const ADD = { url: '/rest/cwxapiextension/latest/groups/add-users', method: 'POST' } as const;
const PUSH = { url: '/rest/cwx-ppf/latest/push', method: 'POST' } as const;
const adding = { group: 'customers', users: ['alice'] };
const pushing = { users: ['alice'], filters: [10500] };

type Access = { readonly user: string; readonly password: string } | { readonly token: string };
const admin = { user: 'admin', password: 'admin' };
const token: Access = { token: 'admin-token' };

function confluence(host: string, sandbox: string, access?: Access, more: Partial<Config> = {}): ConfluenceClient {
  const authentication: Config.Authentication | undefined =
    access === undefined || !('token' in access)
      ? access && { basic: { username: access.user, password: access.password } }
      : { personalAccessToken: access.token };
  return new ServerClient({
    host,
    noCheckAtlassianToken: true,
    baseRequestConfig: { headers: { 'X-Fake-Sandbox': sandbox } },
    ...(authentication !== undefined && { authentication }),
    ...more,
  });
}

function jira(host: string, sandbox: string, access?: Access): JiraClient {
  const common = {
    host,
    noCheckAtlassianToken: true,
    strictGDPR: true,
    baseRequestConfig: { headers: { 'X-Fake-Sandbox': sandbox } },
  };
  if (access === undefined) return new Version2Client(common);
  if ('token' in access)
    return new Version2Client({ ...common, authentication: { oauth2: { accessToken: access.token } } });
  const basic = { email: access.user, apiToken: access.password };
  return new Version2Client({ ...common, authentication: { basic } });
}

interface Refused {
  readonly status: number;
  readonly data: object;
  readonly headers: Readonly<Record<string, string>>;
}

interface ProductClient {
  sendRequest(request: ClientRequest): Promise<unknown>;
}
const clients: Readonly<Record<string, (host: string, sandbox: string, access?: Access) => ProductClient>> = {
  'confluence.js': confluence,
  'jira.js': jira,
};
const wikiError = (statusCode: number, reason: string) => ({ statusCode, reason });

const refusals: ReadonlyArray<
  readonly [what: string, access: Access | undefined, request: ClientRequest, status: number, wiki?: object]
> = [
  ['an unknown group', admin, { ...ADD, data: { ...adding, group: 'no' } }, 404, wikiError(404, 'Not Found')],
  ['a push without a recipient', admin, { ...PUSH, data: { filters: [10500] } }, 400],
  ['a wrong token', { token: 'wrong' }, { ...PUSH, data: pushing }, 401],
  ['a push without credentials', undefined, { ...PUSH, data: pushing }, 403],
  ['a method of another path', admin, { ...ADD, method: 'PUT', data: {} }, 405, wikiError(405, 'Method Not Allowed')],
];

const queryOf = (id: OperationId) => validQuestions[id].query as Readonly<Record<string, string>> | undefined; // never a text

describe('clients of the products', () => {
  const server = useServer();

  const errorOf = (request: Promise<unknown>): Promise<unknown> =>
    request.then(
      reply => expect.fail(`it was answered: ${JSON.stringify(reply)}`),
      (error: unknown) => error,
    );
  const copying = {
    url: '/rest/cwxapiextension/latest/spaces/copySpace',
    method: 'POST' as const,
    params: {
      ...queryOf('spaces.copy'),
      targetSpaceTitle: 'Apollo: eleven, [and] more',
      removeAdminPermissions: 'False',
    },
  };

  for (const [name, client] of Object.entries(clients))
    describe(name, () => {
      for (const [i, id] of operationIds.entries())
        it(`calls ${id} like any client`, async () => {
          const operation = operationOf(id) ?? expect.fail(id);
          const { params, json: body } = validQuestions[id];
          const query = queryOf(id);
          const [own, plain] = [`${name}-${id}`, `${name}-${id}-plain`];
          for (const sandbox of [own, plain])
            await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', {
              name: sandbox,
              clock: '2030-01-01T00:00:00Z',
            });
          const { method, path } = requestFor(operation, { params, query });
          const expected = await sendJson(`${server.url}/~${plain}${path}`, method, body, 'admin');
          const request = {
            url: path.replace(/\?.*/, ''),
            method: method as ClientRequest['method'],
            ...(body !== undefined && { data: body }),
            ...(query !== undefined && { params: query }),
          };
          const reply = await client(`${server.url}/wiki`, own, i % 2 === 0 ? admin : token).sendRequest(request);
          expect(reply).to.deep.equal(expected.json);
          expect(await worldIn(server, own)).to.deep.equal(await worldIn(server, plain));
          const [entry, ...others] = await entriesIn(server, own);
          expect(others).to.deep.equal([]);
          expect(entry).to.include({ operation: id, method, caller: 'admin' });
          expect(entry).not.to.have.any.keys('unknownQuery', 'repeatedQuery');
        });

      it('gets a world of its own by its host alone', async () => {
        const own = `of-${name}`;
        await client(`${server.url}/~${own}/wiki`, 'elsewhere', admin).sendRequest({ ...PUSH, data: pushing });
        expect((await worldIn(server, own)).favourites.alice).to.deep.equal({ filters: [10500], dashboards: [] });
        expect((await worldIn(server, 'default')).favourites.alice).to.deep.equal({ filters: [], dashboards: [] });
      });

      for (const [what, access, request, status, wiki] of refusals)
        it(`reports ${what} (${status})`, async () => {
          const error = await errorOf(client(server.url, 'refused', access).sendRequest(request));
          const { response } = error as { readonly response: Refused };
          expect(response.status).to.equal(status);
          if (wiki !== undefined) return expect(response.data).to.include(wiki);
          expect(response.data).to.have.property('errors').that.deep.equals({});
          return expect(response.data).to.have.property('errorMessages').that.has.lengthOf(1);
        });
    });

  describe('confluence.js alone', () => {
    it('posts without a body with the content type of a form', async () => {
      await confluence(server.url, 'form', admin).sendRequest(copying);
      const [entry] = await entriesIn(server, 'form');
      expect(entry?.request.contentType).to.match(/^application\/x-www-form-urlencoded/);
    });

    it('never needs X-Atlassian-Token', async () => {
      const plain = confluence(server.url, 'xsrf', admin, { noCheckAtlassianToken: false });
      const params = { spaceKey: 'NEW', spaceName: 'New' };
      const url = '/rest/cwxapiextension/latest/spaces/isUnique';
      expect(await plain.sendRequest({ url, method: 'POST', params })).to.equal(true);
    });

    it('trusts a generated certificate', async () => {
      const secure = await serving('small-team', { tls: true });
      const httpsAgent = new Agent({ ca: secure.tls?.certificate });
      const wiki = confluence(secure.url, '', admin, { baseRequestConfig: { httpsAgent } });
      expect(await wiki.sendRequest({ ...ADD, data: adding })).to.deep.equal({});
      await secure.stop();
    });
  });

  describe('jira.js alone', () => {
    it('reads the headers that explain a response, in the whole response', async () => {
      const tracker = jira(server.url, 'whole', admin);
      const { status, headers } = await tracker.sendRequestFullResponse({ ...PUSH, data: pushing });
      expect(status).to.equal(200);
      expect(headers).to.include({
        'content-type': 'application/json;charset=UTF-8',
        'x-fake-sandbox': 'whole',
        'x-fake-operation': 'ppf.push',
      });
      expect(headers['x-fake-rules']).to.contain('ppf.push');
    });

    it('throws its own exception, with the status', async () => {
      const error = await errorOf(jira(server.url, '403').sendRequest({ ...PUSH, data: pushing }));
      expect(error).to.be.instanceOf(HttpException).and.to.include({ status: 403 });
    });

    it('sends capitalised booleans, blanks as plus, and brackets unescaped in the query', async () => {
      await jira(server.url, 'query', admin).sendRequest(copying);
      const [entry] = await entriesIn(server, 'query');
      expect(JSON.stringify(entry))
        .to.contain('targetSpaceTitle=Apollo:+eleven,+[and]+more')
        .and.to.contain('removeAdminPermissions=False');
    });
  });
});
