// The files in the documentation: scripts, workflows, maps, code and fragments. Each is run, loaded, or compared with its source.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { canonicalPrefix } from '../../server/operations/address.js';
import { restResources } from '../../server/operations/catalog/catalog.js';
import { defaultFolders } from '../../server/scenario/files/folders.js';
import { loadNamed } from '../../server/scenario/load/load.js';
import { loadMap } from '../../server/scenario/load/map-file.js';
import { isProblems } from '../../server/scenario/yaml/problem.js';
import { built, packageFolder } from '../support/processes/built.js';
import { endAll, launch, run } from '../support/processes/commands.js';
import { blocks, blockWith, pageAt, pages } from './markdown.js';
import { type Followed, follow, pathIn, shell } from './page-commands.js';

/** Commands with flags of their own; any other first word is a flag or a scenario of `serve`. */
const OWN_FLAGS: readonly string[] = [
  ...['play', 'record', 'verify', 'conform', 'calibrate', 'check'],
  ...['doctor', 'proxy', 'journal', 'sensitivity', 'coverage'],
];

describe('the documentation', () => {
  before(() => built());
  after(() => endAll());

  it('has a map that loads', async () => {
    const followed = await follow({
      path: 'a map',
      text: pageAt('docs/how-to/test-the-real-service.md').text.replaceAll('8080', '1'),
    });
    const fixture = loadNamed('small-team', defaultFolders(packageFolder));
    if (isProblems(fixture)) expect.fail('the fixture does not load');
    const loaded = loadMap(pathIn(followed, 'names.yaml'), fixture.origin.world);
    await followed.end();
    if (isProblems(loaded)) expect.fail(loaded.problems.map(({ message }) => message).join('\n'));
    expect(loaded.map.users.get('alice')).to.equal('jdoe');
  });

  it('has a script for CI that works as it stands', async () => {
    const followed = await follow(pageAt('docs/how-to/verify-contracts.md'));
    const own = consumerIn(followed);
    expect(await followed.run('cd consumer && sh ci.sh; echo "exited with $?"')).to.match(
      /✔ Verification against .*: .* 0 failed, .*\nexited with 0\n/,
    );
    expect(readFileSync(join(own, 'reports/pacts.xml'), 'utf8')).to.include('<testsuites ');
    writeFileSync(join(own, 'test.js'), 'process.exit(1);\n');
    expect(await followed.run('cd consumer && sh ci.sh >/dev/null 2>&1; echo "exited with $?"')).to.equal(
      'exited with 1\n',
    );
    await followed.end();
  });

  it('has a workflow that is valid YAML, and runs only the commands of the script', () => {
    const workflow = blockWith('docs/how-to/run-in-ci.md', 'yml', 'Verify the contracts');
    const { jobs } = parse(workflow) as { jobs: { contracts: { steps: ReadonlyArray<{ run?: string }> } } };
    const commands = jobs.contracts.steps.flatMap(step => step.run ?? []).join('\n');
    expect(commands).to.include('npx cwx-fake verify pacts --sensitivity --report ').and.include('npx cwx-fake serve');
  });

  it('has code for ajv, with its output', async () => {
    const page = 'docs/how-to/validate-with-schemas.md';
    const program = blockWith(page, 'js', 'ajv');
    const printed = await shell('node --input-type=module -e "$CODE"', packageFolder, { CODE: program });
    expect(printed).to.match(/^true\nfalse /);
    expect(blocks(pageAt(page).text, '')).to.deep.equal([printed]);
  });

  it('quotes the examples exactly', () => {
    const quotes = pages
      .flatMap(({ text }) => ['ts', 'js', 'python'].flatMap(language => blocks(text, language)))
      .flatMap(text => {
        const [, file, quoted] = /^(?:\/\/|#) (examples\/\S+)\n([\s\S]+)$/.exec(text) ?? [];
        return file === undefined || quoted === undefined ? [] : [{ file, quoted }];
      });
    expect(quotes.length).to.be.above(6);
    for (const { file, quoted } of quotes)
      expect(readFileSync(join(packageFolder, file), 'utf8')).to.include(quoted.trim());
  });

  it('quotes schemas exactly', () => {
    const schemas = join(packageFolder, 'dist/contracts/schemas');
    const texts = readdirSync(schemas).map(name => readFileSync(join(schemas, name), 'utf8'));
    const quoted = pages.flatMap(({ text }) => blocks(text, 'json')).filter(text => !text.includes('"consumer"'));
    expect(quoted).not.to.deep.equal([]);
    for (const quote of quoted)
      expect(
        texts.some(text => text.includes(quote.trim())),
        quote,
      ).to.equal(true);
  });

  it("lists what Confluence's and Jira's resources leave out, in their own words", () => {
    const rows = [...pageAt('docs/limits.md').text.matchAll(/^\| (`[A-Z]+ \/rest\/.*`) \| (.+) \|$/gm)];
    const listed = rows.flatMap(([, resources = '', absent]) =>
      [...resources.matchAll(/`(.+?)`/g)].map(([, resource]) => `${resource}: ${absent}`),
    );
    const declared = restResources.map(
      ({ method, family, path, absent }) => `${method} ${canonicalPrefix(family)}${path}: ${absent}`,
    );
    expect(listed.sort()).to.deep.equal(declared.sort());
  });

  it('quotes the output of a server', async () => {
    const server = await launch([]);
    await fetch(`${server.url}/_fake/v1/provider-states`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'unlicenced' }),
    });
    await server.says(/unlicenced/);
    const ready = server.stdout().replace(/:\d+/, ':8080');
    expect(blocks(pageAt('docs/tutorial.md').text, '')).to.deep.equal([ready]);
    const [quoted = ''] = blocks(pageAt('docs/how-to/use-provider-states.md').text, '');
    expect(server.stderr()).to.include(quoted.trim());
    await server.signal('SIGTERM');
  });

  it('has no unknown flag', async () => {
    const lines = pages
      .flatMap(({ text }) => ['sh', 'yml', 'cfg'].flatMap(language => blocks(text, language)))
      .flatMap(text => text.replaceAll('\\\n', ' ').split('\n'))
      .flatMap(line => /(?:^|[\s(])cwx-fake +([^#|>]*)/.exec(line)?.[1]?.trim() ?? []);
    expect(lines.length).to.be.above(10);
    const helps = new Map<string, string>();
    for (const line of lines) {
      const [first = ''] = line.split(' ');
      const command = OWN_FLAGS.includes(first) ? first : 'serve';
      if (!helps.has(command)) helps.set(command, (await run([command, '--help'])).stdout);
      for (const [flag] of line.matchAll(/(?<=\s|^)--[a-z-]+/g))
        expect(helps.get(command), line).to.include(`  ${flag}`);
    }
  });
});

/** A user's project, with a test run that calls the fake and leaves a pact. */
function consumerIn(followed: Followed): string {
  const own = pathIn(followed, 'consumer');
  mkdirSync(join(own, 'pacts'), { recursive: true });
  writeFileSync(join(own, 'ci.sh'), blockWith('docs/how-to/run-in-ci.md', 'sh', '\n# ci.sh'));
  writeFileSync(join(own, 'package.json'), '{ "type": "module", "scripts": { "test": "node test.js" } }');
  const pact = readFileSync(pathIn(followed, 'pacts/web-wiki-extension.json'), 'utf8');
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"group":"customers","users":[]}',
  };
  const test = [
    `const url = process.env.CWX_FAKE_URL + '/rest/cwxapiextension/latest/groups/add-users';`,
    `if (!(await fetch(url, ${JSON.stringify(init)})).ok) process.exit(1);`,
    `(await import('node:fs')).writeFileSync('pacts/web.json', ${JSON.stringify(pact)});`,
  ];
  writeFileSync(join(own, 'test.js'), test.join('\n'));
  return own;
}
