// The rows that bring a sandbox into a state: playing scenarios, and the provider states of contracts.
import { expect } from 'chai';
import { defaultFolders } from '../../server/scenario/files/folders.js';
import { listStates } from '../../server/scenario/states/listed-states.js';
import { outside, type Row, row } from './row.js';

type Run = { readonly name: string; readonly passed: boolean; readonly steps: readonly Step[] };
type Step = {
  readonly step: number;
  readonly outcome: string;
  readonly status: number;
  readonly rules: readonly string[];
};

export const playingRows: readonly Row[] = [
  row('play', 'POST /_fake/v1/sandboxes/{s}/play', {
    cases: [
      {
        what: 'plays a whole scenario',
        body: { scenario: 'unlicensed' },
        tells: ({ name, passed, steps }: Run) => {
          expect({ name, passed }).to.deep.equal({ name: 'unlicensed', passed: true });
          expect(steps.map(({ outcome, status }) => [outcome, status])).to.deep.equal([
            ['passed', 403],
            ['passed', 403],
            ['passed', 200],
          ]);
        },
        library: sandbox => sandbox.play('unlicensed'),
        after: {
          '.scenario': 'unlicensed',
          'world.licence': { ppf: 'expired' },
          'world.groups.customers': ['alice'],
          'journal.entries.length': 3,
          'snapshots.snapshots': [],
        },
        varies: /"now":"[^"]+"|"at":"[^"]+"/g,
      },
      {
        what: 'plays its first step, on a fresh start of the scenario',
        body: { scenario: 'unlicensed', step: 1 },
        tells: ({ steps }: Run) => expect(steps.map(({ step, status }) => [step, status])).to.deep.equal([[1, 403]]),
        library: sandbox => sandbox.play('unlicensed', { step: 1 }),
        after: { '.scenario': 'unlicensed', 'journal.entries.length': 1 },
        varies: /"now":"[^"]+"|"at":"[^"]+"/g,
      },
      {
        what: 'plays another step, on the sandbox as it is',
        prepare: async sandbox => {
          await sandbox.faults.clear();
          await sandbox.patch({ licence: { ppf: 'none' } });
        },
        body: { scenario: 'unlicensed', step: 2 },
        tells: ({ steps }: Run) =>
          expect(steps.map(({ step, outcome, status }) => [step, outcome, status])).to.deep.equal([[2, 'passed', 403]]),
        library: sandbox => sandbox.play('unlicensed', { step: 2 }),
        after: { '.scenario': 'small-team', 'journal.entries.length': 5, 'world.licence': { ppf: 'none' } },
      },
    ],
    bad: [
      {
        what: 'schema errors and an unknown scenario',
        body: { scenario: 'unlicenced', step: 0, setp: 1 },
        says: '(did you mean "unlicensed"?)',
        pointers: ['', '/step', '/scenario'],
      },
      outside,
      { what: 'one without steps', body: { scenario: 'small-team' }, says: '"small-team" has no steps' },
      { what: 'an unknown step', body: { scenario: 'unlicensed', step: 4 }, says: 'Unknown step 4' },
    ],
  }),
  row('provider-states.list', 'GET /_fake/v1/provider-states', {
    cases: [
      {
        what: 'lists them',
        tells: (response: { states: { name: string }[]; scenarios: { name: string }[] }) => {
          expect(response).to.deep.equal(JSON.parse(JSON.stringify(listStates(defaultFolders(process.cwd())))));
          expect(response.scenarios.map(({ name }) => name)).to.include('unlicensed');
          const things = ['user', 'group', 'page', 'space', 'filter', 'dashboard'].map(thing => `${thing} exists`);
          const names = response.states.map(({ name }) => name);
          expect(names).to.have.members([...things, 'caller is not an admin', 'licence is']);
        },
        library: (_, fake) => fake.states(),
      },
    ],
  }),
  row('provider-states.change', 'POST /_fake/v1/provider-states', {
    cases: [
      {
        what: 'starts a new world after requests, and adds to it',
        named: 'in header',
        body: { action: 'setup', state: 'user exists', params: { name: 'bob' } },
        tells: { user: 'bob' },
        library: ({ name }, fake) => fake.sandbox(name).states.setUp('user exists', { name: 'bob' }), // as the fake begins it
        after: {
          'world.users.bob': { displayName: 'bob', admin: false },
          'world.groups.customers': [],
          'readings.unknown-group': '400',
          'journal.entries': [],
        },
        varies: /"now":"[^"]+"/g,
      },
      {
        what: 'adds to a world without requests',
        named: 'in path',
        isFresh: true,
        body: { state: 'licence is', params: { licence: 'none' } },
        tells: (response: object) => expect(response).to.be.an('object'),
        library: sandbox => sandbox.states.setUp('licence is', { licence: 'none' }),
        after: { 'world.licence': { ppf: 'none' } },
        varies: /"now":"[^"]+"/g,
      },
      {
        what: 'starts a scenario by its name',
        named: 'in path',
        body: { state: 'unlicensed' },
        tells: {},
        library: sandbox => sandbox.states.setUp('unlicensed'),
        after: { '.scenario': 'unlicensed', 'world.licence': { ppf: 'expired' } },
        varies: /"now":"[^"]+"/g,
      },
      {
        what: 'tears one down, without any change yet',
        named: 'in header',
        body: { action: 'teardown', state: 'user exists' },
        tells: {},
        library: async sandbox => {
          await sandbox.states.tearDown();
          return {};
        },
        after: { 'world.groups.customers': ['alice'], '.version': 6 },
      },
    ],
    bad: [
      { what: 'an unknown state', body: { state: 'user exist' }, status: 404, says: '(did you mean "user exists"?)' },
      { what: 'a missing state', body: {}, says: 'Send {"action": "setup"' },
      { what: 'an unknown action', body: { state: '', action: 'set-up' }, says: '/action' },
    ],
  }),
];
