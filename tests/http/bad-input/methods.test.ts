// Methods that an address does not serve: 405 with Allow under every reading that matters, and 404 for unknown paths.

import { METHODS } from 'node:http';
import { expect } from 'chai';
import { operations } from '../../../server/operations/catalog/catalog.js';
import type { Running } from '../../../server/process/start.js';
import { send, sendRaw, serving } from '../../support/wire/server.js';
import { ask, bytesOf, entriesOf, freshSandbox, pathOf, type Refusal, refuses, type Sent, worldOf } from './wire.js';

const PAGE = '/rest/cwxapiextension/latest/permissions';
const paths = [
  ...new Set(operations.filter(({ path }) => !path.includes('{')).map(({ id }) => pathOf(id as 'ppf.push', ''))),
];
/** The methods an address serves for a request, in the order of `Allow`. */
const served = (path: string): string => {
  if (path.includes('/permissions/edit')) return 'PUT, DELETE, POST';
  if (path.includes('/permissions/view')) return 'PUT, DELETE';
  return path.includes('/permissions/all') ? 'DELETE, POST' : 'POST';
};
const pages = ['edit', 'view', 'all'].map(kind => `${PAGE}/${kind}/65601`);
const below = (path: string) => path.replace(/^.*\/latest/, '').replace('65601', '{pageId}');
const notAllowed = (method: string, path: string, methods = served(path)): Refusal => ({
  status: 405,
  code: 'method-not-allowed',
  message: `${method} is not served here: ${methods} ${methods.includes(',') ? 'are' : 'is'} served on ${below(path)}.`,
});
/** Those that Node parses, except CONNECT, which asks for a tunnel. */
const methods = METHODS.filter(method => method !== 'CONNECT');
const bare = (method: string, path: string): Sent => ({
  method,
  path,
  framing: 'none',
  body: '',
  headers: { 'content-type': null },
});

describe('methods', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  for (const path of [...paths, ...pages]) {
    it(`405 with Allow on ${path}`, async () => {
      const sandbox = await freshSandbox(server);
      for (const method of methods) {
        if (method === 'OPTIONS' || method === 'HEAD' || served(path).split(', ').includes(method)) continue;
        if (method === 'POST' && path.includes('/view/')) continue;
        const got = await refuses(server, bare(method, path), notAllowed(method, path), sandbox);
        expect(got.headers.get('allow'), method).to.equal(`${served(path)}, OPTIONS`);
      }
    });

    it(`HEAD is 405 without a body, and OPTIONS 204 with Allow, on ${path}`, async () => {
      const sandbox = await freshSandbox(server);
      const before = await worldOf(server, sandbox);
      const head = await ask(server, sandbox, bare('HEAD', path));
      const options = await ask(server, sandbox, bare('OPTIONS', path));
      const allow = `${served(path)}, OPTIONS`;
      expect([head.status, head.text, head.headers.get('allow')]).to.deep.equal([405, '', allow]);
      expect([options.status, options.text, options.headers.get('allow')]).to.deep.equal([204, '', allow]);
      expect(await worldOf(server, sandbox)).to.equal(before);
      expect((await entriesOf(server, sandbox)).map(({ method, answer }) => [method, answer.status])).to.deep.equal([
        ['HEAD', 405],
        ['OPTIONS', 204],
      ]);
    });
  }

  it('404 for an unknown path, by any method', async () => {
    const sandbox = await freshSandbox(server);
    for (const method of methods.filter(name => name !== 'HEAD')) {
      const got = await refuses(
        server,
        bare(method, '/rest/cwx-ppf/latest/pusch'),
        { status: 404, code: 'bad-address', message: /; the nearest path is \/rest\/cwx-ppf\/latest\/push\.$/ },
        sandbox,
      );
      expect(got.headers.has('allow')).to.equal(false);
    }
    expect(await ask(server, sandbox, bare('HEAD', '/nothing'))).to.include({ status: 404, text: '' });
  });

  it('the body of a request with the wrong method is skipped, and changes nothing', async () => {
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE', 'TRACE', 'QUERY']) {
      const sandbox = await freshSandbox(server);
      for (const framing of ['length', 'chunked'] as const) {
        await refuses(
          server,
          { method, path: pathOf('groups.add-users'), framing },
          notAllowed(method, '/groups/add-users', 'POST'),
          sandbox,
        );
      }
    }
  });
});

