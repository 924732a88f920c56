// The URLs in responses behind reverse proxies: links, redirects and cookies, for several sandboxes and contexts in one client.
import { join } from 'node:path';
import { expect } from 'chai';
import type { Running } from '../../../server/process/start.js';
import type { FlagValues } from '../../../server/settings/settings.js';
import { scratch } from '../../support/files/scratch.js';
import { curlBare } from '../../support/processes/curl.js';
import { useClosing } from '../../support/wire/closing.js';
import { send, sendJson, sendRaw, serving } from '../../support/wire/server.js';

const PUBLIC = 'https://wiki.example.com';
const carol = { username: 'carol', password: 'carol' };

describe('behind a reverse proxy', () => {
  const closing = useClosing();
  const behind = async (flags: FlagValues): Promise<Running> => {
    const fake = await serving('small-team', flags);
    closing.push(() => fake.stop());
    return fake;
  };
  const baseOf = async ({ url }: Running, headers: Record<string, string> = {}, path = '') =>
    (
      (await send(`${url}${path}/rest/api/space/ds`, { headers })).json as { _links: { self: string } }
    )._links.self.replace('/rest/api/space/ds', '');

  it('links begin with --base-url, whatever the request says', async () => {
    const fake = await behind({ 'base-url': `${PUBLIC}/fake/` });
    for (const path of ['', '/wiki', '/~job-7', '/~job-7/wiki'])
      expect(await baseOf(fake, { 'x-forwarded-proto': 'ftp' }, path)).to.equal(`${PUBLIC}/fake${path}`);
    expect(await baseOf(fake, { 'x-fake-sandbox': 'job-7' })).to.equal(`${PUBLIC}/fake/~job-7`);
    const { json } = await send(`${fake.url}/_fake/v1/openapi.json`);
    expect(JSON.stringify(json)).to.contain(`${PUBLIC}/fake`);
  });

  it('the task of a copied space is below the path of --base-url or of a proxy, also when the copy is explained', async () => {
    for (const [flags, headers, prefix] of [
      [{}, {}, ''],
      [{ 'base-url': `${PUBLIC}/fake` }, {}, '/fake'],
      [{ 'trust-proxy': true }, { 'x-forwarded-prefix': '/fake' }, '/fake'],
    ] as const) {
      const fake = await behind(flags);
      const query = 'sourceSpaceKey=tmpl&targetSpaceKey=N3&targetSpaceTitle=N3&targetSpaceAdmin=';
      const url = `${fake.url}/~one/wiki/rest/cwxapiextension/latest/spaces/copySpace?${query}`;
      const reading = 'copy-success=202, missing-parameter=empty';
      const { json } = await send(url, { method: 'POST', headers: { ...headers, 'x-fake-reading': reading } });
      expect(json).to.have.nested.property('links.status', `${prefix}/~one/wiki/rest/api/longtask/N3`);
      const task = await send(`${fake.url}/~one/wiki/rest/api/longtask/N3`);
      expect(task.json).to.deep.include({ id: 'N3', percentageComplete: 100, successful: true });
      const explained = await sendJson(`${fake.url}/_fake/v1/sandboxes/one/explain`, 'POST', {
        entry: 1,
        readings: {},
      });
      expect(explained.json).to.have.nested.property('under.differences').that.deep.equals([]);
    }
  });

  it('the host of --base-url needs no --allow-host, and its pages may control the fake', async () => {
    const fake = await behind({ 'base-url': PUBLIC });
    const reset = (origin: string) =>
      sendRaw(
        fake.url,
        `POST /_fake/v1/sandboxes/default/reset HTTP/1.1\r\nHost: wiki.example.com\r\nOrigin: ${origin}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    expect(await reset(PUBLIC)).to.match(/^HTTP\/1\.1 20[04] /);
    expect(await reset('https://evil.example.com')).to.match(/^HTTP\/1\.1 403 /);
  });

  const OWN = /^http:\/\/127\.0\.0\.1:\d+$/;
  const forwarded: ReadonlyArray<readonly [headers: string, base: RegExp | string]> = [
    ['X-Forwarded-Proto: https', /^https:\/\/127\.0\.0\.1:\d+$/],
    ['X-Forwarded-Proto: https\nX-Forwarded-Host: a.example\nX-Forwarded-Port: 8443', 'https://a.example:8443'],
    ['X-Forwarded-Proto: https\nX-Forwarded-Host: a.example\nX-Forwarded-Port: 443', 'https://a.example'],
    ['X-Forwarded-Host: a.example\nX-Forwarded-Prefix: /fake/', 'http://a.example/fake'],
    ['X-Forwarded-Proto: https, http\nX-Forwarded-Host: a.example, inner', 'https://a.example'],
    ['Forwarded: for=192.0.2.1;proto=https;host="a.example:8443", for=10.0.0.1', 'https://a.example:8443'],
    ['X-Forwarded-Host: a/b"><script>', OWN],
    ['X-Forwarded-Host: localhost:99999', OWN],
    ['Forwarded: host=1.2.3.4.5', OWN],
    ['X-Forwarded-Host: a.example\nX-Forwarded-Port: 99999', 'http://a.example'],
    ['X-Forwarded-Prefix: //evil.example', OWN],
  ];
  it('links follow the headers of a proxy with --trust-proxy, and only with it', async () => {
    const [trusting, plain] = [await behind({ 'trust-proxy': true }), await behind({})];
    for (const [lines, base] of forwarded) {
      const headers = Object.fromEntries(lines.split('\n').map(line => line.split(': ')));
      if (typeof base === 'string') expect(await baseOf(trusting, headers), lines).to.equal(base);
      else expect(await baseOf(trusting, headers), lines).to.match(base);
      expect(await baseOf(plain, headers), lines).to.equal(plain.url);
    }
  });

  const cookieOf = async ({ url }: Running, path = '', headers: Record<string, string> = {}) => {
    const session = `${url}${path}/rest/auth/1/session`;
    const { json, headers: given } = await sendJson(session, 'POST', carol, undefined, headers);
    const { value } = (json as { session: { value: string } }).session;
    const ended = await send(session, { method: 'DELETE', headers: { ...headers, cookie: `JSESSIONID=${value}` } });
    const attributes = given.get('set-cookie')?.replace(`JSESSIONID=${value}; `, '') ?? '';
    expect(ended.headers.get('set-cookie')).to.equal(`JSESSIONID=; ${attributes.replace(';', '; Max-Age=0;')}`);
    return attributes;
  };

  it('cookies are for one sandbox and one context below the base URL', async () => {
    const plain = await behind({});
    const prefixed = await behind({ 'base-url': `${PUBLIC}/fake` });
    for (const path of ['', '/jira', '/~one', '/~one/jira']) {
      expect(await cookieOf(plain, path)).to.equal(`Path=${path || '/'}; HttpOnly`);
      expect(await cookieOf(prefixed, path)).to.equal(`Path=/fake${path}; HttpOnly; Secure`);
    }
  });

  it('cookies are secure if the proxy says that clients use HTTPS, and is trusted', async () => {
    const trusting = await behind({ 'trust-proxy': true });
    expect(await cookieOf(trusting, '', { 'x-forwarded-proto': 'https' })).to.equal('Path=/; HttpOnly; Secure');
    expect(await cookieOf(trusting, '', { forwarded: 'proto=https' })).to.equal('Path=/; HttpOnly; Secure');
    expect(await cookieOf(trusting, '', { 'x-forwarded-proto': 'http' })).to.equal('Path=/; HttpOnly');
    expect(await cookieOf(await behind({}), '', { 'x-forwarded-proto': 'https' })).to.equal('Path=/; HttpOnly');
  });

  for (const flags of [{}, { tls: true }])
    it(`one client is logged in to several sandboxes and contexts at once: ${JSON.stringify(flags)}`, async () => {
      const { url, tls } = await behind(flags);
      const jar = scratch({});
      closing.push(() => jar.drop());
      const file = join(jar.path, 'cookies');
      const curl = async (...args: readonly string[]) => {
        const trusted = tls === undefined ? [] : ['--cacert', tls.file];
        return JSON.parse((await curlBare(['-sS', '-L', '-b', file, '-c', file, ...trusted, ...args])).stdout);
      };
      const users = { '': 'alice', '/jira': 'admin', '/~one': 'carol', '/~one/jira': 'alice', '/~two': 'admin' };
      for (const [path, username] of Object.entries(users))
        await curl('--json', JSON.stringify({ username, password: username }), `${url}${path}/rest/auth/1/session`);
      for (const [path, name] of Object.entries(users)) {
        const self = `${url}${path}/rest/api/2/user?username=${name}`;
        expect(await curl(`${url}${path}/rest/auth/1/session`)).to.include({ self, name });
        expect(await curl(self)).to.include({ self, name });
      }
    });

  it('the redirect to the dashboard stays below any prefix', async () => {
    const { url } = await behind({ 'base-url': `${PUBLIC}/fake` });
    const { headers } = await fetch(`${url}/_fake/ui`, { redirect: 'manual' });
    expect(new URL(headers.get('location') ?? '', `${PUBLIC}/fake/_fake/ui`).href).to.equal(`${PUBLIC}/fake/_fake/ui/`);
  });
});
