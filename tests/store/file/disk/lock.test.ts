// One process at a time has a folder, however many open it at once and however they end.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { takeFolder } from '../../../../server/store/file/disk/lock.js';
import { closing, isDead, listen, wayTo } from '../../../../server/store/file/disk/sockets.js';
import { type Scratch, scratch } from '../../../support/files/scratch.js';
import { until } from '../../../support/worlds/until.js';
import { child, program } from '../children.js';
import { opened, refusalOf } from '../opened.js';

describe('the folder of a file store', function () {
  this.timeout(60_000);
  let folder: Scratch;
  let contender: string;
  const children: Array<ReturnType<typeof child>> = [];
  before(async () => {
    folder = scratch();
    contender = await program('contender', folder.path);
  });
  after(() => folder.drop());
  afterEach(() => Promise.all(children.splice(0).map(one => one.kill())));

  const contenders = (count: number) => {
    for (let i = 0; i < count; i += 1) children.push(child(contender));
    return children;
  };
  const refusedIn = (data: string, owner: number) =>
    `the store cannot have the folder ${data}: the process ${owner} has it: end it, or give each its own folder`;

  it('is refused to a second process, with the id of the first, until that one closes it', async () => {
    const data = join(folder.path, 'second');
    const store = await opened(data);
    const [other] = contenders(1);
    expect(await other?.ask(`open ${data}`)).to.equal(refusedIn(data, process.pid));
    expect(await refusalOf(opened(data))).to.deep.equal({ failure: 'refused', message: refusedIn(data, process.pid) });
    await store.close();
    expect(await other?.ask(`open ${data}`)).to.equal('opened');
    expect((await refusalOf(opened(data))).message).to.equal(refusedIn(data, other?.pid ?? 0));
    await other?.ask('close');
    expect(readdirSync(data)).to.deep.equal([]);
  });

  it('is free at once when its process is killed', async () => {
    const data = join(folder.path, 'killed');
    for (let round = 0; round < 3; round += 1) {
      const one = child(contender);
      children.push(one);
      expect(await one.ask(`open ${data}`)).to.equal('opened');
      await one.kill();
    }
    expect(readdirSync(join(data, 'lock'))).to.have.length(2); // the socket of the last one, and its owner
    await (await opened(data)).close();
    expect(readdirSync(data)).to.deep.equal([]);
  });

  it('goes to exactly one of the processes that open it at the same moment, in each of twenty rounds', async () => {
    const all = contenders(3);
    for (let round = 0; round < 20; round += 1) {
      const data = join(folder.path, `round-${round}`);
      const dead = round % 2 === 1;
      if (dead) {
        const one = child(contender);
        await one.ask(`open ${data}`);
        await one.kill();
      } else mkdirSync(data);
      const answers = await Promise.all(all.map(one => one.ask(`open ${data}`)));
      expect(
        answers.filter(answer => answer === 'opened'),
        answers.join('\n'),
      ).to.have.length(1);
      for (const answer of answers.filter(other => other !== 'opened'))
        expect(answer).to.match(/^the store cannot have the folder .* has it: end it, or give each its own folder$/);
      await Promise.all(all.map(one => one.ask('close')));
    }
  });

  it('goes to exactly one within a process as well', async () => {
    for (let round = 0; round < 20; round += 1) {
      const data = join(folder.path, `inside-${round}`);
      mkdirSync(data);
      const taken = await Promise.allSettled(Array.from({ length: 8 }, () => takeFolder(data)));
      const releases = taken.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
      expect(releases).to.have.length(1);
      await releases[0]?.();
      expect(readdirSync(data)).to.deep.equal([]);
    }
  });

  const long = () => join(folder.path, 'x'.repeat(80), 'y'.repeat(80));

  it('may have a path that is too long for a socket, whatever the temporary folders', async () => {
    const store = await opened(long());
    expect((await refusalOf(opened(long()))).message).to.equal(refusedIn(long(), process.pid));
    for (const temporary of [join(folder.path, 'elsewhere'), '/nowhere', '']) {
      const other = child(contender, [], `export TMPDIR='${temporary}'`);
      children.push(other);
      expect(await other.ask(`open ${long()}`)).to.equal(refusedIn(long(), process.pid));
    }
    await store.close();
    expect(readdirSync(long())).to.deep.equal([]);
  });

  it('is free at once when its process is killed, with a long path as well', async () => {
    const one = child(contender);
    children.push(one);
    expect(await one.ask(`open ${long()}`)).to.equal('opened');
    await one.kill();
    const begun = Date.now();
    await (await opened(long())).close();
    expect(Date.now() - begun).to.be.lessThan(1000);
    expect(readdirSync(long())).to.deep.equal([]);
  });

  it('is reached through a link on systems without descriptors in paths', async () => {
    mkdirSync(long(), { recursive: true });
    const way = wayTo(long(), 40, false);
    const server = await listen(join(way.path, 'socket'));
    expect(readdirSync(long())).to.deep.equal(['socket']);
    expect(await isDead(join(way.path, 'socket'))).to.equal(false);
    await closing(server)();
    way.end();
    expect(existsSync(way.path)).to.equal(false);
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
    expect(output).to.equal(`${refusedIn(mounted, process.pid)}\n`);
    await store.close();
  });

  describe('locked by another machine', () => {
    let place: string;
    let touching: NodeJS.Timeout | undefined;
    beforeEach(() => {
      const data = scratch();
      place = join(data.path, 'lock');
      mkdirSync(place);
      writeFileSync(join(place, 'socket-0badcafe-0123456789abcdef'), '');
      writeFileSync(join(place, 'owner-0badcafe-0123456789abcdef'), '17');
    });
    afterEach(() => {
      clearInterval(touching);
      rmSync(dirname(place), { recursive: true });
    });
    const touch = () => utimesSync(join(place, 'socket-0badcafe-0123456789abcdef'), new Date(), new Date());

    it('is refused while that machine touches its socket', async () => {
      touching = setInterval(touch, 100);
      const refused = await takeFolder(dirname(place), { silence: 1_000 }).then(() => 'taken', String);
      expect(refused).to.equal('Error: the process 17 has it');
    });

    it('is taken when the socket has not been touched for the lock time', async () => {
      const begun = Date.now();
      const release = await takeFolder(dirname(place), { silence: 300 });
      expect(Date.now() - begun).to.be.within(299, 2_000);
      expect(readdirSync(place).filter(file => file.includes('0badcafe'))).to.deep.equal([]);
      await release();
    });

    it('touches its own socket, and reports when it is gone', async () => {
      rmSync(place, { recursive: true });
      let isLost = false;
      const release = await takeFolder(dirname(place), { lost: () => (isLost = true) });
      const [socket = ''] = readdirSync(place).filter(file => file.startsWith('socket-'));
      const touchedAt = () => statSync(join(place, socket)).mtimeMs;
      const first = touchedAt();
      await until(() => touchedAt() !== first);
      expect(isLost).to.equal(false);
      rmSync(join(place, socket));
      await until(() => isLost);
      await release();
    });
  });

  it('is identified by its real path', async () => {
    const data = join(folder.path, 'real');
    const store = await opened(data);
    symlinkSync(data, join(folder.path, 'alias'));
    expect((await refusalOf(opened(join(folder.path, 'alias')))).failure).to.equal('refused');
    await store.close();
  });

  it('is free if a process was killed before its socket was visible, or left a dead socket', async () => {
    const data = join(folder.path, 'leftovers');
    mkdirSync(data);
    const release = await takeFolder(data);
    const [name = ''] = readdirSync(join(data, 'lock')).filter(file => file.startsWith('socket-'));
    await release();
    mkdirSync(join(data, 'lock'));
    const dead = name.replace('socket-', '').replace(/-.*/, '-0123456789abcdef'); // of this machine
    for (const file of [`early-${dead}`, `socket-${dead}`, `owner-${dead}`])
      writeFileSync(join(data, 'lock', file), '');
    await (await opened(data)).close();
    expect(readdirSync(data)).to.deep.equal([]);
  });
});
