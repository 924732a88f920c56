// Every shipped scenario loads, and each of its calls is answered as it says. A scenario that lies fails here under its own title.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { defaultFolders, packageRoot } from '../../server/scenario/folders.js';
import { checkFile, isProblems, listScenarios, loadNamed, showProblem } from '../../server/scenario/load.js';
import { playCalls } from '../support/playing.js';

const root = packageRoot();
const folders = defaultFolders(root);
const names = listScenarios(folders).map(({ name }) => name);

describe('the shipped scenarios', () => {
  it('are the ones that a client meets first', () => {
    expect(names).to.include.members([
      'anonymous-caller',
      'empty-wiki',
      'group-membership',
      'large',
      'nobody-to-push-to',
      'not-an-admin',
      'partial-failure',
      'private-dashboard',
      'pulled-favourites',
      'restricted-page',
      'small-team',
      'strict-wiki',
      'taken-space-key',
      'template-copy',
      'title-clash',
      'unlicensed',
      'wrong-password',
    ]);
  });

  for (const name of names) {
    it(`${name}: each answer and each world is what the file says`, () => {
      const loaded = loadNamed(name, folders);
      if (isProblems(loaded)) expect.fail(loaded.problems.map(showProblem).join('\n'));
      expect(loaded.title, 'a title').to.not.equal('');
      expect(loaded.about, 'what it is about').to.not.equal('');
      const played = playCalls(loaded);
      expect(played.length, 'its calls').to.be.greaterThan(0);
      expect(played.flatMap(({ step, differences }) => differences.map(text => `${step.say}: ${text}`))).to.deep.equal(
        [],
      );
    });
  }

  for (const [folder, format] of [
    ['scenarios', 'scenario'],
    ['fixtures', 'fixture'],
  ] as const) {
    it(`name the schema of a ${format} in their first line, for editors`, () => {
      const files = readdirSync(join(root, folder)).filter(file => file.endsWith('.yaml'));
      const firsts = files.map(file => readFileSync(join(root, folder, file), 'utf8').split('\n', 1)[0]);
      expect([...new Set(firsts)]).to.deep.equal([
        `# yaml-language-server: $schema=../contracts/schemas/${format}.schema.json`,
      ]);
    });
  }

  it('stand on fixtures without problems', () => {
    const files = readdirSync(join(root, 'fixtures')).map(file => join(root, 'fixtures', file));
    expect(files.flatMap(file => checkFile(file, folders).map(showProblem))).to.deep.equal([]);
  });
});
