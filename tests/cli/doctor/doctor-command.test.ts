// `cwx-fake doctor` as a user starts it: its output, its exit code and what it leaves behind.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { doctorOptions } from '../../../server/cli/doctor/doctor-flags.js';
import { exitCodeOf } from '../../../server/cli/doctor/doctor-run.js';
import type { Judgement } from '../../../server/doctor/attack.js';
import { attackNames } from '../../../server/doctor/attacks.js';
import { DROP_MS } from '../../../server/doctor/run-attacks.js';
import type { Running } from '../../../server/process/start.js';
import { scratch } from '../../support/files/scratch.js';
import { built } from '../../support/processes/built.js';
import { beginning, endAll } from '../../support/processes/command-line.js';
import { run } from '../../support/processes/commands.js';
import { serving } from '../../support/wire/server.js';

const quick = ['--patience', '3'];

describe('cwx-fake doctor', function () {
  this.timeout(120_000);
  let server: Running;
  let open: Running;
  before(async () => {
    await built();
    server = await serving(undefined, { 'headers-timeout': '1', 'request-timeout': '1' });
    open = await serving(undefined, { 'allow-host': ['any'] });
  });
  after(async () => {
    endAll();
    await server.stop();
    await open.stop();
  });
  const doctor = (url: string, ...args: string[]) => run(['doctor', '--target', url, ...args]);

  it('reports the result of each attack, and exits with 0', async () => {
    const { code, stdout, stderr } = await doctor(server.url, ...quick);
    expect(code, stdout).to.equal(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.slice(0, -1).map(line => /^[✔–] (\S+) · \S/.exec(line)?.[1])).to.deep.equal(attackNames);
    expect(lines.at(-1)).to.match(/^✔ How safe http:\S+ is: \d\d passed, 0 failed, [34] undetermined$/);
    expect(stdout).to.match(/^✔ foreign-host · 10 tries: 10 × 421$/m);
    expect(stderr).to.equal('Waiting for slow connections, at most 3 s (--patience).\n');
    expect(stdout).not.to.include('\u001b');
    expect(server.session.list().map(({ name }) => name)).to.deep.equal(['default']);
  });

  it('gives itself less than 15 s unless it is thorough', () => {
    const { isThorough, longest } = doctorOptions({}).examination;
    expect(isThorough).to.equal(false);
    expect(longest + DROP_MS).to.be.below(15_000);
    for (const values of [{ thorough: true }, { patience: '75' }, { only: ['secrets'] }])
      expect(doctorOptions(values).examination).to.include({ isThorough: true, longest: 195_000 });
  });

  it('skips what waits unless it is thorough, and lists it', async () => {
    const patient = await serving();
    const { code, stdout, stderr } = await doctor(patient.url);
    expect([code, stderr]).to.deep.equal([0, '']);
    const passedOver = stdout.split('\n').filter(line => line.includes(': give --thorough'));
    expect(passedOver.map(line => /^– (\S+) · (.*)$/.exec(line)?.slice(1))).to.deep.equal(
      ['slow-headers', 'slow-body', 'silent-connection'].map(name => [
        name,
        'it waits for up to 75 s: give --thorough',
      ]),
    );
    await patient.stop();
    const waited = await doctor(server.url, '--thorough', '--only', 's*');
    expect([waited.code, waited.stderr]).to.deep.equal([
      0,
      'Waiting for slow connections, at most 75 s (--patience).\n',
    ]);
    expect(waited.stdout).to.match(/^✔ slow-body · closed after \d/m);
    expect(waited.stdout).to.match(/: 6 passed, 0 failed, 0 undetermined$/m);
  });

  const codes: ReadonlyArray<readonly [judgements: readonly Judgement[], isCutShort: boolean, code: number]> = [
    [['passed', 'not applicable', 'not finished'], false, 0],
    [['passed', 'open', 'failed to ask'], false, 1],
    [['not applicable', 'not finished'], false, 3],
    [['passed', 'not finished'], true, 3],
    [['passed', 'not finished', 'failed to ask'], false, 4],
  ];
  for (const [judgements, isCutShort, code] of codes)
    it(`exits with ${code} if attacks are ${judgements.join(', ')}${isCutShort ? ', and it was interrupted' : ''}`, () => {
      expect(
        exitCodeOf(
          judgements.map(judgement => ({ judgement })),
          isCutShort,
        ),
      ).to.equal(code);
    });

  it('reports what each open finding sent and received and how to fix it, and exits with 1', async () => {
    const { code, stdout, stderr } = await doctor(open.url, '--only', 'foreign-*');
    expect([code, stderr]).to.deep.equal([1, '']);
    const lines = stdout.split('\n');
    expect(lines[0]).to.equal('✘ foreign-host · 10 tries: 10 × 200');
    expect(lines[1]).to.equal(
      '    not so: A web page that binds its own name to this address (DNS rebinding) is not answered.',
    );
    expect(lines.filter(line => line.includes('sent'))).to.deep.equal([
      '    sent  GET / | Host: doctor.example',
      `    sent  GET /_fake/health | Host: doctor.example:${new URL(open.url).port}`,
      '    sent  GET /_fake/v1/sandboxes | Host: localhost.doctor.example',
    ]);
    expect(lines[3]).to.match(/^ {4}seen {2}200 cwx-fake /);
    expect(stdout).to.match(/^ {4}and 7 more$/m);
    expect(stdout).to.match(/^ {4}do {4}Leave --allow-host any out; /m);
    expect(stdout).to.match(
      /^✔ foreign-origin · 6 tries: 6 × 403\n✔ foreign-operations · 8 tries: 8 × 403\n✘ .*: 2 passed, 1 failed, 0 undetermined\n$/m,
    );
  });

  it('prints everything as JSON, and writes reports', async () => {
    const folder = scratch({});
    const reports = `junit=${join(folder.path, 'a.xml')},ctrf=${join(folder.path, 'a.json')}`;
    const { code, stdout } = await doctor(
      open.url,
      '--only',
      'foreign-*',
      '--only',
      'wrong-token',
      '--json',
      '--report',
      reports,
    );
    expect(code).to.equal(1);
    const json = JSON.parse(stdout) as {
      target: string;
      attacks: ReadonlyArray<{
        name: string;
        judgement: string;
        trials: ReadonlyArray<{ sent: string; seen: string; open: boolean }>;
      }>;
    };
    expect(json.target).to.equal(open.url);
    expect(json.attacks.map(({ name, judgement, trials }) => [name, judgement, trials.length])).to.deep.equal([
      ['wrong-token', 'not applicable', 0],
      ['foreign-host', 'open', 10],
      ['foreign-origin', 'passed', 6],
      ['foreign-operations', 'passed', 8],
    ]);
    expect(json.attacks[1]?.trials[0]).to.include({ sent: 'GET / | Host: doctor.example', open: true });
    const xml = readFileSync(join(folder.path, 'a.xml'), 'utf8');
    expect(xml).to.match(/<testsuites name="How safe \S+ is" tests="4" failures="1"/);
    expect(xml).to.include('not so: A web page');
    const { results } = JSON.parse(readFileSync(join(folder.path, 'a.json'), 'utf8')) as {
      results: { summary: object };
    };
    expect(results.summary).to.include({ tests: 4, passed: 2, failed: 1, skipped: 1 });
    folder.drop();
  });

  it('uses colours if they are requested', async () => {
    const { stdout } = await run(['doctor', '--target', server.url, '--only', 'foreign-host'], {
      env: { FORCE_COLOR: '1' },
    });
    expect(stdout).to.include('\u001b[32m✔\u001b[39m foreign-host\u001b[2m · 10 tries');
  });

  it('exits with 3 if no attack could run, with 4 if the target does not answer', async () => {
    const nothing = await doctor(server.url, '--only', 'wrong-token');
    expect([nothing.code, nothing.stdout]).to.deep.equal([
      3,
      `– wrong-token · no token is due here\n– How safe ${server.url} is: 0 passed, 0 failed, 1 undetermined\n`,
    ]);
    const nobody = await doctor('http://127.0.0.1:1');
    expect([nobody.code, nobody.stdout]).to.deep.equal([4, '']);
    expect(nobody.stderr).to.match(/^127\.0\.0\.1:1 does not answer: the connection is refused$/m);
  });

  it('refuses a target that is not a fake, and reports invalid flags', async () => {
    const other = createServer((_, response) => response.end('hello'));
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`; // it listens on a port, so it is not a pipe
    const refused = await doctor(url, '--only', 'foreign-host');
    other.close();
    expect([refused.code, refused.stdout, refused.stderr]).to.deep.equal([
      2,
      '',
      `${url} is no cwx-fake: /_fake/health answers 200. The doctor attacks nothing else.\n`,
    ]);
    const wrong = await run([
      'doctor',
      ...['--target', 'http://127.0.0.1:1/wiki'],
      ...['--only', 'foreign-hosts'],
      ...['--patience', '0'],
      ...['--connections', '3'],
    ]);
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.match(
      /--target is "http:\/\/127\.0\.0\.1:1\/wiki": it must be the root of a fake, without a path/,
    );
    expect(wrong.stderr).to.match(/--only is "foreign-hosts": unknown attack \(did you mean "foreign-host"\?\)/);
    expect(wrong.stderr).to.include('--patience is "0": it must be seconds from 0.1 to 3600, such as 1.5');
    expect(wrong.stderr).to.include('--connections is "3": it must be a whole number from 16 to 60000');
  });

  it('drops its sandbox when interrupted', async () => {
    const slow = await serving(undefined, { 'headers-timeout': '0', 'request-timeout': '0' });
    const { child, ended, says, stdout } = beginning([
      'doctor',
      '--target',
      slow.url,
      '--only',
      'slow-*',
      '--only',
      'secrets',
    ]);
    await says(/slow connections/);
    await heard(() => stdout().includes('secrets'));
    expect(slow.session.list()).to.have.length(2);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).to.equal(3);
    expect(stderr).to.match(/^Interrupted: /m);
    expect(slow.session.list().map(({ name }) => name)).to.deep.equal(['default']);
    await slow.stop();
  });
});

async function heard(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setTimeout(resolve, 20));
}
