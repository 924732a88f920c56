// `--watch` while editors save in every way, or are killed while saving: the server uses one whole scenario or the next, never a half.
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Log, silentLog } from '../../server/engine/log.js';
import type { Running } from '../../server/process/start.js';
import { watchScenario } from '../../server/process/watch.js';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { serving } from '../support/wire/server.js';
import { until } from '../support/worlds/until.js';

const FILE = 'scenarios/story.yaml';

/** As JSON, which is YAML: no part of it is complete. Long enough to be cut in many places. */
const story = (name: string) =>
  `${JSON.stringify({ title: 'A story', fixture: 'empty', about: 'So long. '.repeat(500), world: { spaces: { ds: { name } } } }, null, 1)}\n`;

describe('a watched scenario', () => {
  let folder: Scratch;
  let server: Running;
  let unwatch = () => {};
  const errors: string[] = [];
  const log: Log = { ...silentLog, error: (...said: unknown[]) => errors.push(said.join(' ')) };

  before(async () => {
    folder = scratch({ [FILE]: story('First') });
    mkdirSync(join(folder.path, 'fixtures'));
    const folders = { fixtures: join(folder.path, 'fixtures'), scenarios: join(folder.path, 'scenarios') };
    server = await serving('story', folders, log);
    unwatch = watchScenario(server, 'story', log);
  });
  after(async () => {
    unwatch();
    await server.stop();
    folder.drop();
  });
  beforeEach(() => {
    errors.length = 0;
  });

  const path = () => join(folder.path, FILE);
  const served = () => server.session.sandboxes.find('default')?.state.world.spaces.get('ds')?.name;
  const aMoment = (most: number) => new Promise(resolve => setTimeout(resolve, Math.random() * most));
  const cut = (text: string) => Math.floor(Math.random() * text.length);

  const ways: Readonly<Record<string, (text: string) => Promise<void>>> = {
    'in place, piece by piece': async text => {
      writeFileSync(path(), '');
      for (let at = 0; at < text.length; at += 700) {
        appendFileSync(path(), text.slice(at, at + 700));
        await aMoment(15);
      }
    },
    'empty first, then whole': async text => {
      truncateSync(path());
      await aMoment(200);
      writeFileSync(path(), text);
    },
    'by renaming': async text => folder.replace(FILE, text),
    'by taking it away and bringing it back': async text => {
      folder.remove(FILE);
      await aMoment(200);
      folder.write(FILE, text);
    },
    'after one that was killed': async text => {
      writeFileSync(path(), text.slice(0, cut(text)));
      await aMoment(200);
      writeFileSync(path(), text);
    },
    'after one that was killed in the middle of the old': async text => {
      writeFileSync(path(), text.slice(0, cut(text)), { flag: 'r+' });
      await aMoment(200);
      writeFileSync(path(), text);
    },
  };

  it('is the last complete one, however the next one is saved', async () => {
    let last = served() ?? '';
    for (const [next, save] of Object.entries(ways)) {
      const seen = new Set<unknown>();
      const look = setInterval(() => seen.add(served()), 1);
      try {
        await save(story(next));
        await until(() => served() === next);
      } finally {
        clearInterval(look);
      }
      expect([...seen].filter(name => name !== last && name !== next)).to.deep.equal([]);
      last = next;
    }
  });

  it('is reloaded from a folder that was removed and created again, at once or later, with a report', async () => {
    const scenarios = join(folder.path, 'scenarios');
    rmSync(scenarios, { recursive: true });
    await until(() => errors.some(error => error.includes('the old one stays')));
    folder.write(FILE, story('Made again later'));
    await until(() => served() === 'Made again later');
    for (const name of ['Made again at once', 'Changed after that']) {
      if (name === 'Made again at once') rmSync(scenarios, { recursive: true });
      folder.write(FILE, story(name));
      await until(() => served() === name);
    }
  });

  it('is reloaded after a change that leaves the size and the date', async () => {
    folder.write(FILE, story('Name 1'));
    await until(() => served() === 'Name 1');
    const { atime, mtime } = statSync(path());
    writeFileSync(path(), story('Name 2'));
    utimesSync(path(), atime, mtime);
    await until(() => served() === 'Name 2');
  });

  it('is reloaded from a folder that is a link, when the link changes its target', async () => {
    const scenarios = join(folder.path, 'scenarios');
    rmSync(scenarios, { recursive: true });
    for (const name of ['Blue', 'Green']) {
      folder.write(`${name}/story.yaml`, story(name));
      swap(join(folder.path, name), scenarios);
      await until(() => served() === name);
    }
    rmSync(scenarios);
  });

  it('is reloaded from a volume of a ConfigMap, which Kubernetes updates by one link', async () => {
    const scenarios = join(folder.path, 'scenarios');
    for (const [turn, name] of ['Mounted', 'Updated'].entries()) {
      folder.write(`scenarios/..2026_${turn}/story.yaml`, story(name));
      swap(`..2026_${turn}`, join(scenarios, '..data'));
      if (turn === 0) symlinkSync('..data/story.yaml', path());
      else rmSync(join(scenarios, `..2026_${turn - 1}`), { recursive: true });
      await until(() => served() === name);
    }
  });
});

/** Replaces a link at once, as `ln -sfn` does. */
function swap(target: string, link: string): void {
  symlinkSync(target, `${link}.new`);
  renameSync(`${link}.new`, link);
}
