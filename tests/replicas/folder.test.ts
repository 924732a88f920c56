// A server on a folder refuses one that is locked, damaged or full, with a clear message; it resumes with what it kept,
// even if it was killed (tests/proof kills it more often).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { built } from '../support/processes/built.js';
import { endAll, type Launched, launch, run } from '../support/processes/command-line.js';
import { at, flagsOn, groupsOf, make } from './folder-server.js';
import { testKills } from './killed-on-folder.js';

testKills(2);

describe('a server that keeps its sandboxes in a folder', function () {
  this.timeout(120_000);
  let folder: Scratch;
  before(built);
  beforeEach(() => {
    folder = scratch();
  });
  afterEach(() => {
    endAll();
    folder.drop();
  });
  const flags = () => flagsOn(folder);
  let count = 0;
  /** Creates another group. */
  const makeNext = (server: Launched, sandbox: string, more = '') => {
    count += 1;
    return make(server, sandbox, `g${count}${more}`);
  };

  it('keeps `default`, whatever scenario it is started with, and reports it', async () => {
    const first = await launch(flags());
    await makeNext(first, 'default');
    await first.signal('SIGTERM');
    const second = await launch(['unlicensed', ...flags()]);
    expect(await groupsOf(second, 'default')).to.have.property(`g${count}`);
    expect(await at(second, 'default')).to.include({ scenario: 'small-team', version: 1 });
    await makeNext(second, 'new');
    expect(await at(second, 'new')).to.include({ scenario: 'unlicensed' });
    expect((await second.signal('SIGTERM')).code).to.equal(0);
  });

  it('locks the folder: a second server exits with code 2', async () => {
    const first = await launch(flags());
    const { code, stdout, stderr } = await run(['serve', '--port', '0', ...flags()]);
    expect(stderr).to.match(/^the store cannot have the folder .*kept: the process \d+ has it: end it, or give each/);
    expect([code, stdout]).to.deep.equal([2, '']);
    await makeNext(first, 'one');
    await first.signal('SIGKILL');
    const next = await launch(flags());
    expect(await groupsOf(next, 'one')).to.have.property(`g${count}`);
  });

  it('refuses a damaged file with file and line, and changes nothing', async () => {
    const first = await launch(flags());
    for (let i = 0; i < 5; i += 1) await makeNext(first, 'one');
    await first.signal('SIGTERM');
    const file = join(folder.path, 'kept', 'one.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    const damaged = lines.map((line, i) => (i === 2 ? `${line.slice(0, 10)}#${line.slice(11)}` : line)).join('\n');
    writeFileSync(file, damaged);
    const { code, stdout, stderr } = await run(['serve', '--port', '0', ...flags()]);
    expect(stderr).to.match(/one\.jsonl:3\b|one\.jsonl.* line 3\b/);
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(readFileSync(file, 'utf8')).to.equal(damaged);
  });

  it('drops a line that was not completely written', async () => {
    const first = await launch(flags());
    for (let i = 0; i < 3; i += 1) await makeNext(first, 'one');
    await first.signal('SIGKILL');
    const file = join(folder.path, 'kept', 'one.jsonl');
    writeFileSync(file, readFileSync(file).subarray(0, -7));
    const second = await launch(flags());
    expect(Object.keys(await groupsOf(second, 'one')))
      .to.include(`g${count - 1}`)
      .and.not.include(`g${count}`);
    expect((await makeNext(second, 'one')).id).to.equal(3);
  });

  it('answers 503 without disk space, loses nothing, and serves the other sandboxes', async () => {
    const server = await launch(flags(), { shell: 'ulimit -f 128' }); // blocks of 512 bytes
    const made: string[] = [];
    for (;;) {
      const { status, group, headers, text } = await makeNext(server, 'one', 'x'.repeat(1000));
      if (status === 200) made.push(group);
      else {
        expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
        expect((JSON.parse(text) as { message: string }).message).to.match(/^one\.jsonl could not be written: EFBIG/);
        break;
      }
    }
    expect(made.length).to.be.above(3);
    const { [`g${count}${'x'.repeat(1000)}`]: refused, ...groups } = await groupsOf(server, 'one');
    expect(refused).to.equal(undefined);
    expect(Object.keys(groups)).to.include.members(made);
    const other = await makeNext(server, 'two');
    expect(other.status, other.text).to.equal(200);
    await server.signal('SIGTERM');
    const next = await launch(flags());
    expect(Object.keys(await groupsOf(next, 'one'))).to.include.members(made);
    expect((await makeNext(next, 'one')).status, 'where there is room again').to.equal(200);
  });
});
