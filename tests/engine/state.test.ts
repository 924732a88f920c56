// What a sandbox is and what changes it: facts, readings, the way back to its scenario, and its time.
import { expect } from 'chai';
import { advance, advanceAll, begin, type Origin, timeIn } from '../../server/engine/state.js';
import { smallTeam } from '../support/ask.js';

const origin: Origin = { scenario: 'small-team', world: smallTeam, readings: { 'unknown-user': '400' } };
const joins = { type: 'group-member-added', group: 'customers', user: 'alice' } as const;
const reads = { type: 'readings-set', readings: { 'no-change': '409' } } as const;

describe('state', () => {
  it('begins as its scenario: that world, no readings of its own, its clock if it has one', () => {
    expect(begin(origin)).to.deep.equal({ origin, world: smallTeam, readings: {}, faults: [] });
    const clock = '2026-01-05T09:00:00Z';
    expect(begin({ ...origin, clock })).to.include({ clock });
  });

  it('a fact changes the world alone', () => {
    const before = begin(origin);
    const after = advance(before, joins);
    expect(after.world.groups.get('customers')?.has('alice')).to.equal(true);
    expect(after.origin).to.equal(origin);
    expect(after.readings).to.equal(before.readings);
    expect(before.world).to.equal(smallTeam);
  });

  it('readings that are set take the place of those before, and leave the world', () => {
    const once = advance(begin(origin), { type: 'readings-set', readings: { 'unknown-page': '400' } });
    const twice = advance(once, reads);
    expect(twice.readings).to.deep.equal({ 'no-change': '409' });
    expect(twice.world).to.equal(smallTeam);
  });

  it('a reset brings back world, readings and clock, whatever happened', () => {
    const start = begin({ ...origin, clock: '2026-01-05T09:00:00Z' });
    expect(advanceAll(start, [joins, reads, { type: 'sandbox-reset' }])).to.deep.equal(start);
    const after = advanceAll(start, [joins, { type: 'sandbox-reset' }, { ...joins, user: 'carol' }]);
    expect(after.world.groups.get('customers')?.toArray()).to.deep.equal(['carol']);
  });

  it('the same changes always give the same state', () => {
    const changes = [joins, reads, { ...joins, user: 'carol' }];
    expect(advanceAll(begin(origin), changes)).to.deep.equal(changes.reduce(advance, begin(origin)));
    expect(advanceAll(begin(origin), [])).to.deep.equal(begin(origin));
  });
});

describe('timeIn', () => {
  it('is the clock where it stands, and else that of the machine, whole seconds without a fraction', () => {
    const machine = new Date('2027-02-03T04:05:06.000Z');
    expect(timeIn(begin({ ...origin, clock: '2026-01-05T09:00:00Z' }), machine)).to.equal('2026-01-05T09:00:00Z');
    expect(timeIn(begin({ ...origin, clock: '2026-01-05T09:00:00.000Z' }), machine)).to.equal('2026-01-05T09:00:00Z');
    expect(timeIn(begin(origin), machine)).to.equal('2027-02-03T04:05:06Z');
    expect(timeIn(begin(origin), new Date('2027-02-03T04:05:06.070Z'))).to.equal('2027-02-03T04:05:06.070Z');
  });
});
