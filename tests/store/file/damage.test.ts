// Contents that no store could have written are refused with file and line, and nothing is changed.
import { readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { StoreError } from '../../../server/engine/store.js';
import { fileStore } from '../../../server/store/file/file-store.js';
import { readFolder } from '../../../server/store/file/folder.js';
import { Seals } from '../../../server/store/file/log/seals.js';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { plainFormat } from '../suite.js';
import { appended, created, heldIn, opened, refusalOf } from './opened.js';

describe('a damaged file of a file store', () => {
  let folder: Scratch;
  let file: string;
  /** Creation, a base with a part, two batches, a compaction, another batch. */
  beforeEach(async () => {
    folder = scratch();
    file = join(folder.path, 'a.jsonl');
    const store = await opened(folder.path);
    let head = await created(store, 'a', 'base|part');
    head = await appended(store, 'a', head, [[1]], ['x']);
    head = await appended(store, 'a', head, [[2], [3]], ['y']);
    await store.forget('a', 0, 1, false);
    await appended(store, 'a', head, [[4]]);
    await created(store, 'b');
    await store.close();
  });
  afterEach(() => folder.drop());

  const linesOf = () => readFileSync(file, 'utf8').split('\n');
  /** Every file with its bytes and its modification time. */
  const everything = () =>
    readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
      .map(name => join(folder.path, name))
      .filter(path => statSync(path).isFile())
      .map(path => [path, readFileSync(path, 'latin1'), statSync(path).mtimeMs]);
  /** Changes a line, counted from 1, and returns why the folder is refused. */
  const refusal = async (line: number, change: (text: string) => string) => {
    const lines = linesOf();
    lines[line - 1] = change(lines[line - 1] ?? '');
    writeFileSync(file, resealed(lines));
    writeFileSync(join(folder.path, 'c.jsonl.new'), 'left behind');
    const before = everything();
    const refused = await refusalOf(opened(folder.path));
    expect(everything()).to.deep.equal(before);
    return { ...refused, message: refused.message.replaceAll(folder.path, '') };
  };
  const edited = (edit: (line: Record<string, unknown>) => object) => (text: string) =>
    JSON.stringify(edit(JSON.parse(text) as Record<string, unknown>)); // the store wrote an object
  const advice = '\nNothing has been changed. Move this file out of  to start without its sandbox.';

  /** Lines with correct checksums, as far as they can have one. */
  const resealed = (lines: readonly string[]) => {
    const seals = new Seals();
    const all = lines.join('\n').split('\n').slice(0, -1);
    return all.map(line => (line.endsWith('}') ? seals.seal(unsealed(line)) : `${line}\n`)).join('');
  };
  const unsealed = (line: string) => line.replace(/,"crc":"[0-9a-f]{8}"(?=\}$)/, '');

  const cases: ReadonlyArray<readonly [what: string, line: number, change: (text: string) => string, says: string]> = [
    ['no JSON', 4, () => '{"kind":}', 'it is no JSON: "{\\"kind\\":'],
    ['an empty line', 5, () => '', 'it does not end with a checksum, such as ,"crc":"00000000"}'],
    ['a line without a checksum', 4, () => '[1]', 'it does not end with a checksum'],
    ['bytes of another kind', 4, text => text.replace('[2]', '\u0000'), 'it is no JSON: '],
    [
      'an unknown kind',
      4,
      edited(line => ({ ...line, kind: 'prune' })),
      'kind is "prune", and it has to be "append", "base" or "forget"',
    ],
    ['no kind', 4, () => '{"at":1}', 'kind is missing, and it has to be'],
    [
      'a wrong version',
      6,
      edited(line => ({ ...line, at: 2 })),
      'it was appended to version 2, and what stands before it ends at 3',
    ],
    [
      'a line twice',
      3,
      text => `${text}\n${text}`,
      'it was appended to version 0, and what stands before it ends at 1',
    ],
    ['a version that is none', 3, edited(line => ({ ...line, at: -1 })), 'at has to be a version'],
    ['entries that are no texts', 3, edited(line => ({ ...line, entries: [1] })), 'entries has to be a list of texts'],
    ['notes that are no list', 3, edited(line => ({ ...line, notes: 'x' })), 'notes has to be a list of texts'],
    [
      'entries without an id',
      3,
      edited(({ id, ...line }) => line),
      'there has to be an id exactly where there are entries',
    ],
    [
      'a run at no entry',
      3,
      edited(line => ({ ...line, newRunAt: 1 })),
      'newRunAt is 1, and it has to be the place of one of the 1 entries',
    ],
    [
      'an entry that the format refuses',
      4,
      edited(line => ({ ...line, entries: ['[2]', '['] })),
      'entry 2 of it cannot be read: ',
    ],
    ['a note that the format refuses', 4, edited(line => ({ ...line, notes: ['"'] })), 'note 1 of it cannot be read: '],
    [
      'forgetting nothing in particular',
      5,
      edited(line => ({ ...line, upTo: 'all' })),
      'forget needs run and upTo, numbers',
    ],
    ['a second base', 4, () => linesOf()[1] ?? '', 'kind is "base", and only the second line can be one'],
    ['no base', 2, () => linesOf()[2] ?? '', 'kind is "append", and the second line has to be the base'],
    [
      'a base of another version',
      2,
      edited(line => ({ ...line, version: 1 })),
      'it is the base of version 1, and that of 0 has to be here',
    ],
    [
      'a base without notes',
      2,
      edited(line => ({ ...line, notes: null })),
      'notes has to have run, last and cleared, numbers',
    ],
    [
      'a base without text',
      2,
      edited(line => ({ ...line, text: 1 })),
      'a base needs version, a number, and id and text, texts',
    ],
    ['a base that the format refuses', 2, edited(line => ({ ...line, text: '{' })), 'the base cannot be read: '],
    [
      'a digest that is none',
      2,
      edited(line => ({ ...line, parts: { 'p-part': 1 } })),
      'the digest of part p-part has to be a text',
    ],
    [
      'another digest',
      2,
      edited(line => ({ ...line, parts: { 'p-part': 'ab' } })),
      'its part p-part is not what it was: /parts/part-p-part.txt has the SHA-256 ',
    ],
    [
      'a part that is not there',
      2,
      edited(line => ({ ...line, parts: { 'p-none': 'ab' } })),
      'its part p-none is missing: there is no /parts/part-p-none.txt',
    ],
    [
      'a part that the base does not name',
      2,
      edited(line => ({ ...line, parts: {} })),
      'it needs the part p-part, which its parts do not name',
    ],
    [
      'the file of something else',
      1,
      () => '{"level":30}',
      'it is no log of cwx-fake, which would begin with {"is":"cwx-fake sandbox log"',
    ],
    [
      'the log of another sandbox',
      1,
      edited(line => ({ ...line, sandbox: 'B' })),
      'it is the log of sandbox B, and the name of its file has to be %42.jsonl',
    ],
    [
      'a log without a name',
      1,
      edited(line => ({ ...line, log: 'A B' })),
      'the first line needs log, sandbox and created, texts, and from, a version',
    ],
    ['a ttl that is none', 1, edited(line => ({ ...line, ttl: '1 h' })), 'ttl has to be whole milliseconds from 1'],
  ];
  for (const [what, line, change, says] of cases) {
    it(`is refused for ${what}`, async () => {
      const { failure, message } = await refusal(line, change);
      const at = what === 'a line twice' ? line + 1 : line;
      expect(message.slice(0, message.indexOf('\n'))).to.satisfy((text: string) =>
        text.startsWith(`/a.jsonl:${at}: ${says}`),
      );
      expect(message.slice(message.indexOf('\n'))).to.equal(advice);
      expect(failure).to.equal('lost');
    });
  }

  it('is refused with its line wherever a byte is changed', async () => {
    const bytes = readFileSync(file);
    let line = 1;
    for (let at = 0; at < bytes.length - 1; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(file, changed);
      const { failure, message } = await refusalOf(readFolder(folder.path, plainFormat));
      expect([failure, message.slice(0, message.indexOf(' '))], `byte ${at}`).to.deep.equal([
        'lost',
        `${file}:${line}:`,
      ]);
      if (bytes[at] === 10) line += 1;
    }
    expect(line).to.equal(6);
  });

  it('is refused if a line is missing, duplicated or moved', async () => {
    const lines = linesOf().slice(0, -1);
    const refusedAt = async (changed: readonly string[]) => {
      writeFileSync(file, changed.map(line => `${line}\n`).join(''));
      return /a\.jsonl:(\d+): /.exec((await refusalOf(readFolder(folder.path, plainFormat))).message)?.[1];
    };
    for (let at = 0; at < lines.length - 1; at += 1) {
      expect(await refusedAt(lines.toSpliced(at, 1)), `without line ${at + 1}`).to.equal(`${at + 1}`);
      expect(await refusedAt(lines.toSpliced(at, 0, lines[at] ?? '')), `line ${at + 1} twice`).to.equal(`${at + 2}`);
      const swapped = lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? '');
      expect(await refusedAt(swapped), `lines ${at + 1} and ${at + 2} swapped`).to.equal(`${at + 1}`);
    }
  });

  it('reports the checksum of the line and the correct one', async () => {
    const lines = linesOf();
    const [, seal = ''] = /"crc":"(.*)"/.exec(lines[3] ?? '') ?? [];
    lines[3] = lines[3]?.replace('[3]', '[8]') ?? '';
    writeFileSync(file, lines.join('\n'));
    expect((await refusalOf(opened(folder.path))).message).to.match(
      new RegExp(
        `^${file}:4: its checksum is ${seal}, and that of what stands here is [0-9a-f]{8}: this line was changed, or lines before it are missing\n`,
      ),
    );
  });

  describe('of the previous version, without checksums', () => {
    const old = () => linesOf().map(line => unsealed(line).replace('"file":2', '"file":1'));

    it('is read, and has checksums from then on', async () => {
      const held = await heldIn(folder.path);
      const written = readFileSync(file, 'utf8');
      writeFileSync(file, old().join('\n'));
      expect(await heldIn(folder.path)).to.deep.equal({ ...held });
      for (const line of linesOf().slice(0, -1)) expect(line).to.match(/,"crc":"[0-9a-f]{8}"\}$/);
      expect(linesOf()[0]).to.contain('"file":2');
      expect(readFileSync(file, 'utf8')).not.to.equal(written); // it is rewritten, without the compacted entries
      const store = await opened(folder.path);
      const head = (await store.since('a'))?.head;
      if (head !== undefined) await appended(store, 'a', head, [[5]]);
      await store.close();
      expect((await heldIn(folder.path)).a?.entries).to.deep.equal([[1], [2], [3], [4], [5]]);
    });

    it('is refused for bytes that are not UTF-8, and for checksums', async () => {
      const [first = '', ...rest] = old();
      const bytes = Buffer.from([first, ...rest].join('\n'));
      bytes[bytes.indexOf('"append"')] = 0xff;
      writeFileSync(file, bytes);
      expect((await refusalOf(opened(folder.path))).message).to.match(/a\.jsonl:3: its bytes are no UTF-8\n/);
      writeFileSync(file, [first, `${rest[0]?.slice(0, -1)},"crc":"00000000"}`, ''].join('\n'));
      expect((await refusalOf(opened(folder.path))).message).to.match(
        /a\.jsonl:2: it ends with a checksum, and the first line does not\n/,
      );
      writeFileSync(file, [first.replace('"file":1', '"file":2'), ''].join('\n'));
      expect((await refusalOf(opened(folder.path))).message).to.match(/a\.jsonl:1: it does not end with a checksum\n/);
    });
  });

  it('is refused for a part with other contents', async () => {
    writeFileSync(join(folder.path, 'parts', 'part-p-part.txt'), 'of parf');
    expect((await refusalOf(opened(folder.path))).message).to.match(/a\.jsonl:2: its part p-part is not what it was: /);
    unlinkSync(join(folder.path, 'parts', 'part-p-part.txt'));
    expect((await refusalOf(opened(folder.path))).message).to.match(/a\.jsonl:2: its part p-part is missing: /);
  });

  it('is refused, and not misread, if another version wrote it', async () => {
    const file2 = await refusal(
      1,
      edited(line => ({ ...line, file: 3, from: 'elsewhere' })),
    );
    expect(file2.failure).to.equal('format');
    expect(file2.message).to.match(
      /^\/a\.jsonl:1: the version of the file is 3, and this program reads 2: start the version of cwx-fake that wrote it\n/,
    );
    const format7 = await refusal(
      1,
      edited(line => ({ ...line, file: 2, format: 7 })),
    );
    expect(format7.failure).to.equal('format');
    expect(format7.message).to.contain(':1: the version of what is in it is 7, and this program reads 1: start');
  });

  it('is refused with the error of the format', async () => {
    const readEntry = () => {
      throw new StoreError('format', 'the rules of another day');
    };
    const refused = await refusalOf(
      fileStore({ folder: folder.path, fsync: false, format: { ...plainFormat, readEntry } }),
    );
    expect(refused.failure).to.equal('format');
    expect(refused.message).to.contain('a.jsonl:3: entry 1 of it cannot be read: the rules of another day');
  });

  it('is reported together with the others, and blocks none of them once it is moved away', async () => {
    writeFileSync(join(folder.path, 'b.jsonl'), 'not\n');
    const { message } = await refusal(3, () => 'nor this');
    const lines = message.split('\n');
    expect(lines).to.have.length(3);
    expect(lines[0]).to.contain('a.jsonl:3: ');
    expect(lines[1]).to.contain('b.jsonl:1: ');
    expect(lines[2]).to.contain('Move these files out of');
    unlinkSync(file);
    unlinkSync(join(folder.path, 'b.jsonl'));
    expect(await heldIn(folder.path)).to.deep.equal({});
  });

  it('leaves the folder free to be opened again', async () => {
    const good = readFileSync(file);
    await refusal(3, () => 'x');
    writeFileSync(file, good);
    expect(Object.keys(await heldIn(folder.path))).to.deep.equal(['a', 'b']);
  });

  it('is not taken for an unfinished log if it has no complete line', async () => {
    writeFileSync(join(folder.path, 'mine.jsonl'), 'my notes, without a newline');
    expect((await refusalOf(opened(folder.path))).message).to.contain('mine.jsonl:1: it is no log of cwx-fake');
    expect(readFileSync(join(folder.path, 'mine.jsonl'), 'utf8')).to.equal('my notes, without a newline');
  });
});
