// The files of the dashboard over HTTP: which are served, to whom, and under which policy. Their behaviour in a browser:
// tests/tools/browser.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { packageRoot } from '../../../server/scenario/files/folders.js';
import { send, sendRaw, serving, useServer } from '../../support/wire/server.js';

const files = ['index.html', 'dashboard.js', 'dashboard.css', 'icon.svg'];
const built = (name: string) => readFileSync(join(packageRoot(), 'dist/ui', name));

describe('the files of the dashboard', () => {
  const server = useServer();
  const get = (name: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${server.url}/_fake/ui/${name}`, { method, headers, redirect: 'manual' });

  it('are those of the build, and 100 kB at most when compressed', async () => {
    for (const name of files) expect(await (await get(name)).text(), name).to.equal(built(name).toString());
    expect(await (await get('')).text()).to.equal(built('index.html').toString());
    const packed = files.map(name => gzipSync(built(name)).length).reduce((sum, size) => sum + size);
    expect(packed).to.be.below(100_000);
  });

  it('are sent again only if they have changed', async () => {
    const tag = (await get('dashboard.js')).headers.get('etag') ?? '';
    const asking = (known: string) =>
      sendRaw(
        server.url,
        `GET /_fake/ui/dashboard.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nIf-None-Match: ${known}\r\n\r\n`,
      );
    expect(await asking(tag)).to.match(/^HTTP\/1.1 304 [\s\S]*\r\n\r\n$/);
    expect(await asking('"another"')).to.match(/^HTTP\/1.1 200 /);
  });

  it('have a policy that allows only their own script, and no frame', async () => {
    for (const name of ['', ...files]) {
      const { headers } = await get(name);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, name).to.include("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy)
        .to.include("frame-ancestors 'none'")
        .and.not.to.match(/unsafe|\*|https?:|data:/);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('access-control-allow-origin')).to.equal(null);
    }
    expect(built('index.html').toString()).not.to.match(/<script(?![^>]*src=)|<style|style=|\son\w+=|https?:\/\//);
  });

  it('are no others, and are read only', async () => {
    for (const name of ['main.tsx', '../server/cli.js', '%2e%2e/package.json', 'constructor', 'index.html/'])
      expect((await get(name)).status, name).to.equal(404);
    expect((await get('', {}, 'POST')).status).to.be.oneOf([404, 405]);
    const head = await get('', {}, 'HEAD');
    expect({ status: head.status, text: await head.text() }).to.deep.equal({ status: 200, text: '' });
  });

  for (const path of ['/_fake', '/_fake/', '/_fake/ui'])
    it(`are where ${path} leads`, async () => {
      const { status, redirected, url } = await fetch(`${server.url}${path}`);
      expect({ status, redirected, url }).to.deep.equal({
        status: 200,
        redirected: true,
        url: `${server.url}/_fake/ui/`,
      });
    });

  it('are linked from the front page, which is HTML for a browser', async () => {
    const page = await fetch(server.url, { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(page.headers.get('content-type')).to.match(/^text\/html/);
    expect(await page.text()).to.include('<a href="/_fake/ui/">');
    const plain = await send(server.url);
    expect(plain.headers.get('content-type')).to.match(/^text\/plain/);
    expect(plain.text).to.include('dashboard       /_fake/ui/');
  });

  it('are missing without a control API', async () => {
    const other = await serving('small-team', { control: 'off' });
    try {
      expect((await fetch(`${other.url}/_fake/ui/`)).status).to.equal(404);
      expect((await send(other.url)).text).not.to.include('/_fake/ui/');
    } finally {
      await other.stop();
    }
  });
});
