// What `cwx-fake serve` prints and requires when it listens beyond loopback, and the format of its log.

import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { scratch } from '../../support/files/scratch.js';
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
    expect(server.stdout()).to.equal(`cwx-fake listening on ${server.url} (scenario small-team)\n`);
    const url = server.url.replace('0.0.0.0', '127.0.0.1');
    expect(await statusOf(url)).to.equal(401);
    expect(await statusOf(url, token)).to.equal(200);
    expect(
      (await sendJson(`${url}/rest/cwx-ppf/latest/push`, 'POST', { users: ['alice'], filters: [10500] }, 'admin'))
        .status,
    ).to.equal(200);
  });

  it('creates a different token each time', async () => {
    const servers = await Promise.all([1, 2].map(() => launch(['--host', '0.0.0.0'])));
    await Promise.all(servers.map(server => server.says(/token: \S+\n/)));
    const [first, second] = servers.map(server => server.stderr());
    expect(first).not.to.equal(second);
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

describe('the log', () => {
  after(endAll);

  /** Makes the scenario of a watching server invalid and returns what the server then logged. */
  async function logOf(how: string, pattern: RegExp): Promise<string> {
    const folder = scratch({ 'scenarios/story.yaml': 'title: A story\nfixture: small-team\n' });
    const server = await launch(['story', '--watch', '--log', how], { cwd: folder.path });
    folder.write('scenarios/story.yaml', 'titel: A story\n');
    await server.says(pattern);
    const { stdout, stderr } = await server.signal('SIGTERM');
    folder.drop();
    expect(stdout).to.match(/^cwx-fake listening on \S+ \(scenario story\)\n$/);
    return stderr;
  }

  it('is plain text, without colours unless a terminal reads it', async () => {
    const text = await logOf('pretty', /titel/);
    expect(text.replace(LENIENT, '')).to.match(
      /^\[\d\d:\d\d:\d\d\] ERROR: the changed scenario cannot be loaded, so the old one stays:\n/,
    );
    expect(text).to.match(/^ *scenarios\/story\.yaml:1:1: .*"title"/m);
    expect(text).not.to.contain('\u001b');
  });

  it('is one JSON object per line', async () => {
    const lines = (await logOf('json', /titel/)).trimEnd().split('\n');
    const said = lines.map(line => JSON.parse(line) as { level: number; msg: string });
    expect(said.map(({ level }) => level)).to.deep.equal([30, 50, 30]); // started, an error, stopped
    expect(said[1]?.msg).to.contain('scenarios/story.yaml:1:1: ');
  });
});
