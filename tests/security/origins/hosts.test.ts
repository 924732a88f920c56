// The Host allow-list against DNS rebinding, and every request whose host two parsers could read in two ways.
import { expect } from 'chai';
import { serveFlags } from '../../../server/settings/serve-flags.js';
import { entriesIn, sandboxNames, useServer } from '../../support/wire/server.js';
import { asked, problemIn, type Written } from '../asking.js';

const PUSH = '/rest/cwx-ppf/latest/push';
const HEALTH = '/_fake/health';
const hosts = (...names: readonly string[]): Written => ({ headers: names.map(name => `Host: ${name}`) });

/** IP addresses, loopback names, names without a dot, the name of the flag, and the port, which is ignored. */
const allowed =
  'localhost LOCALHOST:1 localhost. localhost: fake.test FAKE.test.:8080 fake:8080 cwx-fake_1 host.docker.internal:8080 127.1.2.3 0.0.0.0 203.0.113.7 192.168.1.20:8080 [::1]:8080 [FD00::5]:8080 [fe80::1%eth0]:8080 [fe80::1%25eth0] [::ffff:10.1.2.3]:80';
const refused =
  'evil.example evil.example:80 localhost.evil.example evil-fake.test www.fake.test evil. localhost:x localhost:1:1 localhost/evil.example evil.example?localhost localhost@evil.example evil@127.0.0.1 127.0.0.1.evil.example 127.0.0.1. 127.1 0177.0.0.1 2130706433 0x7f000001 10.0.0.256 ::1 [127.0.0.1] localhos\xfe __proto__ host.docker.internal.evil.example evil.host.docker.internal';

const requests: ReadonlyArray<readonly [what: string, request: Written, status: number]> = [
  ...allowed.split(' ').map(host => [host, hosts(host), 200] as const),
  ...refused.split(' ').map(host => [host, hosts(host), 421] as const),
  ['blanks around it', hosts('\t fake.test \t'), 200],
  ['none in HTTP/1.0', { headers: [], version: '1.0' }, 421],
  ['none', { headers: [] }, 400],
  ['an empty one', { headers: ['Host:'] }, 421],
  ['two, the first being good', hosts('localhost', 'evil.example'), 400],
  ['two, the second being good', { headers: ['Host: evil.example', 'hOST: localhost'] }, 400],
  ['the same twice', hosts('localhost', 'localhost'), 400],
  ['two in one', hosts('localhost, evil.example'), 421],
  ['a long one', hosts('a'.repeat(10_000)), 421],
  ['one too long for a name', hosts('a'.repeat(64)), 421],
  ['the same in the target', { target: `http://localhost${HEALTH}` }, 200],
  ['a user before that of the target', { target: `http://evil.example:80@localhost${HEALTH}` }, 200],
  ['another in the target', { target: `http://evil.example${HEALTH}` }, 421],
  ['another behind a user in the target', { target: `http://localhost:80@evil.example${HEALTH}` }, 421],
  ['another than in the target', { target: `http://localhost${HEALTH}`, ...hosts('evil.example') }, 421],
  ['another scheme in the target', { target: `ftp://localhost${HEALTH}` }, 400],
];

describe('a host', () => {
  const server = useServer('small-team', { 'allow-host': ['fake.test'] });

  for (const [what, request, status] of requests)
    it(`is ${status === 200 ? 'accepted' : 'refused'}: ${what.slice(0, 50)} (${status})`, async () => {
      const seen = await asked(server.url, request);
      expect(seen.status).to.equal(status);
      if (status === 200) return;
      expect(problemIn(seen)).to.include({ status });
      expect(seen.body.length).to.be.below(400);
    });

  it('that is a refused name gets the flag that allows it', async () => {
    const { detail } = problemIn(await asked(server.url, hosts('Fake.Example:8080')));
    expect(detail).to.match(/--allow-host fake\.example\.$/);
  });

  it('is checked before every operation, and leaves no journal entry', async () => {
    for (const target of ['/', PUSH, `/~a${PUSH}`, '/_fake/v1/sandboxes', '/~a/_fake/v1/provider-states', '/none'])
      for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD']) {
        const { status } = await asked(server.url, { method, target, ...hosts('evil.example') });
        expect({ method, target, status }).to.deep.equal({ method, target, status: 421 });
      }
    expect(await entriesIn(server)).to.deep.equal([]);
    expect(await sandboxNames(server.url)).to.deep.equal(['default']);
  });
});

describe('with any host allowed', () => {
  const server = useServer('small-team', { 'allow-host': ['any'] });

  it('every host is accepted, but not two', async () => {
    for (const host of ['evil.example', '10.0.0.1:1', '', 'a@b:c:d'])
      expect((await asked(server.url, hosts(host))).status, host).to.equal(200);
    expect((await asked(server.url, hosts('a.example', 'b.example'))).status).to.equal(400);
  });
});

describe('an impossible host', () => {
  it('is refused as a flag', () => {
    const check = serveFlags.find(({ name }) => name === 'allow-host')?.check;
    for (const good of ['fake.test', 'any', '10.0.0.1', '::1', '[::1]', '2001:db8::7'])
      expect(check?.(good)).to.equal(undefined);
    for (const wrong of ['', 'fake.test:80', 'http://fake.test', 'a b', 'a@b', 'a/b', '[::1]:80', '[fake]'])
      expect(check?.(wrong), wrong).to.be.a('string');
  });
});
