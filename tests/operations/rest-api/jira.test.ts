// The tracker's own resources: favourites and sharing as each caller sees them, groups, users, sessions, and the errors.
import { expect } from 'chai';
import { evolveAll } from '../../../server/domain/facts.js';
import { worldFrom } from '../../../server/domain/form/form.js';
import { smallTeam } from '../../support/worlds/ask.js';
import { askResource, BASE, each } from '../../support/worlds/ask-resource.js';

const at = (path: string, as?: string) => askResource(`/rest/api/2/${path}`, { as });
const UNAVAILABLE =
  'The selected filter is not available to you, perhaps it has been deleted or had its permissions changed.';

describe("the tracker's filters", () => {
  it('are refused in the words of the tracker if they do not exist or are not shared with the caller', () => {
    const json = { errorMessages: [UNAVAILABLE], errors: {} };
    for (const as of ['demouser1', 'admin', undefined])
      expect(at('filter/10600', as)).to.deep.include({ status: 400, json });
    for (const id of ['1', 'x']) expect(at(`filter/${id}`, 'carol')).to.deep.include({ status: 400, json });
  });

  it('have ids as texts, an owner, and the users and groups they are shared with', () => {
    const { json } = at('filter/10600', 'alice');
    expect(json).to.include({
      id: '10600',
      name: 'My reports',
      favourite: false,
      self: `${BASE}/rest/api/2/filter/10600`,
      jql: 'text ~ "My reports"',
      viewUrl: `${BASE}/issues/?filter=10600`,
      searchUrl: `${BASE}/rest/api/2/search?jql=text%20~%20%22My%20reports%22`,
    });
    expect(json.subscriptions).to.include({ size: 0, 'max-results': 1000 });
    expect(at('filter/10500').json, 'of an anonymous caller').not.to.have.property('jql');
    expect(json.owner).to.include({ name: 'carol', emailAddress: 'carol@example.com', locale: 'en_US' });
    expect(json.owner.avatarUrls).to.have.keys('48x48', '24x24', '16x16', '32x32');
    expect(json.sharePermissions).to.deep.equal([
      { type: 'group', group: { name: 'jira-core-users', self: `${BASE}/rest/api/2/group?groupname=jira-core-users` } },
    ]);
    expect(at('filter/10500').json.sharePermissions).to.deep.equal([{ type: 'global' }]); // shared with everyone, so with nobody in particular
  });

  it('are the favourites of the caller, as long as the caller may see them', () => {
    const names = (as: string | undefined, on = smallTeam) =>
      each(askResource('/rest/api/2/filter/favourite', { as, on }).json, 'name');
    expect(names('carol')).to.deep.equal(['My reports']);
    for (const other of ['alice', undefined]) expect(names(other)).to.deep.equal([]);
    const pushed = evolveAll(smallTeam, [
      { type: 'favourite-added', item: 'filters', ids: [10600, 10500], users: ['alice', 'demouser1'] },
    ]);
    expect(names('alice', pushed)).to.deep.equal(['My reports', 'Open bugs']);
    expect(names('demouser1', pushed)).to.deep.equal(['Open bugs']);
    expect(askResource('/rest/api/2/filter/10500', { as: 'alice', on: pushed }).json.favourite).to.equal(true);
    expect(askResource('/rest/api/latest/filter/10500', { as: 'carol', on: pushed }).json.favourite).to.equal(false);
  });
});

