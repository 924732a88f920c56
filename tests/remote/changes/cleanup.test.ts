// A run puts back what it changed on another server, under any readings, and names what stays.
import { expect } from 'chai';
import * as fc from 'fast-check';
import { evolveAll } from '../../../server/domain/facts.js';
import { formOf } from '../../../server/domain/form/form.js';
import type { WorldForm } from '../../../server/domain/form/form-shapes.js';
import { DEFAULT_SANDBOX } from '../../../server/engine/sandbox/session.js';
import type { SomeReadings } from '../../../server/operations/gaps/gaps.js';
import { type Change, changesBy } from '../../../server/remote/changes/changes.js';
import { cleanUp } from '../../../server/remote/changes/cleanup.js';
import { subjectOf } from '../../../server/remote/changes/render-changes.js';
import { NamesThere } from '../../../server/remote/names/name-map.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { requestOf } from '../../../server/scenario/play/asking.js';
import { type Target, Unreachable } from '../../../server/scenario/play/target.js';
import { anyReadings, asForeign, fakeUnder } from '../../support/other-servers/outside.js';

const users = fc.uniqueArray(fc.constantFrom('alice', 'carol', 'demouser1', 'demouser2', 'nobody'), { maxLength: 3 });
const groups = fc.uniqueArray(fc.constantFrom('team-members', 'jira-core-users', 'customers', 'nogroup'), {
  maxLength: 2,
});
const group = fc.constantFrom('team-members', 'jira-core-users', 'customers', 'nogroup');
const pageId = fc.constantFrom('65601', '65701');
const ids = (...some: number[]) => fc.uniqueArray(fc.constantFrom(...some), { maxLength: 3 });

const steps: fc.Arbitrary<Step> = fc
  .oneof(
    fc.record({
      call: fc.constantFrom('groups.add-users', 'groups.remove-users', 'groups.set-users'),
      body: fc.record({ group, users }),
    }),
    fc.record({
      call: fc.constantFrom(
        'permissions.edit-add',
        'permissions.edit-remove',
        'permissions.view-add',
        'permissions.view-remove',
        'permissions.all-remove',
      ),
      path: fc.record({ pageId }),
      body: fc.record({ users, groups }),
    }),
    fc.record({
      call: fc.constantFrom('ppf.push', 'ppf.pull'),
      body: fc.record({ users, groups, filters: ids(10500, 10600, 1), dashboards: ids(11000, 11100) }),
    }),
    fc.record({
      call: fc.constant('spaces.copy'),
      query: fc.record({
        sourceSpaceKey: fc.constantFrom('ds', 'tmpl'),
        targetSpaceKey: fc.constantFrom('NEW1', 'NEW2', 'ds'),
        targetSpaceTitle: fc.constant('New'),
        targetSpaceAdmin: fc.constantFrom('', 'alice'),
        removeAdminPermissions: fc.boolean(),
        keepPagesMetadata: fc.boolean(),
      }),
    }),
    fc.record({
      call: fc.constant('spaces.add-sidebar-link'),
      body: fc.record({
        spaceKey: fc.constantFrom('ds', 'NEW1'),
        label: fc.constantFrom('A', 'B'),
        url: fc.constant('x'),
      }),
    }),
    fc.record({
      call: fc.constant('spaces.replace-in-page'),
      query: fc.record({ spaceKey: fc.constantFrom('ds', 'NEW2'), pageTitle: fc.constant('Welcome') }),
      body: fc.constant([{ oldText: 'Hello', newText: 'Goodbye' }]),
    }),
  )
  .map(step => ({ say: '', as: 'admin', ...step }) as Step); // each has the form of its operation

/** Plays the steps on a fake; returns the changes from its facts, and its world before and after they are put back. */
async function playedAndPutBack(readings: SomeReadings, played: readonly Step[]) {
  const fake = await fakeUnder(readings);
  const target = asForeign(fake);
  const sandbox = await fake.session.open(DEFAULT_SANDBOX);
  if (sandbox === undefined) throw new Error('the fake has no sandbox');
  const origin = sandbox.state.world;
  const names = new NamesThere(origin);
  const asking = { world: origin, passwords: names.passwords, context: '', readings, asksReadings: false };
  const changes: Change[] = [];
  let world = origin;
  for (const step of played) {
    const request = requestOf(step, asking);
    if (request === undefined) throw new Error('it asks nothing');
    await target.send(request);
    const facts = sandbox.journal.last?.facts ?? [];
    changes.push(...changesBy(facts, world, origin));
    world = evolveAll(world, facts);
  }
  const changed = formOf(sandbox.state.world);
  expect(formOf(world)).to.deep.equal(changed);
  const { left, stays: staying } = await cleanUp(changes, { target, names, known: readings });
  const cleanup = { left, stays: staying.map(change => subjectOf(change, names) ?? '') };
  fake.end();
  return { before: formOf(origin), changed, after: formOf(sandbox.state.world), cleanup };
}

