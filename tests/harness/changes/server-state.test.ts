// A run restores what it changed on another server exactly, under any readings, and names what it could not restore.
import { expect } from 'chai';
import * as fc from 'fast-check';
import { Set as PSet } from 'immutable';
import { ServerState } from '../../../harness/changes/server-state.js';
import type { Subject } from '../../../harness/changes/subjects.js';
import { at, both, doesNothing, refuses, respondsWith } from '../../../harness/conform/faults/fault-changes.js';
import { NamesThere } from '../../../harness/names/name-map.js';
import type { FaultyServer } from '../../../harness/run/faulty-server.js';
import { PatientTarget } from '../../../harness/target/patient-target.js';
import { RestApi } from '../../../harness/target/rest-api.js';
import { formOf, worldFrom } from '../../../server/domain/form/form.js';
import type { SparseWorldForm, WorldForm } from '../../../server/domain/form/form-shapes.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { requestOfStep } from '../../../server/scenario/play/step-request.js';
import type { Target } from '../../../server/scenario/play/target.js';
import { conformed, scenariosFor, serverWith, simulatedTime } from '../../support/other-servers/conforming.js';
import { anyReadings, smallTeam } from '../../support/other-servers/outside.js';
import { by, members } from '../faulty-servers/changes.js';

const { world } = smallTeam().origin;
const names = new NamesThere(world);
const subjects: readonly Subject[] = [
  ...[...world.groups.keys()].map(name => ({ kind: 'members' as const, name, real: name })),
  ...[...world.pages.keys()].map(name => ({ kind: 'restrictions' as const, name, real: name })),
  ...[...world.users.keys()].map(name => ({ kind: 'favourites' as const, name, real: name })),
];

const some = <T>(...all: readonly T[]) => fc.uniqueArray(fc.constantFrom(...all), { maxLength: 3 });
const users = some('alice', 'carol', 'demouser1', 'demouser2', 'nobody');
const groups = some('team-members', 'jira-core-users', 'customers', 'nogroup');
const steps = fc
  .oneof(
    fc.record({
      call: fc.constantFrom('groups.add-users', 'groups.remove-users', 'groups.set-users'),
      body: fc.record({ group: fc.constantFrom('team-members', 'jira-core-users', 'customers', 'nogroup'), users }),
    }),
    fc.record({
      call: fc.constantFrom(
        'permissions.edit-add',
        'permissions.edit-remove',
        'permissions.view-add',
        'permissions.view-remove',
        'permissions.all-remove',
      ),
      path: fc.record({ pageId: fc.constantFrom('65601', '65701') }),
      body: fc.record({ users, groups }),
    }),
    fc.record({
      call: fc.constantFrom('ppf.push', 'ppf.pull'),
      body: fc.record({ users, groups, filters: some(10500, 10600, 1), dashboards: some(11000, 11100) }),
    }),
    fc.record({
      call: fc.constant('spaces.copy'),
      query: fc.record({
        sourceSpaceKey: fc.constantFrom('ds', 'tmpl'),
        targetSpaceKey: fc.constantFrom('NEW1', 'ds'),
        targetSpaceTitle: fc.constant('New'),
        targetSpaceAdmin: fc.constantFrom('', 'alice'),
        removeAdminPermissions: fc.boolean(),
        keepPagesMetadata: fc.boolean(),
      }),
    }),
  )
  .map(step => ({ say: '', as: 'admin', ...step }) as Step); // each has the form of its operation

/** Without what no operation deletes: new spaces with their pages, and groups that the server creates. */
function without({ spaces, pages, groups: all, nextPageId: _, ...rest }: WorldForm) {
  const keep = <T>(table: Readonly<Record<string, T>>, isKept: (key: string) => boolean) =>
    Object.fromEntries(Object.entries(table).filter(([key]) => isKept(key)));
  return {
    ...rest,
    spaces: keep(spaces, key => world.spaces.has(key)),
    pages: keep(pages, id => world.pages.has(id)),
    groups: keep(all, name => world.groups.has(name)),
  };
}

function stateOf(target: Target): ServerState {
  return new ServerState(new PatientTarget(target, simulatedTime()), new RestApi(target, names), names);
}