describe("the tracker's lists without pages", () => {
  it('end at two million characters', () => {
    const name = (i: number) => String(i).padEnd(100_000, 'x');
    const all = Array.from({ length: 60 }, (_, i) => i);
    const items = Object.fromEntries(all.map(i => [20_000 + i, { name: name(i), owner: 'carol' }]));
    const ids = Object.keys(items).map(Number);
    const favourites = { carol: { filters: ids, dashboards: ids } };
    const groups = Object.fromEntries(all.map(i => [name(i), ['carol']]));
    const on = worldFrom({ filters: items, dashboards: items, favourites, groups }, smallTeam);
    const asked = (path: string) => askResource(`/rest/api/2/${path}`, { as: 'carol', on }).json;
    expect(asked('filter/favourite'), 'the name is in the query and its URL, too').to.have.lengthOf(6);
    expect(asked('dashboard?filter=favourite&maxResults=1000').dashboards).to.have.lengthOf(20);
    expect(asked('groups/picker?query=xxx&maxResults=1000')).to.include({ header: 'Showing 10 of 60 matching groups' });
    expect(asked('user?username=carol&expand=groups').groups.items).to.have.length.within(5, 10);
  });
});

describe("the tracker's dashboards", () => {
  it('are those that the caller may see, owns or has as a favourite', () => {
    const ids = (query: string, as?: string, on = smallTeam) =>
      each(askResource(`/rest/api/2/dashboard${query}`, { as, on }).json.dashboards, 'id');
    expect(ids('', 'carol')).to.deep.equal(['11100', '11000']);
    for (const other of ['admin', undefined]) expect(ids('', other)).to.deep.equal(['11000']);
    expect(ids('?filter=my', 'carol')).to.deep.equal(['11100']);
    expect(ids('?filter=my')).to.deep.equal([]);
    const pushed = evolveAll(smallTeam, [
      { type: 'favourite-added', item: 'dashboards', ids: [11000, 11100], users: ['alice'] },
    ]);
    expect(ids('?filter=favourite', 'alice', pushed)).to.deep.equal(['11000']);
    expect(ids('?filter=favourite', 'carol', pushed)).to.deep.equal([]);
    const mine = ["The filter must be favourite or my, not 'mine'."];
    expect(at('dashboard?filter=mine').json.errorMessages).to.deep.equal(mine);
    for (const id of ['11100', '7', 'x'])
      expect(at(`dashboard/${id}`, 'alice')).to.deep.include({
        status: 404,
        json: { errorMessages: [`The dashboard with id '${id}' does not exist.`], errors: {} },
      });
  });

  it('are returned in pages with a total', () => {
    const { json } = at('dashboard?maxResults=1', 'carol');
    expect(json).to.include({
      startAt: 0,
      maxResults: 1,
      total: 2,
      next: `${BASE}/rest/api/2/dashboard?startAt=1&maxResults=1`,
    });
    const last = at('dashboard?filter=my&startAt=1&maxResults=5000', 'carol').json;
    expect(last).to.deep.equal({
      startAt: 1,
      maxResults: 1000,
      total: 1,
      prev: `${BASE}/rest/api/2/dashboard?filter=my&startAt=0&maxResults=1000`,
      dashboards: [],
    });
  });
});

