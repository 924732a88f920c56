// What is rewritten in the responses of another server: redirects, cookies and links, by `--fallback` and by the proxy.
import type { OutgoingHttpHeaders } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Rewriting } from '../../../server/http/forwarding/rewriting.js';
import type { FlagValues } from '../../../server/settings/settings.js';
import { begin } from '../../support/processes/commands.js';
import { useClosing } from '../../support/wire/closing.js';
import { entriesIn, serving } from '../../support/wire/server.js';

describe('the response of another server', () => {
  const closing = useClosing();

  /** A server whose responses are made of its own URL. */
  const other = async (respond: (url: string) => { headers?: OutgoingHttpHeaders; parts?: Array<string | Buffer> }) => {
    const url = await closing.upstream(async (req, res) => {
      const { headers = {}, parts = [] } = respond(url);
      res.writeHead(req.url?.endsWith('/moved') ? 302 : 200, headers);
      for (const part of parts) await new Promise(resolve => res.write(part, resolve));
      res.end();
    });
    return url;
  };
  const faking = async (fallback: string, flags: FlagValues = {}) => {
    const fake = await serving('small-team', { fallback, ...flags });
    closing.push(() => fake.stop());
    return fake.url;
  };
  const asked = (url: string) => fetch(url, { redirect: 'manual' });

  it('keeps redirects on this server: by URL, by path, below a base path, and in a sandbox', async () => {
    for (const [place, location] of [
      ['', (url: string) => `${url}/login?to=${encodeURIComponent(`${url}/x`)}`],
      ['/base', (url: string) => `${url}/base/login?to=${encodeURIComponent(`${url}/base/x`)}`],
      ['/base', () => '/base/login'],
      ['', () => '/login'],
    ] as const) {
      const target = await other(url => ({ headers: { location: location(url) } }));
      const fake = await faking(target + place);
      for (const sandbox of ['', '/~job-7']) {
        const found = (await asked(`${fake}${sandbox}/moved`)).headers.get('location') ?? '';
        const own = new URL(found, fake);
        expect(own).to.deep.include({
          origin: fake,
          pathname: `${sandbox}/login`,
        });
        const to = own.searchParams.get('to');
        if (to !== null) expect(to).to.equal(`${fake}${sandbox}/x`);
      }
    }
  });

  it('keeps redirects elsewhere as they are', async () => {
    for (const place of ['https://login.example.com/x', '//cdn.example.com/x', 'relative/x', 'http://127.0.0.1:1/x']) {
      const fake = await faking(await other(() => ({ headers: { location: place } })));
      expect((await asked(`${fake}/moved`)).headers.get('location')).to.equal(place);
    }
    const beside = await faking(await other(url => ({ headers: { location: `${url}0/x` } })));
    expect((await asked(`${beside}/moved`)).headers.get('location'))
      .to.match(/0\/x$/)
      .and.not.contain(beside);
  });

  const cookies: ReadonlyArray<readonly [sent: string, overHttp: string]> = [
    ['a=b; Path=/; Secure; HttpOnly; Domain=.example.com', 'a=b; Path=/; HttpOnly'],
    ['a=b; path=/base/x; secure; SameSite=None', 'a=b; path=/x'],
    ['a=b; SameSite=Lax; Max-Age=10', 'a=b; SameSite=Lax; Max-Age=10'],
    ['a=b; Partitioned; Secure; Path=/', 'a=b; Path=/'],
  ];
  it('sets cookies that the client keeps', async () => {
    const target = await other(() => ({ headers: { 'set-cookie': cookies.map(([sent]) => sent) } }));
    const kept = (await asked(`${await faking(`${target}/base`)}/x`)).headers.getSetCookie();
    expect(kept).to.deep.equal(cookies.map(([, overHttp]) => overHttp));
  });

  it('sets a cookie for one sandbox only, and a secure one over HTTPS', () => {
    expect(new Rewriting('http://a.example', 'http://own/~job-7').header('set-cookie', 'a=b; Path=/')).to.equal(
      'a=b; Path=/~job-7',
    );
    expect(new Rewriting('http://a.example', 'https://own').header('set-cookie', 'a=b; Secure; Domain=a')).to.equal(
      'a=b; Secure',
    );
  });

  it('links to this server in every text, wherever it is cut, and in each spelling', async () => {
    for (const type of ['application/hal+json;charset=utf-8', 'text/html']) {
      const target = await other(url => {
        const text = `{"self":"${url}/x","é":"${url.replaceAll('/', '\\/')}","near":"${url}0/x","end":"${url}`;
        const bytes = Buffer.from(text);
        const parts = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, i) => bytes.subarray(i * 7, i * 7 + 7));
        return { headers: { 'content-type': type, 'content-length': bytes.length }, parts };
      });
      const fake = await faking(target);
      expect(await (await asked(`${fake}/x`)).text(), type).to.equal(
        `{"self":"${fake}/x","é":"${fake.replaceAll('/', '\\/')}","near":"${target}0/x","end":"${fake}`,
      );
    }
  });

  it('keeps bytes that are not a text', async () => {
    const bytes = (url: string) => Buffer.from(`${url}/x`);
    for (const [headers, of] of [
      [{ 'content-type': 'image/png' }, bytes],
      [{}, bytes],
      [{ 'content-type': 'image/svg', 'content-encoding': 'gzip' }, (url: string) => gzipSync(bytes(url))],
      [{ 'content-type': 'text/plain', 'content-range': 'bytes 0-9/100' }, bytes],
      [{ 'content-type': 'text/plain', 'content-encoding': 'x-unknown' }, bytes],
    ] as const) {
      const target = await other(url => ({ headers: { ...headers }, parts: [of(url)] }));
      const response = await asked(`${await faking(target)}/x`);
      expect(await response.text()).to.equal(`${target}/x`);
      expect(response.headers.get('content-type')).to.equal('content-type' in headers ? headers['content-type'] : null);
    }
  });

  for (const [coding, pack] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)
    it(`links to this server in a text compressed by ${coding}, which it sends plain, and which can be recorded`, async () => {
      const target = await other(url => {
        const packed = pack(JSON.stringify({ self: `${url}/x` }));
        return {
          headers: { 'content-type': 'application/json', 'content-encoding': coding, 'content-length': packed.length },
          parts: [packed],
        };
      });
      const fake = await faking(target);
      const response = await asked(`${fake}/x`);
      expect(response.headers.get('content-encoding')).to.equal(null);
      expect(await response.json()).to.deep.equal({ self: `${fake}/x` });
      const [entry] = await entriesIn({ url: fake });
      expect(JSON.parse(String(entry?.response.body))).to.deep.equal({ self: `${fake}/x` });
    });

  it('may be empty although it says that it is compressed', async () => {
    const target = await other(() => ({ headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' } }));
    expect(await (await asked(`${await faking(target)}/x`)).text()).to.equal('');
  });

  it('passes by the proxy rewritten, or unchanged with --no-rewrite', async () => {
    const target = await other(url => ({
      headers: { location: `${url}/login`, 'set-cookie': 'a=b; Secure', 'content-type': 'text/html' },
      parts: [`<a href="${url}/x">`],
    }));
    for (const flags of [[], ['--no-rewrite']]) {
      const { signals, stderr, ended } = begin(['proxy', '--target', target, '--port', '0', ...flags]);
      await stderr.says(/listening on (\S+)/);
      const url = /listening on (\S+)/.exec(stderr.text)?.[1] ?? '';
      const response = await asked(`${url}/moved`);
      const seen = flags.length === 0 ? url : target;
      expect(response.headers.get('location')).to.equal(`${seen}/login`);
      expect(response.headers.get('set-cookie')).to.equal(flags.length === 0 ? 'a=b' : 'a=b; Secure');
      expect(await response.text()).to.equal(`<a href="${seen}/x">`);
      signals.emit('SIGINT', 'SIGINT');
      await ended;
    }
  });
});
