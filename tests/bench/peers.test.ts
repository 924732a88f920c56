// The peers of the bench: which are left out and why, how they are started and watched, and their tables. Measures nothing
// itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startAnswering } from '../../bench/harness/other-program.js';
import { send } from '../../bench/harness/single-request.js';
import { type Measured, peersTable, ratiosTable } from '../../bench/measurements/peers-tables.js';
import { type MockServer, mockServers, packages, versionOf } from '../../bench/peers/mock-servers.js';
import { shareOf } from '../support/measuring/statistics.js';

const jsonIn = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'peers-'));
});
after(() => rmSync(folder, { recursive: true }));

const measured = (name: string, rates: number[], starts: number[], errors = 0): Measured => ({
  ...{ name, rates, starts, errors, costs: [40, 50, 60], early: [900, 1_100], rss: 64 * 2 ** 20, others: 0.04 },
  ...{ p50: 1.234, p99: 9.876, warming: { requests: 61_234, seconds: 22 } },
});

describe('the mock servers of the bench', () => {
  const { wiremock, prism } = mockServers as { wiremock: MockServer; prism: MockServer };

  it('are left out, with a hint, if a package or a program is missing', () => {
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
    expect(new Set(Object.values(mockServers).map(server => server.package))).to.deep.equal(
      new Set(Object.keys(dependencies)),
    );
    for (const version of Object.values(dependencies)) expect(version).to.match(/^\d+\.\d+\.\d+$/);
    const lock = jsonIn(packages, 'package-lock.json');
    expect(lock.packages[''].dependencies).to.deep.equal(dependencies);
    expect(Object.values<object>(lock.packages).filter(entry => 'resolved' in entry)).to.deep.equal([]);
    const root = jsonIn('package.json');
    expect({ ...root.dependencies, ...root.devDependencies }).to.not.have.any.keys(Object.keys(dependencies));
  });

  it('listen on loopback only, at the given port', () => {
    const asked = { paths: ['/a', '/b'], group: 'g', openapi: 'openapi.json', folder };
    for (const { name, command } of Object.values(mockServers)) {
      const line = command(4567, asked, 4568);
      expect(line, name).to.include('127.0.0.1');
      expect(line.includes('4567') || name === 'mountebank', name).to.equal(true);
    }
    expect(jsonIn(folder, 'mountebank.json').imposters[0]).to.include({ host: '127.0.0.1', port: 4567 });
    expect(jsonIn(folder, 'wiremock', 'mappings', '1.json').request.urlPath).to.equal('/b');
    expect(jsonIn(folder, 'mockoon.json').routes).to.have.length(2);
  });
});

describe('a peer server', function () {
  this.timeout(30_000);
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

  it('fails with its own output if it ends', async () => {
    const failed = await startAnswering(program("throw new Error('no such document')"), line).then(
      () => 'started',
      String,
    );
    expect(failed).to.include('no such document').and.to.include('ECONNREFUSED');
  });
});

describe('the bench’s load generator', function () {
  this.timeout(30_000);

  it('accepts chunked responses', async () => {
    const server = createServer((request, response) => {
      request.resume().once('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{');
        setImmediate(() => response.end('}'));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const requests = join(folder, 'chunked.requests');
    writeFileSync(requests, 'POST\t/a\t{"b":1}\n');
    const args = ['--import', 'tsx', 'bench/load/sockets.ts', url, requests, 'Basic YTph', '5', '0', '100'];
    const load = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const said = (await load.stdout.toArray()).join('');
    server.close();
    expect(JSON.parse(said.trimEnd().split('\n').at(-1) ?? '')).to.include({ requests: 100, errors: 0 });
  });
});

describe('the tables of the peers', () => {
  const koa = measured('bare Koa', [1_000, 2_000, 3_000], [100, 100]);
  const fake = measured('cwx-fake', [800, 1_000, 1_200], [150, 170]);
  const wiremock = measured('WireMock', [100, 125, 100], [900, 1_000], 7);

  it('have a row for each, with ratios within each round, and list what was skipped and how long it was warmed up', () => {
    const { rows, note } = peersTable({ koa, fake, wiremock }, ['Skipped: Prism: it is not installed.']);
    expect(rows[1]).to.deep.equal([
      ...['cwx-fake', '1,000', '50 %', '50', '1.23', '9.88', '1,000', '160', '64.0 MiB', '4 %'],
    ]);
    expect(rows[2]?.[0]).to.equal('WireMock (**7 errors**)');
    expect(note).to.include('Skipped: Prism: it is not installed.');
    expect(note).to.include('WireMock is warmed by 61,200 requests in 22 s.');
    expect(peersTable({ koa, fake }, []).note).to.not.include('WireMock');
  });

  it('show the ratios of the design with their targets', () => {
    const wiremockAsOthers = measured('WireMock', [80, 100, 80], [900, 1_000]);
    expect(ratiosTable({ koa, fake, wiremock, wiremockAsOthers }).rows).to.deep.equal([
      ['requests a second, of bare Koa', '≥ 0.6 ×', '0.50 ×'],
      ['requests a second, of WireMock with its journal, warm', '≥ 4 ×', '8.00 ×'],
      ['the same, after as many requests as the others', '', '10.00 ×'],
      ['start to the first response, of bare Koa', '≤ 1.75 ×', '1.60 ×'],
    ]);
    expect(ratiosTable({ koa, fake }).rows[1]?.[2]).to.equal('not measured');
  });

  it('compare values of the same round', () => {
    expect(shareOf([1, 2, 9], [2, 4, 3])).to.equal(0.5);
    expect(shareOf([1], [])).to.be.NaN;
  });
});
