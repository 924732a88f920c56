// The REST APIs of Confluence and Jira through real clients: a team is onboarded over both APIs and read back by its users. Every resource is
// called, and every response is compared with the documented shapes of the products (rest-api-shapes.json).
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { ServerClient } from 'confluence.js';
import { Version2Client } from 'jira.js';
import { isResourceId, restResources } from '../../../server/operations/catalog/catalog.js';
import { basic, send, sendJson, useServer } from '../../support/wire/server.js';

/** The parts of jira-client used here; it has no types. */
interface JiraClient {
  getCurrentUser(): Promise<unknown>;
  searchUsers(options: { username: string }): Promise<unknown>;
  getUsersInGroup(group: string, startAt?: number, maxResults?: number): Promise<{ users: { items: Named[] } }>;
  getMembersOfGroup(group: string): Promise<{ values: Named[] }>;
  getServerInfo(): Promise<unknown>;
  genericGet(path: string): Promise<unknown>;
  listProjects(): Promise<unknown>;
  getAllBoards(): Promise<unknown>;
}
interface Named {
  readonly name: string;
}
const outside = createRequire(import.meta.url);
const JiraApi = outside('jira-client') as new (options: object) => JiraClient;
/** It has no types either: methods end with a callback. */
const ConfluenceApi = outside('confluence-api') as new (
  config: object,
) => Readonly<Record<string, (...args: unknown[]) => void>>;

const shapes = JSON.parse(readFileSync(new URL('rest-api-shapes.json', import.meta.url), 'utf8')) as {
  $defs: object;
  responses: Record<string, object>;
};

interface Entry {
  readonly operation?: string;
  readonly url: string;
  readonly response: { readonly status: number; readonly body?: string };
}

