// One process at a time has a folder, however many come at once and however they end.
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { takeFolder } from '../../../server/store/file/lock.js';
import { type Scratch, scratch } from '../../support/scratch.js';
import { child, program } from './children.js';
import { opened, refusalOf } from './opened.js';

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

  it('is refused to a second process, with the number of the first, until that closes it', async () => {
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

  it('goes to the next at once when its process is killed', async () => {
    const data = join(folder.path, 'killed');
    for (let round = 0; round < 3; round += 1) {
      const one = child(contender);
      children.push(one);
      expect(await one.ask(`open ${data}`)).to.equal('opened');
      await one.kill();
    }
    expect(readdirSync(join(data, 'lock'))).to.have.length(2); // the socket of the last one, and whose it was
    await (await opened(data)).close();
    expect(readdirSync(data)).to.deep.equal([]);
  });

  it('goes to exactly one of those that come at the same moment, in each of twenty rounds', async () => {
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

  it('may have a path that is too long for a socket', async () => {
    const data = join(folder.path, 'x'.repeat(80), 'y'.repeat(80));
    const sockets = () =>
      readdirSync(tmpdir()).filter(file => file.startsWith('cwx-fake-') && /-[0-9a-f]{16}$/.test(file));
    const before = sockets();
    const store = await opened(data);
    expect(sockets()).to.have.length(before.length + 1);
    expect((await refusalOf(opened(data))).message).to.equal(refusedIn(data, process.pid));
    await store.close();
    expect(sockets()).to.deep.equal(before);
  });

  it('is known by its real path', async () => {
    const data = join(folder.path, 'real');
    const store = await opened(data);
    symlinkSync(data, join(folder.path, 'alias'));
    expect((await refusalOf(opened(join(folder.path, 'alias')))).failure).to.equal('refused');
    await store.close();
  });

  it('is free where somebody was killed before the socket was seen, or left one that nobody listens on', async () => {
    const data = join(folder.path, 'leftovers');
    mkdirSync(join(data, 'lock'), { recursive: true });
    for (const file of ['early-0123456789abcdef', 'socket-0123456789abcdef', 'owner-0123456789abcdef'])
      writeFileSync(join(data, 'lock', file), '');
    await (await opened(data)).close();
    expect(readdirSync(data)).to.deep.equal([]);
  });
});
