// `cwx-fake conform` on servers that compress, accept no passwords, or are two.
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type Interference, interposed } from '../../support/other-servers/interposed.js';
import { silent } from '../../support/other-servers/outside.js';
import { run } from '../../support/processes/commands.js';
import { useClosing } from '../../support/wire/closing.js';
import { serving } from '../../support/wire/server.js';

const SECRET = 'very-secret-token';
const ONLY = ['groups.add-users', 'address.json-bodies', 'ppf.push', 'ppf.authenticated'];
const basic = (user: string) => `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`;

/** Refuses passwords; a cookie with the secret stands for the admin, and one with the secret and a name for that user. */
const onlyByCookie: Interference = ({ headers }, response) => {
  const right = new RegExp(`^JSESSIONID=${SECRET}(?:-(\\w+))?$`).exec(headers.cookie ?? '');
  const isRefused = right === null && headers.authorization !== undefined;
  if (isRefused) response.writeHead(401).end();
  if (right !== null) headers.authorization = basic(right[1] ?? 'admin');
  delete headers.cookie;
  return isRefused;
};

/** Has only the paths of one API, below its context path. */
const onlyBelow =
  (context: string, paths: RegExp): Interference =>
  (request, response) => {
    const { url = '' } = request;
    const isThere = url.startsWith(`${context}/`) && paths.test(url);
    if (!isThere) response.writeHead(url === `${context}/` ? 200 : 404).end();
    request.url = url.slice(context.length);
    return !isThere;
  };
const WIKI = /cwxapiextension|\/rest\/api\/(?!2\/)/;
const TRACKER = /cwx-ppf|\/rest\/api\/2\//;
const nothing: Interference = () => false;

describe('cwx-fake conform', () => {
  const open = useClosing();

  const conform = async (...args: readonly string[]) => {
    const only = ONLY.flatMap(rule => ['--only', rule]);
    const ended = await run(['conform', '--yes', '--patience', '0', ...only, ...args]);
    expect(ended.stdout + ended.stderr).not.to.include(SECRET);
    return ended;
  };
  const proxied = async (...interferences: ReadonlyArray<readonly [Interference, ((body: Buffer) => Buffer)?]>) => {
    const { url, stop } = await serving(undefined, silent);
    open.push(() => stop());
    const proxies = await Promise.all(interferences.map(([one, encode]) => interposed(url, one, encode)));
    open.push(...proxies.map(proxy => proxy.stop));
    return proxies.map(proxy => proxy.url);
  };

  it('decodes compressed responses, and names a body that is not compressed as it says', async () => {
    const [compressed = '', wrong = ''] = await proxied([nothing, gzipSync], [nothing, body => body]);
    expect(await conform('--target', compressed)).to.include({ code: 0 });
    const { code, stderr } = await conform('--target', wrong);
    expect(code).to.equal(4);
    expect(stderr).to.include('sent a body that is not gzip');
  });

  it('accepts credentials in a header, for the admin and others, and never prints them', async () => {
    const [url = ''] = await proxied([onlyByCookie]);
    const refused = await conform('--target', url);
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include('refuses the credentials of admin').and.to.include('--header');
    const accounts = ['admin', 'alice', 'carol', 'demouser1', 'demouser2'].flatMap(user => ['--as', user]);
    const others = ['alice', 'carol', 'demouser1', 'demouser2'].flatMap(user => [
      '--header',
      `${user} Cookie: JSESSIONID=${SECRET}-${user}`,
    ]);
    const all = [...accounts, '--header', `Cookie: JSESSIONID=${SECRET}`, ...others];
    const { code, stdout } = await conform('--target', url, ...all);
    expect(code, stdout).to.equal(0);
  });

  it('sends further headers with every request', async () => {
    const [url = ''] = await proxied([
      ({ method, headers }, response) => {
        const isForged = method !== 'GET' && headers['x-atlassian-token'] !== 'no-check';
        if (isForged) response.writeHead(403).end('<html><body>XSRF check failed</body></html>');
        return isForged;
      },
    ]);
    const { code, stderr } = await conform('--target', url);
    expect(code).to.equal(3);
    expect(stderr).to.match(
      /^Nothing can be determined: .*\(XSRF check failed\)\. Add --header 'X-Atlassian-Token: no-check'/m,
    );
    expect(await conform('--target', url, '--header', 'X-Atlassian-Token: no-check')).to.include({ code: 0 });
  });

  it('asks two servers below their context paths, and leaves the rules of an API open whose server is not given', async () => {
    const [wiki = '', tracker = ''] = await proxied([onlyBelow('/confluence', WIKI)], [onlyBelow('/jira', TRACKER)]);
    const ofWiki = ['--wiki', `${wiki}/confluence`];
    const { code, stdout } = await conform(...ofWiki, '--tracker', `${tracker}/jira`);
    expect(stdout.match(/^✔ (?!The)/gm), stdout).to.have.length(ONLY.length);
    expect(code).to.equal(0);
    const half = await conform(...ofWiki);
    expect(half.code).to.equal(0);
    expect(half.stdout)
      .to.match(/^✔ groups\.add-users$/m)
      .and.to.match(/^– ppf\.push · no --tracker is given$/m);
  });
});
