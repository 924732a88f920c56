// The Host allow-list against DNS rebinding, and every request that two parsers could read in two ways. Ports and letter case:
// origins.test.ts.
import { expect } from 'chai';
import { send, useServer } from '../../support/wire/server.js';
import { asked, problemIn, type Written } from '../asking.js';

const PUSH = '/rest/cwx-ppf/latest/push';

describe('a host', () => {
  const server = useServer('small-team', { 'allow-host': ['fake.test'] });

  const good: Record<string, Written> = {
    'with blanks around it': { headers: ['Host: \t fake.test \t'] },
    'that is IPv6': { headers: ['Host: [::1]:8080'] },
    "that is a published container's IPv4 address": { headers: ['Host: 172.17.0.1:32768'] },
    'that is an IPv4 address of the network': { headers: ['Host: 192.168.1.20:8080'] },
    'that is the host as an emulator sees it': { headers: ['Host: 10.0.2.2:8080'] },
    'that is a public IPv4 address': { headers: ['Host: 203.0.113.7'] },
    'that is every address': { headers: ['Host: 0.0.0.0'] },
    'that is an IPv6 address of the network': { headers: ['Host: [FD00::5]:8080'] },
    'that is IPv6 with a zone': { headers: ['Host: [fe80::1%eth0]:8080'] },
    'that is IPv6 with an encoded zone': { headers: ['Host: [fe80::1%25eth0]'] },
    'that is IPv4 within IPv6': { headers: ['Host: [::ffff:10.1.2.3]:80'] },
    'that is an address in the target': {
      target: 'http://192.168.1.20:8080/_fake/health',
      headers: ['Host: 192.168.1.20:8080'],
    },
    'in the target and the same': { target: 'http://localhost/_fake/health' },
    'in the target with a port': { target: 'http://FAKE.test:1234/_fake/health' },
    'in the target with a user before it': { target: 'http://evil.example:80@localhost/_fake/health' },
    'of HTTP/1.0': { version: '1.0' },
    'without a dot, as services are called in compose': { headers: ['Host: fake:8080'] },
    'without a dot, with signs': { headers: ['Host: cwx-fake_1'] },
    'that is a known name with a dot at the end': { headers: ['Host: fake.test.:8080'] },
    'that is localhost with a dot at the end': { headers: ['Host: localhost.'] },
    'that is the machine of a container': { headers: ['Host: host.docker.internal:8080'] },
  };
  for (const [what, request] of Object.entries(good))
    it(`is accepted ${what}`, async () => expect((await asked(server.url, request)).status).to.equal(200));

  const bad: Record<string, [request: Written, status: number]> = {
    'that is absent': [{ headers: [] }, 400],
    'that is absent, in HTTP/1.0': [{ headers: [], version: '1.0' }, 421],
    'that is empty': [{ headers: ['Host:'] }, 421],
    'that is doubled, the first being good': [{ headers: ['Host: localhost', 'Host: evil.example'] }, 400],
    'that is doubled, the second being good': [{ headers: ['Host: evil.example', 'hOST: localhost'] }, 400],
    'that is doubled and the same': [{ headers: ['Host: localhost', 'Host: localhost'] }, 400],
    'that is two in one': [{ headers: ['Host: localhost, evil.example'] }, 421],
    'in the target that is another': [{ target: 'http://evil.example/_fake/health' }, 421],
    'that is another than in the target': [
      { target: 'http://localhost/_fake/health', headers: ['Host: evil.example'] },
      421,
    ],
    'in the target behind a user': [{ target: 'http://localhost:80@evil.example/_fake/health' }, 421],
    'in the target with another scheme': [{ target: 'ftp://localhost/_fake/health' }, 400],
    'before a path': [{ headers: ['Host: localhost/evil.example'] }, 421],
    'before a question mark': [{ headers: ['Host: evil.example?localhost'] }, 421],
    'that begins like a good one': [{ headers: ['Host: localhost.evil.example'] }, 421],
    'that ends like a good one': [{ headers: ['Host: evil-fake.test'] }, 421],
    'below a good one': [{ headers: ['Host: www.fake.test'] }, 421],
    'that is loopback in other digits': [{ headers: ['Host: 2130706433'] }, 421],
    'that is loopback in octal': [{ headers: ['Host: 0177.0.0.1'] }, 421],
    'that is IPv6 without brackets': [{ headers: ['Host: ::1'] }, 421],
    'that is an address in short': [{ headers: ['Host: 127.1'] }, 421],
    'that is an address with a dot behind': [{ headers: ['Host: 127.0.0.1.'] }, 421],
    'that is an address behind a user': [{ headers: ['Host: evil@127.0.0.1'] }, 421],
    'that begins with an address': [{ headers: ['Host: 127.0.0.1.evil.example'] }, 421],
    'with only a dot at the end, like a top-level domain': [{ headers: ['Host: evil.'] }, 421],
    'that is no address in brackets': [{ headers: ['Host: [127.0.0.1]'] }, 421],
    'that is an address beyond bounds': [{ headers: ['Host: 10.0.0.256'] }, 421],
    'that is no ASCII': [{ headers: ['Host: localhos\xfe'] }, 421],
    'of every object': [{ headers: ['Host: __proto__'] }, 421],
    'that is long': [{ headers: [`Host: ${'a'.repeat(10_000)}`] }, 421],
    'without a dot that begins with a digit': [{ headers: ['Host: 0x7f000001'] }, 421],
    'without a dot that is too long for a name': [{ headers: [`Host: ${'a'.repeat(64)}`] }, 421],
    'that looks like the machine of a container': [{ headers: ['Host: host.docker.internal.evil.example'] }, 421],
    'below the machine of a container': [{ headers: ['Host: evil.host.docker.internal'] }, 421],
  };
  for (const [what, [request, status]] of Object.entries(bad)) {
    it(`is refused ${what}: ${status}`, async () => {
      const seen = await asked(server.url, request);
      expect(seen.status).to.equal(status);
      expect(problemIn(seen)).to.include({ status });
      expect(seen.body.length).to.be.below(400);
    });
  }

  it('that is a refused name gets the flag that allows it', async () => {
    const { detail } = problemIn(await asked(server.url, { headers: ['Host: Fake.Example:8080'] }));
    expect(detail).to.match(/--allow-host fake\.example\.$/);
  });

  it('is checked before every operation, and leaves no journal entry', async () => {
    const before = (await send(`${server.url}/_fake/v1/sandboxes/default/journal`)).text;
    for (const target of ['/', PUSH, `/~a${PUSH}`, '/_fake/v1/sandboxes', '/~a/_fake/v1/provider-states', '/none'])
      for (const method of ['GET', 'POST', 'OPTIONS', 'HEAD']) {
        const { status } = await asked(server.url, { method, target, headers: ['Host: evil.example'] });
        expect({ method, target, status }).to.deep.equal({ method, target, status: 421 });
      }
    expect((await send(`${server.url}/_fake/v1/sandboxes/default/journal`)).text).to.equal(before);
    expect((await send(`${server.url}/_fake/v1/sandboxes`)).text).not.to.contain('"a"');
  });
});

describe('with any host allowed', () => {
  const server = useServer('small-team', { 'allow-host': ['any'] });

  for (const headers of [['Host: evil.example'], ['Host: 10.0.0.1:1'], ['Host:'], ['Host: a@b:c:d']])
    it(`${headers[0]} is accepted`, async () => expect((await asked(server.url, { headers })).status).to.equal(200));

  it('a request with two hosts is refused all the same', async () => {
    expect((await asked(server.url, { headers: ['Host: a.example', 'Host: b.example'] })).status).to.equal(400);
  });
});

describe('an impossible host', () => {
  it('is refused as a flag', async () => {
    const { serveFlags } = await import('../../../server/settings/serve-flags.js');
    const check = serveFlags.find(({ name }) => name === 'allow-host')?.check;
    for (const good of ['fake.test', 'any', '10.0.0.1', '::1', '[::1]', '2001:db8::7'])
      expect(check?.(good)).to.equal(undefined);
    for (const wrong of ['', 'fake.test:80', 'http://fake.test', 'a b', 'a@b', 'a/b', '[::1]:80', '[fake]'])
      expect(check?.(wrong)).to.equal('it must be any, or a host name or IP address without scheme and port');
  });
});
