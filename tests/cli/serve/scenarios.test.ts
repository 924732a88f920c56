// Which scenario `cwx-fake serve` finds for a name or path, and its error for a missing or invalid one.
import { expect } from 'chai';
import { useScratch } from '../../support/files/scratch.js';
import type { Launched } from '../../support/processes/command-line.js';
import { endAll, launch, refusalOf, run } from '../../support/processes/commands.js';
import { send } from '../../support/wire/server.js';

describe('the scenario of cwx-fake serve', () => {
  afterEach(endAll);
  const folder = useScratch();

  const launched = (...args: string[]) => launch(args, { cwd: folder.path });
  const ran = (...args: string[]) => run(['serve', '--port', '0', ...args], { cwd: folder.path });
  const usersOf = async ({ url }: Launched) => {
    const { json } = await send(`${url}/_fake/v1/sandboxes/default/world`);
    return Object.keys((json as { users: object }).users);
  };
  const scenarioOf = ({ stdout }: Launched) => /\(scenario (.*)\)/.exec(stdout())?.[1];

  it('can be a shipped one by name', async () => {
    const server = await launched('unlicensed');
    expect(scenarioOf(server)).to.equal('unlicensed');
    expect((await send(`${server.url}/_fake/health`)).json).to.include({ scenario: 'unlicensed' });
    expect(await usersOf(await launched('empty')), 'a fixture').to.have.lengthOf(1);
  });

  it('can be a file by its path anywhere, with or without its ending', async () => {
    folder.write('elsewhere/mine.yaml', 'title: Mine\nfixture: small-team\nworld: { users: { zoe: {} } }\n');
    folder.write('elsewhere/team.yml', 'users: { yan: {} }\n');
    for (const path of ['elsewhere/mine.yaml', './elsewhere/mine', `${folder.path}/elsewhere/mine.yaml`]) {
      const server = await launched(path);
      expect(scenarioOf(server), path).to.equal('mine');
      expect(await usersOf(server)).to.include('zoe');
    }
    expect(await usersOf(await launched('elsewhere/team.yml'))).to.deep.equal(['yan']);
  });

  it("is the user's own before a shipped one of the same name, and so is its fixture", async () => {
    folder.write('scenarios/unlicensed.yaml', 'title: My own\nfixture: small-team\n');
    folder.write('fixtures/small-team.yaml', 'users: { zoe: { admin: true } }\n');
    const server = await launched('unlicensed');
    expect(await usersOf(server)).to.deep.equal(['zoe']);
    const { json } = await send(`${server.url}/_fake/v1/scenarios`);
    const { scenarios } = json as { scenarios: Array<{ name: string; title: string }> };
    expect(scenarios.filter(({ name }) => name === 'unlicensed').map(({ title }) => title)).to.deep.equal(['My own']);
    expect(scenarios.map(({ name }) => name)).to.include('small-team');
  });

  it('is suggested for a misspelt name, which lists all', async () => {
    folder.write('scenarios/onboarding.yaml', 'title: My own\nfixture: small-team\n');
    expect(await refusalOf(ran('onbaording'))).to.match(
      /^Unknown scenario "onbaording" \(did you mean "onboarding"\?\): expected .*onboarding.*small-team.*unlicensed/,
    );
  });

  it('is reported with all its problems if it is missing or invalid', async () => {
    folder.write('fixtures/base.yaml', 'groups:\n  team: [nobody]\n');
    folder.write('scenarios/story.yaml', 'title: A story\nfixture: base\n');
    folder.write('scenarios/bad.yaml', 'title: Bad\nfixtur: small-team\nclock: yesterday\n');
    for (const [name, says] of [
      ['./nowhere.yaml', /^\.\/nowhere\.yaml: No such file or folder\.\n$/],
      ['bad', /^scenarios\/bad\.yaml:2:1: .*"fixture".*\nscenarios\/bad\.yaml:3:8: .*\n$/],
      ['story', /^fixtures\/base\.yaml:2:10: .*"nobody".*\n$/],
    ] as const) {
      expect(await refusalOf(ran(name))).to.match(says);
    }
  });
});
