// A fake within a program: its options, its errors, its start and its end; with a socket and without.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { connectFake, createFake, type Fake, FakeError, startFake } from '../../server/index.js';
import { serveFlags } from '../../server/settings/serve-flags.js';
import { DEFAULT_SCENARIO } from '../../server/settings/settings.js';
import { written } from '../support/files/files.js';
import { packageFolder } from '../support/processes/built.js';
import { freePort } from '../support/wire/ports.js';
import { listening } from '../support/wire/server.js';
import { failure } from '../support/worlds/failure.js';

const pushing = { users: ['alice'], filters: [10500] };
const kinds = { startFake, createFake };

for (const [kind, make] of Object.entries(kinds)) {
  describe(kind, () => {
    it('serves the same scenario and defaults as serve', async () => {
      const fake = await make();
      const health = (await (await fake.fetch('/_fake/health')).json()) as { scenario: string };
      expect(health.scenario).to.equal(DEFAULT_SCENARIO);
      const response = await fake.sandbox('a').client('admin').ppf.push({ body: pushing });
      expect(response.headers).to.include({ 'x-fake-sandbox': 'a', 'x-fake-operation': 'ppf.push' });
      const bodyLimit = Number(serveFlags.find(({ name }) => name === 'max-body')?.default);
      const tooLong = { method: 'POST', body: 'x'.repeat(bodyLimit + 1) };
      expect((await fake.fetch('/rest/cwxapiextension/latest/groups/add-users', tooLong)).status).to.equal(413);
      await fake.stop();
    });

    it('loads a scenario by name, by path, and from given folders', async () => {
      const files = written({
        'scenarios/mine.yaml': 'title: Mine\nworld: { users: { dora: { admin: true } } }\n',
        'elsewhere/other.yaml': 'title: Other\nworld: { users: { emil: {} } }\n',
      });
      const usersOf = async (scenario: string, scenarios?: string) => {
        const fake = await make({ scenario, ...(scenarios !== undefined && { scenarios }) });
        const { users } = await fake.sandbox().world();
        await fake.stop();
        return Object.keys(users);
      };
      expect(await usersOf('empty')).to.deep.equal(['admin']);
      expect(await usersOf(`${files.root}/elsewhere/other.yaml`)).to.deep.equal(['emil']);
      expect(await usersOf('mine', `${files.root}/scenarios`)).to.deep.equal(['dora']);
      files.remove();
    });

    it('ignores options and readings that are undefined', async () => {
      const fake = await make({
        scenario: undefined,
        journal: undefined,
        readings: { 'no-change': undefined },
      } as never);
      const sandbox = fake.sandbox('a', { readings: { 'no-change': undefined }, clock: undefined } as never);
      expect(await sandbox.readings.set({ 'no-change': undefined } as never)).to.include({ 'no-change': 'ok' });
      expect(fake).not.to.have.property('controlToken');
      await fake.stop();
    });

    it('accepts limits, and can omit the control API and the explanations', async () => {
      const fake = await make({ maxBody: 20, explain: false, control: false, journal: 1 });
      const sandbox = fake.sandbox('a');
      const { ppf } = sandbox.client('admin');
      expect(await ppf.push({ body: pushing })).to.include({ status: 413 });
      const response = await ppf.push({ body: {} });
      expect(response.headers).not.to.have.property('x-fake-rules');
      expect((await fake.fetch('/_fake/v1/sandboxes')).status).to.equal(404);
      expect(await sandbox.journal()).to.have.lengthOf(1);
      await fake.stop();
    });

    it('requires the control token over HTTP, and not from the program itself', async () => {
      const fake = await make({ controlToken: 'secret' });
      expect(fake.controlToken).to.equal('secret');
      expect((await fake.fetch('/_fake/v1/sandboxes')).status).to.equal(401);
      const headers = { Authorization: 'Bearer secret' };
      expect((await fake.fetch('/_fake/v1/sandboxes', { headers })).status).to.equal(200);
      await fake.sandbox('a').patch({ licence: { ppf: 'none' } });
      expect((await fake.sandbox('a').world()).licence).to.deep.equal({ ppf: 'none' });
      await fake.stop();
    });

    it('reports all invalid options at once', async () => {
      const readings = { 'unknown-user': '405', 'unknwn-page': '404' };
      const options = { scenaro: 'x', journal: 'many', maxBody: -1, control: 'on', allowedHosts: 'a', readings };
      const error = await failure(make(options as never), FakeError);
      const [unknown, ...others] = error.message.split('\n').slice(1);
      expect(unknown).to.contain(`/scenaro: unknown option of ${kind} (did you mean "scenario"?): expected scenario, `);
      expect(unknown?.includes(', port, ')).to.equal(kind === 'startFake');
      expect(others).to.deep.equal([
        '  /readings/unknown-user: unknown-user has no reading "405" (did you mean "404"?): expected 404, 400, 403, skip, message or create.',
        '  /readings/unknwn-page: Unknown gap "unknwn-page" (did you mean "unknown-page"?).',
        '  /journal must be a number, not "many"',
        '  /maxBody must be a whole number from 1 to 1073741824, not -1',
        '  /control must be true, false or "open", not "on"',
        '  /allowedHosts must be a list of strings, not "a"',
      ]);
      expect(error.problems.map(({ pointer }) => pointer)).to.include.members(['/scenaro', '/readings/unknown-user']);
    });

    it('reports scenario errors together with invalid options', async () => {
      const error = await failure(make({ scenario: 'unlicenced', journal: -1 }), FakeError);
      expect(error.message).to.match(
        /\n {2}\/journal must .*\n {2}Unknown scenario "unlicenced" \(did you mean "unlicensed"/,
      );
      const lost = await failure(make({ scenario: 'unlicenced', scenarios: 'no-such-folder' }), FakeError);
      expect(lost.problems.map(({ pointer }) => pointer)).to.deep.equal(['/scenarios']);
    });

    it('reports an invalid name and invalid options of a sandbox at once', async () => {
      const fake = await make();
      const options = { seed: -1, readings: { 'unknwn-page': '404' }, clock: '2026-02-30T00:00:00Z' };
      const made = Promise.resolve().then(() => fake.sandbox('a b', options as never).describe());
      const error = await failure(made, FakeError);
      expect(error.problems.map(({ pointer, message }) => pointer ?? message)).to.deep.equal([
        '"a b" is not a valid sandbox name: expected 1 to 64 letters (A-Z, a-z), digits, dots, underscores or hyphens.',
        '/seed',
        '/readings/unknwn-page',
        '/clock',
      ]);
      await fake.stop();
    });

    it('reports where a scenario does not load', async () => {
      const files = written({ 'a.yaml': 'title: A\nclok: 1\nworld: { groups: { a: [bob] } }\n' });
      const error = await failure(make({ scenario: `${files.root}/a.yaml` }), FakeError);
      expect(error.message.replaceAll(files.root, '')).to.match(
        /^The scenario "\/a\.yaml" cannot be loaded:\n {2}\/a\.yaml:2:1: Unknown key "clok"/,
      );
      expect(error.problems[0]).to.include({ file: `${files.root}/a.yaml`, line: 2, column: 1, pointer: '/clok' });
      expect(error.problems[1]).to.include({ line: 3, column: 24, pointer: '/world/groups/a/0' });
      files.remove();
    });

    it('answers nothing once stopped, and can be stopped twice', async () => {
      const fake = await make();
      const sandbox = fake.sandbox('a');
      const { ppf } = sandbox.client('admin');
      await Promise.all([fake.stop(), fake.stop()]);
      await fake.stop();
      for (const act of [
        () => fake.health(),
        () => fake.states(),
        () => fake.sandboxes(),
        () => fake.openapi(),
        () => fake.ledger(),
        () => fake.metrics(),
        () => fake.fetch('/'),
        async () => fake.sandbox('b'),
        () => ppf.push({ body: pushing }),
        () => sandbox.world(),
        () => sandbox.drop(),
        () => sandbox.play('unlicensed'),
        () => sandbox.states.setUp(''),
        () => sandbox.fetch('/'),
      ])
        expect((await failure(act(), FakeError)).message, String(act)).to.contain('It has been stopped.');
    });

    it('stops at the end of its using block, if the language has it', async () => {
      const fake = await make();
      await fake[Symbol.asyncDispose]();
      await failure(fake.fetch('/'), FakeError);
    });
  });
}

describe('a process with fakes', () => {
  it('lives while it only waits for a delayed response, and exits by itself after stop', async () => {
    const printed = await outputOf(`
      const { createFake, startFake } = await import('./server/index.js');
      const statuses = [];
      for (const make of [createFake, startFake]) {
        const fake = await make();
        const sandbox = fake.sandbox('a');
        const effect = { delay: 20, dribble: { bytes: 9, every: 5 } };
        if (make === createFake) await sandbox.faults.set([{ operation: 'ppf.push', effect }]);
        statuses.push((await sandbox.client('admin').ppf.push({ body: ${JSON.stringify(pushing)} })).status);
        if (make === startFake) statuses.push((await fetch(fake.url)).status, (await fetch(sandbox.url)).status);
        await fake.stop();
      }
      console.log(statuses.join());
    `);
    expect(printed).to.equal('200,200,200,404\n');
  });
});

/** The output of a program (a module in the root of the repository), which must exit by itself. */
async function outputOf(program: string): Promise<string> {
  const args = ['--import', 'tsx', '--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: packageFolder, timeout: 100_000 });
  return stdout;
}

describe('startFake', () => {
  it('resolves once it serves, on a free port of loopback or on the given ones', async () => {
    const port = await freePort();
    const fakes: Fake[] = await Promise.all([startFake(), startFake({ port, host: 'localhost' })]);
    const [first, second] = fakes;
    expect(first?.url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(second?.url).to.equal(`http://localhost:${port}`);
    for (const { url } of fakes) expect((await fetch(`${url}/_fake/health`)).status).to.equal(200);
    await Promise.all(fakes.map(fake => fake.stop()));
    expect((await failure(fetch(`${first?.url}/_fake/health`), TypeError)).message).to.equal('fetch failed');
  });

  it('reports why it cannot listen', async () => {
    const other = createServer();
    const port = Number(new URL(await listening(other)).port);
    expect((await failure(startFake({ port }), FakeError)).message).to.equal(
      `startFake cannot listen on 127.0.0.1:${port}:\n  the port is in use: choose another, or omit port to use a free one.`,
    );
    other.close();
    expect((await failure(startFake({ host: '192.0.2.1' }), FakeError)).message).to.contain(
      'the host is not an address of this machine',
    );
  });

  it('has a control token beyond loopback', async () => {
    const fake = await startFake({ host: '0.0.0.0' });
    expect(fake.controlToken).to.be.a('string');
    const ask = (headers: Record<string, string>) => fake.fetch('/_fake/v1/sandboxes', { headers });
    expect((await ask({})).status).to.equal(401);
    expect((await ask({ Authorization: `Bearer ${fake.controlToken}` })).status).to.equal(200);
    await fake.stop();
  });
});

describe('createFake', () => {
  it('has a URL for clients that need one, and no socket', async () => {
    const fake = await createFake();
    expect(fake.url).to.equal('http://fake.localhost');
    expect((await fake.fetch(`${fake.url}/_fake/health`)).status).to.equal(200);
    await fake.stop();
  });

  it('has no port and no host', async () => {
    const error = await failure(createFake({ port: 1, host: 'a' } as never), FakeError);
    expect(error.problems.map(({ message }) => message)).to.deep.equal([
      'createFake has no option port, because it opens no socket: use startFake',
      'createFake has no option host, because it opens no socket: use startFake',
    ]);
  });
});

describe('connectFake', () => {
  it('finds the URL and the token in the environment', async () => {
    const { CWX_FAKE_URL, CWX_FAKE_CONTROL_TOKEN } = process.env;
    const fake = await startFake({ controlToken: 'a-control-token' });
    Object.assign(process.env, { CWX_FAKE_URL: fake.url, CWX_FAKE_CONTROL_TOKEN: 'a-control-token' });
    try {
      const connected = await connectFake();
      expect(connected.url).to.equal(fake.url);
      expect(await connected.sandboxes()).to.have.lengthOf(1);
      await connected.stop();
    } finally {
      for (const [name, value] of Object.entries({ CWX_FAKE_URL, CWX_FAKE_CONTROL_TOKEN }))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      await fake.stop();
    }
  });

  it('reports all invalid arguments at once', async () => {
    const error = await failure(connectFake('localhost', { token: 5, tokn: 'x' } as never), FakeError);
    expect(error.message.split('\n')).to.deep.equal([
      'Invalid options for connectFake:',
      '  The URL is invalid: expected a URL such as http://127.0.0.1:8080.',
      '  /tokn: unknown option of connectFake (did you mean "token"?): expected token, cert, key or ca',
      '  /token must be a string',
    ]);
  });
});
