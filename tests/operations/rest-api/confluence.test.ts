// The wiki's own resources: visibility, pages of results, expanded fields, and the errors.
import { expect } from 'chai';
import { evolveAll } from '../../../server/domain/facts.js';
import { worldFrom } from '../../../server/domain/form/form.js';
import { smallTeam } from '../../support/worlds/ask.js';
import { askResource, each } from '../../support/worlds/ask-resource.js';

const restricted = evolveAll(smallTeam, [
  { type: 'page-permission-added', page: '65601', permission: 'view', users: ['carol'], groups: ['team-members'] },
  { type: 'page-permission-added', page: '65601', permission: 'edit', users: ['carol'], groups: [] },
]);
const idsIn = (url: string, as?: string, on = restricted) => each(askResource(url, { on, as }).json.results, 'id');
const refusal = (statusCode: number, message: string, reason: string) => ({ statusCode, message, reason });

describe("the wiki's pages", () => {
  it('are those that the caller may view: a restricted one is absent for all others', () => {
    for (const url of ['content?spaceKey=ds', 'space/ds/content/page', 'content?title=Welcome']) {
      const seeing = ['carol', 'demouser1', 'admin', 'alice', undefined].map(as => idsIn(`/rest/api/${url}`, as));
      expect(seeing, url).to.deep.equal([['65601'], ['65601'], ['65601'], [], []]); // demouser1 by its group
    }
    expect(idsIn('/rest/api/content', 'alice')).to.deep.equal(['65701']);
  });

  it('answer 404 in the words of Confluence if they do not exist or may not be viewed', () => {
    const below = ['', '/child', '/child/page', '/label', '/property', '/history', '/restriction'];
    for (const rest of [...below, '/restriction/byOperation', '/restriction/byOperation/read'])
      for (const [id, as] of Object.entries({ 65601: 'alice', 7: 'admin' })) {
        const { status, json } = askResource(`/rest/api/content/${id}${rest}`, { on: restricted, as });
        expect(status).to.equal(404);
        expect(json.message).to.equal(`No content found with id: ContentId{id=${id}}`);
        expect(json.data.authorized).to.equal(false);
      }
  });

  it('show who may view and edit them', () => {
    const { json } = askResource('/rest/api/content/65601/restriction/byOperation', { on: restricted, as: 'carol' });
    const { user, group } = json.read.restrictions;
    expect(each(user.results, 'username')).to.deep.equal(['carol']);
    expect(each(group.results, 'name')).to.deep.equal(['team-members']);
    expect(json.update.restrictions.user).to.include({ size: 1, start: 0, limit: 200 });
    expect(json.update.restrictions.group.results).to.deep.equal([]);
    const one = (path: string) => askResource(`/rest/api/content/65601/restriction/byOperation/${path}`).json;
    expect(one('update?limit=0').restrictions.user).to.include({ size: 0, limit: 0 });
    expect(one('delete').message).to.contain('read or update');
  });

  it('show in full what expand names, and name the rest', () => {
    const of = (expand: string) => askResource(`/rest/api/content/65601?expand=${expand}`).json;
    const { space, body, version, _expandable } = of('space,body.view');
    expect(space.name).to.equal('Demonstration Space');
    expect(body.view.value).to.equal('<p>Hello, wiki.</p>');
    expect(version).to.equal(undefined);
    expect(_expandable).to.include({ container: '/rest/api/space/ds', version: '' });
    expect(body._expandable).to.have.property('storage', '');
    expect(of('operations')._expandable.operations, 'the world has none').to.equal('');
    expect(of('container,space.homepage').space.homepage).to.include({ id: '65601', title: 'Welcome' });
    const { restrictions } = of('restrictions.read.restrictions.user');
    expect(restrictions.read.restrictions).to.have.keys('user', '_expandable');
    expect(Object.keys(of('history.lastUpdated').history)).to.include('lastUpdated');
    const byDefault = askResource('/rest/api/content/65601').json;
    expect(byDefault).to.include.keys('space', 'history', 'version');
    expect(byDefault._expandable).to.include.keys('ancestors', 'body', 'restrictions').and.not.have.property('space');
  });

  it('are linked: for people, in lists too, and to their list if they were asked for by themselves', () => {
    const base = 'http://wiki.test/confluence';
    const links = (path: string) => askResource(`/rest/api/${path}`, { resource: { base } }).json;
    const page = { webui: '/display/ds/Welcome', edit: '/pages/resumedraft.action?draftId=65601', tinyui: '/x/QQAB' };
    expect(links('content/65601')._links).to.deep.equal({
      ...page,
      self: `${base}/rest/api/content/65601`,
      base,
      context: '/confluence',
      collection: '/rest/api/content',
    });
    const self = `${base}/rest/api/content/65601`;
    expect(links('content?spaceKey=ds').results[0]._links).to.deep.equal({ ...page, self });
    expect(links('space/ds')._links).to.include({ webui: '/display/ds', collection: '/rest/api/space' });
    const webuiOf = (title: string) => {
      const on = worldFrom({ pages: { 7: { space: 'ds', title } } }, smallTeam);
      return askResource('/rest/api/content/7', { on }).json._links.webui;
    };
    expect(['Meeting notes (old)', 'What?', 'a/b', 'Ü'].map(webuiOf)).to.deep.equal([
      '/display/ds/Meeting+notes+(old)',
      ...Array(3).fill('/pages/viewpage.action?pageId=7'),
    ]);
  });

  it('apply the rules about expand, and no other, and the gap if a name is unknown', () => {
    const page = (query: string, readings = {}) => askResource(`/rest/api/content/65601${query}`, { readings });
    expect(page('')).to.deep.include({ rules: [], gaps: {}, product: 'confluence' });
    expect(page('?expand=space').rules).to.deep.equal(['expand.list']);
    expect(page('?expand=space,body.view').rules).to.deep.equal(['expand.list', 'expand.nested']);
    expect(page('?expand=none').gaps).to.deep.equal({ 'expand-unknown': 'ignore' });
    expect(page('?expand=body.none', { 'expand-unknown': '400' }).json).to.deep.equal(
      refusal(400, 'expand asks for "body.none": this response has no such part.', 'Bad Request'),
    );
    expect(askResource('/rest/api/2/myself?expand=groups', { as: 'alice' }).rules).to.deep.equal([]); // they are about the wiki
  });

  it('come in shorter pages if their texts are long', () => {
    const page = (i: number) => [i, { space: 'long', title: `T${i}`, body: 'x'.repeat(500_000) }] as const;
    const pages = Object.fromEntries([1, 2, 3, 4, 5].map(page));
    const on = worldFrom({ spaces: { long: {} }, pages }, smallTeam);
    const ids: number[][] = [];
    let next: string | undefined = '/rest/api/space/long/content/page?start=0';
    while (next !== undefined && ids.length < 9) {
      const { json } = askResource(`${next}&expand=body.storage,body.view`, { on });
      ids.push(each(json.results, 'id').map(Number));
      next = json._links.next;
    }
    expect(ids).to.deep.equal([[1, 2], [3, 4], [5]]);
  });

  it('are only the current ones: drafts and earlier versions are not kept', () => {
    const statusOf = (query: string) => askResource(`/rest/api/content/65601?${query}`).status;
    expect(['status=current', 'status=trashed&status=any', 'version=1'].map(statusOf)).to.deep.equal([200, 200, 200]);
    expect(['status=trashed', 'version=2'].map(statusOf)).to.deep.equal([404, 404]);
    expect(idsIn('/rest/api/content?status=draft')).to.deep.equal([]);
    expect(idsIn('/rest/api/content?type=blogpost')).to.deep.equal([]);
  });
});

