// Secrets given to commands in flags, environment variables and URLs appear in nothing they print, log or report, in success or failure.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { built } from '../../support/processes/built.js';
import { endAll, type Launched, launch } from '../../support/processes/command-line.js';
import { run } from '../../support/processes/commands.js';
import { type HalBroker, halBroker } from '../../support/wire/hal-broker.js';
import { basic, send, sendJson } from '../../support/wire/server.js';
import { secrets, secretsIn } from './planted-secrets.js';

const token = 'Qz6.control.token.Zq';
const tokened = ['--control-token', token];
const reports = ['--report', 'junit=junit.xml,ctrf=ctrf.json,md=report.md'];
const asks = ['--as', `admin:${secrets.wrongPassword}`, '--as', `carol:${secrets.wrongPassword}`];

const pact = JSON.stringify({
  consumer: { name: 'web' },
  provider: { name: 'push-pull' },
  metadata: { pactSpecification: { version: '3.0.0' } },
  interactions: [
    {
      description: 'pushes with a wrong password',
      providerStates: [
        { name: 'user exists', params: { name: 'dora', password: secrets.statePassword, token: secrets.stateToken } },
      ],
      request: {
        method: 'POST',
        path: '/rest/cwx-ppf/latest/push',
        headers: {
          Authorization: basic('admin', secrets.wrongPassword),
          'X-Api-Key': secrets.ownHeader,
          'Content-Type': 'application/json',
        },
        query: { os_password: [secrets.queryPassword] },
        body: { users: ['alice'], filters: [10500] },
      },
      response: { status: 200 },
    },
  ],
});

describe('secrets given to commands', () => {
  let server: Launched;
  let folder: Scratch;
  let broker: HalBroker;
  before(async () => {
    await built();
    folder = scratch({
      'pact.json': pact,
      'bad.yaml': `users: { a: { password: [${secrets.misplaced}], token: 48151623421 } }`,
    });
    server = await launch(['--log', 'json', '--control-token', token]);
    const asked = `/~job/rest/cwx-ppf/latest/push?os_password=${encodeURIComponent(secrets.queryPassword)}`;
    await sendJson(`${server.url}${asked}`, 'POST', { users: ['alice'], filters: [10500] }, 'admin', {
      Cookie: secrets.cookie,
    });
    broker = await halBroker({ pacts: [], token: 'another' });
  });
  after(async () => {
    folder.drop();
    await broker.close();
    endAll();
  });

  /** The output and the files of a command, searched for secrets. */
  async function runCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const { code, stdout, stderr } = await run(args, { cwd: folder.path, env: { PACT_DO_NOT_TRACK: 'true', ...env } });
    const files = readdirSync(folder.path).filter(name => !['pact.json', 'bad.yaml'].includes(name));
    const written = files.map(name => readFileSync(join(folder.path, name), 'utf8'));
    for (const name of files) folder.remove(name);
    const text = [stdout, stderr, ...written].join('\n');
    return { code, files: files.length, leaked: secretsIn(text), text };
  }

  const words = (line: string) => line.split(' ');
  const withPassword = (url: string, user: string) => url.replace('//', `//${user}:${secrets.urlPassword}@`);
  const commands: Record<string, [args: () => readonly string[], code: number, files: number]> = {
    'play against a server that does not take the password': [
      () => [...words(`play wrong-password onboarding-a-team --target ${server.url}`), ...tokened, ...asks, ...reports],
      1,
      3,
    ],
    'play against a URL with a password': [
      () => [...words(`play onboarding-a-team --target ${withPassword(server.url, 'admin')}`), ...reports],
      2,
      0,
    ],
    'play against nobody': [
      () => [...words('play onboarding-a-team --target http://127.0.0.1:9'), ...tokened, ...asks],
      4,
      0,
    ],
    'play with an unknown flag': [
      () => ['play', 'x', '--control-tokn', token, '--broker-tokn', secrets.wrongToken],
      2,
      0,
    ],
    'verify a pact with credentials of its own': [() => ['verify', 'pact.json', ...reports], 1, 3],
    'verify it and print everything': [() => ['verify', 'pact.json', '--json'], 1, 0],
    'verify it at a target that is a fake': [
      () => ['verify', 'pact.json', '--target', server.url, ...tokened, '--header', `Cookie: a=${secrets.cookie}`],
      1,
      0,
    ],
    'verify at a broker that does not take the token': [
      () => ['verify', broker.url, '--broker-token', secrets.wrongToken],
      2,
      0,
    ],
    'verify at a broker that does not take the user': [() => ['verify', withPassword(broker.url, 'joe')], 2, 0],
    'record with the token': [() => ['record', '--url', `${server.url}/~job`, ...tokened], 0, 0],
    'record with a token that is not taken': [
      () => words(`record --url ${server.url} --control-token Qz4.wrong`),
      2,
      0,
    ],
    'check a file with an invalid password': [() => ['check', 'bad.yaml'], 2, 0],
    'serve with a token that cannot be one': [() => ['serve', '--control-token', secrets.worldPassword], 2, 0],
  };

  it('are in no line of the log of a server, though it warns', async () => {
    const headers = { Authorization: basic('admin', 'admin'), 'X-Fake-Token': token };
    await sendJson(
      `${server.url}/rest/cwx-ppf/latest/push?os_password=${encodeURIComponent(secrets.queryPassword)}`,
      'POST',
      { users: ['alice'], filters: [10500] },
      'admin',
      { Cookie: secrets.cookie },
    );
    const { status } = await send(
      `${server.url}/_fake/v1/provider-states?state=user+exists&name=a&password=${encodeURIComponent(secrets.statePassword)}&admin=perhaps`,
      { method: 'POST', headers },
    );
    expect(status).to.equal(400);
    await server.says(/returned 400/);
    expect(secretsIn(server.stdout() + server.stderr())).to.deep.equal([]);
  });

  for (const [what, [args, code, files]] of Object.entries(commands)) {
    it(`${what}: they are nowhere`, async () => {
      const got = await runCommand(args());
      expect(got, got.text).to.deep.include({ code, files, leaked: [] });
    });
  }

  it('are nowhere even if the environment sets them', async () => {
    const env = {
      CWX_FAKE_CONTROL_TOKEN: token,
      PACT_BROKER_TOKEN: secrets.wrongToken,
      CWX_FAKE_AS: `admin:${secrets.wrongPassword}`,
    };
    for (const args of [
      ['serve', '--help'],
      ['verify', broker.url],
      ['play', 'x', '--help'],
    ]) {
      const { leaked, text } = await runCommand(args, env);
      expect(leaked, text).to.deep.equal([]);
    }
  });
});
