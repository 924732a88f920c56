// One process at a time has a folder, however many open it at once and however they end. Folders of something else are refused.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { created } from '../suite.js';
import { child, program } from './children.js';
import { heldIn, opened, refusalOf } from './opened.js';

describe('the folder of a file store', function () {
  this.timeout(60_000);
  let folder: Scratch;
  let contender: string;
  const children: Array<ReturnType<typeof child>> = [];
  before(async () => {
    folder = scratch();
    contender = program('contender', folder.path);
  });
  after(() => folder.drop());
  afterEach(() => Promise.all(children.splice(0).map(one => one.kill())));

  const contenders = (count: number) => {
    for (let i = 0; i < count; i += 1) children.push(child(contender));
    return children;
  };
  const refusedIn = (data: string, owner: string) =>
    `The folder ${data} is in use by ${owner}: stop that process, or choose another folder`;

  it('is refused to a second process, with the id of the first, until that one closes it', async () => {
    const data = join(folder.path, 'second');
    const store = await opened(data);
    const [other] = contenders(1);
    expect(await other?.ask(`open ${data}`)).to.equal(refusedIn(data, `process ${process.pid}`));
    expect(await refusalOf(opened(data))).to.deep.equal({
      failure: 'refused',
      message: refusedIn(data, `process ${process.pid}`),
    });
    await store.close();
    expect(await other?.ask(`open ${data}`)).to.equal('opened');
    expect((await refusalOf(opened(data))).message).to.equal(refusedIn(data, `process ${other?.pid}`));
    unlinkSync(join(data, 'owner.json'));
    expect((await refusalOf(opened(data))).message).to.equal(refusedIn(data, 'another process'));
    await other?.ask('close');
    await (await opened(data)).close();
  });

  it('is free at once when its process is killed', async () => {
    const data = join(folder.path, 'killed');
    for (let round = 0; round < 3; round += 1) {
      const one = child(contender);
      children.push(one);
      expect(await one.ask(`open ${data}`)).to.equal('opened');
      await one.kill();
    }
    await (await opened(data)).close();
  });

  it('goes to exactly one of the processes that open it at the same moment, in each of ten rounds', async () => {
    const all = contenders(3);
    for (let round = 0; round < 10; round += 1) {
      const data = join(folder.path, `round-${round}`);
      const dead = round % 3 === 2;
      if (dead) {
        const one = child(contender);
        await one.ask(`open ${data}`);
        await one.kill();
      } else mkdirSync(data);
      const responses = await Promise.all(all.map(one => one.ask(`open ${data}`)));
      expect(
        responses.filter(response => response === 'opened'),
        responses.join('\n'),
      ).to.have.length(1);
      for (const response of responses.filter(other => other !== 'opened'))
        expect(response).to.match(
          /^The folder .* is in use by .*process.*: stop that process, or choose another folder$/,
        );
      await Promise.all(all.map(one => one.ask('close')));
    }
  });

  it('is identified by its real path', async () => {
    const data = join(folder.path, 'real');
    const store = await opened(data);
    symlinkSync(data, join(folder.path, 'alias'));
    expect((await refusalOf(opened(join(folder.path, 'alias')))).failure).to.equal('refused');
    await store.close();
  });

  it('is refused to a second container with the same volume', async function () {
    const [data, mounted] = [join(folder.path, 'volume'), join(folder.path, 'mounted')];
    for (const path of [data, mounted]) mkdirSync(path);
    const apart = ['-m', '-p', '-f', '-n', '--mount-proc'];
    if (spawnSync('unshare', [...apart, 'true']).status !== 0) {
      process.stderr.write('skipped: no container can be made here\n');
      this.skip();
    }
    const store = await opened(data);
    const inside = `mount --bind '${data}' '${mounted}' && '${process.execPath}' '${contender}'`;
    const output = execFileSync('unshare', [...apart, 'sh', '-c', inside], {
      input: `open ${mounted}\n`,
      encoding: 'utf8',
    });
    expect(output).to.equal(`${refusedIn(mounted, `process ${process.pid}`)}\n`);
    await store.close();
  });

  it('is refused if it has other content, and nothing is changed', async () => {
    const data = join(folder.path, 'other');
    mkdirSync(data);
    for (const file of ['.gitignore', 'one.jsonl']) writeFileSync(join(data, file), 'mine');
    expect(await refusalOf(opened(data))).to.deep.equal({
      failure: 'refused',
      message: `The folder ${data} is not empty and was not created by cwx-fake (it contains one.jsonl): choose an empty folder`,
    });
    expect(readdirSync(data).sort()).to.deep.equal(['.gitignore', 'one.jsonl']);
    unlinkSync(join(data, 'one.jsonl'));
    await (await opened(data)).close();
    expect(readFileSync(join(data, '.gitignore'), 'utf8')).to.equal('mine');
  });

  it('is created, and refused where it cannot be', async () => {
    const deep = join(folder.path, 'new', 'deeper');
    await (await opened(deep)).close();
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    const refused = { failure: 'refused', message: `${file} is a file: choose a folder` };
    expect(await refusalOf(opened(file))).to.deep.equal(refused);
    expect((await refusalOf(opened(join(file, 'below')))).message).to.match(/^Cannot use the folder .*below: ENOTDIR/);
    const nowhere = await refusalOf(opened('/proc/none/below')); // Node's own recursive mkdir would not end
    expect(nowhere.message).to.match(/^Cannot use the folder \/proc\/none\/below: E\w+/);
  });

  it('is opened again if its process was killed while it was created', async () => {
    const data = join(folder.path, 'begun');
    for (const part of ['lock', 'leveldb']) mkdirSync(join(data, part), { recursive: true });
    writeFileSync(join(data, 'leveldb', 'MANIFEST-000001'), 'begun');
    const store = await opened(data);
    await created(store, 'a');
    await store.close();
    expect(await heldIn(data)).to.have.property('a');
  });

  it('needs the package classic-level, and says how to install it', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--import', 'tsx', '--input-type=module', '-e'],
      WITHOUT,
      join(folder.path, 'without'),
    ]);
    expect(stdout.trim()).to.equal(
      'refused: Sandboxes in a folder need the package classic-level: run npm install classic-level@3',
    );
  });
});

/** A program that does not find the package, with the error Node throws for a missing one. */
const WITHOUT = `
import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(
  "export async function resolve(name, context, next) {" +
  "  if (name !== 'classic-level') return next(name, context);" +
  "  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });" +
  "}"
));
const { fileStore } = await import('./server/store/file/file-store.ts');
const opening = fileStore({ folder: process.argv[1], format: { version: 1, oldest: 1 }, fsync: false });
console.log(await opening.then(() => 'opened', error => error.failure + ': ' + error.message));
`;
