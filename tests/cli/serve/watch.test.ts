// `cwx-fake serve --watch`: what a changed file changes, what it never changes, and the error for files that do not load.
import { expect } from 'chai';
import { type Scratch, scratch } from '../../support/files/scratch.js';
import type { Launched } from '../../support/processes/command-line.js';
import { endAll, launch } from '../../support/processes/commands.js';
import { send, sendJson, worldIn } from '../../support/wire/server.js';
import { until } from '../../support/worlds/until.js';

const ADD = '/rest/cwxapiextension/latest/groups/add-users';
const BASE = 'users: { zoe: { admin: true }, yan: {} }\ngroups: { team: [] }\n';
const TEAM = 'extends: base\nspaces: { ds: { name: First } }\n';
const STORY = 'title: A story\nfixture: team\n';

describe('cwx-fake serve --watch', () => {
  let folder: Scratch;
  let server: Launched;
  beforeEach(async () => {
    folder = scratch({ 'fixtures/base.yaml': BASE, 'fixtures/team.yaml': TEAM, 'scenarios/story.yaml': STORY });
    server = await launch(['story', '--watch'], { cwd: folder.path });
  });
  afterEach(async () => {
    const { code } = await server.signal('SIGTERM');
    expect(code).to.equal(0);
    folder.drop();
  });
  after(endAll);

  const control = () => `${server.url}/_fake/v1/sandboxes`;
  const worldOf = (sandbox = 'default') => worldIn(server, sandbox);
  const join = (sandbox: string, user = 'zoe') =>
    sendJson(`${server.url}/~${sandbox}${ADD}`, 'POST', { group: 'team', users: [user] });
  const spaceName = async (sandbox?: string) => (await worldOf(sandbox)).spaces.ds?.name;
  const usersOf = async (other: Launched) => Object.keys((await worldIn(other, 'default')).users);
  const isNamed = (name: string) => until(async () => (await spaceName()) === name);
  const named = (name: string) => `title: A story\nfixture: team\nworld: { spaces: { ds: { name: ${name} } } }\n`;

  it('applies a changed scenario to default and new sandboxes, and leaves existing ones', async () => {
    await join('default');
    await join('old');
    folder.write('scenarios/story.yaml', named('Second'));
    await isNamed('Second');
    expect((await worldOf()).groups.team).to.deep.equal([]);
    await join('new');
    expect(await spaceName('new')).to.equal('Second');
    expect(await spaceName('old')).to.equal('First');
    expect((await worldOf('old')).groups.team).to.deep.equal(['zoe']);
    await server.says(/INFO: reloaded story: the sandbox default was reset to it, and new sandboxes start from it\n/);
    expect(server.stdout().split('\n')).to.have.lengthOf(2);
  });

  it('notices a changed fixture, and a change to the one it extends, but no other file', async () => {
    folder.write('scenarios/other.yaml', 'titel: broken\n');
    folder.write('fixtures/other.yaml', 'users: [\n');
    folder.write('fixtures/team.yaml', TEAM.replace('First', 'Second'));
    await isNamed('Second');
    folder.write('fixtures/base.yaml', `${BASE}filters: { 7: { name: Seven, owner: zoe } }\n`);
    await until(async () => '7' in (await worldOf()).filters);
    expect(await spaceName()).to.equal('Second');
    expect(server.stderr(), 'about the other files').not.to.contain('cannot be loaded');
  });

  it('notices a fixture that the scenario has just started to name, and a missing one once it is created', async () => {
    folder.write('scenarios/story.yaml', STORY.replace('team', 'later'));
    await server.says(/scenarios\/story\.yaml:2:10: Unknown fixture "later"/);
    folder.write('fixtures/later.yaml', TEAM.replace('First', 'Later'));
    await isNamed('Later');
    folder.write('fixtures/later.yaml', TEAM.replace('First', 'Another'));
    await isNamed('Another');
  });

  it('reports an invalid file with file, line and column, and changes nothing', async () => {
    await join('default');
    const before = await worldOf();
    folder.write('scenarios/story.yaml', 'titel: A story\nfixture: team\n');
    await server.says(
      /\[\d\d:\d\d:\d\d\] ERROR: the changed scenario cannot be loaded, so the old one stays:\n *scenarios\/story\.yaml:1:1: .*"title"/,
    );
    folder.write('fixtures/base.yaml', 'users: { zoe: { admin: perhaps } }\n');
    folder.write('scenarios/story.yaml', STORY);
    await server.says(/fixtures\/base\.yaml:1:24: /);
    folder.write('fixtures/base.yaml', 'users: { zoe: [\n');
    await server.says(/fixtures\/base\.yaml:\d+:\d+: (?!.*perhaps)/);
    expect(server.stderr()).not.to.contain('reloaded story').and.not.to.contain('\u001b');
    expect(await worldOf()).to.deep.equal(before);
    expect((await send(`${control()}/default/journal`)).json)
      .to.have.property('entries')
      .that.has.lengthOf(1);
    await join('new');
    expect(await spaceName('new')).to.equal('First');
    folder.write('fixtures/base.yaml', BASE);
    await server.says(/reloaded story/);
    await until(async () => (await worldOf()).groups.team?.length === 0);
  });

  it('drops no request while it reloads or while a file is invalid', async () => {
    const statuses = new Map<number, number>();
    let isOver = false;
    const ask = async (sandbox: string) => {
      while (!isOver) {
        for (const user of ['zoe', 'yan']) {
          const { status } = await join(sandbox, user);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }
    };
    const asking = ['default', 'default', 'old', 'older'].map(ask);
    folder.replace('scenarios/story.yaml', 'title: [\n');
    await server.says(/cannot be loaded/);
    folder.replace('scenarios/story.yaml', named('Second'));
    await isNamed('Second');
    isOver = true;
    await Promise.all(asking);
    expect([...statuses.keys()]).to.deep.equal([200]);
    expect((await worldOf('old')).groups.team).to.deep.equal(['yan', 'zoe']);
  });

  it("returns to the shipped scenario when the user's own is deleted, and to the user's own when it is back", async () => {
    folder.write('scenarios/unlicensed.yaml', named('Own'));
    const other = await launch(['unlicensed', '--watch'], { cwd: folder.path });
    expect(await usersOf(other)).to.deep.equal(['yan', 'zoe']);
    folder.remove('scenarios/unlicensed.yaml');
    await until(async () => (await usersOf(other)).includes('carol'));
    folder.write('scenarios/unlicensed.yaml', named('Own'));
    await until(async () => !(await usersOf(other)).includes('carol'));
    expect((await other.signal('SIGINT')).code).to.equal(0);
  });
});
