// `cwx-fake init`: what it writes for a project, and that its files work as they are.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import { packageFolder } from '../../support/processes/built.js';
import { refusalOf, run } from '../../support/processes/commands.js';

const WRITTEN = ['fixtures/my-team.yaml', 'scenarios/customer-joins.yaml'];

describe('cwx-fake init', () => {
  const places: Scratch[] = [];
  after(() => {
    for (const place of places) place.drop();
  });
  const project = (manifest?: string | object) => {
    const text = typeof manifest === 'object' ? JSON.stringify(manifest) : manifest;
    const place = scratch({ 'node_modules/.keep': '', ...(text !== undefined && { 'package.json': text }) });
    for (const [name, target] of [
      ['cwx-fake', '.'],
      ['mocha', 'node_modules/mocha'],
    ] as const)
      symlinkSync(join(packageFolder, target), join(place.path, 'node_modules', name));
    places.push(place);
    return place;
  };
  const init = ({ path }: Scratch) => run(['init'], { cwd: path });

  const runners: Record<string, { manifest?: object; ending: string; next: string }> = {
    vitest: { manifest: { devDependencies: { vitest: '4', mocha: '12' } }, ending: 'mjs', next: 'npx vitest run' },
    jest: { manifest: { devDependencies: { jest: '30' } }, ending: 'js', next: 'npx jest' },
    mocha: { manifest: { dependencies: { mocha: '12' } }, ending: 'mjs', next: 'npx mocha' },
    'node:test': { ending: 'mjs', next: 'node --test' },
  };
  for (const [name, { manifest, ending, next }] of Object.entries(runners))
    it(`writes a fixture, a demo and a test for ${name}, and says what to run`, async () => {
      const place = project(manifest);
      const { code, stdout } = await init(place);
      expect(code).to.equal(0);
      const test = `test/cwx-fake.test.${ending}`;
      expect(stdout.split('\n').slice(0, 3)).to.deep.equal([...WRITTEN, test].map(file => `written  ${file}`));
      expect(stdout).to.contain(`  npm install --save-dev cwx-fake\n  ${next} ${test}\n`);
      expect((await run(['check', 'fixtures', 'scenarios'], { cwd: place.path })).stdout).to.match(
        /2 files checked, no problem/,
      );
      expect((await run(['play', 'customer-joins'], { cwd: place.path })).code).to.equal(0);
    });

  for (const [name, program] of [
    ['mocha', [join(packageFolder, 'node_modules/mocha/bin/mocha.js')]],
    ['node:test', ['--test']],
  ] as const)
    it(`writes a test that passes with ${name}, and fails without the user`, async () => {
      const place = project(runners[name]?.manifest);
      await init(place);
      const tests = () =>
        spawnSync(process.execPath, [...program, 'test/cwx-fake.test.mjs'], { cwd: place.path, encoding: 'utf8' });
      const passed = tests();
      expect(passed.status, passed.stdout + passed.stderr).to.equal(0);
      const file = join(place.path, 'fixtures/my-team.yaml');
      place.write('fixtures/my-team.yaml', readFileSync(file, 'utf8').replace('  alice:', '  alicia:'));
      expect(tests().status).to.equal(1);
    });

  it('keeps files that are there, and needs no installation twice', async () => {
    const place = project({ devDependencies: { 'cwx-fake': '0.1.0' } });
    place.write('fixtures/my-team.yaml', 'users: {}\n');
    const { code, stdout } = await init(place);
    expect({ code, stdout }).to.deep.equal({
      code: 0,
      stdout: [
        'kept     fixtures/my-team.yaml',
        'written  scenarios/customer-joins.yaml',
        'written  test/cwx-fake.test.mjs',
        '',
        'Run next:',
        '  node --test test/cwx-fake.test.mjs',
        '  npx cwx-fake play customer-joins',
        '  npx cwx-fake serve my-team --open',
        '',
      ].join('\n'),
    });
    expect(readFileSync(join(place.path, 'fixtures/my-team.yaml'), 'utf8')).to.equal('users: {}\n');
  });

  it('reports a file that cannot be written', async () => {
    const place = project();
    place.write('fixtures', 'a file, where a folder is needed');
    expect(await refusalOf(init(place))).to.match(/^cwx-fake init: fixtures\/my-team\.yaml cannot be written: /);
  });

  for (const [what, text] of [
    ['no JSON', '{'],
    ['no object', '[]'],
  ] as const)
    it(`refuses a package.json that is ${what}, and writes nothing`, async () => {
      const place = project(text);
      expect(await refusalOf(init(place))).to.equal(
        'cwx-fake init: package.json is not a JSON object: correct it, then run init again\n',
      );
      expect(existsSync(join(place.path, 'fixtures'))).to.equal(false);
    });
});
