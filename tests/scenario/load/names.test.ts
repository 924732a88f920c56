// Resolves names to files: the user's folders before the shipped ones, paths for the command line only, and no way out of the folders.
import { mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { defaultFolders, packageRoot } from '../../../server/scenario/files/folders.js';
import { listScenarios, loadNamed, loadScenario } from '../../../server/scenario/load/load.js';
import type { Loaded } from '../../../server/scenario/load/load-scenario.js';
import { isProblems, type Problems, showProblem } from '../../../server/scenario/yaml/problem.js';
import { type Written, written } from '../../support/files/files.js';

const outcome = (loaded: Loaded | Problems) =>
  isProblems(loaded) ? loaded.problems.map(({ message }) => message) : loaded.title;

describe('the name of a scenario', () => {
  let files: Written;
  afterEach(() => files.remove());

  it('is looked up in the user folders, then among the shipped ones', () => {
    files = written({ 'scenarios/unlicensed.yaml': 'title: Mine\n' });
    expect(outcome(loadNamed('unlicensed', files.folders))).to.equal('Mine');
    expect(outcome(loadNamed('not-an-admin', files.folders))).to.equal('The caller is not an admin');
    expect(files.folders).to.deep.equal({
      fixtures: [join(files.root, 'fixtures'), join(packageRoot(), 'fixtures')],
      scenarios: [join(files.root, 'scenarios'), join(packageRoot(), 'scenarios')],
      restApi: true,
    });
  });

  it('is looked up in given folders instead of those of the working directory', () => {
    files = written({ 'elsewhere/mine.yaml': 'title: Mine\n', 'scenarios/mine.yaml': 'title: Other\n' });
    const folders = defaultFolders(files.root, { scenarios: 'elsewhere' });
    expect(outcome(loadNamed('mine', folders))).to.equal('Mine');
    expect(folders.scenarios).to.deep.equal([join(files.root, 'elsewhere'), join(packageRoot(), 'scenarios')]);
    expect(defaultFolders(packageRoot()).scenarios).to.deep.equal([join(packageRoot(), 'scenarios')]);
  });

  it('may be that of a fixture, which becomes a scenario without steps', () => {
    files = written({ 'fixtures/mine.yml': 'users: { ann: {} }\n' });
    const loaded = files.load('mine');
    expect({
      title: loaded.title,
      about: loaded.about,
      steps: loaded.steps,
      scenario: loaded.origin.scenario,
    }).to.deep.equal({ title: 'mine', about: 'The world of the fixture mine.', steps: [], scenario: 'mine' });
    expect([...loaded.origin.world.users.keys()]).to.deep.equal(['ann']);
  });

  it('is reported with the nearest one if it is unknown', () => {
    files = written({});
    const [message] = [outcome(loadNamed('unlicenced', files.folders))].flat();
    expect(message).to.match(
      /^Unknown scenario "unlicenced" \(did you mean "unlicensed"\?\): expected one of anonymous-caller, bad-day, empty, /,
    );
  });

  it('with a path is a file on the command line: a scenario or a fixture, by its content', () => {
    files = written({
      'a/story.yaml': 'title: Mine\n',
      'a/world.yaml': 'users: { ann: {} }\n',
      'a/b/deep.yml': 'title: Deep\n',
    });
    expect(outcome(loadScenario(join(files.root, 'a/story.yaml'), files.folders))).to.equal('Mine');
    expect(outcome(loadScenario(join(files.root, 'a/world.yaml'), files.folders))).to.equal('world');
    expect(outcome(loadScenario(join(files.root, 'a/b/deep'), files.folders))).to.equal('Deep');
    expect(outcome(loadScenario(relative(process.cwd(), join(files.root, 'a/story.yaml')), files.folders))).to.equal(
      'Mine',
    );
    expect(outcome(loadScenario(join(files.root, 'a/none.yaml'), files.folders))).to.deep.equal([
      'There is no such file.',
    ]);
  });

  it('cannot lead out of its folder if it comes from elsewhere', () => {
    files = written({ 'secret.yaml': 'title: Secret\n', 'scenarios/a/in.yaml': 'title: In\n' });
    const names = [
      '../secret',
      'a/../../secret',
      '..',
      '.',
      './a/in',
      '/etc/passwd',
      'a\\..\\..\\secret',
      'a//in',
      '',
      'x'.repeat(300),
      'a/in\0',
      join(files.root, 'secret'),
    ];
    for (const name of names) {
      const [message] = [outcome(loadNamed(name, files.folders))].flat();
      expect(message, name).to.equal(
        `${JSON.stringify(name.slice(0, 200))} is not a scenario name: use letters, digits, dots, underscores and hyphens, without leaving the folder.`,
      );
    }
    expect(outcome(loadNamed('a/in', files.folders))).to.equal('In');
  });

  it('cannot lead out of its folder through a link either', () => {
    files = written({ 'secret/mine.yaml': 'title: Secret\n', 'scenarios/real.yaml': 'title: Real\n' });
    symlinkSync(join(files.root, 'secret/mine.yaml'), join(files.root, 'scenarios/file.yaml'));
    symlinkSync(join(files.root, 'secret'), join(files.root, 'scenarios/folder'));
    symlinkSync(join(files.root, 'scenarios/real.yaml'), join(files.root, 'scenarios/inner.yaml'));
    for (const name of ['file', 'folder/mine']) {
      const [message] = [outcome(loadNamed(name, files.folders))].flat();
      expect(message, name).to.match(/is not a scenario name/);
    }
    expect(outcome(loadNamed('inner', files.folders))).to.equal('Real');
    expect(listScenarios(files.folders).map(({ name }) => name))
      .to.include.members(['inner', 'real'])
      .and.not.include('file');
  });

  it('may be a property name of the language', () => {
    files = written({ 'scenarios/__proto__.yaml': 'title: Proto\n' });
    expect(outcome(loadNamed('__proto__', files.folders))).to.equal('Proto');
    expect([outcome(loadNamed('constructor', files.folders))].flat()[0]).to.match(/^Unknown scenario "constructor"/);
  });
});

describe('the list of scenarios', () => {
  it('has demos and cases with their titles, and the problem of a file without one; other subfolders are left out', () => {
    const files = written({
      'scenarios/mine.yaml': 'title: Mine\nabout: A test.\n',
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
    expect(of('broken')?.problem).to.match(/scenarios\/broken\.yaml:2:1: A closing ] is missing before this line/);
    expect([of('notes'), of('probe'), of('gaps/probe')]).to.deep.equal([undefined, undefined, undefined]);
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

describe('a problem', () => {
  it('shows its file relative to the working directory', () => {
    const problem = { file: join(process.cwd(), 'scenarios/x.yaml'), line: 3, column: 5, message: 'No.', pointer: '' };
    expect(showProblem(problem)).to.equal('scenarios/x.yaml:3:5: No.');
    expect(showProblem({ ...problem, file: '/elsewhere/x.yaml' })).to.equal('/elsewhere/x.yaml:3:5: No.');
    expect(showProblem({ ...problem, file: 'nothing', line: 0, column: 0 })).to.equal('nothing: No.');
  });
});

describe('a folder of scenarios', () => {
  it('is empty if it does not exist', () => {
    const files = written({});
    mkdirSync(join(files.root, 'odd'));
    writeFileSync(join(files.root, 'odd/file'), '');
    const folders = { fixtures: [], scenarios: [join(files.root, 'odd/file'), join(files.root, 'none')] };
    expect(listScenarios(folders)).to.deep.equal([]);
    expect(outcome(loadNamed('x', folders))).to.deep.equal(['Unknown scenario "x": there are none.']);
    files.remove();
  });
});
