// Shipped files recognized by their text: they read the same as if checked, and one more byte has them checked like any other.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { findNamed, namesBeside } from '../../../server/scenario/files/folders.js';
import {
  CHECKED_FILE,
  CHECKED_SUITES_FILE,
  checkedText,
  suiteFolders,
} from '../../../server/scenario/files/prevalidated.js';
import { loadScenario } from '../../../server/scenario/load/load.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { parseSource, readSource } from '../../../server/scenario/yaml/source.js';
import { written } from '../../support/files/files.js';
import { built, packageFolder } from '../../support/processes/built.js';

const shipped = ['fixtures', 'scenarios'].flatMap(kind =>
  namesBeside('', [join(packageFolder, kind)]).map(name => {
    const found = findNamed(name, [join(packageFolder, kind)]);
    return 'file' in found ? relative(packageFolder, found.file) : expect.fail(name);
  }),
);
const textOf = (name: string) => readFileSync(join(packageFolder, name), 'utf8');

describe('shipped files that have been checked', () => {
  before(() => built());

  it('are all fixtures and all listed scenarios', () => {
    expect(shipped).to.include.members([
      'fixtures/small-team.yaml',
      'scenarios/cases/small-team.yaml',
      'scenarios/first-steps.yaml',
    ]);
    expect(Object.keys(JSON.parse(textOf(CHECKED_FILE)))).to.have.lengthOf(shipped.length);
  });

  it('read the same if they are not recognized', () => {
    for (const name of shipped) {
      const source = parseSource(name, textOf(name));
      const known = readSource(join(packageFolder, name));
      if (isProblems(source) || isProblems(known)) expect.fail(name);
      expect([known.isChecked, source.isChecked], name).to.deep.equal([true, false]);
      expect(known.value, name).to.deep.equal(source.value);
    }
  });

  it('include the suites of rules and gaps, with the lines of their steps', () => {
    const scenarios = join(packageFolder, 'scenarios');
    const names = suiteFolders.flatMap(folder => namesBeside(`${folder}/any`, [scenarios]));
    expect(Object.keys(JSON.parse(textOf(CHECKED_SUITES_FILE)))).to.have.lengthOf(names.length);
    const [known] = names.map(name => readSource(join(scenarios, `${name}.yaml`)));
    if (known === undefined || isProblems(known)) expect.fail('it loads');
    expect(known.isChecked).to.equal(true);
    expect(known.lineOf(['steps', 0])).to.equal(known.problem({ path: ['steps', 0], message: '' }).line);
  });

  it('report the same places if they are not recognized', () => {
    const file = join(packageFolder, 'fixtures/small-team.yaml');
    const known = readSource(file);
    const source = parseSource(file, textOf('fixtures/small-team.yaml'));
    if (isProblems(known) || isProblems(source)) expect.fail('they load');
    for (const path of [[], ['users', 'alice'], ['groups', 'jira-core-users', 1], ['nothing']]) {
      const error = { path, message: 'Here.' };
      expect(known.problem(error)).to.deep.equal(source.problem(error));
    }
    expect(known.problem({ path: ['users', 'alice'], message: '' }).line).to.equal(5);
  });

  it('are recognized by every byte: a file with one more is checked', () => {
    const text = textOf('fixtures/small-team.yaml');
    expect(checkedText('small-team.yaml', text)?.value).to.be.an('object');
    expect(checkedText('small-team.yaml', `${text} `)).to.equal(undefined);
    const files = written({ 'fixtures/mine.yaml': text.replace('displayName: Alice', 'displayname: Alice') });
    expect(files.check('fixtures/mine.yaml')).to.have.lengthOf(1);
    expect(files.check('fixtures/mine.yaml')[0]).to.contain('fixtures/mine.yaml:5:16: Unknown key "displayname"');
    files.remove();
  });

  it('are still checked against other files and worlds: a known scenario on a fixture of the same name', () => {
    const files = written({
      'scenarios/small-team.yaml': textOf('scenarios/cases/small-team.yaml'),
      'fixtures/small-team.yaml': 'groups: { a: [bob] }\n',
    });
    expect(files.check('scenarios/small-team.yaml')).to.deep.equal([
      'fixtures/small-team.yaml:1:15: Unknown user "bob": the world has no users.',
    ]);
    files.remove();
    const others = written({ 'fixtures/small-team.yaml': textOf('fixtures/empty.yaml') });
    const loaded = loadScenario('not-an-admin', others.folders);
    if (!isProblems(loaded)) expect.fail('it loads');
    expect(loaded.problems[0]?.message).to.equal('Unknown user "carol": expected admin or anonymous.');
    others.remove();
  });
});