describe('a search by CQL', () => {
  const search = (cql: string) => askResource(`/rest/api/content/search?cql=${encodeURIComponent(cql)}`);

  it('understands comparisons of space, type, title and label, and an order', () => {
    for (const [cql, ids] of [
      ['space = ds', ['65601']],
      ["title = 'Template Home' and space = tmpl", ['65701']],
      ['title = "Welcome" and space = tmpl', []],
      ['type = blogpost', []],
      ['type = page', ['65601', '65701']],
      ['space in (ds, "tmpl") and type in (page, blogpost)', ['65601', '65701']],
      ['title in ("Template Home", Other)', ['65701']],
      ['title ~ "Wel*"', ['65601']],
      ['title ~ wel', []],
      ['type = page AND label in ("a", "b")', []],
      ['id in (65601, "65701") and space = ds', ['65601']],
      ['creator = alice', ['65601']],
      ['text ~ "hello"', ['65601']],
      ['text ~ welcome', ['65601']],
      ['space = ds or space = tmpl', ['65601', '65701']],
      ['type = page and (title = Welcome or (space = tmpl and creator = nobody))', ['65601']],
      ['type = page order by title', ['65701', '65601']],
      ['type = page ORDER BY title desc, created', ['65601', '65701']],
      ['order by lastmodified asc, title', ['65601', '65701']],
    ] as const)
      expect(each(search(cql).json.results, 'id'), cql).to.deep.equal(ids);
  });

  it('finds the same over the whole site, with the number of all results', () => {
    const site = (query: string, as?: string) => askResource(`/rest/api/search?${query}`, { on: restricted, as }).json;
    const page = site('cql=type%3Dpage&limit=1', 'carol');
    expect(page).to.deep.include({ start: 0, limit: 1, size: 1, totalSize: 2, cqlQuery: 'type=page' });
    expect(page._links.next).to.equal('/rest/api/search?cql=type%3Dpage&start=1&limit=1');
    expect(page.results[0]).to.deep.include({
      title: 'Welcome',
      excerpt: 'Hello, wiki.',
      resultGlobalContainer: { title: 'Demonstration Space', displayUrl: '/display/ds' },
      entityType: 'content',
    });
    expect(site('cql=type%3Dpage').totalSize).to.equal(1);
    expect(site('cql=title%3DWelcome&excerpt=none', 'carol').results[0].excerpt).to.equal('');
    expect(site('cql=space%3Dtmpl&expand=content.body.storage').results[0].content.body.storage.value).to.contain(
      'NAME',
    );
    expect(askResource('/rest/api/search?cql=mention%3Dx').status).to.equal(501);
  });

  it('refuses what it cannot read, and names what it understands', () => {
    for (const [cql, why] of [
      ['', 'Missing query parameter'],
      ['constructor = admin', 'unknown field "constructor"'],
      ['space in (ds', 'space in needs a value'],
      ['space ds', 'needs = and a value'],
      ['space = ', 'space = needs a value'],
      ['space = ds title = x', 'after a comparison'],
      ['(space = ds', 'is not closed'],
      ['space = ds)', 'after a comparison'],
      ['title = "open', 'cannot be read'],
    ] as const) {
      const { status, json } = search(cql);
      expect(status, cql).to.equal(400);
      expect(json.message).to.contain(why).and.contain('space, type, title, id, creator and label');
    }
  });

  it('responds 501 to what Confluence understands and the fake does not', () => {
    for (const [cql, part] of [
      ['siteSearch ~ "x"', 'the field sitesearch'],
      ['not space = ds', 'not'],
      ['text = x', 'text ='],
      [`${'('.repeat(40)}space = ds`, 'more than 20 parentheses in one another'],
      ['space not in (ds)', 'space not'],
      ['type = page order by creator', 'this order'],
    ] as const) {
      const { status, json } = search(cql);
      expect(status, cql).to.equal(501);
      expect(json.message).to.contain(`: ${part}. Supported:`);
    }
  });
});

