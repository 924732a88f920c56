// Names of scenarios and fixtures cannot lead out of their folders, by any input, and nothing outside is revealed.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import type { Running } from '../../server/process/start.js';
import { type Written, written } from '../support/files/files.js';
import { send, sendJson, serving } from '../support/wire/server.js';

const SECRET = 'Qz-outside-of-all-folders-Zq';

/** `secret.yaml` lies beside the folders, `folder/mine.yaml` behind a link in them. */
const ways = (root: string): readonly string[] => [
  '../secret',
  'sub/../../secret',
  '/etc/passwd',
  join(root, 'secret'),
  `file://${root}/secret.yaml`,
  '%2e%2e%2fsecret',
  '..\\secret',
  '..%5csecret',
  '\uff0e\uff0e/secret',
  '../secret\0',
  '$HOME/secret',
  'linked',
  'folder/mine',
  'deep/folder/mine',
  `${'../'.repeat(60)}etc/passwd`,
  `${'a/'.repeat(5000)}secret`,
  'x'.repeat(100_000),
  'mine.yaml.',
];

describe('a name that leads out of its folder', () => {
  let files: Written;
  let server: Running;
  before(async () => {
    files = written({
      'secret.yaml': `title: ${SECRET}\n`,
      'outside/mine.yaml': `title: ${SECRET}\nsteps: [ { say: ${SECRET} } ]\n`,
      'outside/world.yaml': `users: { ${SECRET}: {} }\n`,
      'scenarios/mine.yaml': 'title: Mine\n',
      'scenarios/sub/deeper.yaml': 'title: Deeper\n',
    });
    mkdirSync(join(files.root, 'scenarios/deep'));
    for (const kind of ['scenarios', 'fixtures']) {
      symlinkSync(join(files.root, 'outside/mine.yaml'), join(files.root, kind, 'linked.yaml'));
      symlinkSync(join(files.root, 'outside'), join(files.root, kind, 'folder'));
    }
    symlinkSync(join(files.root, 'outside'), join(files.root, 'scenarios/deep/folder'));
    symlinkSync(join(files.root, 'scenarios/mine.yaml'), join(files.root, 'scenarios/inner.yaml'));
    const folders = { scenarios: join(files.root, 'scenarios'), fixtures: join(files.root, 'fixtures') };
    server = await serving(undefined, folders);
  });
  after(async () => {
    await server.stop();
    files.remove();
  });

  it('is one whose file lies outside: files inside are found, even through a link', async () => {
    for (const scenario of ['mine', 'inner', 'sub/deeper', 'small-team']) {
      const { status } = await sendJson(`${server.url}/_fake/v1/sandboxes`, 'POST', { scenario });
      expect({ scenario, status }).to.deep.equal({ scenario, status: 201 });
    }
  });

  it('is refused by every endpoint that takes a name', async () => {
    const control = `${server.url}/_fake/v1`;
    await sendJson(`${control}/sandboxes/played`, 'PUT', {});
    for (const name of ways(files.root)) {
      const responses = [
        await sendJson(`${control}/sandboxes`, 'POST', { scenario: name }),
        await sendJson(`${control}/sandboxes/replaced`, 'PUT', { scenario: name }),
        await sendJson(`${control}/sandboxes/played/play`, 'POST', { scenario: name }),
        await sendJson(`${control}/provider-states`, 'POST', { state: name }),
        await send(`${control}/provider-states?state=${encodeURIComponent(name.slice(0, 4000))}`, { method: 'POST' }),
      ];
      for (const { status, text } of responses) {
        expect(status, name.slice(0, 100)).to.be.oneOf([400, 404]);
        expect(text).to.not.include(SECRET);
        expect(text).to.not.include('root:');
        expect(text.length, name.slice(0, 100) + text.slice(0, 500)).to.be.below(10_000);
      }
    }
  });

  it('is refused as the name of a sandbox or a snapshot, in a path', async () => {
    for (const name of ['..', '%2e%2e', '%2e%2e%2fsecret', '..%5csecret', '%252e', 'a%00b', 'x'.repeat(65)]) {
      const got = await send(`${server.url}/_fake/v1/sandboxes/${name}/world`);
      expect({ name, status: got.status }).to.deep.equal({ name, status: got.status === 404 ? 404 : 400 });
      const kept = await sendJson(`${server.url}/_fake/v1/sandboxes/default/snapshots`, 'POST', {
        name: decodeURIComponent(name),
      });
      expect({ name, status: kept.status }).to.deep.equal({ name, status: 400 });
    }
  });

  it('is refused in a file that names another, with its place', () => {
    for (const name of ways(files.root)) {
      writeFileSync(join(files.root, 'fixtures/extending.yaml'), `extends: ${JSON.stringify(name)}\n`);
      writeFileSync(join(files.root, 'scenarios/standing.yaml'), `title: a\nfixture: ${JSON.stringify(name)}\n`);
      for (const file of ['fixtures/extending.yaml', 'scenarios/standing.yaml']) {
        const [problem = ''] = files.check(file);
        expect(problem.slice(0, 400), name.slice(0, 100)).to.match(
          /^\w+\/\w+\.yaml:[12]:(?:10): .*(?:is outside the fixtures folder|Unknown fixture|must be)/,
        );
        expect(problem).to.not.include(SECRET);
      }
    }
  });

  it('is in no list: no title of a file outside is shown', async () => {
    const { text } = await send(`${server.url}/_fake/v1/scenarios`);
    expect(text).to.include('"mine"').and.not.include(SECRET);
    const states = await send(`${server.url}/_fake/v1/provider-states`);
    expect(states.text).to.not.include(SECRET);
  });

  it('is a path on the command line: the files belong to the user', () => {
    expect(files.load(join(files.root, 'secret.yaml')).title).to.equal(SECRET);
    expect(files.load(relative(process.cwd(), join(files.root, 'secret.yaml'))).title).to.equal(SECRET);
  });
});
