// Weak set-ups are found, each with its fix; sound ones have no finding.
import { chmodSync } from 'node:fs';
import { expect } from 'chai';
import { resultsOf } from '../../../harness/doctor/check.js';
import { type Machine, setupFrom, thisMachine } from '../../../harness/doctor/doctor-setup.js';
import { machineChecks } from '../../../harness/doctor/machine-checks.js';
import { storeChecks } from '../../../harness/doctor/store-checks.js';
import { selfSigned } from '../../../server/http/connections/self-signed.js';
import type { Running } from '../../../server/process/start.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { run } from '../../support/processes/commands.js';
import { serving } from '../../support/wire/server.js';
import { collected, expectFinding, findingsOf } from './findings.js';

const TOKEN = 'b1946ac92492d2347c6235b4d2611184';
const beyond = ['--host', '0.0.0.0'];

describe('the checks of a set-up', () => {
  let folder: Scratch;
  let other: Running;
  before(async () => {
    folder = scratch({
      'broken.yaml': 'title: a\nsteps: 7\n',
      'readings.yaml': 'no-gap: x\n',
      'mine/mine.yaml': 'title: Mine\n',
      'wrong/wrong.yaml': 'title: Wrong\nsteps: 7\n',
      'open/.keep': '',
    });
    chmodSync(`${folder.path}/open`, 0o777);
    for (const [name, days] of Object.entries({ sound: 30, tomorrow: 1, expired: -0.5 })) {
      const { certificate, key } = selfSigned(['localhost'], days);
      folder.write(`${name}.crt`, certificate);
      folder.write(`${name}.key`, key);
    }
    other = await serving(undefined, { store: `file:${folder.path}/locked` });
  });
  after(async () => {
    await other.stop();
    folder.drop();
  });
  const doctor = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run(['doctor', '--json', ...args], { cwd: folder.path, env: { no_proxy: '*', CWX_FAKE_PORT: '0', ...env } });
  const tls = (name: string, key = name) => ['--tls-cert', `${name}.crt`, '--tls-key', `${key}.key`];

  /** Command lines, each with its one finding as check, verdict, message and fix. */
  const weak: Readonly<Record<string, RegExp>> = {
    '--host 0.0.0.0 --control open':
      /^control failed: Anyone who can reach 0\.0\.0\.0 can control the fake .* without a token\. Omit --control open/,
    '--host 0.0.0.0 --control-token secret':
      /^control-token failed: .*fewer than 16 characters.* Set CWX_FAKE_CONTROL_TOKEN to a random token/,
    '--allow-host any': /^allow-host failed: --allow-host any lets every web page.* Allow only your own host names/,
    '--allow-host fake.internal --allow-host evil.example':
      /^allow-host failed: --allow-host evil\.example lets web pages of the owner of that name reach the fake.* Allow only your own host names/,
    '--allow-host 203.0.113.7': /^allow-host failed: .*203\.0\.113\.7.* Allow only your own host names/,
    '--cors http://localhost:3000 --cors https://evil.example':
      /^cors failed: --cors https:\/\/evil\.example lets pages of this site call operations.* --cors http:\/\/localhost:3000$/,
    '--max-memory 1048576':
      /^max-memory failed: --max-memory 1048576 needs 2097552 MiB in all, but only \d+ MiB are available to the process\. Use --max-memory \d+ or less/,
    '--request-timeout 0': /^request-timeout warning: --request-timeout 0: .* Omit --request-timeout \(default: 60\)/,
    '--headers-timeout 0': /^headers-timeout warning: --headers-timeout 0: .* Omit --headers-timeout \(default: 20\)/,
    '--max-connections 0':
      /^max-connections warning: --max-connections 0: .* Omit --max-connections \(default: 16384\)/,
    '--fallback http://127.0.0.1:7':
      /^fallback failed: http:\/\/127\.0\.0\.1:7 does not respond: .* Start that server, or correct --fallback\.$/,
    [tls('tomorrow').join(' ')]:
      /^certificate failed: The certificate expires on .* Renew or correct the files of --tls-cert/,
    [tls('expired').join(' ')]: /^certificate failed: The certificate expired on .* Renew or correct/,
    [tls('sound', 'tomorrow').join(' ')]:
      /^certificate failed: .*the key does not match the certificate\. Renew or correct/,
    '--store file:open': // which everybody can write
      /^store-access failed: Every user of this machine can change the sandboxes in \S+open\. Run chmod o-w '\S+open'\.$/,
    '--store file:locked':
      /^store failed: .*locked is in use by another process: .* Free or restore the folder, or use another/,
    '--store file:broken.yaml/store':
      /^store failed: .*cannot be created: \S+broken\.yaml is not a folder.* Free or restore the folder, or use another one/,
    '--store redis://127.0.0.1:1 --store-timeout 1':
      /^store failed: The store redis:\/\/127\.0\.0\.1:1 was still unavailable after 1 s.* Install or start what is missing, or correct the URL of --store\.$/,
    'broken.yaml': /^scenario failed: broken\.yaml:2:8: .* Correct the file or its name/,
    nope: /^scenario failed: Unknown scenario "nope".* Correct the file or its name/,
    '--scenarios wrong': /^scenario failed: wrong\/wrong\.yaml:2:8: .* Correct the file or its name/,
    '--readings readings.yaml': /^scenario failed: readings\.yaml:1:1: .* Correct the file or its name/,
    '--host 192.0.2.1':
      /^port failed: 192\.0\.2\.1 is not an address of this machine\. Choose another address with --host\./,
  };
  for (const [args, finding] of Object.entries(weak))
    it(`find the weakness of ${args}, and name the fix`, () => expectFinding(doctor(args.split(' ')), finding));

  it('find a proxy for local requests, and name the fix', () =>
    expectFinding(
      doctor([], { no_proxy: 'localhost,.corp.example', http_proxy: 'http://proxy.corp.example:3128' }),
      /^proxy warning: http_proxy is set and NO_PROXY does not include 127\.0\.0\.1, .* Set NO_PROXY=127\.0\.0\.1,localhost\.$/,
    ));

  it('find a port in use, and offer to check the fake there', async () => {
    const { port } = new URL(other.url);
    const [finding, ...others] = findingsOf((await doctor(['--port', port])).stdout);
    expect(others).to.deep.equal([]);
    expect(finding).to.include({ check: 'port', message: `Port ${port} on 127.0.0.1 is already in use.` });
    expect(finding?.fix).to.match(new RegExp(`with cwx-fake doctor --target ${other.url}$`));
  });

  const sound: Record<string, () => readonly string[]> = {
    'beyond loopback with a generated token': () => beyond,
    'beyond loopback with a long token': () => [...beyond, '--control-token', TOKEN],
    'without control API': () => [...beyond, '--control', 'off'],
    'open on this machine': () => ['--control', 'open'],
    'with names and origins of its own': () => [
      ...['--allow-host', 'fake', '--allow-host', 'fake.internal', '--allow-host', '10.1.2.3'],
      ...['--cors', 'http://localhost:3000', '--cors', 'http://app.test'],
    ],
    'with a generated certificate': () => ['--tls'],
    'with a valid certificate': () => tls('sound'),
    'with a new store folder': () => ['--store', 'file:new/store'],
    'with a store folder of its own': () => ['--store', 'file:kept', '--fsync'],
    'with files of its own, watched': () => ['mine', '--scenarios', 'mine', '--watch'],
    'with a live fallback': () => ['--fallback', other.url],
  };
  it('find nothing in a sound set-up', async () => {
    for (const [what, args] of Object.entries(sound)) {
      const { code, stdout } = await doctor(args());
      expect({ code, findings: findingsOf(stdout) }, what).to.deep.equal({ code: 0, findings: [] });
    }
  });

  it('find the limits of a machine, and nothing on one that has just enough', async () => {
    for (const [machine, check, fix] of [
      [{ nodeVersion: '20.9.0' }, 'node', /^Install Node\.js 20\.19 or later\.$/],
      [{ memory: 911 }, 'max-memory', /^Use --max-memory 255 or less/],
      [{ memory: 256 }, 'max-memory', /^Give the container or the heap at least 912 MiB\.$/],
      [{ nodeVersion: '20.19.0', memory: 912 }],
    ] as const satisfies ReadonlyArray<readonly [machine: Partial<Machine>, check?: string, fix?: RegExp]>) {
      const setup = setupFrom(undefined, { port: '0' }, { ...thisMachine({}), ...machine });
      const findings = await collected(resultsOf(machineChecks, setup));
      expect(findings.map(finding => finding.check)).to.deep.equal(check === undefined ? [] : [check]);
      if (fix !== undefined) expect(findings[0]?.fix).to.match(fix);
    }
  });

  it('find a disk with less space than sandboxes can take', async () => {
    const setup = setupFrom(undefined, { store: `file:${folder.path}/new` }, thisMachine({}));
    const settings = { ...setup.settings, maxMemory: 2 ** 40 };
    const [finding, ...others] = await collected(resultsOf(storeChecks, { ...setup, settings }));
    expect({ others, check: finding?.check, verdict: finding?.verdict }).to.deep.equal({
      others: [],
      check: 'store-space',
      verdict: 'warning',
    });
  });

  it('leave nothing behind: no folder, no lock, no listener', async () => {
    const { code } = await doctor(['--store', 'file:left/behind', '--watch', 'mine/mine.yaml']);
    expect(code).to.equal(0);
    expect(() => folder.remove('left')).to.throw(/ENOENT/);
    const again = await serving(undefined, { store: `file:${folder.path}/kept` });
    await again.stop();
  });
});
