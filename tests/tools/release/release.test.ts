// A rehearsal of a release: the steps of RELEASING.md against a registry on this machine, then the package as npx, pnpm dlx and yarn dlx run it.
import { type ExecFileException, execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkOutBuilt } from '../../proof/checkout.js';
import { useSharedScratch } from '../../support/files/scratch.js';
import { packageFolder } from '../../support/processes/built.js';
import { installed } from '../installed.js';
import { type Registry, startRegistry } from './registry.js';

const VERSION = '0.1.1';

const runners: Readonly<Record<string, readonly string[]>> = {
  npx: ['npx', '--yes'],
  'pnpm dlx': [process.execPath, installed('pnpm/bin/pnpm.cjs'), '--silent', 'dlx'],
  'yarn dlx': [process.execPath, installed('@yarnpkg/cli-dist/bin/yarn.js'), 'dlx', '--quiet'],
};

describe('a release', function () {
  this.timeout(300_000);
  const folder = useSharedScratch();
  let registry: Registry;
  const inFolder = (name: string) => join(folder.path, name);
  const clone = () => inFolder('clone');

  before(async () => {
    registry = await startRegistry(inFolder('storage'));
    await checkOutBuilt(clone());
    await done(clone(), 'git', 'init', '--quiet');
    folder.write('clone/.git/info/exclude', 'node_modules\ndist\n');
  });
  after(() => registry?.stop());

  /** Runs a command of a user with an empty home folder, for whom there is no other registry. */
  function run(
    cwd: string,
    [program = '', ...args]: readonly string[],
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    mkdirSync(cwd, { recursive: true });
    const author = ['AUTHOR', 'COMMITTER'].flatMap(who => [
      [`GIT_${who}_NAME`, 'A'],
      [`GIT_${who}_EMAIL`, 'a@example.org'],
    ]);
    const env = {
      PATH: process.env.PATH,
      HOME: inFolder('home'),
      npm_config_registry: registry.url,
      YARN_NPM_REGISTRY_SERVER: registry.url,
      YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
      YARN_ENABLE_TELEMETRY: '0',
      YARN_NPM_MINIMAL_AGE_GATE: '0', // by default it waits until a version is some days old
      ...Object.fromEntries(author),
    };
    return new Promise(resolve => {
      execFile(program, args, { cwd, env }, (error: ExecFileException | null, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
      );
    });
  }

  async function done(cwd: string, ...command: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await run(cwd, command);
    expect(code, `${command.join(' ')}\n${stdout}${stderr}`).to.equal(0);
    return stdout;
  }

  const token = () => `--${registry.url.replace(/^http:/, '')}:_authToken=rehearsal`;
  const publish = () => ['npm', 'publish', '--access', 'public', token()];

  it('is versioned, committed, tagged and published, as RELEASING.md says', async () => {
    const steps = readFileSync(join(packageFolder, 'RELEASING.md'), 'utf8');
    for (const words of ['npm version <version> --no-git-tag-version', 'npm publish --provenance --access public'])
      expect(steps).to.contain(words); // the provenance comes from the CI of a public repository
    await done(clone(), 'npm', 'version', VERSION, '--no-git-tag-version');
    await done(clone(), 'git', 'add', '--all');
    await done(clone(), 'git', 'commit', '--quiet', '--message', `Release ${VERSION}`);
    await done(clone(), 'git', 'tag', `v${VERSION}`);
    await done(clone(), ...publish());
    expect(await done(clone(), 'npm', 'view', 'cwx-fake', 'version')).to.equal(`${VERSION}\n`);
    expect(await done(clone(), 'git', 'status', '--short'), 'publishing changed the clone').to.equal('');
  });

  for (const [name, words] of Object.entries(runners))
    it(`runs with ${name} in an empty folder`, async () => {
      const cwd = inFolder(name.replace(' ', '-'));
      expect(await done(cwd, ...words, 'cwx-fake', '--version')).to.equal(`${VERSION}\n`);
      expect(await done(cwd, ...words, `cwx-fake@${VERSION}`, 'play', 'first-steps')).to.match(
        /\d+ steps passed, 0 failed/,
      );
    });

  it('that is bad is deprecated: npm says what to take instead', async () => {
    await done(clone(), 'npm', 'deprecate', `cwx-fake@${VERSION}`, 'use the next', token());
    const { stderr } = await run(inFolder('late'), ['npm', 'install', `cwx-fake@${VERSION}`]);
    expect(stderr).to.contain('use the next');
  });
});
