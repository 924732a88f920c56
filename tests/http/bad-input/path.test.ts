// Unknown paths: each answer says so, and names the path that was probably meant.
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import { send, sendRaw, serving } from '../../support/wire/server.js';
import { ask, bytesOf, freshSandbox, gotFrom, pathOf, type Refusal, refuses, worldOf } from './wire.js';

const WIKI = '/rest/cwxapiextension/latest';
const ADD = `${WIKI}/groups/add-users`;
const PUSH = '/rest/cwx-ppf/latest/push';
/** Differs only in spelling: a gap decides whether it is served. */
const codeOf = (path: string, nearest?: string) =>
  path === `${nearest}/` ? 'slash-not-served' : /\/1(?:\.0)?\//.test(path) ? 'version-not-served' : 'bad-address';
const nothing = (path: string, nearest?: string): Refusal => ({
  status: 404,
  code: codeOf(path, nearest),
  message: `There is nothing at ${JSON.stringify(path)}${nearest === undefined ? '' : `; the nearest path is ${nearest}`}.`,
});
const wrongCase = (path: string, right: string): Refusal => ({
  status: 404,
  code: 'wrong-case',
  message: `There is nothing at ${JSON.stringify(path)}: paths are case-sensitive, and there is ${right}.`,
});

describe('unknown paths', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  const near: ReadonlyArray<readonly [path: string, nearest?: string]> = [
    [`${ADD}/`, ADD],
    [`/${ADD}`, ADD],
    [`/rest//cwxapiextension/latest/groups/add-users`, ADD],
    [`${WIKI}/groups//add-users`, ADD],
    [`${WIKI}/groups/add-user`, ADD],
    [`${WIKI}/groups/add_users`, ADD],
    [`${ADD}%00`, ADD],
    [`${WIKI}/groups/../groups/add-users`, ADD],
    ['/rest/cwxapiextension/1.0/groups/add-users', ADD],
    ['/rest/cwxapiextension/groups/add-users', ADD],
    ['/rest/api/2/cwxapiextension/latest/groups/add-users', ADD],
    ['/groups/add-users', ADD],
    ['/latest/spaces/copySpace', `${WIKI}/spaces/copySpace`],
    [`${WIKI}/permissions/edit`, `${WIKI}/permissions/edit/{pageId}`],
    [`${WIKI}/permissions/edit/`, `${WIKI}/permissions/edit/{pageId}`],
    [`${WIKI}/permissions/edit/65601/`, `${WIKI}/permissions/edit/65601`],
    [`${WIKI}/permissions/edits/65601`, `${WIKI}/permissions/edit/65601`],
    [`/wiki${WIKI}/permission/all/65601`, `/wiki${WIKI}/permissions/all/{pageId}`],
    [`${WIKI}/`],
    [WIKI],
    ['/favicon.ico'],
    ['/..'],
    ['/../../../etc/passwd'],
    ['/%2e%2e/%2e%2e/etc/passwd'],
    ['/a%20b'],
    ['/caf%C3%A9'],
    ['/.'],
    ['//'],
    ['/;'],
    ['/__proto__'],
    ['*'],
  ];
  for (const [path, nearest] of near) {
    it(`${path} → ${nearest ?? 'nothing near'}`, async () => {
      await refuses(server, { path }, nothing(path, nearest));
    });
  }

  for (const [path, nearest] of [
    [`${PUSH}/`, PUSH],
    ['/cwx-ppf/latest/push', PUSH],
    ['/rest/api/cwx-ppf/latest/push', PUSH],
    ['/rest/cwx-ppf/1/pull', '/rest/cwx-ppf/latest/pull'],
    ['/jira/rest/cwx-ppf/latest/pusch', `/jira${PUSH}`],
  ] as const) {
    it(`${path} → ${nearest}, in the error body of push and pull`, async () => {
      const got = await refuses(server, { path }, nothing(path, nearest));
      expect(JSON.parse(got.text)).to.deep.equal({ errorMessages: [got.message], errors: {} });
    });
  }

  for (const [path, right] of [
    [`${WIKI}/Groups/add-users`, ADD],
    [ADD.toUpperCase(), ADD],
    [`${WIKI}/spaces/copyspace`, `${WIKI}/spaces/copySpace`],
    [`${WIKI}/spaces/isunique`, `${WIKI}/spaces/isUnique`],
    [`${WIKI}/permissions/EDIT/65601`, `${WIKI}/permissions/edit/65601`],
    [`/wiki${PUSH.replace('push', 'Push')}`, `/wiki${PUSH}`],
  ] as const) {
    it(`${path} is another case of ${right}`, async () => {
      await refuses(server, { path }, wrongCase(path, right));
    });
  }

  it('below more than one context segment are refused for that, or get the nearest without a context', async () => {
    for (const context of ['/a/b', '/a/b/c/d']) {
      const message = `The wiki extension has a context path of at most one segment here, and the request has ${context}.`;
      await refuses(server, { path: `${context}${ADD}` }, { status: 404, code: 'context-not-served', message });
    }
    for (const context of ['/wiki/', '/a//b', '//']) {
      const path = `${context}${ADD}`;
      const tidy = context === '/wiki/' ? `/wiki${ADD}` : ADD;
      await refuses(server, { path }, nothing(path, tidy));
    }
  });

  it('below the path of a sandbox get the nearest below it too', async () => {
    const sandbox = await freshSandbox(server);
    for (const [path, nearest] of [[`/~${sandbox}${ADD}/`, `/~${sandbox}${ADD}`], [`/~${sandbox}`]] as const) {
      await refuses(server, { path }, nothing(path, nearest), sandbox);
    }
  });

  for (const path of [
    '/%zz',
    '/%',
    `${WIKI}/permissions/edit/%zz`,
    `${WIKI}/permissions/edit/%ff`,
    `/%E0%A4%A${ADD}`,
    `${PUSH}%`,
    '/a/b/%c3%28',
  ]) {
    it(`${path} does not decode`, async () => {
      const message = `The path ${JSON.stringify(path)} has a percent sign that is not followed by the hexadecimal digits of UTF-8 text.`;
      await refuses(server, { path }, { status: 400, code: 'undecodable-path', message });
    });
  }

  it('that are long are truncated in the message, and the answer stays short', async () => {
    for (const path of [
      `/${'a'.repeat(15_000)}`,
      `/a${'/a'.repeat(7000)}`,
      `/${'/'.repeat(15_000)}`,
      `/wiki${'/permissions/x'.repeat(1000)}`,
      `/rest${'/rest'.repeat(3000)}`,
    ]) {
      const got = await refuses(
        server,
        { path },
        { status: 404, code: 'bad-address', message: /^There is nothing at ".{77}\.\.\."/ },
      );
      expect(got.message.length).to.be.below(250);
    }
  });
});