/** The world without what is named as staying. */
function without({ spaces, pages, groups: all, nextPageId: _, ...rest }: WorldForm, stays: readonly string[]) {
  const isNamed = (what: string) => stays.includes(what);
  return {
    ...rest,
    groups: Object.fromEntries(
      Object.entries(all).filter(
        ([name]) => !isNamed(`the group ${name}, where the server makes groups that are named`),
      ),
    ),
    spaces: Object.fromEntries(
      Object.entries(spaces)
        .filter(([key]) => !isNamed(`the space ${key}`))
        .map(([key, { sidebar, ...space }]) => [
          key,
          {
            ...space,
            sidebar: sidebar.filter(({ label }) => !isNamed(`the link "${label}" in the sidebar of the space ${key}`)),
          },
        ]),
    ),
    pages: Object.fromEntries(
      Object.entries(pages)
        .filter(([, { space }]) => !isNamed(`the space ${space}`))
        .map(([id, { title, body, version, updated, updatedBy, ...page }]) => [
          id,
          isNamed(`the text of the page ${id}`) ? page : { ...page, title, body, version, updated, updatedBy },
        ]),
    ),
  };
}

describe('the changes of a run on another server', () => {
  it('are put back under any readings, except what is named as staying', async () => {
    await fc.assert(
      fc.asyncProperty(anyReadings, fc.array(steps, { maxLength: 8 }), async (readings, played) => {
        const { before, after, cleanup } = await playedAndPutBack(readings, played);
        expect(cleanup.left).to.deep.equal([]);
        expect(without(after, cleanup.stays)).to.deep.equal(without(before, cleanup.stays));
      }),
      { numRuns: 150 },
    );
  });

  it('really happened', async () => {
    const { before, changed, after, cleanup } = await playedAndPutBack({}, [
      { say: '', as: 'admin', call: 'groups.set-users', body: { group: 'team-members', users: ['alice'] } },
      {
        say: '',
        as: 'admin',
        call: 'permissions.view-add',
        path: { pageId: '65601' },
        body: { users: ['carol'], groups: ['customers'] },
      },
      { say: '', as: 'admin', call: 'ppf.pull', body: { users: ['carol'], filters: [10600] } },
      { say: '', as: 'admin', call: 'ppf.push', body: { users: ['alice'], dashboards: [11000] } },
    ]);
    expect(changed.groups['team-members']).to.deep.equal(['alice']);
    expect(changed.pages['65601']?.view).to.deep.equal({ users: ['carol'], groups: ['customers'] });
    expect([changed.favourites.carol?.filters, changed.favourites.alice?.dashboards]).to.deep.equal([[], [11000]]);
    expect(cleanup).to.deep.equal({ stays: [], left: [] });
    expect(after).to.deep.equal(before);
  });

  it('name what stays: a space, and a group on servers that create groups', async () => {
    const readings: SomeReadings = { 'unknown-group': 'create' };
    const { cleanup } = await playedAndPutBack(readings, [
      { say: '', as: 'admin', call: 'groups.add-users', body: { group: 'nogroup', users: ['alice'] } },
      {
        say: '',
        as: 'admin',
        call: 'spaces.copy',
        query: {
          sourceSpaceKey: 'tmpl',
          targetSpaceKey: 'NEW1',
          targetSpaceTitle: 'New',
          targetSpaceAdmin: '',
          removeAdminPermissions: false,
          keepPagesMetadata: false,
        },
      },
    ]);
    expect(cleanup.stays).to.deep.equal([
      'the group nogroup, where the server makes groups that are named',
      'the space NEW1',
    ]);
  });
});

describe('a change that cannot be put back', () => {
  const change: Change = { kind: 'member', group: 'customers', user: 'alice' };
  const on = async (target: Target) => {
    const fake = await fakeUnder({});
    fake.end();
    return cleanUp([change], { target, names: new NamesThere(fake.loaded.origin.world), known: {} });
  };
  const server = (send: Target['send']): Target => ({ url: 'http://x', context: '', send, close: async () => {} });

  it('is reported with the response', async () => {
    const refusing = server(async () => ({ status: 500, headers: {}, text: 'broken' }));
    expect((await on(refusing)).left).to.deep.equal(['the members of the group customers: the answer is 500 broken']);
  });

  it('is reported if the server is unreachable', async () => {
    const gone = server(async () => {
      throw new Unreachable('http://x does not answer: the connection is refused');
    });
    expect((await on(gone)).left).to.deep.equal([
      'everything else: http://x does not answer: the connection is refused',
    ]);
  });
});
