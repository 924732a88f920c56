// The control token: which requests it admits, which it refuses, and that no error reveals it (responses and logs: secrets.test.ts). And what flags open.
import { expect } from 'chai';
import { type Command, helpOf, readArguments } from '../../../cli/command/command.js';
import { play } from '../../../cli/play/play-command.js';
import { record } from '../../../cli/record/record-command.js';
import { calibrateCommand } from '../../../cli/remote/calibrate-command.js';
import { conformCommand } from '../../../cli/remote/conform-command.js';
import { serve } from '../../../cli/serve-command.js';
import { verify } from '../../../cli/verify/verify-command.js';
import { actions } from '../../../server/control/actions.js';
import { createFake, startFake } from '../../../server/library/fake.js';
import { FakeError } from '../../../server/library/port/fake-error.js';
import { LENIENT } from '../../support/processes/command-line.js';
import { endAll, launch, refusalOf, run } from '../../support/processes/commands.js';
import { sendJson, useServer } from '../../support/wire/server.js';
import { failure } from '../../support/worlds/failure.js';
import { asked } from '../asking.js';

const TOKEN = 'sesame-0f3a';
const SANDBOXES = '/_fake/v1/sandboxes';

describe('the token', () => {
  const server = useServer('small-team', { 'control-token': TOKEN });
  const statusWith = async (...headers: string[]) =>
    (await asked(server.url, { target: SANDBOXES, headers: ['Host: localhost', ...headers] })).status;

  it('admits requests with it, in either header', async () => {
    for (const right of [`Authorization: Bearer ${TOKEN}`, `authorization: bearer  ${TOKEN}`, `X-Fake-Token: ${TOKEN}`])
      expect(await statusWith(right), right).to.equal(200);
  });

  it('is required by every action and every unknown path, and neither for health nor by operations', async () => {
    for (const [method, target] of [
      ...actions.map(({ method, path }) => [method, `/_fake/v1${path.replace('{s}', 'default')}`] as const),
      ['GET', '/_fake/v1/none'],
      ['GET', '/_fake/x.json'],
      ['POST', '/~a/_fake/v1/provider-states'],
    ] as const) {
      const seen = await asked(server.url, { method, target });
      expect(seen.status, `${method} ${target}`).to.equal(401);
      expect(seen.headers['www-authenticate']).to.equal('Bearer realm="cwx-fake control"');
    }
    expect((await asked(server.url, { target: '/_fake/health' })).status).to.equal(200);
    const set = `${server.url}/rest/cwxapiextension/latest/groups/set-users`;
    expect((await sendJson(set, 'POST', { group: 'customers', users: [] })).status).to.equal(200);
  });

  it('refuses requests with anything else', async () => {
    for (const wrong of [
      `Authorization: Bearer ${TOKEN.slice(0, -1)}`,
      `Authorization: Bearer ${TOKEN}a`,
      `Authorization: Bearer ${TOKEN} ${TOKEN}`,
      `Authorization: Bearer${TOKEN}`,
      `Authorization: ${TOKEN}`,
      'Authorization: Bearer',
      `Authorization: Basic ${Buffer.from(`:${TOKEN}`).toString('base64')}`,
      `X-Fake-Token: Bearer ${TOKEN}`,
      'X-Fake-Token:',
      `X-Fake-Token: ${TOKEN.toUpperCase()}`,
      `X-Fake-Token: ${'a'.repeat(10_000)}`,
      'X-Fake-Token: \xff\xfe',
      `Cookie: X-Fake-Token=${TOKEN}`,
    ])
      expect(await statusWith(wrong), wrong).to.equal(401);
    expect(await statusWith(`X-Fake-Token: ${TOKEN}`, 'X-Fake-Token: other')).to.equal(401);
    expect((await asked(server.url, { target: `${SANDBOXES}?token=${TOKEN}` })).status).to.equal(401);
    expect((await asked(server.url, { target: SANDBOXES, method: 'TRACE' })).status).to.equal(401);
  });
});

