// `--watch` while editors save in every way, or are killed while saving: the server uses one whole scenario or the next, never a half.
import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Log, silentLog } from '../../server/engine/log.js';
import { type Running, start } from '../../server/process/start.js';
import { watchScenario } from '../../server/process/watch.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { settingsFrom } from '../../server/settings.js';
import { type Scratch, scratch } from '../support/files/scratch.js';
import { until } from '../support/worlds/until.js';

const ROUNDS = 30;
const FILE = 'scenarios/story.yaml';

/** As JSON, which is YAML: no part of it is complete. Long enough to be cut in many places. */
const story = (name: string) =>
  `${JSON.stringify({ title: 'A story', fixture: 'empty', about: 'So long. '.repeat(500), world: { spaces: { ds: { name } } } }, null, 1)}\n`;

describe('a watched scenario', function () {
  this.timeout(60_000);
  let folder: Scratch;
  let server: Running;
  let unwatch = () => {};
  const errors: string[] = [];
  const log: Log = { ...silentLog, error: (...said: unknown[]) => errors.push(said.join(' ')) };

  before(async () => {
    folder = scratch({ [FILE]: story('First') });
    mkdirSync(join(folder.path, 'fixtures'));
    const folders = { fixtures: join(folder.path, 'fixtures'), scenarios: join(folder.path, 'scenarios') };
    const running = await start(settingsFrom('story', { port: '0', ...folders }), log);
    if (isProblems(running)) throw new Error(JSON.stringify(running.problems));
    server = running;
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
  const served = () => server.session.find('default')?.state.world.spaces.get('ds')?.name;
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
    const names = Object.keys(ways);
    let last = served() ?? '';
    for (let round = 0; round < ROUNDS; round++) {
      const next = `Round ${round}`;
      const seen = new Set<unknown>();
      const look = setInterval(() => seen.add(served()), 1);
      try {
        await ways[names[round % names.length] ?? '']?.(story(next));
        await until(() => served() === next);
      } finally {
        clearInterval(look);
      }
      expect([...seen].filter(name => name !== last && name !== next)).to.deep.equal([]);
      last = next;
    }
  });

  it('stays while a killed editor has left a broken file, which is reported with file and line', async () => {
    const last = served();
    const text = story('Never whole');
    writeFileSync(path(), text.slice(0, text.indexOf('"world"') + 20));
    await until(() => errors.length > 0);
    expect(errors.join('\n')).to.match(/the old one stays:\n.*story\.yaml:\d+:\d+: /);
    expect(served()).to.equal(last);
    folder.write(FILE, story('Whole'));
    await until(() => served() === 'Whole');
  });

  it('stays while the file is empty', async () => {
    const last = served();
    truncateSync(path());
    await until(() => errors.length > 0);
    expect(errors.join('\n')).to.match(/the old one stays:\n.*story\.yaml:1:1: /);
    expect(served()).to.equal(last);
  });

  it('is reloaded from a folder that was removed and created again, at once or later, with a report', async () => {
    const scenarios = join(folder.path, 'scenarios');
    rmSync(scenarios, { recursive: true });
    await until(() => errors.some(error => error === `${scenarios} is gone: a new one of this name will be watched`));
    folder.write(FILE, story('Made again later'));
    await until(() => served() === 'Made again later');
    for (const name of ['Made again at once', 'Changed after that']) {
      if (name === 'Made again at once') rmSync(scenarios, { recursive: true });
      folder.write(FILE, story(name));
      await until(() => served() === name);
    }
    await new Promise(resolve => setTimeout(resolve, 600)); // until the watcher has looked
    folder.write(FILE, story('Changed in the new folder'));
    await until(() => served() === 'Changed in the new folder');
  });

  it('is reloaded from a folder that was moved away and is back with another file', async () => {
    const aside = join(folder.path, 'aside');
    renameSync(join(folder.path, 'scenarios'), aside);
    await until(() => errors.some(error => error.includes('scenarios is gone')));
    writeFileSync(join(aside, 'story.yaml'), story('Beside'));
    renameSync(aside, join(folder.path, 'scenarios'));
    await until(() => served() === 'Beside');
  });
});
