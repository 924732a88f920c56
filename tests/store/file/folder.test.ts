// A server on a folder that cannot be used says why and exits; one on a full disk answers 507 until there is space.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { settingsFrom } from '../../../server/settings/settings.js';
import { useScratch } from '../../support/files/scratch.js';
import { built } from '../../support/processes/built.js';
import { endAll, launch, run } from '../../support/processes/command-line.js';
import { send, serving } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';
import { at, flagsOn, groupsOf, make } from './folder-server.js';

describe('a server that keeps its sandboxes in a folder', () => {
  const folder = useScratch();
  before(built);
  afterEach(endAll);
  const startIn = async (path: string) => {
    const server = await serving(undefined, { store: `file:${path}` });
    await server.stop();
  };
  const refusalIn = (path: string) => startIn(path).then(() => 'started', String);

  it('keeps `default`, whatever scenario it is started with, and reports it', async () => {
    const first = await launch(flagsOn(folder));
    await make(first, 'default', 'kept');
    await first.signal('SIGTERM');
    const second = await launch(['unlicensed', ...flagsOn(folder)]);
    expect(await groupsOf(second, 'default')).to.have.property('kept');
    expect(await at(second, 'default')).to.include({ scenario: 'small-team', version: 1 });
    await make(second, 'new', 'g');
    expect(await at(second, 'new')).to.include({ scenario: 'unlicensed' });
    expect((await second.signal('SIGTERM')).code).to.equal(0);
  });

  it('locks the folder, by whatever path, until it ends: a second server exits with code 2', async () => {
    const first = await launch(flagsOn(folder));
    symlinkSync(`${folder.path}/kept`, `${folder.path}/alias`);
    for (const path of ['kept', 'alias']) {
      const { code, stdout, stderr } = await run(['serve', '--port', '0', '--store', `file:${folder.path}/${path}`]);
      const sentence = `The folder ${folder.path}/${path} is in use by another process: stop that process, or choose another folder\n`;
      expect(stderr).to.include(sentence);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    }
    await first.signal('SIGKILL');
    await startIn(`${folder.path}/kept`);
  });

  it('creates the folder, and resumes a creation that was interrupted', async () => {
    const path = join(folder.path, 'new', 'deeper');
    mkdirSync(join(path, 'leveldb'), { recursive: true });
    writeFileSync(join(path, 'leveldb', 'MANIFEST-000001'), 'begun');
    writeFileSync(join(path, '.gitignore'), '*');
    await startIn(path);
    await startIn(path);
    await startIn(join(folder.path, 'other', 'new'));
  });

  it('refuses a path that is no folder, or cannot be one', async () => {
    writeFileSync(join(folder.path, 'file'), '');
    for (const path of [join(folder.path, 'file'), join(folder.path, 'file', 'below'), '/proc/none/below'])
      expect(await refusalIn(path)).to.match(/^StoreError: Cannot use the folder \S+: E\w+: /);
  });

  it('refuses a folder without permission', async () => {
    const isRoot = process.getuid?.() === 0;
    const path = join(folder.path, 'kept');
    await startIn(path);
    if (isRoot) execFileSync('chown', ['-R', '65534', folder.path]);
    chmodSync(join(path, 'leveldb', 'CURRENT'), 0);
    chmodSync(folder.path, 0o500);
    if (isRoot) process.seteuid?.(65_534); // root may do everything
    try {
      for (const place of [path, join(folder.path, 'new')])
        expect(await refusalIn(place)).to.match(/^StoreError: Cannot use the folder \S+: .*permission denied/i);
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(folder.path, 0o700);
      chmodSync(join(path, 'leveldb', 'CURRENT'), 0o600);
    }
    await startIn(path);
  });

  it('finds a folder below the home folder', () => {
    for (const [store, expected] of [
      ['file:~/kept', `file:${join(homedir(), 'kept')}`],
      ['file:~kept', 'file:~kept'],
    ] as const)
      expect(settingsFrom(undefined, { store }).store).to.equal(expected);
  });

  it('answers 507 on a full disk, reports it in health, loses nothing, and resumes by itself', async () => {
    const flags = [...flagsOn(folder), '--fsync'];
    const server = await launch(flags, { shell: 'ulimit -f 128' }); // blocks of 512 bytes
    const long = (i: number) => `g${i}${'x'.repeat(1200)}`; // the last one leaves room for the table that LevelDB makes of its log
    const made: string[] = [];
    let refused = await make(server, 'one', long(0));
    for (; refused.status === 200; refused = await make(server, 'one', long(made.length))) made.push(refused.group);
    expect({ status: refused.status, retryAfter: refused.headers.get('retry-after') }).to.deep.equal({
      status: 507,
      retryAfter: '1',
    });
    expect(JSON.parse(refused.text).message).to.match(/^The disk of .* is full, .*file too large/i);
    expect(made.length).to.be.above(3);
    const groups = await groupsOf(server, 'one');
    expect(Object.keys(groups)).to.include.members(made);
    expect(groups).not.to.have.property(refused.group);
    await until(async () => (await make(server, 'one', long(-1))).status === 507);
    const health = () => send(`${server.url}/_fake/health`);
    const { status, text } = await health();
    expect(status).to.equal(503);
    expect(text).to.match(/file too large/i);
    await until(async () => (await make(server, 'two', 'short')).status === 200);
    await until(async () => (await health()).status === 200);
    await server.signal('SIGTERM');
    const next = await launch(flags);
    const kept = await groupsOf(next, 'one');
    expect(Object.keys(kept)).to.include.members(made);
    expect(kept).not.to.have.property(refused.group);
    expect((await make(next, 'one', 'more')).status, 'where there is room again').to.equal(200);
  });
});
