// Snapshots, versions and clock of a sandbox in a session: results, refusals and races.
import { expect } from 'chai';
import { type ClockOrder, timeOn } from '../../../server/engine/sandbox/clock.js';
import { HistoryError } from '../../../server/engine/sandbox/history.js';
import type { CurrentSandbox, SandboxDecision } from '../../../server/engine/sandbox/sandbox-decision.js';
import { dropping, keeping, MAX_SNAPSHOTS, restoring } from '../../../server/engine/sandbox/snapshots.js';
import { rewinding, turning } from '../../../server/engine/sandbox/versions.js';
import type { Session } from '../../../server/engine/session/session.js';
import { failure } from '../../support/worlds/failure.js';
import { adding, members, opened, sessionWith, slow, toggling, twoSessions } from '../../support/worlds/sessions.js';

const machine = new Date('2026-11-20T00:00:00Z');
const clock = () => machine;

async function decided<T>(
  session: Session,
  name: string,
  decide: (present: CurrentSandbox) => SandboxDecision<T>,
): Promise<T> {
  const changed = await session.change(await opened(session, name), decide);
  if (changed === 'gone') throw new Error('it is gone');
  return changed.result;
}
const keep = (session: Session, name?: string, replace = false) => decided(session, 'a', keeping(name, replace, clock));
const turn = (session: Session, order: ClockOrder) => decided(session, 'a', turning(order, clock));

describe('a snapshot of a sandbox', () => {
  it(`is one of at most ${MAX_SNAPSHOTS}; one more must replace another, or needs one dropped first`, async () => {
    const session = sessionWith();
    for (let i = 0; i < MAX_SNAPSHOTS; i += 1) await keep(session);
    expect(await failure(keep(session), HistoryError)).to.include({
      code: 'full',
      message: 'A sandbox can have at most 100 snapshots: drop one first.',
    });
    expect(await keep(session, 'snapshot-7', true)).to.include({ name: 'snapshot-7', version: 100 });
    await decided(session, 'a', dropping('snapshot-1'));
    expect(await keep(session, 'new')).to.include({ name: 'new' });
  });
});

describe('the clock of a sandbox', () => {
  const now = async (session: Session) => timeOn((await opened(session, 'a')).state.clock, machine);

  it('adds up concurrent advances', async () => {
    const session = sessionWith({ store: slow() });
    await opened(session, 'a');
    await Promise.all(Array.from({ length: 20 }, () => turn(session, { advance: 60 })));
    expect(await now(session)).to.equal('2026-01-05T09:20:00Z');
  });
});

describe('going back', () => {
  it('looks the same to two that share a store, one of which has not read for long', async () => {
    const { one, other } = twoSessions();
    await opened(one, 'a');
    await opened(other, 'a');
    await one.respond('a', adding('alice'));
    await keep(one, 'before');
    await one.respond('a', adding('carol'));
    await decided(one, 'a', rewinding(0));
    await other.respond('a', adding('demouser2'));
    expect(members(other.sandboxes.find('a'))).to.deep.equal(['demouser1', 'demouser2']);
    for (let i = 0; i < 1_100; i += 1) await one.respond('a', toggling(i));
    await decided(other, 'a', restoring('before'));
    expect(members(other.sandboxes.find('a'))).to.deep.equal(['alice', 'demouser1']);
    expect(other.sandboxes.find('a')?.history.from).to.be.above(3);
    await one.respond('a', adding('carol'));
    expect(members(one.sandboxes.find('a'))).to.deep.equal(['alice', 'carol', 'demouser1']);
  });
});
