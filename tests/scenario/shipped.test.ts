// Every shipped scenario loads, and each of its calls is answered as it says. A scenario that lies fails here under its own title.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { defaultFolders, packageRoot } from '../../server/scenario/folders.js';
import { checkFile, listScenarios, loadNamed } from '../../server/scenario/load.js';
import { isProblems, showProblem } from '../../server/scenario/problem.js';
import type { Step } from '../../server/scenario/step-format.js';
import { playCalls } from '../support/playing.js';

const root = packageRoot();
const folders = defaultFolders(root);
const names = listScenarios(folders).map(({ name }) => name);

describe('the shipped scenarios', () => {
  it('are the ones that a client meets first', () => {
    expect(names).to.include.members([
      'anonymous-caller',
      'empty-wiki',
      'first-steps',
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
      if (name !== 'small-team') expect(played.length, 'its calls').to.be.greaterThan(0); // the plain world tells no story
      expect(played.flatMap(({ step, differences }) => differences.map(text => `${step.say}: ${text}`))).to.deep.equal(
        [],
      );
    });
  }

  it('would be caught lying: each difference is told', () => {
    const loaded = loadNamed('unlicensed', folders);
    if (isProblems(loaded)) expect.fail(loaded.problems.map(showProblem).join('\n'));
    const [step] = loaded.steps;
    if (step === undefined) expect.fail('it has no step');
    const lying: Step = {
      ...step,
      expect: { status: 200, headers: { Allow: { $any: 'string' } }, body: { errors: {} } },
      // biome-ignore lint/suspicious/noThenProperty: the name that steps have for it
      then: {
        favourites: { alice: { filters: [10500] } },
        users: { alice: { $absent: true } },
        licence: { ppf: 'valid' },
      },
      proves: ['ppf.push'],
    };
    const [played] = playCalls({ ...loaded, steps: [lying] });
    expect(played?.differences).to.deep.equal([
      'status is 403, not 200',
      'Allow is undefined, not {"$any":"string"}',
      'body/errorMessages is one too many',
      'favourites/alice/filters is [], not [10500]',
      'users/alice is {"displayName":"Alice","admin":false}, not {"$absent":true}',
      'licence/ppf is "expired", not "valid"',
      'ppf.push did not apply, only address.no-context-path, address.ppf-path, ppf.licensed-only',
    ]);
  });

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
