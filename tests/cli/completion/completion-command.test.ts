// Completion: the candidates for the next word, and scripts that work in real shells. Also misspelt CWX_FAKE_ variables.
import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { scratch } from '../../support/files/scratch.js';
import { built, cli } from '../../support/processes/built.js';
import { launch, refusalOf, run } from '../../support/processes/commands.js';
import { isThere } from '../../support/processes/programs.js';

describe('cwx-fake completion', () => {
  const words = async (...line: string[]) =>
    (await run(['completion', 'words', '--', ...line])).stdout.split('\n').slice(0, -1);

  it('completes commands, flags, gaps, readings, scenarios and formats', async () => {
    expect(await words('se')).to.deep.equal(['serve', 'sensitivity']);
    expect(await words('unlic')).to.deep.equal(['unlicensed', 'unlicensed-wiki']);
    expect(await words('serve', '--max-s')).to.deep.equal(['--max-sandboxes', '--max-sandbox']);
    expect(await words('serve', '--reading', 'unknown-u')).to.deep.equal(['unknown-user=']);
    expect(await words('serve', '--reading', 'unknown-user=')).to.deep.equal([
      'unknown-user=404',
      'unknown-user=400',
      'unknown-user=403',
      'unknown-user=skip',
      'unknown-user=message',
      'unknown-user=create',
    ]);
    expect(await words('sensitivity', '--only', 'wiki-s')).to.deep.equal(['wiki-success']);
    expect(await words('sensitivity', '--', 'np')).to.deep.equal([]);
    expect(await words('--log', '')).to.deep.equal(['pretty', 'json', 'silent']);
    expect(await words('play', 'first-s')).to.deep.equal(['first-steps']);
    expect(await words('serve', '--profile', 's')).to.deep.equal(['strict']);
    expect(await words('guide', 'ppf.')).to.deep.equal(['ppf.push', 'ppf.pull']);
    expect(await words('ledger', 'unknown-pag')).to.deep.equal(['unknown-page']);
    expect(await words('schema', 'fix')).to.deep.equal(['fixture']);
    expect(await words('serve', '--readings', '')).to.deep.equal([]);
    expect(await words('jou')).to.deep.equal(['journal']); // a command for a running fake
    expect(await words('clock', 's')).to.include('set');
    expect(await words('faults', 'add', 'ppf.pul')).to.deep.equal(['ppf.pull']);
    expect(await words('journal', '--f')).to.deep.equal(['--follow']);
  });

  it('completes in bash, which splits words at equals signs', async () => {
    await built();
    const folder = scratch({
      'cwx-fake': `#!/bin/sh\nexec ${process.execPath} ${cli} "$@"\n`,
      npx: '#!/bin/sh\nexec "$@"\n',
    });
    execFileSync('chmod', ['+x', `${folder.path}/cwx-fake`, `${folder.path}/npx`]);
    const complete = (line: string) =>
      execFileSync(
        'bash',
        [
          '-c',
          `eval "$(cwx-fake completion bash)"; COMP_LINE='${line}' COMP_POINT=${line.length}; _cwx_fake; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ],
        { env: { ...process.env, PATH: `${folder.path}:${process.env.PATH}` }, encoding: 'utf8' },
      ).split('\n');
    expect(complete('cwx-fake serve --reading no-change=')).to.include.members(['ok', '409']);
    expect(complete('npx cwx-fake calib')).to.include('calibrate');
    for (const shell of ['zsh', 'fish'].filter(isThere)) {
      const { stdout } = await run(['completion', shell]);
      execFileSync(shell, ['-n'], { input: stdout });
    }
    folder.drop();
  });

  it('suggests the nearest shell', async () => {
    expect(await refusalOf(run(['completion', 'bsh']))).to.equal(
      'unknown shell "bsh" (did you mean "bash"?): expected bash, zsh or fish\n',
    );
  });
});

describe('an environment variable with the prefix CWX_FAKE_', () => {
  it('is reported with the nearest known name if it is unknown', async () => {
    const env = { CWX_FAKE_REDING: 'unknown-user=400', CWX_FAKE_URL: 'http://x', CWX_FAKE_PORT: '1' };
    expect(await run(['schema', 'fixture'], { env })).to.deep.include({
      code: 0,
      stderr: 'cwx-fake schema: unknown environment variable CWX_FAKE_REDING (did you mean "CWX_FAKE_READING"?)\n',
    });
  });

  it('is reported with the command that it belongs to if that is another one', async () => {
    expect(await run(['schema', 'fixture'], { env: { CWX_FAKE_JOBS: '2' } })).to.deep.include({
      code: 0,
      stderr: 'cwx-fake schema: unknown environment variable CWX_FAKE_JOBS, which belongs to sensitivity\n',
    });
  });

  it('chooses the scenario of serve, unless an argument does', async () => {
    const env = { CWX_FAKE_SCENARIO: 'unlicensed', CWX_FAKE_PORT: '0' };
    for (const [words, scenario] of [
      [[], 'unlicensed'],
      [['small-team'], 'small-team'],
    ] as const) {
      const { url, signal } = await launch(words, { env });
      expect(await (await fetch(`${url}/_fake/health`)).json()).to.include({ scenario });
      await signal('SIGTERM');
    }
  });
});
