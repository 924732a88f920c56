// What `cwx-fake serve` prints and requires when it listens beyond loopback.

import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { LENIENT } from '../../support/processes/command-line.js';
import { endAll, launch } from '../../support/processes/commands.js';
import { send, sendJson } from '../../support/wire/server.js';

const SCENARIOS = '/_fake/v1/scenarios';

describe('listening beyond loopback', () => {
  after(endAll);
  const statusOf = async (url: string, token?: string) =>
    (await send(url + SCENARIOS, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })).status;

  it('creates a control token and prints it on standard error only', async () => {
    const server = await launch(['--host', '0.0.0.0']);
    await server.says(/token: \S+\n/);
    const [, token = ''] =
      /^0\.0\.0\.0 is not a loopback address; control token: (\S{24})\n/.exec(server.stderr()) ?? [];
    const next = await launch(['--host', '0.0.0.0']);
    await next.says(/token: \S+\n/);
    expect(next.stderr(), 'another token').not.to.equal(server.stderr());
    expect(server.stdout()).to.equal(`cwx-fake listening on ${server.url} (scenario small-team)\n`);
    const url = server.url.replace('0.0.0.0', '127.0.0.1');
    expect(await statusOf(url)).to.equal(401);
    expect(await statusOf(url, token)).to.equal(200);
    expect(
      (await sendJson(`${url}/rest/cwx-ppf/latest/push`, 'POST', { users: ['alice'], filters: [10500] }, 'admin'))
        .status,
    ).to.equal(200);
  });

  it('prints no token if one was given or there is no control API', async () => {
    for (const args of [
      ['--control-token', 'open-sesame'],
      ['--control', 'off'],
    ]) {
      const server = await launch(['--host', '0.0.0.0', ...args]);
      const url = server.url.replace('0.0.0.0', '127.0.0.1');
      expect(await statusOf(url, 'open-sesame')).to.equal(args.includes('off') ? 404 : 200);
      expect((await server.signal('SIGTERM')).stderr).to.equal(LENIENT);
    }
  });

  it('requires no token on loopback, IPv6 included', async function () {
    const hasIpv6 = Object.values(networkInterfaces())
      .flat()
      .some(face => face?.address === '::1');
    if (!hasIpv6) return this.skip();
    const server = await launch(['--host', '::1']);
    expect(server.url).to.match(/^http:\/\/\[::1\]:\d+$/);
    expect(await statusOf(server.url)).to.equal(200);
    expect((await server.signal('SIGTERM')).stderr).to.equal(LENIENT);
  });
});
