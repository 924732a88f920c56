// `cwx-fake play --target`: against a fake with a control API and a chosen sandbox, a server without one, and a URL that does not
// answer.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useScratch } from '../../support/files/scratch.js';
import { refusalOf, run } from '../../support/processes/commands.js';
import { REFUSED } from '../../support/wire/connection-failures.js';
import { sandboxNames, send, serving, worldIn } from '../../support/wire/server.js';

const story = `title: Story
fixture: small-team
steps:
  - say: The admin pushes
    as: admin
    call: ppf.push
    body: { users: [alice], filters: [10500] }
    expect: { status: 200 }
    then: { favourites: { alice: { filters: [10500] } } }
    proves: [ppf.push]
  - { say: A look at the world, then: { favourites: { alice: { filters: [10500] } } } }
`;

describe('cwx-fake play --target', () => {
  const folder = useScratch({ 'scenarios/story.yaml': story });
  const play = (...args: readonly string[]) => run(['play', 'story', ...args], { cwd: folder.path });

  const held = [
    'story: Story',
    '✔ 1 The admin pushes · 200 ppf.push',
    '✔ 2 A look at the world',
    '✔ 1 scenario, 2 steps passed, 0 failed, 0 skipped',
    '',
  ].join('\n');

  describe('a fake with a control API', () => {
    let server: Awaited<ReturnType<typeof serving>>;
    beforeEach(async () => {
      server = await serving();
    });
    afterEach(() => server.stop());

    const sandboxes = () => sandboxNames(server.url);
    const favourites = async (sandbox: string) => (await worldIn(server, sandbox)).favourites.alice?.filters;

    it('plays in a sandbox of its own and drops it afterwards', async () => {
      expect(await play('--target', server.url)).to.deep.equal({ code: 0, stdout: held, stderr: '' });
      expect(await sandboxes()).to.deep.equal(['default']);
      expect(await favourites('default')).to.deep.equal([]);
    });

    it('gives a failed step the same response again by the commands that it prints', async () => {
      const [push = ''] = / {2}- say: The admin[\s\S]*?200 }\n/.exec(story) ?? [];
      const faults = 'faults: [{ operation: ppf.push, times: 1, effect: { status: 418, body: Tea } }]';
      const wrong = push.replace('    as:', `    clock: +P1D\n    ${faults}\n    as:`);
      folder.replace('scenarios/story.yaml', story + wrong.replace('[10500]', '[10600]'));
      const { stdout } = await play('--target', server.url);
      expect(await sandboxes(), 'also after a failed step').to.deep.equal(['default']);
      const again = /reproduce cwx-fake play story (.*)\n +(curl (?:.*\\\n)*.*)/.exec(stdout)?.slice(1) ?? [];
      const [flags = '', curl = ''] = again;
      expect((await play(...flags.split(' '))).code).to.equal(0);
      expect(await favourites('again')).to.deep.equal([10500]);
      expect((await promisify(execFile)('sh', ['-c', curl])).stdout).to.match(/^HTTP\/1.1 418 [\s\S]*Tea$/);
      expect((await play(...flags.split(' ').slice(0, -1), '4')).code).to.equal(2);
    });

    for (const [how, args] of [
      ['--sandbox', (url: string) => ['--target', url, '--sandbox', 'kept']],
      ['the URL, with a context path', (url: string) => ['--target', `${url}/~kept/wiki`]],
    ] as const) {
      it(`plays in the sandbox named by ${how}, and keeps it`, async () => {
        expect(await play(...args(server.url))).to.deep.equal({ code: 0, stdout: held, stderr: '' });
        expect(await sandboxes()).to.deep.equal(['default', 'kept']);
        expect(await favourites('kept')).to.deep.equal([10500]);
        const { json } = await send(`${server.url}/_fake/v1/sandboxes/kept/journal`);
        const [entry] = (json as { entries: ReadonlyArray<{ url: string }> }).entries;
        expect(entry?.url.includes('/wiki/')).to.equal(how.includes('context'));
      });
    }

    it('reports the entries of its own requests only', async () => {
      await send(`${server.url}/rest/cwx-ppf/latest/pull`, { method: 'POST' });
      folder.replace(
        'scenarios/story.yaml',
        story
          .replace('\nsteps', '\nreadings: { ppf-unknown-item: "400" }\nsteps')
          .replace('[10500] }\n    expect: { status: 200 }', '[10500, 1] }\n    expect: { status: 400 }')
          .replace(/ {4}then:[\s\S]*/, ''),
      );
      const { code, stderr } = await play('--target', server.url, '--report', 'junit=r.xml,md=r.md');
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      const text = (file: string) => readFileSync(join(folder.path, file), 'utf8');
      expect(text('r.xml')).to.match(/name="coverage" value="1 request, 1 of \d+ operations, \d+ of \d+ rules, /);
      expect(text('r.md'))
        .to.include('| ppf-unknown-item | 400 | 1 | 1 |')
        .and.include('| ppf-error-body | jira | 1 | 0 |');
    });

    it('prints no password it was given', async () => {
      folder.replace('scenarios/story.yaml', story.replace('status: 200', 'status: 201'));
      const { stdout } = await play('--target', server.url, '--as', 'admin:admin');
      expect(stdout).to.include('-u admin \\').and.to.not.include('admin:admin');
    });
  });

  it('sends the token of the control API', async () => {
    const server = await serving(undefined, { 'control-token': 'secret' });
    expect((await play('--target', server.url, '--control-token', 'secret')).stdout).to.equal(held);
    expect(await refusalOf(play('--target', server.url, '--control-token', 'wrong'))).to.match(
      /^cwx-fake play: the control API of http:\S+ rejects this token: /,
    );
    await server.stop();
  });

  describe('a server without a control API', () => {
    let server: Awaited<ReturnType<typeof serving>>;
    beforeEach(async () => {
      server = await serving(undefined, { control: 'off' });
    });
    afterEach(() => server.stop());
    const favourites = () =>
      server.session.sandboxes.find('default')?.state.world.favourites.get('alice')?.filters.toArray();

    it('receives no request without consent', async () => {
      expect(await refusalOf(play('--target', server.url))).to.match(
        /story \(Story\): up to 1 request that can change data\n[\s\S]*cwx-fake play: the scenarios change http.*, and there is no terminal to ask for confirmation: add --yes to skip the question\n$/,
      );
      expect(favourites()).to.equal(undefined);
    });

    it('is played against with --yes, and each step lists what cannot be checked', async () => {
      const { code, stdout } = await play('--target', server.url, '--yes');
      expect(code).to.equal(0);
      expect(stdout).to.equal(
        [
          'story: Story',
          '✔ 1 The admin pushes · 200 ppf.push · then and proves not checked: this target does not show its world and its rules',
          '– 2 A look at the world · skipped: it checks the world, which this target does not show',
          '✔ 1 scenario, 1 step passed, 0 failed, 1 skipped',
          '',
        ].join('\n'),
      );
      expect(favourites()).to.deep.equal([10500]);
    });

    it('receives the given passwords', async () => {
      expect((await play('--target', server.url, '--yes', '--as', 'admin:wrong')).stdout).to.include(
        '✘ 1 The admin pushes · 401 ppf.push',
      );
    });

    it('has no sandboxes to choose from', async () => {
      expect(await refusalOf(play('--target', server.url, '--yes', '--sandbox', 'x'))).to.include(
        'has no control API, or is a proxy: --sandbox cannot be used',
      );
      expect(favourites()).to.equal(undefined);
    });
  });

  it('exits with 4 if the target does not answer', async () => {
    const server = await serving();
    await server.stop();
    expect(await refusalOf(play('--target', server.url), 4)).to.equal(
      `cwx-fake play: ${server.url} does not respond: ${REFUSED}\n`,
    );
  });
});
