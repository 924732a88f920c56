// `cwx-fake health` finds the server that `serve` starts with the same flags and variables.
import { createServer } from 'node:http';
import { expect } from 'chai';
import { healthUrl, servingArgs } from '../../../cli/set-up/health-command.js';
import { run as runProcess } from '../../support/processes/command-line.js';
import { endAll, launch, refusalOf, run } from '../../support/processes/commands.js';
import { listening } from '../../support/wire/server.js';

describe('cwx-fake health', () => {
  after(endAll);

  const portOf = (url: string) => new URL(url).port;

  it('passes for a server on a port given by flag or variable: 0', async () => {
    const { url } = await launch();
    const port = portOf(url);
    const healthy = { code: 0, stdout: `healthy: ${url}\n`, stderr: '' };
    expect(await run(['health', '--port', port])).to.deep.equal(healthy);
    expect(await run(['health'], { env: { CWX_FAKE_PORT: port } })).to.deep.equal(healthy);
    expect(await run(['health', '--port', port], { env: { CWX_FAKE_PORT: '1' } })).to.deep.equal(healthy);
  });

  it('passes for a server with --tls, and on any host: 0', async () => {
    const { url } = await launch(['--tls', '--host', '0.0.0.0', '--control', 'open']);
    const words = ['health', '--tls', '--host', '0.0.0.0', '--port', portOf(url)];
    expect((await run(words)).code).to.equal(0);
    const env = { CWX_FAKE_TLS: '1', CWX_FAKE_HOST: '0.0.0.0', CWX_FAKE_PORT: portOf(url) };
    expect((await run(['health'], { env })).code).to.equal(0);
  });

  it('connects directly where Node uses a proxy for all requests: 0', async () => {
    const { url } = await launch();
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' };
    const { code, stdout } = await runProcess(['health', '--port', portOf(url)], { env });
    expect({ code, stdout }).to.deep.equal({ code: 0, stdout: `healthy: ${url}\n` });
  });

  it('fails if nothing listens: 4', async () => {
    expect(await refusalOf(run(['health', '--port', '9']), 4)).to.match(
      /^cwx-fake health: http:\/\/127\.0\.0\.1:9 does not respond: /,
    );
  });

  for (const [what, status, body, says] of [
    ['its store is away', 503, '{"status":"waiting","trouble":"ECONNREFUSED"}', 'returned 503: waiting: ECONNREFUSED'],
    ['it is another server', 200, '<html>', 'returned 200: this is not a cwx-fake'],
  ] as const)
    it(`fails if ${what}: 1`, async () => {
      const server = createServer((_, response) => response.writeHead(status).end(body));
      const port = portOf(await listening(server));
      expect(await refusalOf(run(['health', '--port', port]), 1)).to.contain(says);
      server.close();
    });

  for (const [line, args] of [
    ['node /usr/local/bin/cwx-fake serve --host 0.0.0.0 --port 9000', ['--host', '0.0.0.0', '--port', '9000']],
    ['/sbin/tini -- node /opt/dist/server/cli.js unlicensed --tls', ['unlicensed', '--tls']],
    ['npm start', undefined],
    ['/sbin/init', undefined],
  ] as const)
    it(`reads the flags of the container's process 1: ${line}`, () => {
      expect(servingArgs(`${line.split(' ').join('\0')}\0`)).to.deep.equal(args);
    });

  for (const [values, url] of [
    [{}, 'http://127.0.0.1:8080/_fake/health'],
    [{ host: '::' }, 'http://[::1]:8080/_fake/health'],
    [{ host: '10.0.0.7', port: '9000' }, 'http://10.0.0.7:9000/_fake/health'],
    [{ 'tls-cert': 'cert.pem' }, 'https://127.0.0.1:8080/_fake/health'],
  ] as const)
    it(`asks ${url} with ${JSON.stringify(values)}`, () => {
      expect(healthUrl(values).href).to.equal(url);
    });
});