describe("the wiki's pages of results", () => {
  const many = worldFrom({
    users: { u0: {}, u1: {}, u2: {} },
    groups: { all: ['u0', 'u1', 'u2'] },
    spaces: { a: {}, b: {} },
    pages: Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => {
        const view = { users: i % 3 === 1 ? ['u1'] : [], groups: [] };
        return [String(100 + i), { space: i < 6 ? 'a' : 'b', title: `P${i}`, position: 20 - i, view }];
      }),
    ),
  });
  const walk = (first: string, as?: string) => {
    const pages: unknown[][] = [];
    for (let next: string | undefined = first; next !== undefined; ) {
      const { json } = askResource(next, { on: many, as });
      expect(json.size).to.equal(json.results.length);
      pages.push(json.results.map((one: Record<string, unknown>) => one.id ?? one.username));
      next = json._links.next;
    }
    return pages;
  };

  it('lead from one to the next, by the place among what the caller may see', () => {
    expect(walk('/rest/api/group/all/member?limit=2', 'u0')).to.deep.equal([['u0', 'u1'], ['u2']]);
    const ofAll = ['105', '104', '103', '102', '101', '100', '111', '110', '109', '108', '107', '106'];
    const hidden = ['101', '104', '107', '110'];
    for (const limit of [1, 2, 5, 100]) {
      expect(walk(`/rest/api/content?limit=${limit}`, 'u1').flat()).to.deep.equal(ofAll);
      expect(walk(`/rest/api/content?limit=${limit}`, 'u2').flat()).to.deep.equal(
        ofAll.filter(id => !hidden.includes(id)),
      );
    }
    expect(walk('/rest/api/space/b/content/page?limit=3', 'u2')).to.deep.equal([['111', '109', '108'], ['106']]);
  });

  it('lower a limit that is too high, and refuse one that is not a number', () => {
    const limitOf = (limit: string) => askResource(`/rest/api/space?limit=${limit}`).json.limit;
    expect(['', '1', '200', '201', '999999'].map(limitOf)).to.deep.equal([25, 1, 200, 200, 200]);
    for (const limit of ['-1', 'many', '1.5'])
      expect(askResource(`/rest/api/space?limit=${limit}`).json).to.deep.equal(
        refusal(400, `The parameter "limit" is "${limit}": it must be a whole number, 0 or more.`, 'Bad Request'),
      );
  });

  it('have links that lead back through the path of the request', () => {
    const base = 'http://wiki.test:1/~job-7/wiki';
    const { json } = askResource('/rest/api/space?limit=1', { resource: { base } });
    expect(json._links).to.deep.equal({
      self: `${base}/rest/api/space?limit=1`,
      base,
      context: '/~job-7/wiki',
      next: '/rest/api/space?start=1&limit=1',
    });
    expect(json.results[0]._links.self).to.equal(`${base}/rest/api/space/ds`);
    expect(askResource('/rest/api/space?start=1&limit=1').json._links.prev).to.equal('/rest/api/space?start=0&limit=1');
    expect(askResource('/rest/api/space?start=1&limit=5').json._links.prev).to.equal('/rest/api/space?start=0&limit=5');
    expect(askResource('/rest/api/space?start=1&limit=0').json).to.deep.include({ results: [], size: 0, limit: 0 });
    const own = askResource('/rest/api/content?limit=1&expand=body.storage&own=x&own=y').json;
    expect(own._links.next).to.equal('/rest/api/content?expand=body.storage&own=x&own=y&start=1&limit=1');
    expect(askResource(own._links.next).json.results[0].body.storage.value).to.contain('NAME');
  });
});

