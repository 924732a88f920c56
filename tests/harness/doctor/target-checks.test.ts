// `cwx-fake doctor --target`: a running fake, one that is away, and stand-ins with one weakness each.

import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import { resultsOf } from '../../../harness/doctor/check.js';
import { askTarget, targetChecks } from '../../../harness/doctor/target-checks.js';
import { packageVersion } from '../../../server/process/package.js';
import { run } from '../../support/processes/commands.js';
import { REFUSED } from '../../support/wire/connection-failures.js';
import { listening, serving } from '../../support/wire/server.js';
import { collected, expectFinding, type Finding, findingsOf } from './findings.js';

const TOKEN = 'b1946ac92492d2347c6235b4d2611184';

describe('the checks of a running fake', () => {
  const servers: Server[] = [];
  after(() => {
    for (const server of servers) server.close();
  });
  const doctor = (url: string, ...args: string[]) => run(['doctor', '--json', '--target', url, ...args]);

  /** A server that has this health. */
  async function standIn(health: object, { status = 200, date = new Date() } = {}): Promise<string> {
    const server = createServer((request, response) => {
      const isHealth = request.url === '/_fake/health';
      response.setHeader('Date', date.toUTCString()).writeHead(isHealth ? status : 404);
      response.end(isHealth ? JSON.stringify(health) : '{}');
    });
    servers.push(server);
    return listening(server);
  }
  const health = { status: 'ok', version: packageVersion(), scenario: 'small-team', store: 'memory' };

  it('find nothing in a sound fake, and name its profile', async () => {
    const server = await serving(undefined, { profile: 'strict' });
    const { code, stdout, stderr } = await run(['doctor', '--target', `${server.url}/`]);
    await server.stop();
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout.split('\n')).to.deep.equal([
      `✔ target · ${server.url}, scenario small-team, profile strict`,
      '✔ store · memory',
      `✔ version · ${packageVersion()}`,
      '✔ control',
      '✔ clock',
      '✔ 5 passed, 0 warnings, 0 failed',
      '',
    ]);
  });

  it('use the control token, and report a wrong one', async () => {
    const server = await serving(undefined, { 'control-token': TOKEN });
    expect((await run(['doctor', '--target', server.url])).stdout).to.match(
      /profile unknown without control API or token/,
    );
    const right = await run(['doctor', '--target', server.url, '--control-token', TOKEN]);
    expect(right.code).to.equal(0);
    expect(right.stdout).to.include('profile lenient').and.not.include(TOKEN);
    const wrong = await doctor(server.url, '--control-token', 'wrong');
    expect(wrong.code).to.equal(1);
    expect(findingsOf(wrong.stdout).map(({ check }) => check)).to.deep.equal(['control-token']);
    await server.stop();
  });

  it('report a fake that is away, with exit code 4', async () => {
    const server = await serving();
    await server.stop();
    const { code, stdout, stderr } = await doctor(server.url);
    expect({ code, stderr }).to.deep.equal({ code: 4, stderr: '' });
    const [{ check, message }] = findingsOf(stdout) as [Finding];
    expect({ check, message }).to.deep.equal({
      check: 'reachable',
      message: `${server.url} does not respond: ${REFUSED}.`,
    });
  });

  /** Stand-ins, each with its one finding as check, verdict, message and fix. */
  const weak: Readonly<Record<string, readonly [standIn: () => Promise<string>, finding: RegExp]>> = {
    'a clock ahead': [
      () => standIn(health, { date: new Date(Date.now() + 120_000) }),
      /^clock warning: The clock of the fake is (?:119|120|121) s ahead of the clock here\. .*NTP/,
    ],
    'a clock behind': [
      () => standIn(health, { date: new Date(Date.now() - 7_200_000) }),
      /^clock warning: The clock of the fake is 7\d\d\d s behind the clock here\. .*NTP/,
    ],
    'another version': [
      () => standIn({ ...health, version: '9.9.9' }),
      /^version warning: The fake has version 9\.9\.9, and this command has version .*npx cwx-fake@9\.9\.9$/,
    ],
    'a store that is away': [
      () => standIn({ ...health, status: 'waiting', store: 'redis://r:6379', trouble: 'ECONNREFUSED' }),
      /^store failed: The store redis:\/\/r:6379 is not available: ECONNREFUSED\. Start the store/,
    ],
    'another server': [
      () => standIn({ status: 'UP' }),
      /^target failed: http:\S+ is not a cwx-fake: GET \/_fake\/health returned 200\. Correct the URL of --target\.$/,
    ],
    'a name that is not allowed': [
      () => standIn({}, { status: 421 }),
      /^target failed: The fake refuses the host name 127\.0\.0\.1\. Start it with --allow-host 127\.0\.0\.1, or use its address\.$/,
    ],
  };
  for (const [what, [begin, finding]] of Object.entries(weak))
    it(`find ${what}, and name the fix`, async () => expectFinding(doctor(await begin()), finding));

  it('find a control API without a token beyond this machine', async () => {
    const server = await serving();
    const target = { ...(await askTarget(server.url)), url: new URL('http://192.0.2.7:8080') };
    await server.stop();
    const findings = await collected(resultsOf(targetChecks, target));
    expect(findings.map(({ check, message }) => [check, message])).to.deep.equal([
      ['control', 'Anyone who can reach 192.0.2.7 can control the fake and read its journal without a token.'],
    ]);
  });
});
