// Weak set-ups are found, each with its fix; sound ones have no finding.
import { chmodSync } from 'node:fs';
import { expect } from 'chai';
import { resultsOf } from '../../../harness/doctor/check.js';
import { type Machine, setupFrom, thisMachine } from '../../../harness/doctor/doctor-setup.js';
import { machineChecks } from '../../../harness/doctor/machine-checks.js';
import { storeChecks } from '../../../harness/doctor/store-checks.js';
import { selfSigned } from '../../../server/http/connections/self-signed.js';
import { profileNames } from '../../../server/operations/gaps/profiles.js';
import type { Running } from '../../../server/process/start.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { run } from '../../support/processes/commands.js';
import { serving } from '../../support/wire/server.js';
import { collected, findingsOf } from './findings.js';

const TOKEN = 'b1946ac92492d2347c6235b4d2611184';
const beyond = ['--host', '0.0.0.0'];

interface Weak {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly check: string;
  /** Default: failed. */
  readonly verdict?: 'warning';
  readonly message: RegExp;
  readonly fix: RegExp;
}

describe('the checks of a set-up', function () {
  this.timeout(60_000);
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

  const weak: Record<string, Weak> = {
    'an open control API beyond loopback': {
      args: [...beyond, '--control', 'open'],
      check: 'control',
      message: /^Anyone who can reach 0\.0\.0\.0 can control the fake .* without a token\.$/,
      fix: /^Omit --control open/,
    },
    'a token of a few characters': {
      args: [...beyond, '--control-token', 'secret'],
      check: 'control-token',
      message: /fewer than 16 characters/,
      fix: /^Set CWX_FAKE_CONTROL_TOKEN to a random one/,
    },
    'any host': {
      args: ['--allow-host', 'any'],
      check: 'allow-host',
      message: /^--allow-host any lets every web page/,
      fix: /^Allow only names of your own/,
    },
    'a foreign host': {
      args: ['--allow-host', 'fake.internal', '--allow-host', 'evil.example'],
      check: 'allow-host',
      message: /^--allow-host evil\.example lets web pages of its owner reach the fake/,
      fix: /^Allow only names of your own/,
    },
    'a public address as host': {
      args: ['--allow-host', '203.0.113.7'],
      check: 'allow-host',
      message: /203\.0\.113\.7/,
      fix: /^Allow only names of your own/,
    },
    'a foreign origin': {
      args: ['--cors', 'http://localhost:3000', '--cors', 'https://evil.example'],
      check: 'cors',
      message: /^--cors https:\/\/evil\.example lets pages of this site send operations/,
      fix: /--cors http:\/\/localhost:3000$/,
    },
    'more memory than the machine has': {
      args: ['--max-memory', '1048576'],
      check: 'max-memory',
      message: /^--max-memory 1048576 needs 1048832 MiB in all, but the process can have only \d+ MiB here\.$/,
      fix: /^Use --max-memory \d+ or less/,
    },
    'no timeout for requests': {
      args: ['--request-timeout', '0'],
      check: 'request-timeout',
      verdict: 'warning',
      message: /^--request-timeout 0: /,
      fix: /^Omit --request-timeout \(default: 60\)/,
    },
    'no timeout for headers': {
      args: ['--headers-timeout', '0'],
      check: 'headers-timeout',
      verdict: 'warning',
      message: /^--headers-timeout 0: /,
      fix: /^Omit --headers-timeout \(default: 20\)/,
    },
    'any number of connections': {
      args: ['--max-connections', '0'],
      check: 'max-connections',
      verdict: 'warning',
      message: /^--max-connections 0: /,
      fix: /^Omit --max-connections \(default: 16384\)/,
    },
    'a dead fallback': {
      args: ['--fallback', 'http://127.0.0.1:7'],
      check: 'fallback',
      message: /^http:\/\/127\.0\.0\.1:7 does not respond: /,
      fix: /^Start that server, or correct --fallback\.$/,
    },
    'a certificate that expires tomorrow': {
      args: tls('tomorrow'),
      check: 'certificate',
      message: /^The certificate expires on /,
      fix: /^Renew or correct the files of --tls-cert and --tls-key/,
    },
    'an expired certificate': {
      args: tls('expired'),
      check: 'certificate',
      message: /^The certificate expired on /,
      fix: /^Renew or correct/,
    },
    'the key of another certificate': {
      args: tls('sound', 'tomorrow'),
      check: 'certificate',
      message: /the key does not match the certificate\.$/,
      fix: /^Renew or correct/,
    },
    'a store folder that everybody can write': {
      args: ['--store', 'file:open'],
      check: 'store-access',
      message: /^Every user of this machine can change the sandboxes in \S+open\.$/,
      fix: /^Run chmod o-w '\S+open'\.$/,
    },
    'a store folder that another process uses': {
      args: ['--store', 'file:locked'],
      check: 'store',
      message: /locked is in use by process \d+/,
      fix: /^Free or repair the folder, or use another one/,
    },
    'a store folder below a file': {
      args: ['--store', 'file:broken.yaml/store'],
      check: 'store',
      message: /cannot be created: \S+broken\.yaml is not a folder/,
      fix: /^Free or repair the folder, or use another one/,
    },
    'a store that is away': {
      args: ['--store', 'redis://127.0.0.1:1', '--store-timeout', '1'],
      check: 'store',
      message: /^The store redis:\/\/127\.0\.0\.1:1 was still unavailable after 1 s/,
      fix: /^Install or start what is missing, or correct the URL of --store\.$/,
    },
    'a scenario with an error': {
      args: ['broken.yaml'],
      check: 'scenario',
      message: /^broken\.yaml:2:8: /,
      fix: /^Correct the file or its name/,
    },
    'a scenario that does not exist': {
      args: ['nope'],
      check: 'scenario',
      message: /^nope: Unknown scenario "nope"/,
      fix: /^Correct the file or its name/,
    },
    'a wrong file in the folder of scenarios': {
      args: ['--scenarios', 'wrong'],
      check: 'scenario',
      message: /^wrong\/wrong\.yaml:2:8: /,
      fix: /^Correct the file or its name/,
    },
    'a wrong file of readings': {
      args: ['--readings', 'readings.yaml'],
      check: 'scenario',
      message: /^readings\.yaml:1:1: /,
      fix: /^Correct the file or its name/,
    },
    'an address of another machine': {
      args: ['--host', '192.0.2.1'],
      check: 'port',
      message: /^192\.0\.2\.1 is not an address of this machine\.$/,
      fix: /^Choose another with --host and --port/,
    },
    'a proxy for local requests': {
      args: [],
      env: { no_proxy: 'localhost,.corp.example', http_proxy: 'http://proxy.corp.example:3128' },
      check: 'proxy',
      verdict: 'warning',
      message: /^http_proxy is set and NO_PROXY does not include 127\.0\.0\.1, /,
      fix: /^Set NO_PROXY=127\.0\.0\.1,localhost\.$/,
    },
  };
  for (const [what, { args, env, check, verdict = 'failed', message, fix }] of Object.entries(weak))
    it(`find ${what}, and name the fix`, async () => {
      const { code, stdout, stderr } = await doctor(args, env);
      expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
      const [finding, ...others] = findingsOf(stdout);
      expect(others).to.deep.equal([]);
      expect(finding).to.include({ check, verdict });
      expect(finding?.message).to.match(message);
      expect(finding?.fix).to.match(fix);
    });

  it('find a port in use, and offer to check the fake there', async () => {
    const { port } = new URL(other.url);
    const [finding, ...others] = findingsOf((await doctor(['--port', port])).stdout);
    expect(others).to.deep.equal([]);
    expect(finding).to.include({ check: 'port', message: `Port ${port} on 127.0.0.1 is already in use.` });
    expect(finding?.fix).to.match(new RegExp(`: cwx-fake doctor --target ${other.url}$`));
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
  for (const profile of profileNames) {
    it(`find nothing in a sound set-up (${profile})`, async () => {
      for (const [what, args] of Object.entries(sound)) {
        const { code, stdout } = await doctor([...args(), '--profile', profile]);
        expect({ code, findings: findingsOf(stdout) }, what).to.deep.equal({ code: 0, findings: [] });
      }
    });
  }

  const machines: ReadonlyArray<readonly [machine: Partial<Machine>, check: string, fix: RegExp]> = [
    [{ nodeVersion: '18.20.4' }, 'node', /^Install Node\.js 20\.19 or later\.$/],
    [{ nodeVersion: '20.9.0' }, 'node', /^Install Node\.js 20\.19 or later\.$/],
    [{ memory: 767 }, 'max-memory', /^Use --max-memory 511 or less/],
    [{ memory: 256 }, 'max-memory', /^Give the container or the heap at least 768 MiB\.$/],
  ];
  for (const [machine, check, fix] of machines)
    it(`find the limits of a machine: ${JSON.stringify(machine)}`, async () => {
      const setup = setupFrom(undefined, { port: '0' }, { ...thisMachine({}), ...machine });
      const findings = await collected(resultsOf(machineChecks, setup));
      expect(findings.map(finding => finding.check)).to.deep.equal([check]);
      expect(findings[0]?.fix).to.match(fix);
    });

  it('find nothing on a machine that has just enough', async () => {
    const setup = setupFrom(undefined, { port: '0' }, { env: {}, nodeVersion: '20.19.0', memory: 768 });
    expect(await collected(resultsOf(machineChecks, setup))).to.deep.equal([]);
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