describe("the wiki's users and groups", () => {
  it('require a user', () => {
    const groups = ['group', 'group/customers', 'group/team-members/member'];
    for (const path of [...groups, 'user?username=alice', 'user/memberof?username=alice'])
      expect(askResource(`/rest/api/${path}`).status, path).to.equal(403);
    const { json } = askResource('/rest/api/user/current', { as: 'alice' });
    expect(json).to.include({ username: 'alice', displayName: 'Alice' });
  });

  it('are found by their names, exactly', () => {
    const at = (path: string) => askResource(`/rest/api/${path}`, { as: 'alice' });
    expect(at('user?key=carol').json.username).to.equal('carol');
    expect(at('user?username=Carol').json.message).to.equal('No user found with username : "Carol"');
    expect(at('user').status).to.equal(404);
    expect(at('user/memberof?username=nobody').status).to.equal(404);
    expect(at('group/Customers').json.message).to.equal('No group found with name: "Customers"');
    expect(at('group/none/member').status).to.equal(404);
    expect(each(at('group').json.results, 'name')).to.deep.equal(['customers', 'jira-core-users', 'team-members']);
  });
});

describe("the wiki's spaces", () => {
  it('are found by key and type', () => {
    const keys = (query: string) => each(askResource(`/rest/api/space?${query}`).json.results, 'key');
    expect(keys('')).to.deep.equal(['ds', 'tmpl']);
    expect(keys('spaceKey=tmpl&spaceKey=none&spaceKey=ds')).to.deep.equal(['ds', 'tmpl']);
    expect(keys('type=personal')).to.deep.equal([]);
    expect(askResource('/rest/api/space/DS').json.message).to.equal('No space with key : DS');
    expect(askResource('/rest/api/space/none/content').status).to.equal(404);
    expect(askResource('/rest/api/space/none/content/page').status).to.equal(404);
    expect(askResource('/rest/api/space/ds/content').json.page.results).to.have.lengthOf(1);
  });

  it('have an id by their key, and a home page for those who may view it', () => {
    const at = (path: string) => askResource(`/rest/api/${path}`).json;
    expect(at('space/ds').id).to.equal(at('space?spaceKey=ds').results[0].id).and.not.equal(at('space/tmpl').id);
    expect(at('space/ds?expand=homepage').homepage).to.include({ id: '65601', title: 'Welcome' });
    expect(at('space?expand=homepage').results[1].homepage.title).to.equal('Template Home');
    const hidden = askResource('/rest/api/space/ds?expand=homepage', { on: restricted, as: 'alice' }).json;
    expect(hidden).not.to.have.property('homepage');
    expect(hidden._expandable).not.to.have.property('homepage');
  });

  it('name-case=ignored: are found by a key in another case, and name the gap', () => {
    const readings = { 'name-case': 'ignored' } as const;
    const byKey = ['space/DS', 'space/DS/content', 'space/DS/content/page', 'space?spaceKey=DS'];
    for (const path of [...byKey, 'content?spaceKey=DS', 'content/search?cql=space%3DDS', 'search?cql=space%3DDS']) {
      const found = askResource(`/rest/api/${path}`, { readings });
      expect(found.status, path).to.equal(200);
      expect(found.gaps, path).to.deep.equal(readings);
      const exact = askResource(`/rest/api/${path}`);
      expect(exact.gaps, path).to.deep.equal({ 'name-case': 'exact' });
      expect(exact.json, path).not.to.deep.equal(found.json);
    }
    expect(askResource('/rest/api/space/ds', { readings }).gaps).to.deep.equal({});
  });
});

