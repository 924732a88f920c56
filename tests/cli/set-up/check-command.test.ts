// `cwx-fake check`: exit code 0 for valid files; 2 for invalid ones, with every problem of every file.

import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useScratch } from '../../support/files/scratch.js';
import { printedBy, run } from '../../support/processes/commands.js';

describe('cwx-fake check', () => {
  const folder = useScratch({
    'scenarios/good.yaml':
      'title: Good\nfixture: team\nsteps:\n  - { say: A, as: zoe, call: ppf.push, body: { users: [zoe], filters: [1] }, expect: { status: 200 } }\n',
    'fixtures/team.yaml': 'users: { zoe: { admin: true } }\nfilters: { 1: { name: One, owner: zoe } }\n',
  });
  const check = (...args: string[]) => run(['check', ...args], { cwd: folder.path });

  it('exits with 0 if all files are valid', async () => {
    expect(await printedBy(check('scenarios/good.yaml'))).to.equal('1 file checked, no problems\n');
    expect((await check('scenarios/good.yaml', 'fixtures/team.yaml')).stdout).to.equal(
      '2 files checked, no problems\n',
    );
  });

  it('reports every problem of every file at once, in order, and exits with 2', async () => {
    folder.write(
      'scenarios/bad.yaml',
      ['titel: Bad', 'fixture: taem', 'steps:', '  - { say: A, as: zoe, call: ppf.psuh }', ''].join('\n'),
    );
    folder.write(
      'fixtures/bad.yaml',
      ['users: { zoe: { admin: maybe } }', 'groups: { team: [bob] }', 'licence: { ppf: gone }', ''].join('\n'),
    );
    const { code, stdout, stderr } = await check('scenarios/bad.yaml', 'scenarios/good.yaml', 'fixtures/bad.yaml');
    expect({ code, stderr }).to.deep.equal({ code: 2, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    const last = lines.pop();
    for (const line of lines) expect(line).to.match(/^(scenarios|fixtures)\/bad\.yaml:\d+:\d+: \S.*\.$/);
    expect(last).to.equal(`3 files checked, ${lines.length} problems`);
    const json = JSON.parse(
      (await check('scenarios/bad.yaml', 'scenarios/good.yaml', 'fixtures/bad.yaml', '--json')).stdout,
    );
    expect([json.files, json.problems.length]).to.deep.equal([3, lines.length]);
    expect(json.problems[0]).to.deep.include({ file: 'scenarios/bad.yaml', line: 1, column: 1 });
    const found = (place: string) => lines.filter(line => line.startsWith(`${place}: `)).join('\n');
    expect(found('scenarios/bad.yaml:1:1')).to.contain('"titel"').and.to.contain('"title"');
    expect(found('scenarios/bad.yaml:2:10')).to.contain('"taem"').and.to.contain('"team"');
    expect(found('scenarios/bad.yaml:4:30')).to.contain('"ppf.push"');
    expect(found('fixtures/bad.yaml:1:24')).to.contain('maybe');
    expect(found('fixtures/bad.yaml:2:18')).to.contain('"bob"');
    expect(found('fixtures/bad.yaml:3:17')).to.contain('valid');
  });

  it('reports circular links, as files and in a folder', async () => {
    mkdirSync(join(folder.path, 'links'));
    symlinkSync('b.yaml', join(folder.path, 'links/a.yaml'));
    symlinkSync('a.yaml', join(folder.path, 'links/b.yaml'));
    const looped = (file: string) => `links/${file}.yaml: The file is a link that leads back to itself.\n`;
    expect((await check('links/a.yaml')).stdout).to.equal(`${looped('a')}1 file checked, 1 problem\n`);
    expect((await check('links')).stdout).to.equal(`${looped('a')}${looped('b')}2 files checked, 2 problems\n`);
  });

  it('checks each file of a folder once, and reports a folder without any', async () => {
    folder.write('scenarios/other.yml', 'title: Other\n');
    folder.write('scenarios/notes.md', 'none');
    folder.write('scenarios/below/bad.yaml', 'titel: Bad\n');
    folder.write('empty/below/good.yaml', 'title: Good\n');
    expect(await printedBy(check('scenarios', 'fixtures/', 'scenarios/good.yaml'))).to.equal(
      '3 files checked, no problems\n',
    );
    const { code, stdout } = await check('empty', 'scenarios/below');
    expect(code).to.equal(2);
    const lines = stdout.split('\n').map(line => line.replace(/: expected .*/, ''));
    expect(lines).to.deep.equal([
      'empty: This folder contains no scenario or fixture. Subfolders are not searched.',
      'scenarios/below/bad.yaml:1:1: The file is missing the key "title".',
      'scenarios/below/bad.yaml:1:1: Unknown key "titel" (did you mean "title"?)',
      '1 file checked, 3 problems',
      '',
    ]);
  });

  it('looks for fixtures in the given folder', async () => {
    folder.write('other/base.yaml', 'users: { yan: {} }\n');
    folder.write('story.yaml', 'title: A story\nfixture: base\n');
    expect((await check('story.yaml')).code).to.equal(2);
    expect((await check('story.yaml', '--fixtures', 'other')).code).to.equal(0);
  });
});
