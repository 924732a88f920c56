// Secrets given to commands in flags, environment variables and URLs appear in nothing they print, log or report, in success or failure.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import type { Launched } from '../../support/processes/command-line.js';
import { endAll, launch, run } from '../../support/processes/commands.js';
import { type HalBroker, halBroker } from '../../support/wire/hal-broker.js';
import { basic, send, sendJson } from '../../support/wire/server.js';
import { secrets, secretsIn } from './planted-secrets.js';

const token = secrets.controlToken;
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
    folder = scratch({
      'pact.json': pact,
      'bad.yaml': `users: { a: { password: [${secrets.misplaced}], token: 48151623421 } }`,
    });
    server = await launch(['--log', 'json', '--control-token', token], { cwd: folder.path });
    const asked = `/~job/rest/cwx-ppf/latest/push?os_password=${encodeURIComponent(secrets.queryPassword)}`;
    await sendJson(`${server.url}${asked}`, 'POST', { users: ['alice'], filters: [10500] }, 'admin', {
      Cookie: secrets.cookie,
    });
    broker = await halBroker({ pacts: [], token: 'another' });
  });
  after(async () => {
    folder.drop();
    await broker.close();
    await endAll();
  });

  /** The output and the files of a command, searched for secrets. */
  async function runCommand(args: readonly string[]) {
    const env = { PACT_DO_NOT_TRACK: 'true', PACT_BROKER_TOKEN: secrets.wrongToken };
    const { code, stdout, stderr } = await run(args, { cwd: folder.path, env });
    const files = readdirSync(folder.path).filter(name => !['pact.json', 'bad.yaml'].includes(name));
    const written = files.map(name => readFileSync(join(folder.path, name), 'utf8'));
    for (const name of files) folder.remove(name);
    const text = [stdout, stderr, ...written].join('\n');
    return { code, files: files.length, leaked: secretsIn(text), text };
  }

  const withPassword = (url: string, user: string) => url.replace('//', `//${user}:${secrets.urlPassword}@`);
  const playing = ['play', 'wrong-password', 'onboarding-a-team', '--target'];
  const cookie = ['--header', `Cookie: a=${secrets.cookie}`];
  /** Each with its exit code and the number of files that it writes. */
  const commands: ReadonlyArray<readonly [args: () => readonly string[], code: number, files: number]> = [
    [() => [...playing, server.url, ...tokened, ...asks, ...reports], 1, 3],
    [() => [...playing, withPassword(server.url, 'admin'), ...reports], 2, 0],
    [() => [...playing, 'http://127.0.0.1:9', ...tokened, ...asks], 4, 0],
    [() => ['verify', 'pact.json', ...reports], 1, 3],
    [() => ['verify', 'pact.json', '--json'], 1, 0],
    [() => ['verify', 'pact.json', '--target', server.url, ...tokened, ...cookie], 1, 0],
    [() => ['verify', broker.url], 2, 0],
    [() => ['verify', withPassword(broker.url, 'joe')], 2, 0],
    [() => ['record', '--url', `${server.url}/~job`, ...tokened], 0, 0],
    [() => ['record', '--url', server.url, '--control-token', secrets.urlPassword], 2, 0],
    [() => ['check', 'bad.yaml'], 2, 0],
  ];

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

  it('are nowhere in what commands print and write', async () => {
    for (const [args, code, files] of commands) {
      const got = await runCommand(args());
      expect(got, got.text).to.deep.include({ code, files, leaked: [] });
    }
  });
});
