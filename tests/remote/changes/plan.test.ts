// The plan of a run is known before anything is sent: its changes under each reading, in the names of the server.
import { expect } from 'chai';
import { inWorld, loadProbes } from '../../../server/remote/calibrate/probes.js';
import { each } from '../../../server/remote/changes/changes.js';
import { freshRun, planOf } from '../../../server/remote/changes/plan.js';
import { showPlan, showStaying } from '../../../server/remote/changes/render-changes.js';
import { shippedPlan } from '../../../server/remote/changes/shipped-plans.js';
import { ruleIds, suiteFor } from '../../../server/remote/conform/suite.js';
import { mapped } from '../../../server/remote/names/mapped-steps.js';
import { NamesThere } from '../../../server/remote/names/name-map.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { defaultFolders } from '../../../server/scenario/load/folders.js';
import { isProblems } from '../../../server/scenario/yaml/problem.js';
import { smallTeam } from '../../support/other-servers/outside.js';
import { packageFolder } from '../../support/processes/built.js';

const story = smallTeam();
const { world } = story.origin;
/** Stands for the name of the run. */
const RUN = ['$', '{run}'].join('');

const step = (call: NonNullable<Step['call']>, parts: Partial<Step>): Step => ({
  say: '',
  as: 'admin',
  call,
  ...parts,
});
const copied = {
  sourceSpaceKey: 'tmpl',
  targetSpaceKey: `CWX${RUN}A`,
  targetSpaceTitle: 'A',
  targetSpaceAdmin: '',
  removeAdminPermissions: false,
  keepPagesMetadata: true,
};

async function planned(steps: readonly Step[], names = new NamesThere(world), gap?: 'unknown-group') {
  const [one] = [await planOf([{ ...story, steps, ...(gap !== undefined && { gap }) }], names, 'RUN007')].flatMap(
    plan => {
      if (isProblems(plan)) throw new Error(JSON.stringify(plan.problems));
      return plan;
    },
  );
  if (one === undefined) throw new Error('nothing is planned');
  return {
    one,
    lines: showPlan(each(one.changes.flat()), names),
    staying: showStaying(each(one.changes.flat()), names),
  };
}

describe('the plan', () => {
  it('lists what each step changes, and what happens to it', async () => {
    const { one, lines } = await planned([
      step('groups.set-users', { body: { group: 'team-members', users: ['alice'] } }),
      step('permissions.view-add', { path: { pageId: '65601' }, body: { users: ['carol'], groups: [] } }),
      step('ppf.push', { body: { users: ['alice'], filters: [10500] } }),
      step('spaces.is-unique', { query: { spaceKey: 'X', spaceName: 'X' } }),
    ]);
    expect(one.changes.map(changes => changes.map(({ kind }) => kind))).to.deep.equal([
      ['member', 'member'],
      ['permission'],
      ['favourite'],
      [],
    ]);
    expect(lines).to.deep.equal([
      'the members of the group team-members: afterwards demouser1, whoever is in it now',
      'who may view the page 65601: names that the run adds are taken off again, and those it takes off are added',
      'the favourite filters of alice: what the run pushes is pulled again, and what it pulls is pushed',
    ]);
  });

  it('includes what happens under some readings only', async () => {
    const { staying } = await planned([
      step('groups.add-users', { body: { group: 'unheard', users: ['alice'] } }),
      step('spaces.copy', { query: { ...copied, targetSpaceKey: 'a-b' } }),
    ]);
    expect(staying).to.deep.equal(['the group unheard, where the server makes groups that are named', 'the space a-b']);
  });

  it('leaves out what happens in a space that the run creates', async () => {
    const { one, staying } = await planned([
      step('spaces.copy', { query: copied }),
      step('spaces.add-sidebar-link', { body: { spaceKey: `CWX${RUN}A`, label: 'L', url: 'x' } }),
      step('spaces.replace-in-page', {
        query: { spaceKey: `CWX${RUN}A`, pageTitle: 'Template Home' },
        body: [{ oldText: 'NAME', newText: 'X' }],
      }),
    ]);
    expect(one.changes.map(({ length }) => length)).to.deep.equal([1, 0, 0]);
    expect(staying).to.deep.equal(['the space CWXRUN007A']);
  });

  it('lists lasting changes to existing things', async () => {
    const { staying } = await planned([
      step('spaces.add-sidebar-link', { body: { spaceKey: 'ds', label: 'L', url: 'x' } }),
      step('spaces.replace-in-page', {
        query: { spaceKey: 'ds', pageTitle: 'Welcome' },
        body: [{ oldText: 'Hello', newText: 'Bye' }],
      }),
    ]);
    expect(staying).to.deep.equal(['the link "L" in the sidebar of the space ds', 'the text of the page 65601']);
  });

  it('uses the names of the server, and leaves out what cannot be sent there', async () => {
    const names = new NamesThere(world, {
      users: new Map([['demouser1', 'dora']]),
      groups: new Map([['team-members', 'qa']]),
      spaces: new Map(),
      pages: new Map(),
      filters: new Map(),
      dashboards: new Map(),
    });
    const { lines } = await planned(
      [
        step('groups.set-users', { body: { group: 'team-members', users: [] } }),
        step('groups.set-users', { body: { group: 'customers', users: ['demouser1'] } }),
      ],
      names,
    );
    expect(lines).to.deep.equal(['the members of the group qa: afterwards dora, whoever is in it now']);
  });

  it('is shipped for each file that conform and calibrate play on a server with the names of the default scenario', () => {
    const folders = defaultFolders(packageFolder);
    const [suite, probes] = [suiteFor(ruleIds, folders), loadProbes(folders)];
    if (isProblems(suite) || isProblems(probes)) expect.fail('they load');
    const all = [...suite, ...inWorld(probes, world)];
    const names = new NamesThere(world);
    const playable = all.filter(one => mapped(one, names).reasons.size === 0);
    expect(playable.filter(one => shippedPlan(one, 'RUN007') === undefined).map(({ files }) => files[0])).to.deep.equal(
      [],
    );
    expect(playable.length).to.be.greaterThan(80);
  });

  it('has a new name for each run', () => {
    const runs = new Set(Array.from({ length: 200 }, freshRun));
    expect(runs.size).to.equal(200);
    for (const run of runs) expect(run).to.match(/^[A-Z][A-Z0-9]{5}$/);
  });
});
