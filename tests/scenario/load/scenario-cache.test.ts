// Scenarios are loaded once, and again when one of their files changes; sandboxes of one scenario share one world.
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadingNamed } from '../../../server/scenario/load/load.js';
import type { Loaded } from '../../../server/scenario/load/load-scenario.js';
import { ScenarioCache } from '../../../server/scenario/load/scenario-cache.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { type Written, written } from '../../support/files/files.js';

describe('cached scenarios', () => {
  let files: Written;
  let kept: ScenarioCache;
  let tick = 0;
  const write = (path: string, text: string) => {
    writeFileSync(join(files.root, path), text);
    tick += 1;
    utimesSync(join(files.root, path), new Date(tick * 1000), new Date(tick * 1000));
  };
  const load = (name: string): Loaded => {
    const loaded = kept.load(name);
    if (isProblems(loaded)) throw new Error(JSON.stringify(loaded.problems));
    return loaded;
  };
  beforeEach(() => {
    files = written({
      'fixtures/base.yaml': 'users: { ada: {} }\n',
      'scenarios/story.yaml': 'title: First\nfixture: base\n',
    });
    kept = new ScenarioCache(files.folders);
  });
  afterEach(() => files.remove());

  it('are loaded once for concurrent requests, without blocking other work', async () => {
    write('fixtures/base.yaml', 'generate: { users: 30000, pages: 30000, spaces: 3 }\n');
    let turns = 0;
    const others = setInterval(() => {
      turns += 1;
    }, 1);
    const [one, other] = await Promise.all([kept.open('story'), kept.open('story')]);
    clearInterval(others);
    expect(one).to.equal(other);
    expect(one).to.equal(kept.load('story'));
    expect(turns).to.be.at.least(3);
  });

  it('stay the same until their file or their fixture changes', () => {
    expect(load('story').origin.world).to.equal(load('story').origin.world);
    write('scenarios/story.yaml', 'title: Second\nfixture: base\n');
    expect(load('story').title).to.equal('Second');
    write('fixtures/base.yaml', 'users: { bea: {} }\n');
    expect([...load('story').origin.world.users.keys()]).to.deep.equal(['bea']);
  });

  it('give way to a file that comes first in the lookup order', () => {
    const shipped = load('small-team');
    write('scenarios/small-team.yaml', 'title: Mine\nfixture: base\n');
    expect(shipped.title).to.equal('A small team');
    expect(load('small-team').title).to.equal('Mine');
  });

  it('are not cached as they were in the middle of a write', () => {
    const path = join(files.root, 'scenarios/story.yaml');
    const texts = ['title: Second\nfixture: base\n', 'title: Third!\nfixture: base\n'];
    const beingWritten = new ScenarioCache(files.folders, function* (name, folders) {
      const loaded = yield* loadingNamed(name, folders);
      const text = texts.shift();
      if (text !== undefined) writeFileSync(path, text); // changed after it was read and before its time is looked at
      return loaded;
    });
    beingWritten.load('story');
    const loaded = beingWritten.load('story');
    expect(loaded).to.have.property('title', 'Third!');
    expect(beingWritten.load('story')).to.equal(loaded);
  });

  it('are not cached with problems, and load once these are fixed', () => {
    load('story');
    write('scenarios/story.yaml', 'title: [\n');
    expect(isProblems(kept.load('story'))).to.equal(true);
    write('scenarios/story.yaml', 'title: Mended\nfixture: base\n');
    expect(load('story').title).to.equal('Mended');
  });
});
