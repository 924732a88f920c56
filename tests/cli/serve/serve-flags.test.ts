// Every flag of `cwx-fake serve`: its effect, and the variable that means the same. tests/cli/environment: a flag wins over its variable.
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer as createHttpServer } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { readArguments } from '../../../cli/command/command.js';
import { serve } from '../../../cli/serve-command.js';
import { clientCertificateFlags, serveFlags } from '../../../server/settings/serve-flags.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import type { Launched } from '../../support/processes/command-line.js';
import { endAll, launch, refusalOf, run } from '../../support/processes/commands.js';
import { selfSigned } from '../../support/wire/certificates.js';
import { RawConnection } from '../../support/wire/raw-connection.js';
import { sandboxNames, send, sendJson, sendRaw } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const joining = { group: 'customers', users: ['alice'] };

interface Case {
  /** Left out for a switch. */
  readonly value?: string;
  holds(server: Launched): Promise<unknown>;
}

describe('the flags of cwx-fake serve', () => {
  let folder: Scratch;
  const mute = createServer();
  const baker = createHttpServer((_, res) => res.writeHead(200, { 'set-cookie': 'a=b; Secure' }).end());
  before(async () => {
    await once(mute.listen(0, '127.0.0.1'), 'listening');
    await once(baker.listen(0, '127.0.0.1'), 'listening');
    folder = scratch({
      'mine/small-team.yaml': 'extends: small-team\nusers: { zoe: {} }\n',
      'stories/small-team.yaml': 'title: My own story\nfixture: small-team\n',
      'readings.yaml': 'unknown-user: 400\n',
      'others.yaml': 'unknown-user: skip\n',
      'none/.keep': '',
      'met/.keep': '',
      'elsewhere/.keep': '',
      'browser.sh': '#!/bin/sh\necho "$1" > "$0.new" && mv "$0.new" "$0.opened"\n',
    });
    selfSigned(folder.path);
    chmodSync(join(folder.path, 'browser.sh'), 0o755);
  });
  after(async () => {
    await endAll();
    mute.close();
    baker.close();
    folder.drop();
  });

  const cookies = () => `http://127.0.0.1:${(baker.address() as AddressInfo).port}`;
  const silent = () => `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
  const statusOf = async ({ url }: Launched, user: string, path = '') =>
    (await sendJson(`${url}${path}${ADD}`, 'POST', { ...joining, users: [user] })).status;
  const opened = () => join(folder.path, 'browser.sh.opened');
  const responds = (status: number, user: string, path?: string) => async (server: Launched) =>
    expect(await statusOf(server, user, path)).to.equal(status);
  const readsUnknownUserAs400 = responds(400, 'bob');
  const isHealthyWith = (part: object) => async (server: Launched) =>
    expect((await send(`${server.url}/_fake/health`)).json).to.include(part);
  const passesOnAs = (status: number, says: string) => async (server: Launched) => {
    const response = await send(`${server.url}/of/another/mock`);
    expect(response.status).to.equal(status);
    expect(response.text).to.include(says);
  };
  const has =
    (path: string, property: string, value: unknown, headers = {}) =>
    async (server: Launched) =>
      expect((await send(server.url + path, { headers })).json).to.have.nested.property(property, value);
  const timesOut = (bytes: string) => async (server: Launched) =>
    expect(await sendRaw(server.url, bytes)).to.match(/^HTTP\/1\.1 408 /);

  const story = (readings: string) => `title: My own story\nfixture: small-team\nreadings: ${readings}\n`;
  const seesChanges = async (server: Launched) => {
    folder.write('stories/small-team.yaml', story('{ unknown-user: 400 }'));
    await until(async () => (await statusOf(server, 'bob')) === 400);
    folder.write('stories/small-team.yaml', story('{}'));
    await until(async () => (await statusOf(server, 'bob')) === 404);
  };

  const statusOver = async (url: string, ca: Buffer) => {
    const asking = request(`${url}/_fake/health`, { ca }).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  const showsItsCertificate = async ({ url }: Launched) =>
    expect(await statusOver(url, readFileSync(join(folder.path, 'certificate.pem')))).to.equal(200);
  const cases: Readonly<Record<string, Case>> = {
    port: {
      value: '0',
      holds: async ({ url }) => expect(new URL(url).port).not.to.be.oneOf(['1', '8080', '']),
    },
    host: {
      value: 'localhost',
      holds: async ({ url }) => expect(url).to.match(/^http:\/\/localhost:/),
    },
    profile: { value: 'strict', holds: responds(401, 'alice') },
    reading: { value: 'unknown-user=400', holds: readsUnknownUserAs400 },
    readings: { value: 'readings.yaml', holds: readsUnknownUserAs400 },
    watch: { holds: seesChanges },
    open: {
      holds: async ({ url }) => {
        await until(async () => existsSync(opened()) && readFileSync(opened(), 'utf8') === `${url}/_fake/ui/\n`);
        folder.remove('browser.sh.opened');
      },
    },
    fsync: { holds: isHealthyWith({ store: 'file:kept (fsync)' }) },
    store: { value: 'memory', holds: isHealthyWith({ store: 'memory' }) },
    fixtures: { value: 'mine', holds: responds(200, 'zoe') },
    scenarios: {
      value: 'stories',
      holds: async ({ url }) => expect((await send(`${url}/_fake/v1/scenarios`)).text).to.contain('My own story'),
    },
    journal: {
      value: '2',
      holds: async server => {
        for (const user of ['alice', 'carol', 'admin']) await statusOf(server, user);
        expect((await send(`${server.url}/_fake/v1/sandboxes/default/journal`)).json).to.include({ evicted: 1 });
      },
    },
    'max-sandboxes': {
      value: '2',
      holds: async server => {
        for (const name of ['a', 'b', 'c']) await statusOf(server, 'alice', `/~${name}`);
        expect(await sandboxNames(server.url)).to.have.members(['default', 'c']);
      },
    },
    'max-memory': { value: '77', holds: has('/_fake/health', 'memory.limit', 77 * 1024 * 1024) },
    'max-sandbox': {
      value: '1',
      holds: async ({ url }) => {
        const world = `${url}/_fake/v1/sandboxes/default/world`;
        const statuses: number[] = [];
        for (const name of ['x', 'y'])
          statuses.push((await sendJson(world, 'PATCH', { users: { [name]: {} } })).status);
        expect(statuses).to.deep.equal([204, 507]);
      },
    },
    'sandbox-ttl': {
      value: '1',
      holds: async server => {
        await statusOf(server, 'alice', '/~brief');
        await until(async () => !(await sandboxNames(server.url)).includes('brief'));
        expect(await sandboxNames(server.url)).to.deep.equal(['default']);
      },
    },
    sandboxes: { value: 'explicit', holds: responds(404, 'alice', '/~new') },
    control: {
      value: 'off',
      holds: async ({ url }) => expect((await send(`${url}/_fake/v1/scenarios`)).status).to.equal(404),
    },
    'rest-api': {
      value: 'off',
      holds: async ({ url }) => {
        const { status, headers } = await send(`${url}/rest/api/space`);
        expect(status).to.equal(404);
        expect(headers.get('x-fake-source')).to.equal(null);
      },
    },
    'control-token': {
      value: 'open-sesame',
      holds: async ({ url }) => {
        const asked = (token: string) =>
          send(`${url}/_fake/v1/scenarios`, { headers: { authorization: `Bearer ${token}` } });
        expect((await asked('open-sesame')).status).to.equal(200);
        expect((await asked('open-barley')).status).to.equal(401);
      },
    },
    'allow-host': {
      value: 'fake.test',
      holds: async ({ url }) => {
        const asked = (host: string) =>
          sendRaw(url, `GET /_fake/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        expect(await asked('fake.test')).to.match(/^HTTP\/1\.1 200 /);
        expect(await asked('other.test')).to.match(/^HTTP\/1\.1 421 /);
      },
    },
    'base-url': {
      value: 'https://wiki.example.com/fake/',
      holds: has('/rest/api/space/ds', '_links.self', 'https://wiki.example.com/fake/rest/api/space/ds'),
    },
    'trust-proxy': {
      holds: async server => {
        const self = `${server.url.replace('http:', 'https:')}/rest/api/space/ds`;
        await has('/rest/api/space/ds', '_links.self', self, { 'x-forwarded-proto': 'https' })(server);
      },
    },
    cors: {
      value: 'http://front.test',
      holds: async ({ url }) => {
        const grantedTo = async (origin: string) =>
          (await send(`${url}/rest/none`, { headers: { origin } })).headers.get('access-control-allow-origin');
        expect(await grantedTo('http://front.test')).to.equal('http://front.test');
        expect(await grantedTo('http://other.test')).to.equal(null);
      },
    },
    'max-body': { value: '20', holds: responds(413, 'alice') },
    'request-timeout': {
      value: '1',
      holds: timesOut(`POST ${ADD} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{`),
    },
    'headers-timeout': { value: '1', holds: timesOut('GET / HTTP/1.1\r\nHost: localhost\r\n') },
    'max-connections': {
      value: '1',
      holds: async ({ url }) => {
        const [kept, further] = [await RawConnection.to(url), await RawConnection.to(url)];
        expect(await further.untilClosed()).to.equal('');
        kept.close();
      },
    },
    fallback: { value: 'http://127.0.0.1:1', holds: passesOnAs(502, 'http://127.0.0.1:1 cannot be reached') },
    'no-rewrite': {
      holds: async ({ url }) => {
        const { headers } = await fetch(`${url}/of/another/mock`, { redirect: 'manual' });
        expect(headers.get('set-cookie')).to.equal('a=b; Secure');
      },
    },
    'fallback-timeout': { value: '1', holds: passesOnAs(504, 'did not respond within 1 s') },
    coverage: {
      value: 'met',
      holds: async server => {
        await statusOf(server, 'alice');
        const file = () => readdirSync(join(folder.path, 'met')).find(name => name.endsWith('.json')) ?? '';
        await until(() => /"requests":1/.test(readFileSync(join(folder.path, 'met', file()), 'utf8')));
        rmSync(join(folder.path, 'met', file()));
      },
    },
    tls: {
      holds: async ({ url, stderr }) => {
        expect(url).to.match(/^https:/);
        const [, file = ''] = /self-signed certificate, for clients to trust: (\S+)\n/.exec(stderr()) ?? [];
        expect(await statusOver(url, readFileSync(file))).to.equal(200);
      },
    },
    'tls-cert': { value: 'certificate.pem', holds: showsItsCertificate },
    'tls-key': { value: 'key.pem', holds: showsItsCertificate },
    'no-explain': {
      holds: async ({ url }) => {
        const { headers } = await sendJson(url + ADD, 'POST', joining);
        expect([...headers.keys()].filter(name => name.startsWith('x-fake'))).to.deep.equal([]);
      },
    },
    log: {
      value: 'silent',
      holds: async server => {
        await seesChanges(server); // logged otherwise
        expect(server.stderr()).to.equal('');
      },
    },
  };

  it('are all tested here', () => {
    const elsewhere = ['store-timeout', ...clientCertificateFlags.map(({ name }) => name)]; // tests/replicas, tests/outgoing
    expect([...Object.keys(cases), ...elsewhere]).to.have.members(serveFlags.map(({ name }) => name));
  });

  const more = (name: string): readonly string[] =>
    ({
      watch: ['--scenarios', 'stories'],
      log: ['--scenarios', 'stories', '--watch'],
      fsync: ['--store', 'file:kept'],
      'tls-cert': ['--tls-key', 'key.pem'],
      'tls-key': ['--tls-cert', 'certificate.pem'],
      'fallback-timeout': ['--fallback', silent()],
      'no-rewrite': ['--fallback', cookies()],
    })[name] ?? [];
  const tested = async (name: string, { value, holds }: Case) => {
    const variable = `CWX_FAKE_${name.toUpperCase().replaceAll('-', '_')}`;
    const flag = value === undefined ? [`--${name}`] : [`--${name}`, value];
    const env = { BROWSER: join(folder.path, 'browser.sh') };
    const server = await launch([...more(name), ...flag], { cwd: folder.path, env });
    await holds(server);
    expect((await server.signal('SIGTERM')).code).to.equal(0);
    const { values } = readArguments(serve, [], { [variable]: value ?? 'true' });
    expect(values)
      .to.deep.equal(readArguments(serve, flag, {}).values)
      .and.have.property(name);
  };
  /** They wait for a second each: their servers run at once. */
  const slow = ['sandbox-ttl', 'request-timeout', 'headers-timeout', 'fallback-timeout'];
  const isSlow = ([name]: readonly [string, Case]) => slow.includes(name);

  for (const one of Object.entries(cases).filter(one => !isSlow(one)))
    it(`--${one[0]} has its effect, and its variable sets the same`, () => tested(...one));

  it(`${slow.map(name => `--${name}`).join(', ')} have their effects`, () =>
    Promise.all(Object.entries(cases).flatMap(one => (isSlow(one) ? [tested(...one)] : []))));

  it('refuse the host of a file URL as a folder', async () => {
    expect(await refusalOf(run(['serve', '--port', '0', '--store', 'file://host/x']))).to.contain(
      '--store must name a folder, as in file:./sandboxes or file:~/sandboxes',
    );
  });

  it('report all invalid values at once', async () => {
    const args =
      'small-team more --prot 0 --journal=many --control maybe --watch=1 --host 127.0.0.1 --host localhost --fixtures nowhere --port';
    const { code, stdout, stderr } = await run(['serve', ...args.split(' ')], {
      env: { CWX_FAKE_MAX_BODY: '0', CWX_FAKE_NO_EXPLAIN: 'perhaps' },
    });
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr.split('\n')).to.deep.equal([
      'cwx-fake serve: unknown flag --prot (did you mean --port?)',
      'cwx-fake serve: --journal cannot be "many": it must be a whole number from 0 to 1000000',
      'cwx-fake serve: --control cannot be "maybe": it must be on, off or open',
      'cwx-fake serve: --watch does not take a value',
      'cwx-fake serve: --host is given twice',
      'cwx-fake serve: --fixtures cannot be "nowhere": the folder does not exist',
      'cwx-fake serve: --port needs a value: --port n',
      'cwx-fake serve: CWX_FAKE_MAX_BODY cannot be "0": it must be a whole number from 1 to 1073741824',
      'cwx-fake serve: CWX_FAKE_NO_EXPLAIN is "perhaps": it must be true or false',
      'cwx-fake serve: unexpected argument "more": serve takes only [scenario]',
      'Run cwx-fake serve --help for its arguments and flags.',
      '',
    ]);
  });
});
