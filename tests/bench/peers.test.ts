// The peers of the bench: which are left out and why, how they are started and watched, and their table. Measures nothing itself.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startAnswering } from '../../bench/harness/other-program.js';
import { send } from '../../bench/harness/requests.js';
import { peersTable } from '../../bench/measurements/peers.js';
import { mockServers, packages, versionOf } from '../../bench/peers/mock-servers.js';
import { shareOf } from '../support/measuring/statistics.js';

const jsonIn = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'peers-'));
});
after(() => rmSync(folder, { recursive: true }));

describe('the mock servers of the bench', () => {
  it('are left out, with a hint, if a package or a program is missing', () => {
    const [wiremock, , prism] = mockServers;
    if (wiremock === undefined || prism === undefined) throw new Error('WireMock and Prism are not measured');
    expect(versionOf(prism, () => true, folder)).to.deep.equal({
      problem: '@stoplight/prism-cli is not installed: npm run bench:peers',
    });
    mkdirSync(join(folder, 'node_modules', 'wiremock'), { recursive: true });
    writeFileSync(join(folder, 'node_modules', 'wiremock', 'package.json'), '{ "version": "3.1.4" }');
    expect(versionOf(wiremock, () => false, folder)).to.deep.equal({ problem: 'there is no java on PATH' });
    expect(versionOf(wiremock, name => name === 'java', folder)).to.deep.equal({ version: '3.1.4' });
  });

  it('are pinned in a package of their own without registry addresses, and are no dependency of cwx-fake', () => {
    const { dependencies } = jsonIn(packages, 'package.json');
    expect(new Set(mockServers.map(server => server.package))).to.deep.equal(new Set(Object.keys(dependencies)));
    for (const version of Object.values(dependencies)) expect(version).to.match(/^\d+\.\d+\.\d+$/);
    const lock = jsonIn(packages, 'package-lock.json');
    expect(lock.packages[''].dependencies).to.deep.equal(dependencies);
    expect(Object.values<object>(lock.packages).filter(entry => 'resolved' in entry)).to.deep.equal([]);
    const root = jsonIn('package.json');
    expect({ ...root.dependencies, ...root.devDependencies }).to.not.have.any.keys(Object.keys(dependencies));
  });
});

describe('a peer server', () => {
  const program = (source: string) => ({ command: (port: number) => [process.execPath, '-e', source, String(port)] });
  const line = 'POST\t/a\t{"b":1}';

  it('is polled until it answers correctly, measured from outside, and stopped', async () => {
    const server = await startAnswering(
      program(`let asked = 0;
        require('node:http').createServer((request, response) => {
          asked += 1;
          response.writeHead(asked < 3 ? 503 : request.method === 'POST' && request.url === '/a' ? 200 : 404).end();
        }).listen(process.argv[1], '127.0.0.1');`),
      line,
    );
    expect(await send(server.url, line)).to.equal(200);
    expect(await send(server.url, 'GET\t/a\t')).to.equal(404);
    const { cpu, rss } = await server.usage();
    if (process.platform === 'linux') expect(Math.min(cpu, rss)).to.be.greaterThan(0);
    await server.stop();
    const gone = await send(server.url, line).then(String, String);
    expect(gone).to.include('ECONNREFUSED');
  });
});

describe('the table of the peers', () => {
  const result = (rates: number[], starts: number[], errors = 0) => ({
    ...{ rates, starts, errors, costs: [40, 50, 60], rss: 64 * 2 ** 20, p50: 1.234, p99: 9.876 },
  });

  it('has a row for each, with ratios within each round, and lists what was skipped', () => {
    const usual = result([2_000, 4_000, 6_000], [100, 100]);
    const results = [usual, usual, result([1_000, 2_000, 3_000], [150, 170], 7)];
    const named = ['bare Koa', 'the usual stack', 'cwx-fake'].map(name => ({ name }));
    const { rows, note } = peersTable(named, results, ['Skipped: Prism: it is not installed.']);
    expect(rows[2]?.slice(0, 3)).to.deep.equal(['cwx-fake (**7 errors**)', '2,000', '50 %']);
    expect(note).to.include('Skipped: Prism: it is not installed.');
    expect(shareOf([1, 2, 9], [2, 4, 3])).to.equal(0.5);
  });
});
