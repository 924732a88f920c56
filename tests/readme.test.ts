// Every command and every output shown in the README, run as it stands by a newcomer with a shell. `UPDATE_README=1` writes the outputs anew.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';
import { defaultFolders } from '../server/scenario/load/folders.js';
import { loadNamed } from '../server/scenario/load/load.js';
import { loadMap } from '../server/scenario/load/map-file.js';
import { isProblems } from '../server/scenario/yaml/problem.js';
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
    mkdirSync(join(folder, 'pacts'));
    for (const text of blocks(readme, 'json').filter(block => block.includes('"consumer"'))) {
      const { consumer, provider } = JSON.parse(text) as Record<'consumer' | 'provider', { name: string }>; // pacts
      writeFileSync(join(folder, 'pacts', `${consumer.name}-${provider.name}.json`), text);
    }
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

  it('shows a script for CI that works as it stands', async function () {
    this.timeout(60_000);
    const script = blocks(readme, 'sh').find(text => text.includes('\n# ci.sh')) ?? expect.fail('there is no ci.sh');
    const own = join(folder, 'consumer');
    mkdirSync(join(own, 'pacts'), { recursive: true });
    writeFileSync(join(own, 'ci.sh'), script);
    writeFileSync(join(own, 'package.json'), '{ "type": "module", "scripts": { "test": "node test.js" } }');
    writeFileSync(
      join(own, 'test.js'),
      consumerTest(readFileSync(join(folder, 'pacts/web-wiki-extension.json'), 'utf8')),
    );
    expect(await run('cd consumer && sh ci.sh; echo "ended with $?"', folder)).to.match(
      /The contracts hold\.\nended with 0\n/,
    );
    expect(readFileSync(join(own, 'reports/pacts.xml'), 'utf8')).to.include('<testsuites ');
    writeFileSync(join(own, 'test.js'), 'process.exit(1);\n');
    expect(await run('cd consumer && sh ci.sh >/dev/null 2>&1; echo "ended with $?"', folder)).to.equal(
      'ended with 1\n',
    );
  });

  it('shows a workflow that is YAML, and runs no command but those of the script', () => {
    const workflow = blocks(readme, 'yml').find(text => text.includes('jobs:')) ?? expect.fail('there is no workflow');
    const { jobs } = parse(workflow) as { jobs: { contracts: { steps: ReadonlyArray<{ run?: string }> } } };
    const commands = jobs.contracts.steps.flatMap(step => step.run ?? []).join('\n');
    expect(commands).to.include('npx cwx-fake verify pacts --sensitivity --report ').and.include('npx cwx-fake serve');
  });

  it('shows how ajv takes a schema, with what that prints', async () => {
    const code = blocks(readme, 'js').find(text => text.includes('ajv')) ?? expect.fail('there is no such code');
    const printed = await run(`cd '${root}' && node --input-type=module -e "$CODE"`, folder, { CODE: code });
    expect(printed).to.match(/^true\nfalse /);
    expect(readme).to.include(`\n\`\`\`\n${printed}\`\`\`\n`);
  });

  it('shows a scenario that loads', async () => {
    expect(await run('cwx-fake check my-team.yaml', folder)).to.equal('1 file checked, no problem\n');
  });
});

/** The test run of somebody else: asks the fake, and leaves a pact. */
function consumerTest(pact: string): string {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"group":"customers","users":[]}',
  };
  return [
    `const url = process.env.FAKE_URL + '/rest/cwxapiextension/latest/groups/add-users';`,
    `if (!(await fetch(url, ${JSON.stringify(init)})).ok) process.exit(1);`,
    `(await import('node:fs')).writeFileSync('pacts/web.json', ${JSON.stringify(pact)});`,
  ].join('\n');
}

/** Runs a command line in a shell; what it prints on standard output and error, in this order. */
function run(command: string, folder: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const env = { ...process.env, ...more, PATH: `${folder}:${process.env.PATH}` };
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
