// The file store passes the store suite, with and without fsync, and a folder that is opened again has everything that was acknowledged.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { ClassicLevel } from 'classic-level';
import { scratch, useScratch } from '../../support/files/scratch.js';
import { appended, compacted, created, cut, storeSuite } from '../suite.js';
import { heldBy, heldIn, opened, refusalOf } from './opened.js';

for (const fsync of [false, true]) {
  const make = async () => {
    const folder = scratch();
    const store = await opened(folder.path, { fsync });
    return {
      open: async () => store,
      leave: async () => {
        await store.close();
        folder.drop();
      },
    };
  };
  storeSuite(fsync ? 'file with fsync' : 'file', make, { shares: false });
}

describe('a file store that is opened again', () => {
  const folder = useScratch();
  const recordsIn = async (place: string) => {
    const level = new ClassicLevel(join(place, 'leveldb'), { compression: false });
    return level
      .iterator()
      .all()
      .finally(() => level.close());
  };

  it('has everything it had, and continues there without repeating an id', async () => {
    const first = await opened(folder.path);
    let head = await created(first, 'full', 'one|shared', 60_000);
    head = await appended(first, 'full', head, [[1], [2, 'x\n"\u2028\ud83d\ude00\u0000']]);
    await created(first, 'gone', 'two|shared');
    await first.drop('gone');
    await created(first, 'a.b-c_D', 'three|own');
    await first.close();
    const second = await opened(folder.path);
    const held = await heldBy(second);
    expect(Object.keys(held)).to.deep.equal(['a.b-c_D', 'full']);
    expect(held.full).to.deep.equal({
      head,
      base: 'one|shared',
      records: [[1], [2, 'x\n"\u2028\ud83d\ude00\u0000']],
      ttl: 60_000,
    });
    const next = await appended(second, 'full', head, [[3]]);
    const other = await created(second, 'gone');
    await second.close();
    expect(new Set([head.id, head.log, next.id, other.id, other.log]).size).to.equal(5);
    expect((await heldIn(folder.path)).full?.records.at(-1)).to.deep.equal([3]);
  });

  it('has the result of a compaction, and of another one', async () => {
    const store = await opened(folder.path);
    let head = await created(store, 'a', 'base|shared', 5);
    for (let i = 1; i <= 600; i += 1) head = await appended(store, 'a', head, [[i], [-i]]);
    head = await compacted(store, 'a', head, cut(1001, 'at 1001|shared', 900));
    const held = await heldBy(store);
    await store.close();
    expect(held.a?.head).to.include({ last: 1200, from: 900, base: 1001 });
    expect(held.a?.records).to.have.length(300);
    expect(await heldIn(folder.path)).to.deep.equal(held);
    const again = await opened(folder.path);
    head = await appended(again, 'a', head, [Array(2 ** 20).fill(7)]);
    head = await compacted(again, 'a', head, cut(1201, 'at 1201|shared'));
    await again.close();
    expect(await heldIn(folder.path)).to.deep.equal({ a: { head, base: 'at 1201|shared', records: [], ttl: 5 } });
  });

  it('has stored a part once, as long as a sandbox refers to it', async () => {
    for (const [create, drop] of [
      [
        ['a', 'b', 'c'],
        ['a', 'b'],
      ],
      [['b'], ['b', 'c']],
    ] as const) {
      const store = await opened(folder.path);
      for (const name of create) await created(store, name, `${name}|shared`);
      for (const name of drop) await store.drop(name);
      await store.close();
      const parts = (await recordsIn(folder.path)).filter(([key]) => key.startsWith('p!'));
      expect(parts.map(([key]) => key)).to.deep.equal(create.length === 3 ? ['p!p-shared'] : []);
    }
  });

  it('keeps its records in this form: whoever changes it increases the version in sandbox-codec.ts', async () => {
    const store = await opened(folder.path);
    const head = await appended(store, 'a', await created(store, 'a', 'base|part', 60_000), [[1], [2, 'ü'], [3]]);
    await compacted(store, 'a', head, cut(2, 'new base|part', 1));
    await store.close();
    const written = (await recordsIn(folder.path)).map(([key, value]) => {
      const text = value.slice(8 + key.length);
      expect(value).to.equal(`${crc32(text, crc32(key)).toString(16).padStart(8, '0')}${key}${text}`);
      return `${key} ${text}`.replaceAll(head.log, 'LOG').replaceAll(head.id, 'ID');
    });
    expect(written).to.deep.equal([
      'h!a! {"format":1,"head":{"last":3,"id":"ID","log":"LOG","from":1,"base":2},"part":"p-part","ttl":60000}',
      'n! 1',
      'p!p-part of part',
      's!a!LOG!b!0000000000000002 {"text":"new base","part":"p-part"}',
      's!a!LOG!r!0000000000000002 [2,"ü"]',
      's!a!LOG!r!0000000000000003 [3]',
    ]);
  });

  it('answers nothing after it was closed, and can be closed twice; pending work is finished before', async () => {
    const store = await opened(folder.path);
    const creating = store.create('a', 'base');
    await store.close();
    await store.close();
    const head = (await creating) ?? expect.fail('it was not created');
    const verbs = [
      store.ready(),
      store.create('b', 'x'),
      store.append('a', head, [[1]]),
      store.since('a'),
      store.compact('a', head, cut(0, 'x')),
      store.drop('a'),
      store.list(),
    ];
    for (const verb of verbs)
      expect(await refusalOf(verb)).to.deep.equal({ failure: 'away', message: `The store ${store.name} is closed` });
    expect((await heldIn(folder.path)).a?.head).to.deep.equal(head);
  });

  it('needs the package classic-level, and says how to install it', () => {
    const program = [
      "import { register } from 'node:module';",
      `register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(WITHOUT)}));`,
      "const { fileStore } = await import('./server/store/file/file-store.ts');",
      'await fileStore({ folder: process.argv[1], format: {} }).catch(error => console.log(error.message));',
    ].join('\n');
    const args = ['--import', 'tsx', '--input-type=module', '-e', program, folder.path];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).to.equal(
      'Sandboxes in a folder need the package classic-level: run npm install classic-level@3\n',
    );
  });
});

/** Does not find the package, with the error that Node throws for a missing one. */
const WITHOUT = `export async function resolve(name, context, next) {
  if (name !== 'classic-level') return next(name, context);
  throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
}`;
