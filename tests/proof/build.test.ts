// The build in a copy of the sources: when it runs, what it leaves, and that a running fake does not notice it.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { endAll, launch, run } from '../support/processes/command-line.js';
import { send } from '../support/wire/server.js';
import { checkOutBuilt } from './checkout.js';

const GUIDE = 'server/derive/guide/guide.ts';
const CLI = 'dist/server/cli.js';

describe('the build', function () {
  this.timeout(300_000); // beside other tests, a build takes a minute
  let copy: Scratch;
  const inCopy = (path: string) => join(copy.path, path);
  const build = (...flags: string[]) =>
    promisify(execFile)(process.execPath, [inCopy('build/build.mjs'), ...flags], { cwd: copy.path });
  const isBuiltAgain = async () => (await build('--if-stale')).stderr.startsWith('dist/server is built, in ');

  before(async () => {
    copy = scratch();
    await checkOutBuilt(copy.path);
  });
  after(() => {
    endAll();
    copy.drop();
  });

  it('is skipped if nothing has changed, whatever the times of the files', async () => {
    copy.write(GUIDE, readFileSync(inCopy(GUIDE), 'utf8'));
    const { ino } = statSync(inCopy('dist/server/cwx-fake.cjs'));
    expect(await isBuiltAgain()).to.equal(false);
    expect(statSync(inCopy('dist/server/cwx-fake.cjs')).ino).to.equal(ino);
  });

  it('is due if a source file is new, gone, or older with another text, or if its output is gone', async () => {
    renameSync(inCopy('node_modules'), inCopy('no_modules')); // so that it says that it is due, which is quicker than a build
    const isDue = async () =>
      (await build('--if-stale', '--if-possible')).stderr.startsWith('dist/server is not built');
    const text = readFileSync(inCopy(GUIDE), 'utf8');
    const program = readFileSync(inCopy(CLI), 'utf8');
    const changes: Readonly<Record<string, () => void>> = {
      new: () => copy.write('server/unused.ts', '// Nothing.\n'),
      gone: () => copy.remove(GUIDE),
      older: () => {
        copy.write(GUIDE, `${text}\n`);
        utimesSync(inCopy(GUIDE), 0, 0);
      },
      'without output': () => copy.remove(CLI),
    };
    for (const [state, change] of Object.entries(changes)) {
      expect(await isDue(), `before ${state}`).to.equal(false);
      change();
      expect(await isDue(), state).to.equal(true);
      rmSync(inCopy('server/unused.ts'), { force: true });
      copy.write(GUIDE, text);
      copy.write(CLI, program);
    }
    renameSync(inCopy('no_modules'), inCopy('node_modules'));
  });

  it('leaves the output unchanged if the sources do not compile, and runs again then', async () => {
    const text = readFileSync(inCopy(GUIDE), 'utf8');
    copy.write(GUIDE, `${text}\nimport './missing.js';\n`);
    const failed = await build('--if-stale').catch((error: Error) => error);
    expect(failed).to.be.instanceOf(Error).with.property('message').that.includes('missing.js');
    expect((await run(['--version'], { program: inCopy(CLI) })).code).to.equal(0);
    copy.write(GUIDE, text);
    expect(await isBuiltAgain()).to.equal(false);
  });

  it('is named by the command where it has not been run', async () => {
    copy.write('unbuilt/cli/bin.cjs', readFileSync(inCopy('cli/bin.cjs'), 'utf8'));
    const { code, stderr } = await run(['--version'], { program: inCopy('unbuilt/cli/bin.cjs') });
    expect(code).to.equal(2);
    expect(stderr).to.contain('npm install --ignore-scripts=false');
  });

  it('makes what is gone and leaves nothing else behind, unnoticed by a running fake, which finds everything it has not loaded yet', async () => {
    const program = inCopy(CLI);
    const server = await launch(['--log', 'json'], { program });
    const text = readFileSync(inCopy(GUIDE), 'utf8');
    copy.write(GUIDE, text.replace('# ', '# New: '));
    copy.write(
      'server/derive/ledger/ledger.ts',
      readFileSync(inCopy('server/derive/ledger/ledger.ts'), 'utf8').replace(/^/, '\n'),
    );
    copy.write('dist/server/http/app.js', '');
    copy.remove(CLI);
    expect(await isBuiltAgain()).to.equal(true);
    expect(existsSync(inCopy(CLI))).to.equal(true);
    expect(existsSync(inCopy('dist/server/http/app.js'))).to.equal(false);
    expect(readdirSync(inCopy('dist')).filter(name => name.startsWith('.'))).to.deep.equal([]);
    expect(await isBuiltAgain()).to.equal(false);
    const guide = await send(`${server.url}/_fake/v1/guide`);
    expect({ status: guide.status, text: guide.text.includes('# New: ') }).to.deep.equal({ status: 200, text: false });
    for (const path of ['v1/ledger', 'v1/openapi.json', 'v1/metrics'])
      expect((await send(`${server.url}/_fake/${path}`)).status, path).to.equal(200);
    const latin = { 'content-type': 'application/json; charset=iso-8859-1' }; // read by a package that is loaded on demand
    const asked = { method: 'POST', headers: latin, body: '{"group":"customers","users":["alice"]}' };
    expect((await fetch(`${server.url}/rest/cwxapiextension/latest/groups/add-users`, asked)).status).to.equal(200);
    expect((await server.signal('SIGTERM')).code).to.equal(0);
    expect((await run(['guide'], { program })).stdout).to.include('# New: ');
  });
});