describe('page ids', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());
  const operations = ['edit-add', 'edit-remove', 'view-add', 'view-remove', 'all-remove'] as const;

  for (const name of operations) {
    it(`permissions.${name}: an id is a number, and unknown if no page has it`, async () => {
      const id = `permissions.${name}` as const;
      for (const [raw, pageId] of [
        ['abc', 'abc'],
        ['1.5', '1.5'],
        ['-1', '-1'],
        ['065601', '065601'],
        ['65601.0', '65601.0'],
        ['6%2F5', '6/5'],
        ['%20', ' '],
        ['65601%20', '65601 '],
        ['65601%00', '65601\0'],
        ['%0D%0AX:1', '\r\nX:1'],
        ['%F0%9F%98%80', '😀'],
        ['..', '..'],
        ['%2e%2e', '..'],
        ['a+b', 'a+b'],
        ['{pageId}', '{pageId}'],
        ['1;2', '1;2'],
      ] as const) {
        const path = pathOf(id).replace('65601', raw);
        const shown = JSON.stringify(pageId);
        const refusal: Refusal = /^\d+$/.test(pageId)
          ? { status: 404, code: 'unknown-page', message: `There is no page with the id ${shown}.` }
          : {
              status: 404,
              code: 'page-id-format',
              message: `The page id ${shown} is no number: expected digits only.`,
            };
        await refuses(server, { id, path }, refusal);
      }
    });
  }

  it('an id with percent escapes is the same id', async () => {
    const got = await ask(server, await freshSandbox(server), {
      id: 'permissions.edit-add',
      path: `${WIKI}/permissions/edit/6560%31`,
    });
    expect(got).to.include({ status: 200, text: '{}' });
  });

  it('an unescaped slash in the id makes another path', async () => {
    const path = `${WIKI}/permissions/edit/656/01`;
    await refuses(
      server,
      { id: 'permissions.edit-add', path },
      { status: 404, code: 'bad-address', message: /^There is nothing at / },
    );
  });

  it('a very long one is truncated in the message', async () => {
    const path = `${WIKI}/permissions/edit/${'9'.repeat(10_000)}`;
    await refuses(
      server,
      { id: 'permissions.edit-add', path },
      { status: 404, code: 'unknown-page', message: `There is no page with the id "${'9'.repeat(77)}...".` },
    );
  });
});

describe('request targets of another form', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  it('a whole URL is used by its path', async () => {
    const got = await ask(server, await freshSandbox(server), { path: `http://localhost:1${ADD}` });
    expect(got).to.include({ status: 200, text: '{}' });
  });

  const turned = ['#', '?#?']
    .map(end => `${ADD.replace('/add', '\\add')}${end}`)
    .concat(`http://localhost${ADD.replace('/add', '\\add')}`);
  for (const path of ['http://[::1/x', 'http://', 'http://a:99999/x', '**', `http://[${ADD}`, ...turned]) {
    it(`${path} is not an address`, async () => {
      const sandbox = await freshSandbox(server);
      const before = await worldOf(server, sandbox);
      const got = gotFrom(await sendRaw(server.url, bytesOf({ path }, sandbox)));
      const detail = `${JSON.stringify(path)} is not a request target: send a path that begins with a slash, or a complete http URL.`;
      expect([got.status, JSON.parse(got.text)]).to.deep.equal([400, { status: 400, title: 'Bad Request', detail }]);
      expect(await worldOf(server, sandbox)).to.equal(before);
      expect((await send(`${server.url}/_fake/health`)).status).to.equal(200);
    });
  }

  it('a fragment, which clients never send, is dropped if present', async () => {
    expect(await ask(server, await freshSandbox(server), { path: `${ADD}#top` })).to.include({
      status: 200,
      text: '{}',
    });
  });
});