/** A server with names and data that the fixture lacks. */
function lived(server: FaultyServer): WorldForm {
  const form = formOf(server.world);
  const { alice, carol } = form.favourites;
  const zoe = { users: ['carol', 'zoe'], groups: ['others'] };
  const { '65601': page = { edit: zoe }, ...pages } = form.pages;
  server.world = worldFrom({
    ...form,
    users: { ...form.users, zoe: {} },
    groups: { ...form.groups, others: ['zoe'], customers: ['zoe'], 'team-members': ['alice', 'zoe'] },
    pages: { ...pages, '65601': { ...page, edit: zoe, view: { users: ['zoe'], groups: [] } } },
    filters: { ...form.filters, 999: { name: 'Mine', owner: 'zoe', sharedWith: 'everyone' } },
    favourites: { ...form.favourites, alice: { ...alice, filters: [999, 10500] }, carol: { ...carol, filters: [] } },
  } as SparseWorldForm); // a whole form with a few records more
  return formOf(server.world);
}

describe('a run on another server', () => {
  it('restores everything after any steps, under any readings', async () => {
    await fc.assert(
      fc.asyncProperty(anyReadings, fc.array(steps, { maxLength: 8 }), async (readings, played) => {
        fc.pre(readings['unknown-user'] !== 'create'); // no request removes a user
        const server = serverWith({}, readings);
        const before = lived(server);
        const state = stateOf(server);
        state.known = readings;
        expect(await state.save(subjects)).to.deep.equal([]);
        await state.prepare(subjects);
        for (const step of played) {
          const asking = { world, passwords: names.passwords, context: '', readings, asksReadings: false };
          const request = requestOfStep(step, asking);
          if (request !== undefined) await server.send(request);
        }
        state.forget(subjects);
        expect(await state.restore()).to.deep.equal([]);
        expect(without(formOf(server.world))).to.deep.equal(without(before));
      }),
      { numRuns: 40 },
    );
  });

  it('prepares the state of the fixture, but keeps what the fixture does not know', async () => {
    const server = serverWith();
    lived(server);
    const state = stateOf(server);
    await state.save(subjects);
    expect(await state.prepare(subjects)).to.deep.equal([]);
    const { groups: prepared, pages, favourites } = formOf(server.world);
    const fixture = formOf(world);
    expect(prepared).to.deep.equal({ ...fixture.groups, others: ['zoe'] });
    expect(pages['65601']?.view).to.deep.equal({ users: ['zoe'], groups: [] });
    expect(favourites.alice?.filters).to.deep.equal([999]);
    expect(favourites.carol?.filters).to.deep.equal(fixture.favourites.carol?.filters);
  });

  for (const [what, change] of [
    ['set-users does nothing', doesNothing(at('groups/set-users'))],
    ['add-users replaces the members', members(at('groups/add-users'), (after, old) => after.subtract(old))],
    ['every group operation reports an error, but is done', respondsWith(at('groups/'), 200, 500, '')],
    ['removing the edit permission is refused', refuses(both(at('permissions/edit'), by('DELETE')), 403)],
  ] as const)
    it(`restores another way if ${what}`, async () => {
      const server = serverWith(change);
      const before = lived(server);
      const rules = ['groups.add-users', 'groups.remove-users', 'groups.set-users', 'permissions.edit-remove'];
      expect((await conformed(server, scenariosFor(rules), rules)).left).to.deep.equal([]);
      expect(without(formOf(server.world))).to.deep.equal(without(before));
    });

  it('names what it cannot restore, with its state before', async () => {
    const broken = members(at('groups/set-users'), () => PSet<string>());
    const server = serverWith({
      world: (after, before, asked) =>
        at('groups/add-users')(asked) ? before : (broken.world?.(after, before, asked) ?? after),
    });
    const rules = ['groups.set-users'];
    const { left } = await conformed(server, scenariosFor(rules), rules);
    expect(left.length).to.be.above(0);
    for (const sentence of left) expect(sentence).to.match(/^members of the group \S+: before the run (users: |none)/);
  });
});
