// Every command and every output shown in the README, run as it stands by a newcomer with a shell. `UPDATE_README=1` writes the outputs anew.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { defaultFolders } from '../server/scenario/folders.js';
import { loadNamed } from '../server/scenario/load.js';
import { loadMap } from '../server/scenario/map-file.js';
import { isProblems } from '../server/scenario/problem.js';
import { blocks, commandsIn, lines, withOutputs } from './support/readme.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = join(root, 'README.md');
const readme = readFileSync(file, 'utf8');
const shown = commandsIn(readme);

describe('the README', () => {
  let server: ChildProcess;
  let port = '';
  let ready = '';
  let folder: string;
  const outputs: string[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cwx-fake-readme-'));
    writeFileSync(join(folder, 'cwx-fake'), `#!/bin/sh\nexec node '${join(root, 'dist/server/cli.js')}' "$@"\n`, {
      mode: 0o755,
    });
    for (const yaml of blocks(readme, 'yaml'))
      writeFileSync(join(folder, /^# (?:scenarios\/)?(\S+\.yaml)/.exec(yaml)?.[1] ?? 'typo.yaml'), yaml);
    server = spawn('npm', ['start'], {
      cwd: root,
      env: { ...process.env, CWX_FAKE_PORT: '0', CWX_FAKE_LOG: 'silent' },
      detached: true,
    });
    ready = await readyLine(server);
    port = /:(\d+) /.exec(ready)?.[1] ?? '';
  });
  after(async () => {
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
    await once(server, 'exit');
    rmSync(folder, { recursive: true });
    if (process.env.UPDATE_README === '1') writeFileSync(file, withOutputs(readme, outputs));
  });

  it('npm start serves the default scenario', () => {
    expect(ready).to.match(/^cwx-fake listening on http:\/\/127\.0\.0\.1:\d+ \(scenario small-team\)$/);
  });

  it('names the two commands that do everything', () => {
    expect(blocks(readme, 'sh')[0]).to.match(/^npm ci && npm start .*\nnpm ci && npm test /);
  });

  it('shows commands', () => {
    expect(shown.length).to.be.above(15);
  });

  for (const { command, output } of shown) {
    it(`$ ${command.slice(0, 100)}`, async () => {
      const printed = (await run(command.replaceAll('8080', port), folder)).replaceAll(port, '8080');
      outputs.push(printed);
      if (process.env.UPDATE_README !== '1') expect(lines(printed)).to.equal(output);
    });
  }

  it('shows a map that loads', () => {
    const fixture = loadNamed('small-team', defaultFolders(root));
    if (isProblems(fixture)) expect.fail('the fixture does not load');
    const loaded = loadMap(join(folder, 'names.yaml'), fixture.origin.world);
    if (isProblems(loaded)) expect.fail(loaded.problems.map(({ message }) => message).join('\n'));
    expect(loaded.map.users.get('alice')).to.equal('jdoe');
  });

  it('shows a scenario that loads', async () => {
    expect(await run('cwx-fake check my-team.yaml', folder)).to.equal('1 file checked, no problem\n');
  });
});

/** Runs a command line in a shell; what it prints on standard output and error, in this order. */
function run(command: string, folder: string): Promise<string> {
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
  return new Promise(resolve => {
    execFile('bash', ['-c', command], { cwd: folder, env }, (_, stdout, stderr) =>
      resolve((stdout + stderr).replaceAll('\r', '')),
    );
  });
}

/** The line of the server itself; npm prints its own before. */
async function readyLine(server: ChildProcess): Promise<string> {
  let text = '';
  if (server.stdout === null) throw new Error('the server has no output');
  for await (const chunk of server.stdout) {
    text += String(chunk);
    const line = text
      .split('\n')
      .find((candidate, i, lines) => candidate.startsWith('cwx-fake listening') && i < lines.length - 1);
    if (line !== undefined) return line;
  }
  throw new Error(`the server ended: ${text}`);
}