describe('a secret in a flag', () => {
  const SECRET = 'open sesame 0f3a';

  it('is in no error message, about itself or anything else', async () => {
    const wrong: ReadonlyArray<readonly [Command, ...string[]]> = [
      [serve, '--control-token', SECRET],
      [serve, `--control-tokn=${SECRET}`],
      [serve, '--control-token', 'open-sesame-0f3a', '--prot', '1'],
      [play, 'small-team', '--as', SECRET],
      [record, 'x', '--control-token', SECRET, '--control-token', SECRET],
      [verify, 'x', '--control-token', SECRET, '--broker-token', SECRET, '--broker-user', SECRET],
      [conformCommand, '--as', SECRET, '--prot', '1'],
      [calibrateCommand, '--as', SECRET, '--prot', '1'],
    ];
    for (const [command, ...args] of wrong) {
      const read = readArguments(command, args, { CWX_FAKE_CONTROL_TOKEN: SECRET });
      if (!('errors' in read)) throw new Error(`${args.join(' ')} is no error`);
      expect(read.errors.join('\n')).not.to.contain('0f3a');
    }
    const env = { CWX_FAKE_CONTROL_TOKEN: SECRET };
    expect(await refusalOf(run(['serve'], { env }))).to.match(
      /^cwx-fake serve: CWX_FAKE_CONTROL_TOKEN must (?!.*0f3a)/s,
    );
    expect(helpOf(serve)).not.to.contain('0f3a');
  });

  it('is in no error of the library', async () => {
    for (const made of [startFake({ controlToken: SECRET }), createFake({ controlToken: 7 as never })]) {
      const error = await failure(made, FakeError);
      expect(error.problems[0]?.pointer).to.equal('/controlToken');
      expect(error.message + JSON.stringify(error)).not.to.match(/0f3a|number 7/);
    }
  });
});

describe('what a flag opens', () => {
  after(endAll);

  it('is announced with a warning at startup, and is open', async () => {
    const server = await launch(['--host', '0.0.0.0', '--control', 'open', '--allow-host', 'any']);
    await server.says(/token\n.*\n/s);
    expect(server.stderr().split('\n')).to.deep.equal([
      'WARNING: --allow-host any: this server accepts every Host header, so any web page open in a browser on this network can reach it (DNS rebinding)',
      'WARNING: --control open: anyone who can reach 0.0.0.0 can control this server and read its journal, without a token',
      LENIENT.trimEnd(),
      '',
    ]);
    expect(server.stdout()).to.match(/^cwx-fake listening on \S+ \(scenario small-team\)\n$/);
    const url = server.url.replace('0.0.0.0', '127.0.0.1');
    expect((await asked(url, { target: SANDBOXES, headers: ['Host: evil.example'] })).status).to.equal(200);
    await server.signal('SIGTERM');
  });

  it('cannot be opened and closed at once', async () => {
    const refusal = await refusalOf(run(['serve', '--control', 'open', '--control-token', 'a']));
    expect(refusal).to.match(/^cwx-fake serve: .*control.*\n$/);
    const error = await failure(createFake({ control: 'open', controlToken: 'a' }), FakeError);
    expect(error.problems.map(({ pointer }) => pointer)).to.deep.equal(['/control']);
  });

  it('can be opened by a program too', async () => {
    const fake = await startFake({ host: '0.0.0.0', control: 'open', allowedHosts: ['any'] });
    expect(fake).not.to.have.property('controlToken');
    const url = fake.url.replace('0.0.0.0', '127.0.0.1');
    expect((await asked(url, { target: SANDBOXES, headers: ['Host: evil.example'] })).status).to.equal(200);
    await fake.stop();
    const error = await failure(startFake({ allowedHosts: ['fake.test', 'fake.test:80'] }), FakeError);
    expect(error.problems[0]?.message).to.match(/IP address without scheme and port, not "fake\.test:80"$/);
  });
});
