// `cwx-fake play` in process: its exact output, its reports and every exit code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { urlError } from '../../../harness/target/any-server.js';
import { operations } from '../../../server/operations/catalog/catalog.js';
import { useScratch } from '../../support/files/scratch.js';
import { printedBy, refusalOf, run } from '../../support/processes/commands.js';

const good = `title: Good
about: It holds.
fixture: small-team
steps:
  - { say: Carol joins, call: groups.add-users, body: { group: customers, users: [carol] }, expect: { status: 200 } }
`;
const bad = good.replace('title: Good', 'title: Bad').replace('status: 200', 'status: 404');

describe('cwx-fake play', () => {
  const folder = useScratch({ 'scenarios/good.yaml': good, 'scenarios/bad.yaml': bad, 'elsewhere/other.yaml': good });
  const play = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run(['play', ...args], { cwd: folder.path, env });

  it('exits with 1 if a step fails, and shows the evidence', async () => {
    const { code, stdout, stderr } = await play(['bad']);
    expect({ code, stderr }).to.deep.equal({ code: 1, stderr: '' });
    expect(stdout.split('\n')).to.deep.equal([
      'bad: Bad',
      '✘ 1 Carol joins · 200 groups.add-users',
      '    at        scenarios/bad.yaml:5',
      '    request   POST /rest/cwxapiextension/latest/groups/add-users',
      '              Content-Type: application/json',
      '              {"group":"customers","users":["carol"]}',
      '    response  200 OK',
      '              {}',
      '    differs   status is 200, not 404',
      '    rules     address.no-context-path, address.extension-path, address.json-bodies, groups.body, groups.add-users',
      '    gaps      wiki-auth=open, wiki-success=object',
      '    reproduce cwx-fake serve # in another terminal',
      '              cwx-fake play bad --target http://127.0.0.1:8080/~again --before 1',
      "              curl -i -X POST 'http://127.0.0.1:8080/~again/rest/cwxapiextension/latest/groups/add-users' \\",
      "                -H 'Content-Type: application/json' \\",
      `                -d '{"group":"customers","users":["carol"]}'`,
      '✘ 1 scenario, 0 steps passed, 1 failed, 0 skipped',
      '',
    ]);
  });

  it('plays several in order, by name, file and folder', async () => {
    const { code, stdout } = await play(['good', 'scenarios/', 'elsewhere/other.yaml']);
    expect(code).to.equal(1);
    expect(stdout.split('\n').filter(line => !line.startsWith(' '))).to.deep.equal([
      '[1/3] good: Good',
      '✔ 1 Carol joins · 200 groups.add-users',
      '[2/3] scenarios/bad.yaml: Bad',
      '✘ 1 Carol joins · 200 groups.add-users',
      '[3/3] elsewhere/other.yaml: Good',
      '✔ 1 Carol joins · 200 groups.add-users',
      '✘ 3 scenarios, 2 steps passed, 1 failed, 0 skipped',
      '',
    ]);
  });

  it('plays nothing if a file is invalid, reports the problems of all files, and exits with 2', async () => {
    folder.write('scenarios/worse.yaml', 'titel: Worse\n');
    folder.write('scenarios/worst.yaml', 'title: Worst\nclok: 1\n');
    folder.write('none/below/good.yaml', good);
    const { code, stdout, stderr } = await play(['good', 'worse', 'worst', 'none', 'nonsuch']);
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr.split('\n').map(line => line.replace(/: (expected|there are) .*/, ''))).to.deep.equal([
      'none: This folder contains no scenario. Subfolders are not searched.',
      'scenarios/worse.yaml:1:1: The file is missing the key "title".',
      'scenarios/worse.yaml:1:1: Unknown key "titel" (did you mean "title"?)',
      'scenarios/worst.yaml:2:1: Unknown key "clok" (did you mean "clock"?)',
      'Unknown scenario "nonsuch"',
      '',
    ]);
  });

  it('exits with 3 if there is nothing to play', async () => {
    folder.write('scenarios/none.yaml', 'title: None\n');
    expect(await play(['none'])).to.deep.equal({
      code: 3,
      stdout: 'none: None\n– no steps\n– 1 scenario, 0 steps passed, 0 failed, 0 skipped\n',
      stderr: '',
    });
  });

  it('plays a probe once under each reading of its gap', async () => {
    folder.write(
      'scenarios/probe.yaml',
      `title: Probe
gap: ppf-unknown-item
fixture: small-team
steps:
  - say: A filter that is none
    as: admin
    call: ppf.push
    body: { users: [alice], filters: [7] }
    for: { message: { expect: { status: 200 } }, "400": { expect: { status: 400 } } }
`,
    );
    const lines = (await printedBy(play(['probe']))).split('\n');
    expect(lines).to.include.members([
      '[1/2] probe (ppf-unknown-item=message): Probe',
      '✔ 1 A filter that is none · 400 ppf.push',
    ]);
    folder.write(
      'scenarios/probe.yaml',
      readFileSync(join(folder.path, 'scenarios/probe.yaml'), 'utf8').replace('400 } } }', '418 } } }'),
    );
    expect((await play(['probe'])).stdout).to.include('/~again --reading ppf-unknown-item=400 --before 1');
  });

  it('prints JSON, uses colours, and writes reports', async () => {
    const { outcome, checks } = JSON.parse((await play(['good', 'bad', '--json', '--pace', '0'])).stdout);
    expect(outcome).to.equal('failed');
    expect(checks.map(({ suite, verdict }: Record<string, string>) => [suite, verdict])).to.deep.equal([
      ['good', 'passed'],
      ['bad', 'failed'],
    ]);
    folder.write('out/.keep', '');
    const reports = 'junit=out/r.xml,ctrf=out/r.json,md=out/r.md,github';
    const proving = (text: string) => text.replace(' }\n', ', proves: [groups.add-users] }\n');
    folder.write('scenarios/good.yaml', proving(good));
    folder.write('scenarios/bad.yaml', proving(bad).replace('status: 404', 'status: 404, headers: { A: b }'));
    const { code, stdout } = await play(['good', 'bad', '--report', reports], { FORCE_COLOR: '1' });
    expect(code).to.equal(1);
    expect(stdout).to.include('\u001b[32m✔\u001b[39m 1 Carol joins');
    const text = (file: string) => readFileSync(join(folder.path, file), 'utf8');
    const { results } = JSON.parse(text('out/r.json')) as { results: { summary: object; tests: object[] } };
    expect(results.summary).to.include({ tests: 2, passed: 1, failed: 1, skipped: 0 });
    expect(results.tests[0]).to.deep.include({ status: 'passed', tags: ['groups.add-users'], line: 5 });
    expect(results.tests[1]).to.include({
      message: 'status is 200, not 404 (and 1 more)',
      filePath: 'scenarios/bad.yaml',
    });
    expect(results.tests[1], 'failed, so it proves nothing').to.not.have.property('tags');
    expect(text('out/r.md'))
      .to.include('**2 checks**: 1 passed, 1 failed, 0 skipped')
      .and.include(`### What the requests have covered\n\n2 requests, 1 of ${operations.length} operations, `)
      .and.include('| wiki-success | object | 2 | 0 |')
      .and.match(/Never called: groups\.remove-users, /);
    expect(text('out/r.xml'))
      .to.include('<testcase classname="bad" name="1 Carol joins"')
      .and.match(/name="coverage" value="2 requests, 1 of \d+ operations, \d+ of \d+ rules, \d+ of \d+ gaps"/);
    expect(stdout).to.match(/^::error file=scenarios\/bad.yaml,line=5,title=bad › 1 Carol joins::status is 200/m);
    const late = await play(['good', '--report', `junit=${'x'.repeat(300)}.xml`]);
    expect(late.code).to.equal(0);
    expect(late.stderr).to.match(/^cwx-fake play: The junit report cannot be written to "x{300}\.xml": name too long/);
  });

  it('looks for scenarios and fixtures in the given folders', async () => {
    expect((await play(['other', '--scenarios', 'elsewhere'])).code).to.equal(0);
    expect((await play(['other'], { CWX_FAKE_SCENARIOS: 'elsewhere' })).code).to.equal(0);
    expect((await play(['other'])).code).to.equal(2);
    expect((await play(['good', '--scenarios', 'elsewhere'])).code).to.equal(2);
  });

  const wrong: Readonly<Record<string, string>> = {
    '--step requires a terminal': 'good --step',
    '--step and --pace cannot be combined': 'good --step --pace 1',
    '--pace cannot be "fast": it must be a number of seconds from 0 to 3600, such as 1.5': 'good --pace fast',
    '--as must be user:password': 'good --as carol',
    [`--target cannot be "localhost": ${urlError('localhost')}`]: 'good --target localhost',
    '--sandbox requires a target: add --target, as in --target http://127.0.0.1:8080': 'good --sandbox x',
    '--sandbox cannot be "a/b": expected 1 to 64 letters, digits, dots, underscores or hyphens': 'good --sandbox a/b',
    '--target names the sandbox a, but --sandbox names b: use one of them': 'good --target http://h/~a --sandbox b',
    '--report cannot be "junit=none/r.xml": there is no folder "none": create it with mkdir -p none':
      'good --report junit=none/r.xml',
    '--report cannot be "junit=scenarios/good.yaml/r.xml": "scenarios/good.yaml" is not a folder':
      'good --report junit=scenarios/good.yaml/r.xml',
    '--before requires a sandbox that is kept: add --target and --sandbox': 'good --before 1',
    'missing arguments: <scenario…>. Example: cwx-fake play pushing-favourites': '',
  };
  it('exits with 2 on wrong usage', async () => {
    for (const [expected, args] of Object.entries(wrong))
      expect(await refusalOf(play(args === '' ? [] : args.split(' '))))
        .to.include(`cwx-fake play: ${expected}\n`)
        .and.to.match(/Run cwx-fake play --help for its arguments and flags.\n$/);
  });
});