describe("the tracker's users and groups", () => {
  it('require a user', () => {
    const users = ['myself', 'user?username=alice', 'user/search?username=a'];
    for (const path of [...users, 'group?groupname=a', 'group/member?groupname=a', 'groups/picker']) {
      const asked = at(path);
      const says = 'You are not authenticated. Authentication required to perform this operation.';
      expect(asked, path).to.deep.include({ status: 401, json: { errorMessages: [says], errors: {} } });
      expect(asked.response.headers, 'no challenge').not.to.have.property('WWW-Authenticate');
    }
  });

  it('are returned in pages with a total, a last one, and the address of the next', () => {
    const first = at('group/member?groupname=jira-core-users&maxResults=1', 'alice').json;
    expect(first).to.include({ total: 2, isLast: false });
    expect(each(first.values, 'key')).to.deep.equal(['alice']);
    const last = askResource(first.nextPage.slice(BASE.length), { as: 'alice' }).json;
    expect(last).to.include({ startAt: 1, isLast: true }).and.not.have.property('nextPage');
    expect(each(last.values, 'name')).to.deep.equal(['carol']);
    expect(at('group/member?groupname=customers', 'alice').json).to.include({ total: 0, isLast: true, maxResults: 50 });
    expect(at('group/member?groupname=jira-core-users&maxResults=51', 'alice').json.maxResults).to.equal(50);
  });

  it('are found by names and parts of names', () => {
    const found = (query: string) => each(at(`user/search?${query}`, 'carol').json, 'name');
    expect(found('username=DEMO')).to.deep.equal(['demouser1', 'demouser2']);
    expect(found('username=Ada')).to.deep.equal(['admin']); // by display name
    expect(found('username=e&startAt=1&maxResults=2')).to.deep.equal(['demouser1', 'demouser2']);
    expect(at('user/search', 'carol').status).to.equal(400);
    const all = ['admin', 'alice', 'carol', 'demouser1', 'demouser2'];
    for (const everybody of ['.', '%25', '_', '%22%22', "''"])
      expect(found(`username=${everybody}`), everybody).to.deep.equal(all);
    const many = worldFrom({ users: Object.fromEntries(Array.from({ length: 1_100 }, (_, i) => [`u${i}`, {}])) });
    const counted = (query: string) =>
      askResource(`/rest/api/2/user/search?username=.${query}`, { on: many, as: 'u1' });
    expect(['', '&maxResults=2000'].map(query => counted(query).json.length)).to.deep.equal([50, 1_000]);
    expect(at('groups/picker?query=USERS', 'carol').json.groups[0].html).to.equal('jira-core-<b>users</b>');
    expect(at('groups/picker?exclude=customers&maxResults=1', 'carol').json).to.deep.include({
      header: 'Showing 1 of 2 matching groups',
      total: 2,
    });
  });

  it('report missing ones in the words of the tracker', () => {
    const refusal = (path: string) => {
      const { status, json } = at(path, 'carol');
      return { status, messages: json.errorMessages };
    };
    const missing = (...messages: string[]) => ({ status: 404, messages });
    expect(refusal('user')).to.deep.equal(
      missing("Either the 'username' or the 'key' query parameters need to be provided"),
    );
    for (const path of ['group', 'group/member']) {
      expect(refusal(`${path}?groupname=none`)).to.deep.equal(missing("The group named 'none' does not exist"));
      expect(refusal(path).status).to.equal(400);
    }
    for (const [path, code, says] of [
      ['nothing/ABC-1', 404, /^Unknown path ".*\/ABC-1"\. The fake serves \/group, .*\/serverInfo\.$/],
      ['issue/ABC-1', 501, /docs\/reference\//],
      ['filter/10500/permission', 501, /docs\/reference\//],
    ] as const) {
      const { status, messages } = refusal(path);
      expect(status, path).to.equal(code);
      expect(messages[0], path).to.match(says);
    }
  });

  it('show in full what expand names, even a range of it', () => {
    const users = (expand: string) => at(`group?groupname=jira-core-users${expand}`, 'carol').json.users;
    expect(users('')).to.deep.equal({ size: 2, items: [], 'max-results': 50, 'start-index': 0, 'end-index': 0 });
    expect(each(users('&expand=users[1:1]').items, 'name')).to.deep.equal(['carol']);
    expect(users('&expand=users[5:9]')).to.deep.include({ items: [], 'start-index': 5 });
    expect(at('user?username=alice&expand=groups', 'carol').json.groups.items).to.have.lengthOf(1);
    expect(at('user?username=alice', 'carol').json.groups).to.deep.equal({ size: 1, items: [] });
  });
});

describe('every resource', () => {
  it('says who the caller is in X-AUSERNAME', () => {
    const nameOf = (url: string, as?: string) => askResource(url, { as }).response.headers['X-AUSERNAME'];
    expect(nameOf('/rest/api/2/myself', 'alice')).to.equal('alice');
    expect(nameOf('/rest/api/content/1', 'alice'), 'a refusal').to.equal('alice');
    expect(nameOf('/rest/api/space')).to.equal('anonymous');
    const on = worldFrom({ users: { 'jörg\n': {} } }, smallTeam);
    expect(askResource('/rest/api/2/myself', { on, as: 'jörg\n' }).response.headers['X-AUSERNAME']).to.equal(
      'j%C3%B6rg%0A',
    );
  });

  it('trailing-slash=404, trailing-slash=accept: is there with a slash at its end, by the reading', () => {
    for (const url of ['/rest/api/space/', '/rest/api/space/ds/?expand=homepage', '/rest/api/2/dashboard/11000/']) {
      const gaps = { 'trailing-slash': '404' };
      expect(askResource(url), url).to.deep.include({ status: 404, refused: 'slash-not-served', gaps });
      const readings = { 'trailing-slash': 'accept' } as const;
      expect(askResource(url, { readings }), url).to.deep.include({ status: 200, gaps: readings });
    }
  });

  it('of another module of the products is 501, and of the cloud alone 404 in the words of Jira', () => {
    for (const [path, product] of [
      ['/rest/agile/1.0/board', 'jira'],
      ['/jira/rest/greenhopper/1.0/rapidview', 'jira'],
      ['/rest/experimental/content', 'confluence'],
    ] as const) {
      const asked = askResource(path);
      expect(asked, path).to.deep.include({ status: 501, product });
      expect(JSON.stringify(asked.json)).to.contain('does not serve it');
    }
    const { status, json } = askResource('/rest/api/3/myself', { as: 'alice' });
    expect(status).to.equal(404);
    expect(json.errorMessages[0]).to.match(/^Unknown path "\/rest\/api\/3\/myself"/);
    expect(askResource('/rest/none/1.0/x').product).to.equal(undefined);
  });
});

describe("the tracker's sessions", () => {
  const login = (username: string, password: string) =>
    askResource('/rest/auth/1/session', {
      method: 'POST',
      json: { username, password },
      resource: { cookiePath: '/', sign: user => `VALUE-OF-${user}` },
    });

  it('begin with a right password, and leave no facts', () => {
    const begun = login('carol', 'carol');
    const loginInfo = { loginCount: 1, failedLoginCount: 0 };
    const json = { session: { name: 'JSESSIONID', value: 'VALUE-OF-carol' }, loginInfo };
    expect(begun).to.deep.include({ status: 200, json, facts: [] });
    expect(begun.response.headers).to.include({
      'Set-Cookie': 'JSESSIONID=VALUE-OF-carol; Path=/; HttpOnly',
      'Content-Type': 'application/json;charset=UTF-8',
    });
  });

  it('end with a response that deletes the cookie', () => {
    const ended = askResource('/rest/auth/1/session', {
      method: 'DELETE',
      credentials: { kind: 'proved', user: 'carol', scheme: 'cookie' },
      resource: { cookiePath: '/jira' },
    });
    expect(ended).to.deep.include({ status: 204, facts: [] });
    expect(ended.response.headers).to.include({ 'Set-Cookie': 'JSESSIONID=; Path=/jira; Max-Age=0; HttpOnly' });
  });

  it('do not begin with a wrong password, for an unknown user, or without both', () => {
    for (const [user, password] of [
      ['carol', 'x'],
      ['bob', 'bob'],
    ] as const) {
      const refused = login(user, password);
      const json = { errorMessages: ['Login failed'], errors: {} };
      expect(refused).to.deep.include({ status: 401, json, facts: [] });
      expect(refused.response.headers['WWW-Authenticate']).to.equal('JIRA REST POST');
    }
    for (const json of [{}, { username: 'carol' }, { username: 'carol', password: 1 }, []])
      expect(askResource('/rest/auth/1/session', { method: 'POST', json }).status).to.equal(400);
    expect(askResource('/rest/auth/1/session', { method: 'POST' }).json.errorMessages).to.deep.equal([
      'There is no body: send JSON.',
    ]);
  });
});
