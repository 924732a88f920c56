// Requests to other servers in a company's network: through its proxy, with its CA, with a certificate of the client.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { createServer as createTlsServer } from 'node:tls';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { gather } from '../../harness/verify/gather.js';
import { connectFake, FakeError, startFake, type TlsOptions } from '../../server/index.js';
import type { Running } from '../../server/process/start.js';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { built } from '../support/processes/built.js';
import { launch, run as runBuilt } from '../support/processes/command-line.js';
import { begin, refusalOf, run } from '../support/processes/commands.js';
import { selfSigned } from '../support/wire/certificates.js';
import { halBroker } from '../support/wire/hal-broker.js';
import { listening, send, serving } from '../support/wire/server.js';
import { failure } from '../support/worlds/failure.js';
import { type CompanyProxy, companyProxy } from './company-proxy.js';

const HOST = 'wiki.corp.test';
const LISTENING = /listening on (\S+)/;
const VARIABLES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NO_PROXY', 'no_proxy'];

describe('requests to other servers', () => {
  const surroundings = Object.fromEntries(VARIABLES.map(name => [name, process.env[name]]));
  const setVariables = (values: Readonly<Record<string, string | undefined>>) => {
    for (const name of VARIABLES)
      if (values[name] === undefined) delete process.env[name];
      else process.env[name] = values[name];
  };
  let proxy: CompanyProxy;
  let fake: Running;
  let folder: Scratch;
  /** By a name that only the proxy finds. */
  let target: string;
  before(async () => {
    await built();
    folder = scratch({});
    fake = await serving('small-team', { 'allow-host': [HOST] });
    target = `http://${HOST}:${new URL(fake.url).port}`;
  });
  beforeEach(async () => {
    proxy = await companyProxy();
    setVariables({});
  });
  afterEach(() => proxy.close());
  after(async () => {
    setVariables(surroundings);
    await fake.stop();
    folder.drop();
  });

  const asking: Record<string, (url: string) => readonly string[]> = {
    journal: url => ['journal', '--url', url],
    verify: url => ['verify', 'contracts/pacts', '--provider', 'push-pull', '--target', url],
    'doctor, which finds an open control API,': url => ['doctor', '--target', url],
  };
  for (const [command, args] of Object.entries(asking))
    it(`of ${command} use the proxy of HTTP_PROXY`, async () => {
      setVariables({ HTTP_PROXY: proxy.url });
      const { code, stderr } = await run(args(target));
      expect(code, stderr).to.equal(command.startsWith('doctor') ? 1 : 0);
      expect(proxy.seen[0]).to.match(new RegExp(`^[A-Z]+ ${target}/`));
    });

  it('of a fallback, of proxy and of a broker use it too', async () => {
    setVariables({ http_proxy: proxy.url });
    const falling = await serving('small-team', { fallback: target });
    expect((await send(`${falling.url}/elsewhere`)).status).to.equal(404);
    await falling.stop();
    const { signals, stderr, ended } = begin(['proxy', '--target', target, '--port', '0']);
    await stderr.says(LISTENING);
    const [, url] = LISTENING.exec(stderr.text) ?? [];
    expect((await send(`${url}/rest/cwxapiextension/latest/groups`)).status).to.equal(404);
    signals.emit('SIGTERM', 'SIGTERM');
    await ended;
    const broker = await halBroker({ pacts: [] });
    await gather([`http://broker.corp.test:${new URL(broker.url).port}`], {
      broker: { selectors: [], includePending: false },
      patience: 60_000,
    });
    await broker.close();
    expect(proxy.seen.map(line => line.replace(/:\d+/, ''))).to.include.members([
      `GET http://${HOST}/elsewhere`,
      `GET http://${HOST}/rest/cwxapiextension/latest/groups`,
      'GET http://broker.corp.test/',
    ]);
  });

  for (const [what, variables, url] of [
    ['a name in NO_PROXY', { NO_PROXY: `other.test,${HOST}` }, HOST],
    ['a domain in no_proxy', { no_proxy: '.corp.test' }, HOST],
    ['any host', { NO_PROXY: '*' }, HOST],
    ['loopback', {}, '127.0.0.1'],
  ] as const)
    it(`do not use it for ${what}`, async () => {
      setVariables({ HTTP_PROXY: proxy.url, ...variables });
      const { stderr } = await run(['journal', '--url', `http://${url}:${new URL(fake.url).port}`]);
      expect(proxy.seen).to.deep.equal([]);
      expect(stderr).to.match(url === HOST ? /could not be resolved/ : /^$/);
    });

  it('do not use it for loopback, whatever NODE_USE_ENV_PROXY says', async () => {
    const env = { HTTP_PROXY: proxy.url, http_proxy: proxy.url, NODE_USE_ENV_PROXY: '1' };
    const { code } = await runBuilt(['health', '--port', new URL(fake.url).port], { env });
    expect({ code, seen: proxy.seen }).to.deep.equal({ code: 0, seen: [] });
  });

  it('show the proxy the credentials in its URL', async () => {
    const strict = await companyProxy('eve:p@ss');
    setVariables({ ALL_PROXY: strict.url.replace('//', '//eve:p%40ss@') });
    expect((await run(['journal', '--url', target])).code).to.equal(0);
    await strict.close();
  });

  it('name a proxy that is away, refuses, responds in place of the server, or is not an HTTP proxy', async () => {
    const strict = await companyProxy('eve:secret');
    for (const [url, scheme, says] of [
      [
        'http://eve:secret@127.0.0.1:1',
        'http',
        /through the proxy http:\/\/127\.0\.0\.1:1: the connection was refused/,
      ],
      [strict.url, 'https', /through the proxy http:\S+: .*407/],
      [strict.url, 'http', /through the proxy http:\S+: .*407/],
      ['socks5://127.0.0.1:1080', 'https', /through the proxy socks5:\/\/127\.0\.0\.1:1080: .*use an http\(s\) URL/],
    ] as const) {
      setVariables({ HTTP_PROXY: url, HTTPS_PROXY: url });
      expect(await refusalOf(run(['conform', '--target', `${scheme}${target.slice(4)}`, '--yes']), 4))
        .to.match(says)
        .and.not.contain('secret');
    }
    await strict.close();
  });

  it('of a program leave its own fetch as it is', async () => {
    const agentAfter = async (work: string) => {
      const code = `
        const { connectFake } = require('./dist/server/index.js');
        ${work}.then(() => fetch('${fake.url}'))
          .then(() => console.log(String(globalThis[Symbol.for('undici.globalDispatcher.1')].constructor)));`;
      return (await promisify(execFile)(process.execPath, ['-e', code])).stdout;
    };
    const own = await agentAfter('Promise.resolve()');
    expect(own).to.match(/^class /);
    expect(await agentAfter(`connectFake('${fake.url}').then(fake => fake.stop())`)).to.equal(own);
  });

  it('trust the CA of NODE_EXTRA_CA_CERTS through a tunnel', async () => {
    const { certificate, key } = selfSigned(folder.path, HOST);
    const secure = await serving('small-team', { 'tls-cert': certificate, 'tls-key': key, 'allow-host': [HOST] });
    const url = `https://${HOST}:${new URL(secure.url).port}`;
    const env = { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: certificate };
    const { code, stderr } = await runBuilt(['journal', '--url', url], { env });
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(new Set(proxy.seen)).to.deep.equal(new Set([`CONNECT ${new URL(url).host}`]));
    await secure.stop();
  });

  describe('that ask for a certificate of the client', () => {
    let url: string;
    let close: () => void;
    let files: readonly string[];
    before(async () => {
      const { certificate, key } = selfSigned(folder.path);
      files = ['--client-cert', certificate, '--client-key', key];
      const pem = { cert: readFileSync(certificate), key: readFileSync(key), ca: readFileSync(certificate) };
      const server = createServer({ ...pem, requestCert: true, rejectUnauthorized: true }, (_, res) => res.end('{}'));
      url = (await listening(server)).replace('http:', 'https:');
      close = () => server.closeAllConnections() ?? server.close();
    });
    after(() => close());

    it('get the one of --client-cert and --client-key', async () => {
      const doctor = async (...flags: readonly string[]) => {
        const env = { NODE_EXTRA_CA_CERTS: String(files[1]) };
        const { stdout, stderr } = await runBuilt(['doctor', '--target', url, ...flags], { env });
        return stdout + stderr;
      };
      expect(await doctor(...files)).to.match(/is not a cwx-fake: GET \/_fake\/health returned 200/);
      expect(await doctor()).to.match(/the server requires a client certificate: give --client-cert and --client-key/);
    });

    it('get it from a fallback', async () => {
      const env = { NODE_EXTRA_CA_CERTS: String(files[1]) };
      const falling = await launch(['--fallback', url, ...files], { env });
      expect((await send(`${falling.url}/elsewhere`)).text).to.equal('{}');
      await falling.signal('SIGTERM');
    });

    describe('get it from the library', () => {
      let guarded: string;
      let end: () => void;
      let tls: TlsOptions;
      before(async () => {
        const [certificate = '', key = ''] = [files[1], files[3]].map(file => readFileSync(String(file), 'utf8'));
        tls = { cert: certificate, key, ca: certificate };
        const port = Number(new URL(fake.url).port);
        const server = createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, socket => {
          pipeline(socket, connect(port, '127.0.0.1'), socket).catch(() => {}); // either side may leave first
        });
        guarded = (await listening(server)).replace('http:', 'https:');
        end = () => server.close();
      });
      after(() => end());

      it('for requests, the control API and events', async () => {
        const connected = await connectFake(guarded, tls);
        const sandbox = connected.sandbox('guarded');
        const events = sandbox.events();
        const first = events.next();
        expect(
          (await sandbox.client('carol').ppf.push({ body: { users: ['alice'], filters: [10500] } })).status,
        ).to.equal(403);
        expect((await first).value).to.have.property('type');
        expect(await sandbox.journal()).to.have.length(1);
        await events.return?.();
        await connected.stop();
      });

      it('for a fallback', async () => {
        const falling = await startFake({ restApi: false, fallback: guarded, fallbackTls: tls });
        const { json } = await send(`${falling.url}/rest/api/space/ds`);
        expect(json).to.include({ key: 'ds' });
        await falling.stop();
      });

      it('and only then', async () => {
        const { cert: _, key: __, ...trusting } = tls;
        expect((await failure(connectFake(guarded, trusting), FakeError)).message).to.match(
          /requires a client certificate: give .* cert and key/,
        );
        expect((await failure(connectFake(guarded), FakeError)).message).to.match(/its certificate is not trusted/);
      });

      it('refuse what is no certificate and key', async () => {
        for (const [options, says] of [
          [{ cert: 'x' }, /cert and key need each other/],
          [{ cert: 'x', key: 'y' }, /not a certificate and key in PEM/],
          [{ ca: 'x' }, /ca is not a certificate in PEM/],
        ] as const) {
          expect((await failure(connectFake(guarded, options), FakeError)).message).to.match(says);
          expect((await failure(startFake({ fallback: guarded, fallbackTls: options }), FakeError)).message).to.match(
            says,
          );
        }
      });
    });

    it('are refused what is no certificate and key', async () => {
      const [certFlag = '', certificate = '', , key = ''] = files;
      for (const [flags, says] of [
        [[certFlag, certificate], /--client-cert and --client-key/],
        [[certFlag, 'no.pem', '--client-key', 'no.pem'], /--client-cert no\.pem: /],
        [[certFlag, key, '--client-key', key], /cannot be used/],
      ] as const)
        expect(await refusalOf(run(['conform', '--target', url, ...flags]))).to.match(says);
    });
  });
});
