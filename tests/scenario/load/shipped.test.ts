// The shipped scenarios load, and name their schema. That their steps pass is tested in play/repeated.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { defaultFolders, packageRoot } from '../../../server/scenario/files/folders.js';
import { formatSchemas } from '../../../server/scenario/format/format.js';
import { listScenarios, loadNamed } from '../../../server/scenario/load/load.js';
import { isProblems, showProblem } from '../../../server/scenario/yaml/problem.js';

const root = packageRoot();
const folders = defaultFolders(root);
const names = listScenarios(folders)
  .map(({ name }) => name)
  .filter(name => name !== 'large'); // recipe.test.ts loads it

describe('the shipped scenarios', () => {
  it('have a title and say what they are about', () => {
    for (const name of names) {
      const loaded = loadNamed(name, folders);
      if (isProblems(loaded)) expect.fail(loaded.problems.map(showProblem).join('\n'));
      expect(loaded.title, name).to.not.equal('');
      expect(loaded.about, name).to.not.equal('');
      if (name !== 'small-team') expect(loaded.steps, name).to.not.deep.equal([]); // the plain world has no steps
    }
  });

  it('name their schema in the first line, for editors, as do the fixtures', () => {
    for (const [folder, schema] of [
      ['scenarios', '../dist/contracts/schemas/scenario.schema.json'],
      ['scenarios/cases', '../../dist/contracts/schemas/scenario.schema.json'],
      ['fixtures', '../dist/contracts/schemas/fixture.schema.json'],
    ] as const) {
      const files = readdirSync(join(root, folder)).filter(file => file.endsWith('.yaml'));
      const firsts = files.map(file => readFileSync(join(root, folder, file), 'utf8').split('\n', 1)[0]);
      expect([...new Set(firsts)]).to.deep.equal([`# yaml-language-server: $schema=${schema}`]);
    }
  });
});

describe('the schemas of the file formats', () => {
  it('are valid under the schema of schemas (draft 2020-12), since the server compiles them unchecked', () => {
    for (const [name, schema] of Object.entries(formatSchemas)) {
      const ajv = new Ajv2020();
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).to.equal(true);
      expect(schema.$id).to.equal(`https://cwx-fake.dev/schemas/${name}.schema.json`);
    }
  });
});
