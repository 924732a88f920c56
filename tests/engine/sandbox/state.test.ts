// The state of a sandbox and what changes it: facts, readings, clock, and going back to its scenario, a snapshot or a version.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import type { Fault } from '../../../server/engine/faults/fault.js';
import {
  advance,
  advanceAll,
  begin,
  type Change,
  type Origin,
  type Past,
  type State,
  timeIn,
} from '../../../server/engine/sandbox/state.js';
import { smallTeam } from '../../support/worlds/ask.js';

const origin: Origin = { scenario: 'small-team', world: smallTeam, readings: { 'unknown-user': '400' } };
const joins = { type: 'group-member-added', group: 'customers', user: 'alice' } as const;
const reads = { type: 'readings-set', readings: { 'no-change': '409' } } as const;

/** For changes that do not go back to a version. */
const nothing: Past = { at: () => undefined };

describe('state', () => {
  it('starts as its scenario: that world, no readings of its own, its clock if it has one', () => {
    const bytes = 48; // of the empty list of faults
    expect(begin(origin)).to.deep.equal({ origin, world: smallTeam, readings: {}, faults: [], bytes });
    const clock = '2026-01-05T09:00:00Z';
    expect(begin({ ...origin, clock }).clock).to.deep.equal({ stands: clock });
  });

  it('changes only its world by a fact', () => {
    const before = begin(origin);
    const after = advance(before, joins, nothing);
    expect(after.world.groups.get('customers')?.has('alice')).to.equal(true);
    expect(after.origin).to.equal(origin);
    expect(after.readings).to.equal(before.readings);
    expect(before.world).to.equal(smallTeam);
  });

  it('replaces the readings that are set, and leaves the world', () => {
    const once = advance(begin(origin), { type: 'readings-set', readings: { 'unknown-page': '400' } }, nothing);
    const twice = advance(once, reads, nothing);
    expect(twice.readings).to.deep.equal({ 'no-change': '409' });
    expect(twice.world).to.equal(smallTeam);
  });

  it('restores world, readings and clock on reset', () => {
    const start = begin({ ...origin, clock: '2026-01-05T09:00:00Z' });
    const back = advanceAll(start, [joins, reads, { type: 'sandbox-reset' }], nothing);
    expect(back).to.deep.equal({ ...start, bytes: back.bytes });
    const after = advanceAll(start, [joins, { type: 'sandbox-reset' }, { ...joins, user: 'carol' }], nothing);
    expect(after.world.groups.get('customers')?.toArray()).to.deep.equal(['carol']);
  });

  it('is the same after the same changes', () => {
    const changes = [joins, reads, { ...joins, user: 'carol' }];
    const one = changes.reduce<State>((before, change) => advance(before, change, nothing), begin(origin));
    const { bytes, ...all } = advanceAll(begin(origin), changes, nothing);
    expect({ ...all, bytes: one.bytes }).to.deep.equal(one);
    expect(bytes).to.be.within(one.bytes, one.bytes + 5_000);
  });
});

