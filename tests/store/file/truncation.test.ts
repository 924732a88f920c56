// A file cut off anywhere keeps its complete batches, and the store continues after them.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readFolder } from '../../../server/store/file/folder.js';
import { tailOf } from '../../../server/store/file/log/stored-log.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { plainFormat } from '../suite.js';
import { appended, created, heldBy, heldIn, opened, refusalOf } from './opened.js';

describe('a file of a file store that is cut off', () => {
  let folder: Scratch;
  beforeEach(() => {
    folder = scratch();
  });
  afterEach(() => folder.drop());

  const cutTo = (bytes: Buffer, length: number) => {
    const cut = join(folder.path, 'cut');
    rmSync(cut, { recursive: true, force: true });
    cpSync(join(folder.path, 'whole'), cut, { recursive: true });
    writeFileSync(join(cut, 'a.jsonl'), bytes.subarray(0, length));
    return cut;
  };

  /** The contents read from a file that has only its first bytes. */
  const readOf = async (bytes: Buffer, length: number) => {
    const cut = join(folder.path, 'read');
    if (!existsSync(cut)) cpSync(join(folder.path, 'whole'), cut, { recursive: true });
    writeFileSync(join(cut, 'a.jsonl'), bytes.subarray(0, length));
    const { logs } = await readFolder(cut, plainFormat);
    return logs[0] && tailOf(logs[0].log, logs[0].log.head);
  };

  /** The same for a store, to which something is then appended. */
  const heldOf = async (bytes: Buffer, length: number) => {
    const cut = cutTo(bytes, length);
    const store = await opened(cut);
    const held = (await heldBy(store)).a;
    const file = join(cut, 'a.jsonl'); // it is repaired before anything is added
    expect(existsSync(file) ? readFileSync(file) : '').to.deep.equal(held ? wholeOf(bytes.subarray(0, length)) : '');
    const next = held && (await appended(store, 'a', held.head, [[99]]));
    await store.close();
    expect((await heldIn(cut)).a?.head).to.deep.equal(next);
    return held;
  };

  const wholeOf = (bytes: Buffer) => bytes.subarray(0, bytes.lastIndexOf(10) + 1);

  it('anywhere after its creation keeps a prefix of what was acknowledged', async () => {
    const states: unknown[] = [undefined];
    const store = await opened(join(folder.path, 'whole'));
    const keep = async () => states.push((await heldBy(store)).a);
    let head = await created(store, 'a', 'é|part', 9);
    await keep();
    head = await appended(store, 'a', head, [[1], [2]], ['x\n', 'ü']);
    await keep();
    head = await appended(store, 'a', head, [], ['y']);
    await keep();
    await store.forget('a', 0, 1, true);
    await keep();
    head = await appended(store, 'a', head, [[3]], ['z'], 0);
    await keep();
    await store.close();
    const bytes = readFileSync(join(folder.path, 'whole', 'a.jsonl'));
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1);
    expect(ends).to.have.length(states.length); // the first line alone is not a log
    for (let length = 0; length <= bytes.length; length += 1) {
      const whole = ends.filter(end => end <= length).length;
      const state = states[Math.max(0, whole - 1)];
      expect(await readOf(bytes, length), `${length} bytes`).to.deep.equal(state);
      if (length % 20 === 0 || ends.includes(length) || ends.includes(length + 1))
        expect(await heldOf(bytes, length), `${length} bytes`).to.deep.equal(state);
    }
  });

  it('after a compaction keeps what came after its base, and is refused without the base', async () => {
    const store = await opened(join(folder.path, 'whole'));
    let head = await created(store, 'a');
    for (const n of [1, 2, 3]) head = await appended(store, 'a', head, [[n], Array(2 ** 18).fill(n)]);
    head = await appended(store, 'a', head, [[4]]);
    await store.compact('a', head, 6, 'at 6');
    await store.close();
    const bytes = readFileSync(join(folder.path, 'whole', 'a.jsonl'));
    const [first = 0, second = 0] = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1);
    for (let length = first; length < second; length += 7) {
      const { message } = await refusalOf(heldOf(bytes, length));
      expect(message).to.contain('a.jsonl:2: the base is missing, which has to be here');
    }
    for (let length = second; length < bytes.length; length += 1)
      expect(await readOf(bytes, length)).to.deep.include({ base: { version: 6, value: 'at 6' }, entries: [] });
    expect(await heldOf(bytes, bytes.length)).to.deep.include({ base: { version: 6, value: 'at 6' }, entries: [[4]] });
  });
});