describe('real clients of the REST APIs of Confluence and Jira', () => {
  const team = '~team';
  const server = useServer();
  before(async () => {
    const asAdmin = async (method: string, path: string, body: unknown) => {
      const { status } = await sendJson(`${server.url}/${team}${path}`, method, body, 'admin');
      expect(status, path).to.equal(200);
    };
    await asAdmin('POST', '/rest/cwxapiextension/latest/groups/add-users', {
      group: 'team-members',
      users: ['alice', 'carol'],
    });
    await asAdmin('PUT', '/rest/cwxapiextension/latest/permissions/view/65601', {
      users: [],
      groups: ['team-members'],
    });
    await asAdmin('PUT', '/rest/cwxapiextension/latest/permissions/edit/65601', { users: ['carol'], groups: [] });
    await asAdmin('POST', '/rest/cwx-ppf/latest/push', {
      groups: ['team-members'],
      filters: [10500],
      dashboards: [11000],
    });
  });

  const wiki = (username: string) =>
    new ServerClient({
      host: `${server.url}/${team}/confluence`,
      noCheckAtlassianToken: true,
      newErrorHandling: true,
      authentication: { basic: { username, password: username } },
    });
  const tracker = (email: string) =>
    new Version2Client({
      host: `${server.url}/${team}/jira`,
      noCheckAtlassianToken: true,
      authentication: { basic: { email, apiToken: email } },
    });
  const jiraClient = (username: string) => {
    const { hostname, port } = new URL(server.url);
    return new JiraApi({
      protocol: 'http',
      host: hostname,
      port,
      base: `${team}/jira`,
      username,
      password: username,
      apiVersion: '2',
    });
  };
  const namesOf = (results: unknown) =>
    (results as { username?: string; name?: string }[]).map(one => one.username ?? one.name);

  it('confluence.js reads groups and users', async () => {
    const { group, user } = wiki('alice');
    expect(namesOf((await group.getGroups({ limit: 2 })).results)).to.deep.equal(['customers', 'jira-core-users']);
    expect(await group.getGroup({ groupName: 'team-members' })).to.include({ name: 'team-members', type: 'group' });
    const members = await group.getMembers({ groupName: 'team-members' });
    expect(namesOf(members.results)).to.deep.equal(['alice', 'carol', 'demouser1']);
    expect(await user.getUser({ username: 'carol' })).to.include({ displayName: 'Carol' });
    expect(await user.getCurrentUser()).to.include({ username: 'alice' });
    const groups = await user.getGroupMembershipsForUser({ username: 'alice' });
    expect(namesOf((groups as unknown as { results: unknown }).results)).to.deep.equal([
      'jira-core-users',
      'team-members',
    ]);
  });

  it('confluence.js reads spaces, pages and restrictions, and no page hidden from the caller', async () => {
    const { space, content, search } = wiki('alice');
    expect((await space.getSpaces({ spaceKey: 'ds' })).results).to.have.lengthOf(1);
    expect(await space.getSpace({ spaceKey: 'ds' })).to.include({ name: 'Demonstration Space' });
    const ofSpace = (await space.getContentForSpace({ spaceKey: 'ds' })) as unknown as { page: { size: number } };
    expect(ofSpace.page.size).to.equal(1);
    const pages = await space.getContentByType({ spaceKey: 'ds', type: 'page', expand: 'history' });
    expect(pages).to.have.nested.property('results[0].history.createdBy.username', 'alice');
    const found = await content.getContent({ spaceKey: 'ds', title: 'Welcome', expand: 'body.storage,version' });
    expect(found).to.have.nested.property('results[0].body.storage.value', '<p>Hello, wiki.</p>');
    expect((await content.searchContent({ cql: 'space = ds and type = page' })).size).to.equal(1);
    expect((await search.search({ cql: 'space = ds and type = page' })).results).to.have.lengthOf(1);
    expect(await content.getContentById({ id: '65601' })).to.have.nested.property('version.number', 1);
    const restrictions = await content.getRestrictionsByOperation({ id: '65601' });
    expect(restrictions).to.have.nested.property('read.restrictions.group.results[0].name', 'team-members');
    const update = await content.getRestrictionsForOperation({ id: '65601', operationKey: 'update' });
    expect(update).to.have.nested.property('restrictions.user.results[0].username', 'carol');
    const id = '65601';
    expect(await content.getHistory({ id })).to.have.nested.property('lastUpdated.number', 1);
    expect(await content.getContentChildren({ id, expand: 'page' })).to.have.nested.property('page.size', 0);
    expect(await content.getContentLabels({ id })).to.include({ size: 0 });
    expect(await content.getContentProperties({ id })).to.include({ size: 0 });
    for (const path of ['child/page', 'child/comment', 'child/attachment', 'restriction'])
      await send(`${server.url}/${team}/rest/api/content/${id}/${path}`, {
        headers: { authorization: basic('alice', 'alice') },
      });
    const [first] = (await content.getContent({ limit: 1, expand: 'body.storage' })).results ?? [];
    expect(first).to.have.nested.property('body.storage.value');
    expect(await space.getSpace({ spaceKey: 'ds', expand: 'homepage' })).to.have.nested.property('homepage.id', id);
    expect(await wiki('alice').longTask.getTask({ id: 'ds' })).to.include({ successful: true });
    const hidden = await wiki('demouser2')
      .content.getContentById({ id: '65601' })
      .catch((error: unknown) => error);
    expect(hidden).to.include({ statusCode: 404, message: 'No content found with id: ContentId{id=65601}' });
  });

  it('jira.js reads favourites, filters, dashboards, users and groups, each as the caller', async () => {
    const { filters, dashboards, myself, serverInfo, users, userSearch, groups } = tracker('alice');
    expect(namesOf(await filters.getFavouriteFilters())).to.deep.equal(['Open bugs']);
    const filter = await filters.getFilter({ id: 10500 });
    expect(filter).to.include({ id: '10500', favourite: true, jql: 'text ~ "Open bugs"' });
    expect(filter.viewUrl).to.contain('/issues/?filter=10500');
    const favourites = await dashboards.getAllDashboards({ filter: 'favourite' });
    expect(favourites.dashboards?.map(({ name }) => name)).to.deep.equal(['Team board']);
    expect((await dashboards.getDashboard({ id: '11000' })).view).to.match(/selectPageId=11000$/);
    expect(await myself.getCurrentUser({ expand: 'groups' })).to.have.nested.property('groups.size', 2);
    expect(await serverInfo.getServerInfo()).to.include({ deploymentType: 'Server', buildNumber: 912000 });
    const byAccount = await users.getUser({ accountId: 'carol' }).catch((error: unknown) => error); // like the cloud: the host answers 404 too
    expect(byAccount).to.have.nested.property('response.data.errorMessages[0]').that.contains("'username'");
    expect(namesOf(await userSearch.findUsers({ username: 'demo' }))).to.deep.equal(['demouser1', 'demouser2']);
    expect((await groups.getUsersFromGroup({ groupname: 'team-members', maxResults: 2 })).isLast).to.equal(false);
    expect((await groups.findGroups({ query: 'team' })).groups?.map(({ name }) => name)).to.deep.equal([
      'team-members',
    ]);
    expect(namesOf(await tracker('demouser2').filters.getFavouriteFilters())).to.deep.equal([]);
    const refused = await tracker('alice')
      .filters.getFilter({ id: 99999 })
      .catch((error: unknown) => error);
    expect(refused).to.have.nested.property('response.data.errorMessages[0]').that.contains('is not available to you');
  });

  it('jira-client reads users, groups, filters, dashboards and the server, and learns what is not served', async () => {
    const client = jiraClient('alice');
    expect(await client.getCurrentUser()).to.include({ name: 'alice' });
    expect(namesOf(await client.searchUsers({ username: 'ali' }))).to.deep.equal(['alice']);
    const { users } = await client.getUsersInGroup('team-members', 0, 1);
    expect(namesOf(users.items)).to.deep.equal(['alice', 'carol']);
    expect(namesOf((await client.getMembersOfGroup('team-members')).values)).to.include('demouser1');
    expect(await client.genericGet('filter/10500')).to.include({ name: 'Open bugs', favourite: true });
    expect(await client.genericGet('dashboard?filter=favourite')).to.have.nested.property('dashboards[0].id', '11000');
    expect(await client.getServerInfo()).to.include({ deploymentType: 'Server' });
    for (const call of [client.listProjects(), client.getAllBoards()]) {
      const refused = await call.catch((error: unknown) => error);
      expect(refused).to.have.property('message').that.contains('errorMessages');
    }
  });

  it('confluence-api reads spaces, pages by id and title, their parts, and finds pages', async () => {
    const config = { username: 'alice', password: 'alice', baseUrl: `${server.url}/${team}/confluence` };
    const api = new ConfluenceApi(config);
    const read = (method: string, ...args: unknown[]) =>
      new Promise<unknown>((resolve, reject) =>
        api[method]?.(...args, (error: unknown, body: unknown) => (error ? reject(error) : resolve(body))),
      );
    const results = (path: string) => `results[0].${path}`;
    expect(await read('getSpace', 'ds')).to.have.nested.property(results('name'), 'Demonstration Space');
    expect(await read('getSpaceHomePage', 'ds')).to.include({ id: '65601', title: 'Welcome' });
    expect(await read('getContentById', '65601')).to.have.nested.property('body.storage.value', '<p>Hello, wiki.</p>');
    const custom = { id: '65601', expanders: ['space', 'history'] };
    expect(await read('getCustomContentById', custom)).to.have.nested.property('history.createdBy.username', 'alice');
    const found = await read('getContentByPageTitle', 'ds', 'Welcome');
    expect(found).to.have.nested.property(results('version.number'), 1);
    expect(await read('getAttachments', 'ds', '65601')).to.deep.include({ results: [], size: 0 });
    expect(await read('getLabels', '65601')).to.deep.include({ results: [], size: 0 });
    expect(await read('search', 'cql=title=Welcome')).to.have.nested.property(results('content.id'), '65601');
    const refused = await read('getContentById', '99').catch((error: unknown) => error);
    expect(refused).to.include({ status: 404 });
    const unserved = await read('putContent', 'ds', '65601', 2, 'Welcome', '<p>New</p>').catch(
      (error: unknown) => error,
    );
    expect(unserved).to.have.property('status').that.is.oneOf([405, 501]);
  });

  /**
   * The JSON output of a program in this folder, which needs a Python package of Debian; `undefined`, with a notice, if that is
   * missing.
   */
  async function fromPython(program: string, module: string, user: string): Promise<unknown> {
    const python = ['python3', '/usr/bin/python3'].find(one => spawnSync(one, ['-c', `import ${module}`]).status === 0);
    if (python === undefined) {
      const says = `there is no Python with ${module}: install the Debian package python3-${module}`;
      if (process.env.CI === 'true') throw new Error(says);
      console.log(`      skipped: ${says}`);
      return undefined;
    }
    const script = fileURLToPath(new URL(program, import.meta.url));
    const { stdout } = await promisify(execFile)(python, [script, `${server.url}/${team}/jira`, user]);
    return JSON.parse(stdout);
  }

  it('jira, from Python, reads users by name, favourites, dashboards and groups', async function () {
    const found = await fromPython('tracker.py', 'jira', 'alice');
    if (found === undefined) return this.skip();
    expect(found).to.deep.equal({
      myself: 'alice',
      user: 'Carol',
      found: ['demouser1', 'demouser2'],
      filters: ['Open bugs'],
      filter: 'Open bugs',
      dashboards: ['Team board'],
      dashboard: 'Team board',
      groups: ['team-members'],
      members: ['alice', 'carol', 'demouser1'],
    });
  });

  it('requests, from Python, logs in and out with a session', async function () {
    const found = await fromPython('session.py', 'requests', 'carol');
    if (found === undefined) return this.skip();
    expect(found).to.deep.equal({ login: 200, name: 'carol', wiki: 'carol', logout: 204, after: 401 });
  });

  it('a cookie is rejected in another sandbox, and none is in the journal', async () => {
    const at = (sandbox: string, init: RequestInit = {}) => send(`${server.url}/${sandbox}/rest/auth/1/session`, init);
    const { headers } = await sendJson(`${server.url}/${team}/rest/auth/1/session`, 'POST', {
      username: 'carol',
      password: 'carol',
    });
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(cookie).to.match(/^JSESSIONID=[\w-]+\.\d+\.[\w-]{43}$/);
    expect((await at(team, { headers: { cookie } })).json).to.include({ name: 'carol' });
    expect((await at('~other', { headers: { cookie } })).status).to.equal(401);
    await sendJson(`${server.url}/_fake/v1/sandboxes/team/fork`, 'POST', { name: 'forked' });
    expect((await at('~forked', { headers: { cookie } })).status).to.equal(401);
    const journal = (await send(`${server.url}/_fake/v1/sandboxes/team/journal`)).text;
    expect(journal).not.to.contain(cookie.slice('JSESSIONID='.length));
  });

  it('every resource has been called by one of them, and every response has the documented shape', async () => {
    const { entries } = (await send(`${server.url}/_fake/v1/sandboxes/team/journal`)).json as { entries: Entry[] };
    const ajv = new Ajv2020({
      strict: false,
      formats: { uri: URL.canParse, 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
    });
    const asked = new Set<string>();
    for (const { operation = '', response, url } of entries) {
      if (!isResourceId(operation) || response.status !== 200) continue;
      asked.add(operation);
      if (operation === 'jira.session-start') continue; // its body is hidden in the journal
      const valid = ajv.compile({ ...shapes.responses[operation], $defs: shapes.$defs });
      expect(valid(JSON.parse(response.body ?? '')) || valid.errors, `${operation} ${url}`).to.equal(true);
    }
    const all = restResources.map(({ id }) => id).filter(id => id !== 'jira.session-end'); // answered 204
    expect(all.filter(id => !asked.has(id))).to.deep.equal([]);
    expect(Object.keys(shapes.responses).sort()).to.deep.equal([...all].sort());
  });
});
