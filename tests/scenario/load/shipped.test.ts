// The shipped scenarios load, and name their schema. That their steps pass is tested in play/repeated.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { defaultFolders, packageRoot } from '../../../server/scenario/files/folders.js';
import { checkFile, listScenarios, loadNamed } from '../../../server/scenario/load/load.js';
import { isProblems, showProblem } from '../../../server/scenario/yaml/problem.js';

const root = packageRoot();
const folders = defaultFolders(root);
const names = listScenarios(folders).map(({ name }) => name);

describe('the shipped scenarios', () => {
  it('are the ones that a client meets first', () => {
    expect(names).to.include.members([
      ...['anonymous-caller', 'empty-wiki', 'first-steps', 'group-membership', 'large', 'licence-runs-out'],
      ...['locking-down-a-page', 'nobody-to-push-to', 'not-an-admin', 'onboarding-a-team', 'partial-failure'],
      ...[
        'private-dashboard',
        'pulled-favourites',
        'pushing-favourites',
        'restricted-page',
        'small-team',
        'strict-wiki',
      ],
      ...['taken-space-key', 'template-copy', 'title-clash', 'unlicensed', 'wrong-password'],
    ]);
  });

  it('have a title and say what they are about', () => {
    for (const name of names) {
      const loaded = loadNamed(name, folders);
      if (isProblems(loaded)) expect.fail(loaded.problems.map(showProblem).join('\n'));
      expect(loaded.title, name).to.not.equal('');
      expect(loaded.about, name).to.not.equal('');
      if (name !== 'small-team') expect(loaded.steps, name).to.not.deep.equal([]); // the plain world has no steps
    }
  });

  for (const [folder, schema] of [
    ['scenarios', '../dist/contracts/schemas/scenario.schema.json'],
    ['scenarios/cases', '../../dist/contracts/schemas/scenario.schema.json'],
    ['fixtures', '../dist/contracts/schemas/fixture.schema.json'],
  ] as const) {
    it(`name their schema in the first line, for editors: ${folder}`, () => {
      const files = readdirSync(join(root, folder)).filter(file => file.endsWith('.yaml'));
      const firsts = files.map(file => readFileSync(join(root, folder, file), 'utf8').split('\n', 1)[0]);
      expect([...new Set(firsts)]).to.deep.equal([`# yaml-language-server: $schema=${schema}`]);
    });
  }

  it('use fixtures without problems', () => {
    const files = readdirSync(join(root, 'fixtures')).map(file => join(root, 'fixtures', file));
    expect(files.flatMap(file => checkFile(file, folders).map(showProblem))).to.deep.equal([]);
  });
});