describe('going back', () => {
  const fault: Fault = { operation: 'ppf.push', effect: { status: 503 } };
  const at = '2026-01-05T09:00:00Z';
  const keep = (name: string, of = 0): Change => ({ type: 'snapshot-kept', name, of, at });
  const changed = (...changes: Change[]) =>
    advanceAll(begin({ ...origin, clock: at, faults: [fault] }), changes, nothing);
  const members = ({ world }: State) => formOf(world).groups.customers;

  it('to a snapshot restores world, ids, readings, clock and faults with their counts', () => {
    const kept = changed(joins, { type: 'faults-met', met: [0], fired: 0 }, keep('a'));
    const gone = [
      { ...joins, user: 'carol' },
      reads,
      { type: 'clock-set', clock: { ahead: 5 } },
      { type: 'faults-met', met: [0], fired: 0 },
      { type: 'faults-set', faults: [] },
      { type: 'world-patched', patch: { nextPageId: 90_000 } },
    ] as const;
    const there = advanceAll(kept, gone, nothing);
    expect([members(there), there.world.nextPageId, there.faults]).to.deep.equal([['alice', 'carol'], 90_000, []]);
    const back = advance(there, { type: 'restored', name: 'a' }, nothing);
    expect(back).to.deep.equal({ ...kept, bytes: there.bytes });
    expect(back.world).to.equal(kept.world);
    expect(back.faults).to.deep.equal([{ fault, met: 1, fired: 1 }]);
    expect(back.clock).to.deep.equal({ stands: at });
  });

  it('keeps snapshots in their order, a replaced one last, and leaves the others', () => {
    const state = changed(keep('a'), joins, keep('b', 2), { ...joins, user: 'carol' }, keep('a', 4));
    expect([...(state.snapshots ?? [])].map(([name, { version }]) => [name, version])).to.deep.equal([
      ['b', 2],
      ['a', 4],
    ]);
    expect(members(advance(state, { type: 'restored', name: 'b' }, nothing))).to.deep.equal(['alice']);
    expect(members(advance(state, { type: 'restored', name: 'a' }, nothing))).to.deep.equal(['alice', 'carol']);
    const one = advance(state, { type: 'snapshot-dropped', name: 'b' }, nothing);
    expect([...(one.snapshots?.keys() ?? [])]).to.deep.equal(['a']);
  });

  it('keeps no snapshots within snapshots', () => {
    const state = changed(keep('a'), keep('b', 1));
    expect([...(state.snapshots?.values() ?? [])].map(one => 'snapshots' in one.state)).to.deep.equal([false, false]);
  });

  it('leaves snapshots as they are: a reset, a restored one, a version before them', () => {
    const state = changed(joins, keep('a'));
    const names = (one: State) => [...(one.snapshots?.keys() ?? [])];
    const reset = advance(state, { type: 'sandbox-reset' }, nothing);
    expect([members(reset), names(reset)]).to.deep.equal([[], ['a']]);
    const restored = advance(reset, { type: 'restored', name: 'a' }, nothing);
    expect([members(restored), names(restored)]).to.deep.equal([['alice'], ['a']]);
    const past: Past = { at: version => (version === 0 ? begin(origin) : undefined) };
    const rewound = advance(state, { type: 'rewound', to: 0 }, past);
    expect([members(rewound), names(rewound)]).to.deep.equal([[], ['a']]);
  });

  it('to a version with snapshots since dropped does not restore them', () => {
    const kept = changed(keep('a'));
    const past: Past = { at: () => kept };
    expect(advance(begin(origin), { type: 'rewound', to: 1 }, past)).not.to.have.property('snapshots');
  });

  it('to something the log does not have is a bug', () => {
    expect(() => changed({ type: 'restored', name: 'a' })).to.throw('the log goes back to snapshot a');
    expect(() => changed({ type: 'rewound', to: 3 })).to.throw('the log goes back to version 3');
  });

  for (const name of ['__proto__', 'constructor']) {
    it(`works for a snapshot named ${name} like any other`, () => {
      expect(
        members(changed(joins, keep(name), { ...joins, user: 'carol' }, { type: 'restored', name })),
      ).to.deep.equal(['alice']);
    });
  }

  it('is a change in plain JSON', () => {
    const changes: Change[] = [
      joins,
      keep('a'),
      { type: 'clock-set', clock: { ahead: 3 } },
      { type: 'restored', name: 'a' },
    ];
    expect(changed(...(JSON.parse(JSON.stringify(changes)) as Change[]))).to.deep.equal(changed(...changes));
  });
});

describe('timeIn', () => {
  it('is the frozen clock, or that of the machine in whole seconds', () => {
    const machine = new Date('2027-02-03T04:05:06.000Z');
    expect(timeIn(begin({ ...origin, clock: '2026-01-05T09:00:00Z' }), machine)).to.equal('2026-01-05T09:00:00Z');
    expect(timeIn(begin({ ...origin, clock: '2026-01-05T09:00:00.000Z' }), machine)).to.equal('2026-01-05T09:00:00Z');
    expect(timeIn(begin(origin), machine)).to.equal('2027-02-03T04:05:06Z');
    expect(timeIn(begin(origin), new Date('2027-02-03T04:05:06.070Z'))).to.equal('2027-02-03T04:05:06.070Z');
  });
});
