// Methods that an address does not serve: 405 with Allow, and 404 for unknown paths.

import { METHODS } from 'node:http';
import { expect } from 'chai';
import { entriesIn, send, sendRaw, useServer } from '../../support/wire/server.js';
import { ask, bytesOf, freshSandbox, pathOf, type Refusal, refuses, type Sent, worldOf } from './wire.js';

const ADD = pathOf('groups.add-users');
const VIEW = pathOf('permissions.view-add');
const notAllowed = (method: string, served = 'POST', path = '/groups/add-users'): Refusal => ({
  status: 405,
  code: 'method-not-allowed',
  message: `${method} is not allowed on ${path}: use ${served}.`,
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
  const server = useServer();

  it('that are not served are 405 with Allow', async () => {
    const sandbox = await freshSandbox(server);
    for (const method of methods.filter(name => !['POST', 'OPTIONS', 'HEAD'].includes(name))) {
      const got = await refuses(server, bare(method, ADD), notAllowed(method), sandbox);
      expect(got.headers.get('allow'), method).to.equal('POST, OPTIONS');
    }
  });

  it('HEAD is 405 without a body, and OPTIONS 204, both with Allow', async () => {
    const sandbox = await freshSandbox(server);
    const before = await worldOf(server, sandbox);
    for (const [method, status] of [
      ['HEAD', 405],
      ['OPTIONS', 204],
    ] as const) {
      const got = await ask(server, sandbox, bare(method, ADD));
      expect(got).to.include({ status, text: '' });
      expect(got.headers.get('allow')).to.equal('POST, OPTIONS');
    }
    expect(await worldOf(server, sandbox)).to.equal(before);
    expect((await entriesIn(server, sandbox)).map(({ method }) => method)).to.deep.equal(['HEAD', 'OPTIONS']);
  });

  it('of a reading are in Allow', async () => {
    const sent = { ...bare('GET', VIEW), headers: { 'x-fake-reading': 'view-post=add' } };
    const got = await refuses(server, sent, notAllowed('GET', 'PUT, DELETE or POST', '/permissions/view/{pageId}'));
    expect(got.headers.get('allow')).to.equal('PUT, DELETE, POST, OPTIONS');
  });

  it('of an unknown path make no difference: 404 without Allow', async () => {
    const sandbox = await freshSandbox(server);
    for (const method of ['GET', 'PUT', 'PROPFIND']) {
      const expected = { status: 404, code: 'bad-address', message: /: the nearest path is / } as const;
      const got = await refuses(server, bare(method, '/rest/cwx-ppf/latest/pusch'), expected, sandbox);
      expect(got.headers.has('allow')).to.equal(false);
    }
    expect(await ask(server, sandbox, bare('HEAD', '/nothing'))).to.include({ status: 404, text: '' });
  });
});

describe('methods that HTTP or Node does not allow', () => {
  const server = useServer();

  it('are 400 and reach no operation', async () => {
    for (const method of ['post', 'FETCH', 'POST:', '', 'P\u00d6ST', 'X'.repeat(5000)])
      for (const path of [ADD, '/nothing']) {
        const sandbox = await freshSandbox(server);
        expect((await ask(server, sandbox, { method, path })).status, method.slice(0, 10)).to.equal(400);
        expect(await entriesIn(server, sandbox)).to.deep.equal([]);
      }
  });

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
    expect(await entriesIn(server, 'default')).to.deep.equal([]);
  });

  it('CONNECT gets no tunnel: it is refused, the connection closes, and the next request is answered', async () => {
    const sandbox = await freshSandbox(server);
    for (const path of ['localhost:80', pathOf('groups.add-users'), '/nothing']) {
      expect(await sendRaw(server.url, bytesOf({ method: 'CONNECT', path }, sandbox))).to.match(/^HTTP\/1\.1 501 /);
    }
    expect(await entriesIn(server, sandbox)).to.deep.equal([]);
    expect((await send(`${server.url}/_fake/health`)).status).to.equal(200);
  });

  it('an upgrade that the server does not support is ignored', async () => {
    const headers = { connection: 'close, Upgrade', upgrade: 'websocket' };
    expect(await ask(server, await freshSandbox(server), { headers })).to.include({ status: 200, text: '{}' });
  });
});