describe('what the wiki does not have', () => {
  it('is 501 if Confluence has it, so that clients do not take it for missing content', () => {
    for (const path of ['label/x', 'content/65601/descendant/page', 'space/ds/property', 'longtask']) {
      const { status, json, product } = askResource(`/rest/api/${path}`);
      expect({ status, product }, path).to.deep.equal({ status: 501, product: 'confluence' });
      expect(json.reason).to.equal('Not Implemented');
      expect(json.message).to.match(/does not serve it\. docs\/reference\/rest-api\.md lists .*\/content\/\{id\}/);
    }
  });

  it('is a 404 that names what exists, if Confluence does not have it', () => {
    const { status, json, product } = askResource('/rest/api/nothing/x');
    expect({ status, product }).to.deep.equal({ status: 404, product: 'confluence' });
    expect(json.message).to.match(/^Unknown path "\/rest\/api\/nothing\/x"\. .* \/group, .*\/content\/\{id\}/);
    expect(askResource('/rest/api/space/%zz').json.message).to.contain('percent-encoding');
  });

  it('refuses methods other than GET and HEAD', () => {
    const { status, response, json } = askResource('/rest/api/space', { method: 'POST', as: 'admin' });
    expect(status).to.equal(405);
    expect(response.headers.Allow).to.equal('GET, HEAD, OPTIONS');
    expect(json.message).to.equal('POST is not allowed on /space: use GET or HEAD.');
    expect(askResource('/rest/api/space', { method: 'HEAD' }).operation).to.equal('confluence.spaces');
    expect(askResource('/rest/api/space', { method: 'OPTIONS' }).response).to.deep.equal({
      status: 204,
      headers: { Allow: 'GET, HEAD, OPTIONS' },
    });
  });
});