describe('methods of the headings', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());
  const [edit = '', view = '', all = ''] = pages;
  const post = (path: string, reading = ''): Sent => ({
    id: 'permissions.edit-add',
    method: 'POST',
    path,
    headers: { 'x-fake-reading': reading },
  });
  const headings: Omit<Refusal, 'message'> = { status: 405, code: 'heading-method-not-served' };
  const ambiguous = { status: 405, code: 'view-post-ambiguous' } as const;

  it('heading-methods=none: POST on edit and all is 405, and Allow leaves it out', async () => {
    for (const [path, id, methods] of [
      [edit, 'permissions.edit-remove', 'PUT, DELETE'],
      [all, 'permissions.all-remove', 'DELETE'],
    ] as const) {
      const are = methods.includes(',') ? 'are' : 'is';
      const message = `Only the heading gives POST to ${id}, and headings are not followed: ${methods} ${are} served on ${below(path)}.`;
      const got = await refuses(server, post(path, 'heading-methods=none'), { ...headings, message });
      expect(got.headers.get('allow')).to.equal(`${methods}, OPTIONS`);
      const options = await ask(server, await freshSandbox(server), {
        ...bare('OPTIONS', path),
        headers: { 'x-fake-reading': 'heading-methods=none' },
      });
      expect(options.headers.get('allow')).to.equal(`${methods}, OPTIONS`);
    }
  });

  it('heading-methods=unambiguous: POST on edit and all removes', async () => {
    for (const path of [edit, all])
      expect((await ask(server, await freshSandbox(server), post(path))).status).to.equal(200);
  });

  it('view-post=reject: POST on view is 405 and says why', async () => {
    const message =
      'The headings of the document give POST to permissions.view-add and permissions.view-remove, so it is not served: PUT, DELETE are served on /permissions/view/{pageId}.';
    const got = await refuses(server, post(view), { ...ambiguous, message });
    expect(got.headers.get('allow')).to.equal('PUT, DELETE, OPTIONS');
  });

  for (const [reading, id] of [
    ['add', 'permissions.view-add'],
    ['remove', 'permissions.view-remove'],
  ] as const) {
    it(`view-post=${reading}: POST on view is ${id}, and Allow lists it`, async () => {
      const sandbox = await freshSandbox(server);
      expect((await ask(server, sandbox, post(view, `view-post=${reading}`))).headers.get('x-fake-operation')).to.equal(
        id,
      );
      const got = await refuses(
        server,
        { ...bare('GET', view), headers: { 'x-fake-reading': `view-post=${reading}` } },
        notAllowed('GET', view, 'PUT, DELETE, POST'),
        sandbox,
      );
      expect(got.headers.get('allow')).to.equal('PUT, DELETE, POST, OPTIONS');
    });
  }
});

describe('methods that HTTP or Node does not allow', () => {
  let server: Running;
  before(async () => {
    server = await serving();
  });
  after(() => server.stop());

  for (const method of ['post', 'Post', 'FETCH', 'G', 'POST:', '', 'P\u00d6ST', 'X'.repeat(5000)]) {
    for (const path of [pathOf('groups.add-users'), '/nothing']) {
      it(`${JSON.stringify(method.slice(0, 10))} on ${path} is 400 and reaches no operation`, async () => {
        const sandbox = await freshSandbox(server);
        const before = await worldOf(server, sandbox);
        expect((await ask(server, sandbox, { method, path })).status).to.equal(400);
        expect(await worldOf(server, sandbox)).to.equal(before);
        expect(await entriesOf(server, sandbox)).to.deep.equal([]);
      });
    }
  }

  it('those of another protocol are refused at any position', async () => {
    for (const path of [pathOf('ppf.push'), '/nothing', '/_fake/v1/sandboxes']) {
      const raw = await sendRaw(
        server.url,
        `ANNOUNCE ${path} RTSP/1.0\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      expect(raw)
        .to.match(/^HTTP\/1\.1 400 /)
        .and.to.include('"detail":"ANNOUNCE is not an HTTP method."');
    }
    expect(await entriesOf(server, 'default')).to.deep.equal([]);
  });

  it('CONNECT gets no tunnel: the connection closes, and the next request is answered', async () => {
    const sandbox = await freshSandbox(server);
    for (const path of ['localhost:80', pathOf('groups.add-users'), '/nothing']) {
      expect(await sendRaw(server.url, bytesOf({ method: 'CONNECT', path }, sandbox))).not.to.match(/^HTTP\/1\.1 [25]/);
    }
    expect(await entriesOf(server, sandbox)).to.deep.equal([]);
    expect((await send(`${server.url}/_fake/health`)).status).to.equal(200);
  });

  it('the control API names the accepted methods, in Allow and in the text', async () => {
    const got = await send(`${server.url}/_fake/v1/sandboxes/default/world`, { method: 'POST' });
    const detail = 'POST is not served at "/_fake/v1/sandboxes/default/world": allowed are HEAD, GET, PATCH.';
    expect([got.status, got.headers.get('allow')]).to.deep.equal([405, 'HEAD, GET, PATCH']);
    expect(got.json).to.deep.equal({ status: 405, title: 'Method not allowed', detail });
  });

  it('an upgrade that the server does not support is ignored', async () => {
    const headers = { connection: 'close, Upgrade', upgrade: 'websocket' };
    expect(await ask(server, await freshSandbox(server), { headers })).to.include({ status: 200, text: '{}' });
  });
});
