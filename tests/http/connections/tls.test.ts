// HTTPS with a generated or a given certificate: real clients that trust it connect, to operations and control API alike; others
// do not.
import { execFile as begin } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { selfSigned } from '../../../server/http/connections/self-signed.js';
import { startFake } from '../../../server/index.js';
import { scratch } from '../../support/files/scratch.js';
import { run } from '../../support/processes/commands.js';
import { hasProgram } from '../../support/processes/programs.js';
import { selfSigned as byOpenssl } from '../../support/wire/certificates.js';
import { serving } from '../../support/wire/server.js';

describe('a generated certificate', () => {
  it('is valid for its hosts and for no other', () => {
    const { certificate } = selfSigned(['localhost', '127.0.0.1', '::1', '2001:db8::7', 'fake.test']);
    const read = new X509Certificate(certificate);
    expect(read.ca).to.equal(true);
    expect(read.verify(read.publicKey)).to.equal(true);
    for (const host of ['localhost', 'fake.test']) expect(read.checkHost(host)).to.equal(host);
    expect(read.checkHost('evil.test')).to.equal(undefined);
    for (const address of ['127.0.0.1', '::1', '2001:db8::7']) expect(read.checkIP(address), address).to.equal(address);
    expect(read.checkIP('127.0.0.2')).to.equal(undefined);
    expect(new Date(read.validTo).getTime()).to.be.within(Date.now() + 29 * 86_400_000, Date.now() + 31 * 86_400_000);
  });
});

describe('a server with --tls', () => {
  it('is accepted by Node, curl and Python if they trust its certificate, and refused otherwise', async function () {
    if (!hasProgram('curl', 'curl') || !hasProgram('python3', 'python3')) this.skip();
    const running = await serving('small-team', { tls: true });
    const { url, tls } = running;
    expect(url).to.match(/^https:\/\/127\.0\.0\.1:\d+$/);
    const { certificate = '', file = '' } = tls ?? {};
    const asking = request(`${url}/_fake/v1/guide`, { ca: certificate }).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    expect(await text(response)).to.contain(`${url}/rest/cwxapiextension/latest`);
    const curl = (...args: string[]) => execFile('curl', ['-sS', '--cacert', file, ...args]);
    expect(
      await curl(
        '-u',
        'admin:admin',
        '--json',
        '{"users":["alice"],"filters":[10500]}',
        `${url}/rest/cwx-ppf/latest/push`,
      ),
    ).to.equal('{"success":true,"messages":[]}');
    expect((await run(['journal', '--url', url])).stderr).to.match(
      /its certificate is not trusted .* NODE_EXTRA_CA_CERTS/,
    );
    const python =
      'import ssl, sys, urllib.request as u; c = ssl.create_default_context(cafile=sys.argv[1]); c.verify_flags |= ssl.VERIFY_X509_STRICT; print(u.urlopen(sys.argv[2], context=c).status)';
    expect(await execFile('python3', ['-c', python, file, `${url}/_fake/health`])).to.equal('200\n');
    expect(await execFile('curl', ['-sS', url]).catch(error => String(error))).to.match(/certificate/);
    const plain = connect(Number(new URL(url).port), '127.0.0.1'); // no cipher in common, and the shutdown does not wait for it
    await once(plain, 'connect');
    plain.on('error', () => {});
    await running.stop();
    expect(existsSync(file)).to.equal(false);
  });

  it('uses the given certificate, in a program too', async () => {
    const folder = scratch();
    const { certificate, key } = byOpenssl(folder.path);
    const fake = await startFake({ tlsCert: certificate, tlsKey: key });
    expect(fake.certificate).to.equal(readFileSync(certificate, 'utf8'));
    const asking = request(`${fake.url}/_fake/health`, { ca: fake.certificate }).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    expect({ statusCode: response.statusCode, status: JSON.parse(await text(response)).status }).to.deep.equal({
      statusCode: 200,
      status: 'ok',
    });
    await fake.stop();
    folder.drop();
  });

  it('reports an invalid certificate', async () => {
    const folder = scratch({ 'a.pem': 'not one', 'other/.keep': '' });
    const { certificate, key } = byOpenssl(folder.path);
    const other = byOpenssl(`${folder.path}/other`);
    const says = async (...flags: string[]) => {
      const { code, stderr } = await run(['serve', '--port', '0', ...flags]);
      expect(code).to.equal(2);
      return stderr;
    };
    expect(await says('--tls-cert', `${folder.path}/a.pem`, '--tls-key', key)).to.contain(
      'they are not a certificate and key in PEM',
    );
    expect(await says('--tls-cert', certificate, '--tls-key', other.key)).to.contain(
      'the key does not match the certificate',
    );
    expect(await says('--tls-cert', `${folder.path}/none.pem`, '--tls-key', key)).to.match(
      /--tls-cert \S+none\.pem: No such file or folder\./,
    );
    expect(await says('--tls-cert', certificate)).to.contain('--tls-cert and --tls-key must be given together');
    folder.drop();
  });
});

function execFile(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) =>
    begin(program, args, (error, stdout) => (error ? reject(error) : resolve(stdout))),
  );
}
