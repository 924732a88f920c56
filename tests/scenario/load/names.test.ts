// Lists the scenarios of folders. Names that lead out of a folder: tests/security/paths.test.ts.
import { mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { listScenarios, loadNamed, loadScenario } from '../../../server/scenario/load/load.js';
import type { Loaded } from '../../../server/scenario/load/load-scenario.js';
import { isProblems, type Problems } from '../../../server/scenario/yaml/problem.js';
import { written } from '../../support/files/files.js';

const outcome = (loaded: Loaded | Problems) =>
  isProblems(loaded) ? loaded.problems.map(({ message }) => message) : loaded.title;

describe('the name of a scenario', () => {
  it('may be that of a broken link, which is reported', () => {
    const files = written({ 'scenarios/real.yaml': 'title: Real\n' });
    const link = join(files.root, 'scenarios/link.yaml');
    symlinkSync('nowhere.yaml', link);
    symlinkSync('self.yaml', join(files.root, 'scenarios/self.yaml'));
    for (const loaded of [loadNamed('link', files.folders), loadScenario(link, files.folders)])
      expect([outcome(loaded)].flat()[0]).to.match(/symbolic link/);
    expect([outcome(loadNamed('self', files.folders))].flat()[0]).to.match(/leads back to itself/);
    files.remove();
  });
});

describe('the list of scenarios', () => {
  it('has demos and cases with their titles, and the problem of a file without one; other subfolders are left out', () => {
    const files = written({
      'scenarios/mine.yaml': 'title: Mine\nabout: A test.\nsteps: [{ say: A }]\n',
      'scenarios/unlicensed.yml': 'title: My own\n',
      'scenarios/broken.yaml': 'title: [\n',
      'scenarios/untitled.yaml': 'steps: []\n',
      'scenarios/gaps/probe.yaml': 'title: A probe\n',
      'scenarios/cases/odd.yaml': 'title: An odd case\n',
      'scenarios/notes.txt': 'title: no',
    });
    const listed = listScenarios(files.folders);
    const of = (name: string) => listed.find(scenario => scenario.name === name);
    expect(of('mine')).to.deep.equal({ name: 'mine', title: 'Mine', about: 'A test.', kind: 'demo' });
    expect(of('unlicensed')?.title).to.equal('My own');
    expect(of('untitled')).to.deep.equal({
      name: 'untitled',
      title: 'untitled',
      about: '',
      kind: 'demo',
      problem: 'untitled has no title.',
    });
    expect(of('broken')?.problem).to.match(/scenarios\/broken\.yaml:2:1: A closing ] is missing before this point/);
    for (const name of ['notes', 'probe', 'gaps/probe']) expect(of(name), name).to.equal(undefined);
    expect(of('odd')).to.deep.equal({ name: 'odd', title: 'An odd case', about: '', kind: 'case' });
    expect(loadNamed('odd', files.folders)).to.include({ title: 'An odd case' });
    expect(of('empty-wiki')?.title).to.equal('An empty wiki');
    files.remove();
  });

  it('notices every change of a file, even if size and time stay the same', () => {
    const files = written({ 'scenarios/mine.yaml': 'title: Mine\n' });
    const file = join(files.root, 'scenarios/mine.yaml');
    const title = () => listScenarios(files.folders).find(({ name }) => name === 'mine')?.title;
    expect([title(), title()]).to.deep.equal(['Mine', 'Mine']);
    const { atime, mtime } = statSync(file);
    writeFileSync(file, 'title: Ours\n');
    utimesSync(file, atime, mtime);
    expect(title()).to.equal('Ours');
    rmSync(file);
    expect(title()).to.equal(undefined);
    files.remove();
  });
});

describe('a folder of scenarios', () => {
  it('is empty if it does not exist', () => {
    const files = written({});
    mkdirSync(join(files.root, 'odd'));
    writeFileSync(join(files.root, 'odd/file'), '');
    const folders = { fixtures: [], scenarios: [join(files.root, 'odd/file'), join(files.root, 'none')] };
    expect(listScenarios(folders)).to.deep.equal([]);
    expect(outcome(loadNamed('x', folders))).to.deep.equal(['Unknown scenario "x": there are no scenarios.']);
    files.remove();
  });
});
