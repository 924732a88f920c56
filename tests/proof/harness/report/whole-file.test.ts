// Files that are written completely or not at all: killed at random, on a full disk, through links, and into files opened by the shell.
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { buildSync } from 'esbuild';
import { writeWhole } from '../../../../server/process/whole-file.js';
import { type Scratch, scratch, useScratch } from '../../../support/files/scratch.js';
import { packageFolder } from '../../../support/processes/built.js';
import { hasDue, hasProgram } from '../../../support/processes/programs.js';

const ROUNDS = 15;
/** Until one was killed within a file. */
const MAX_ROUNDS = 300;
const SIZE = 8_000_000;
const LEFT_OVER = /^\.cwx-fake-[0-9a-f-]{36}\.tmp$/;

const imports = `
import { writeWhole } from './server/process/whole-file.js';
import { writeReports } from './harness/report/write.js';
import { thousand } from './tests/harness/report/runs.js';
const [, , what, file] = process.argv;
`;
/** Each runs in a process of its own: it is killed, or has less space than this one. */
const program = `${imports}
const texts = ['a', 'b'].map(letter => letter.repeat(${SIZE}));
const work = {
  write() {
    process.stdout.write('writing');
    for (let i = 0; ; i++) writeWhole(file, texts[i % 2]);
  },
  report() {
    const files = [{ format: 'junit', file }];
    const problems = writeReports(thousand, { files, github: false }, { env: {}, print() {} });
    process.stderr.write(JSON.stringify(problems));
  },
  between() {
    process.stdout.write('before\\n');
    writeWhole(file, 'the report\\n');
    process.stdout.write('after\\n');
  },
};
work[what]();
`;

describe('a written file', () => {
  let programs: Scratch;
  before(() => {
    programs = scratch();
    buildSync({
      stdin: { contents: program, resolveDir: packageFolder, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: join(programs.path, 'program.mjs'),
      logLevel: 'silent',
    });
  });
  const folder = useScratch();
  after(() => programs.drop());

  const at = (name: string) => join(folder.path, name);
  const read = (name: string) => readFileSync(at(name), 'utf8');
  const running = (what: string, file: string) => [join(programs.path, 'program.mjs'), what, file];

  it('is the old or the new one, complete, wherever its writer is killed', async () => {
    let leftOver = 0;
    folder.write('report.xml', 'o'.repeat(SIZE));
    for (let round = 0; round < ROUNDS || (leftOver === 0 && round < MAX_ROUNDS); round++) {
      const child = spawn(process.execPath, running('write', at('report.xml')), {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'close');
      await once(child.stdout, 'data');
      while (child.exitCode === null && readdirSync(folder.path).length < 2) await setImmediate();
      await setTimeout(Math.random() * 10);
      child.kill('SIGKILL');
      await ended;
      const text = read('report.xml');
      expect(text.length, 'half a file').to.equal(SIZE);
      expect(text === text.charAt(0).repeat(SIZE), 'two files in one').to.equal(true);
      const others = readdirSync(folder.path).filter(name => name !== 'report.xml');
      for (const name of others) expect(name).to.match(LEFT_OVER);
      leftOver += others.length;
      for (const name of others) folder.remove(name);
    }
    expect(leftOver, 'it was killed only between two files').to.be.above(0);
  });

  it('stays unchanged if the new one does not fit', function () {
    if (!hasProgram('bash', 'bash')) return this.skip(); // it can limit the size of a file
    folder.write('report.xml', 'old');
    const limited = bash('ulimit -f 8 && exec "$@"', [process.execPath, ...running('report', at('report.xml'))]);
    expect(JSON.parse(limited.stderr)).to.deep.equal([
      `The junit report cannot be written to ${JSON.stringify(at('report.xml'))}: file too large.`,
    ]);
    expect(read('report.xml')).to.equal('old');
    expect(readdirSync(folder.path)).to.deep.equal(['report.xml']);
  });

  it('keeps its mode', () => {
    folder.write('report.xml', 'old');
    chmodSync(at('report.xml'), 0o640);
    writeWhole(at('report.xml'), 'new');
    expect(read('report.xml')).to.equal('new');
    expect(statSync(at('report.xml')).mode & 0o777).to.equal(0o640);
  });

  it('is not replaced if it may not be written, though its folder may', function () {
    const { geteuid, seteuid } = process;
    if (!hasDue(geteuid !== undefined, 'there are no file modes, as POSIX has them')) return this.skip();
    chmodSync(folder.path, 0o777);
    folder.write('report.xml', 'old');
    chmodSync(at('report.xml'), 0o444);
    const asRoot = geteuid?.() === 0;
    if (asRoot) seteuid?.(65_534); // root may write everything
    try {
      expect(() => writeWhole(at('report.xml'), 'new')).to.throw('EACCES');
    } finally {
      if (asRoot) seteuid?.(0);
    }
    expect(read('report.xml')).to.equal('old');
  });

  it('is created at the target of a link, which stays one', () => {
    mkdirSync(at('there'));
    symlinkSync('there/second', at('first'));
    symlinkSync('report.xml', at('there/second'));
    writeWhole(at('first'), 'new');
    expect(read('there/report.xml')).to.equal('new');
    for (const name of ['first', 'there/second']) expect(lstatSync(at(name)).isSymbolicLink()).to.equal(true);
    symlinkSync('circle', at('circle'));
    expect(() => writeWhole(at('circle'), 'new')).to.throw('ELOOP');
  });

  it('follows the printed output if it is the standard output opened by the shell, or goes into a pipe', () => {
    for (const path of ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']) {
      const out = openSync(at('out.txt'), 'w');
      const { status } = spawnSync(process.execPath, running('between', path), { stdio: ['ignore', out, 'inherit'] });
      closeSync(out);
      expect(status).to.equal(0);
      expect(read('out.txt'), path).to.equal('before\nthe report\nafter\n');
    }
    const { stdout } = bash('"$@" | cat', [process.execPath, ...running('between', '/dev/stdout')]);
    expect(stdout).to.equal('before\nthe report\nafter\n');
  });
});

function bash(script: string, args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync('bash', ['-c', script, 'bash', ...args], { encoding: 'utf8' });
}
