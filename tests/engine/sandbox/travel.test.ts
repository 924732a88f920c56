// Snapshots, versions and clock of a sandbox in a session: results, refusals and races.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import type { ClockOrder } from '../../../server/engine/sandbox/clock.js';
import { isHistoryError } from '../../../server/engine/sandbox/history.js';
import type { Present, SandboxDecision } from '../../../server/engine/sandbox/present.js';
import { dropping, keeping, keptIn, MAX_SNAPSHOTS, restoring } from '../../../server/engine/sandbox/snapshots.js';
import { type Change, type Checkpoint, type SandboxRecord, timeIn } from '../../../server/engine/sandbox/state.js';
import { differenceIn, rewinding, stateAt, turning } from '../../../server/engine/sandbox/travel.js';
import type { Session } from '../../../server/engine/session/session.js';
import { memoryStore } from '../../../server/store/memory.js';
import { adding, members, opened, origin, sessionWith, shared, slow, toggling } from '../../support/worlds/sessions.js';

const machine = new Date('2026-11-20T00:00:00Z');
const clock = () => machine;
const AT = '2026-01-05T09:00:00Z';

async function decided<T>(
  session: Session,
  name: string,
  decide: (present: Present) => SandboxDecision<T>,
): Promise<T> {
  const changed = await session.change(await opened(session, name), decide);
  if (changed === 'gone') throw new Error('it is gone');
  return changed.result;
}
const keep = (session: Session, name?: string, replace = false) => decided(session, 'a', keeping(name, replace, clock));
const turn = (session: Session, order: ClockOrder) => decided(session, 'a', turning(order, clock));

describe('a snapshot of a sandbox', () => {
  it('has its name, its version and its time; keeping it creates a version of its own', async () => {
    const session = sessionWith();
    await session.respond('a', adding('alice'));
    expect(await keep(session, 'before')).to.deep.equal({ name: 'before', version: 1, at: AT });
    await turn(session, { advance: 'PT1H' });
    expect(await keep(session)).to.deep.equal({ name: 'snapshot-2', version: 3, at: '2026-01-05T10:00:00Z' });
    const sandbox = await opened(session, 'a');
    expect(sandbox.version).to.equal(4);
    expect(keptIn(sandbox.state).map(({ name }) => name)).to.deep.equal(['before', 'snapshot-2']);
  });

  it('gets a free name if it has none', async () => {
    const session = sessionWith();
    await keep(session, 'snapshot-2');
    expect(await keep(session)).to.include({ name: 'snapshot-3' });
    await decided(session, 'a', dropping('snapshot-2'));
    expect(await keep(session)).to.include({ name: 'snapshot-2' });
  });

  it('can be restored repeatedly, and the journal goes on', async () => {
    const session = sessionWith();
    await session.respond('a', adding('alice'));
    await keep(session, 'before');
    for (const user of ['carol', 'admin', 'demouser2']) {
      await session.respond('a', adding(user));
      expect(members(session.find('a'))).to.deep.equal([user, 'alice', 'demouser1'].sort());
      expect(await decided(session, 'a', restoring('before'))).to.include({ name: 'before', version: 1 });
      expect(members(session.find('a'))).to.deep.equal(['alice', 'demouser1']);
    }
    expect((await opened(session, 'a')).journal.entries().map(({ id, version }) => [id, version])).to.deep.equal([
      [1, 1],
      [2, 3],
      [3, 5],
      [4, 7],
    ]);
  });

  it('restores readings, which later requests use', async () => {
    const session = sessionWith();
    await keep(session, 'before');
    const chosen: Change = { type: 'readings-set', readings: { 'unknown-user': '400' } };
    await decided(session, 'a', () => ({ changes: [chosen], result: undefined }));
    expect((await session.respond('a', adding('nobody')))?.answer.status).to.equal(400);
    await decided(session, 'a', restoring('before'));
    expect((await session.respond('a', adding('nobody')))?.answer.status).to.equal(404);
  });

  it('is not kept twice under a name, unless it replaces the first', async () => {
    const session = sessionWith();
    await keep(session, 'a');
    await session.respond('a', adding('alice'));
    expect(await keep(session, 'a')).to.deep.equal({
      code: 'taken',
      message: 'There is a snapshot "a" already: drop it or restore it, or ask to replace it.',
    });
    expect(session.find('a')?.version).to.equal(2);
    expect(await keep(session, 'a', true)).to.include({ name: 'a', version: 2 });
    await decided(session, 'a', () => ({ changes: [{ type: 'sandbox-reset' }], result: undefined }));
    await decided(session, 'a', restoring('a'));
    expect(members(session.find('a'))).to.deep.equal(['alice', 'demouser1']);
  });

  it(`is one of at most ${MAX_SNAPSHOTS}; one more must replace another, or needs one dropped first`, async () => {
    const session = sessionWith();
    for (let i = 0; i < MAX_SNAPSHOTS; i += 1) await keep(session);
    expect(await keep(session)).to.deep.equal({
      code: 'full',
      message: 'A sandbox keeps at most 100 snapshots: drop one first.',
    });
    expect(await keep(session, 'snapshot-7', true)).to.include({ name: 'snapshot-7', version: 100 });
    await decided(session, 'a', dropping('snapshot-1'));
    expect(await keep(session, 'new')).to.include({ name: 'new' });
  });

  it('suggests the nearest name if unknown, and changes nothing', async () => {
    const session = sessionWith();
    expect(await decided(session, 'a', restoring('before'))).to.deep.equal({
      code: 'unknown',
      message: 'There is no snapshot "before": there are none.',
    });
    await keep(session, 'before');
    for (const decide of [restoring, dropping]) {
      expect(await decided(session, 'a', decide('befor'))).to.deep.equal({
        code: 'unknown',
        message: 'There is no snapshot "befor" (did you mean "before"?): there are before.',
      });
    }
    expect(session.find('a')?.version).to.equal(1);
  });

  it('survives a reset and the discarding of all versions, but not the sandbox', async () => {
    const session = sessionWith();
    await session.respond('a', adding('alice'));
    await keep(session, 'before');
    for (let i = 0; i < 3_000; i += 1) await session.respond('a', toggling(i));
    await session.reset(await opened(session, 'a'));
    await decided(session, 'a', restoring('before'));
    expect(members(session.find('a'))).to.deep.equal(['alice', 'demouser1']);
    await session.drop('a');
    expect(keptIn((await opened(session, 'a')).state)).to.deep.equal([]);
  });

  it('is not copied by a fork', async () => {
    const session = sessionWith();
    await keep(session, 'before');
    const fork = await session.fork(await opened(session, 'a'), 'b');
    expect(fork && keptIn(fork.state)).to.deep.equal([]);
    expect(keptIn((await opened(session, 'a')).state)).to.have.lengthOf(1);
  });
});

describe('the versions of a sandbox', () => {
  it('can be rewound, and back again: each rewind is a new version', async () => {
    const session = sessionWith();
    for (const user of ['admin', 'alice', 'carol']) await session.respond('a', adding(user));
    expect(await decided(session, 'a', rewinding(1))).to.equal(undefined);
    const sandbox = await opened(session, 'a');
    expect([sandbox.version, members(sandbox)]).to.deep.equal([4, ['admin', 'demouser1']]);
    await decided(session, 'a', rewinding(3));
    expect([sandbox.version, members(sandbox)]).to.deep.equal([5, ['admin', 'alice', 'carol', 'demouser1']]);
    await decided(session, 'a', rewinding(0));
    expect(sandbox.state.world).to.equal(origin.world);
  });

  it('can be rewound past a reset', async () => {
    const session = sessionWith();
    await session.respond('a', adding('alice'));
    const sandbox = await opened(session, 'a');
    await session.reset(sandbox);
    await decided(session, 'a', rewinding(1));
    expect(members(sandbox)).to.deep.equal(['alice', 'demouser1']);
  });

  it('cost nothing to rewind to, whatever the size of the world: the state is the same object', async () => {
    const session = sessionWith();
    await session.respond('a', adding('alice'));
    const sandbox = await opened(session, 'a');
    const { world } = sandbox.state;
    await session.respond('a', adding('carol'));
    await decided(session, 'a', rewinding(1));
    expect(sandbox.state.world).to.equal(world);
  });

  it('are reported as discarded or as unknown', async () => {
    const session = sessionWith();
    const sandbox = await opened(session, 'a');
    expect(stateAt(sandbox, 1)).to.deep.equal({
      code: 'unknown',
      message: 'There has been no version 1: only 0 is kept.',
    });
    for (let i = 0; i < 1_025; i += 1) await session.respond('a', toggling(i));
    const kept = '257 to 1025 are kept.';
    expect(sandbox.history.from).to.equal(257);
    for (const version of [0, 256]) {
      const letGo = {
        code: 'let-go',
        message: `Version ${version} was discarded: ${kept} A snapshot would have kept it.`,
      };
      expect(stateAt(sandbox, version)).to.deep.equal(letGo);
      expect(await decided(session, 'a', rewinding(version))).to.deep.equal(letGo);
      expect(differenceIn(sandbox, version)).to.deep.equal(letGo);
      expect(differenceIn(sandbox, 300, version)).to.deep.equal(letGo);
    }
    for (const version of [1_026, -1, 300.5, Number.NaN])
      expect(stateAt(sandbox, version)).to.deep.equal({
        code: 'unknown',
        message: `There has been no version ${JSON.stringify(version)}: ${kept}`,
      });
    expect(isHistoryError(stateAt(sandbox, 257))).to.equal(false);
    expect(sandbox.version).to.equal(1_025);
  });

  it('differ by a patch in both directions, and by the facts between them', async () => {
    const session = sessionWith();
    await session.respond('a', adding('alice'));
    await session.respond('a', adding('carol', 'customers'));
    await keep(session, 'before');
    const sandbox = await opened(session, 'a');
    const alice = { version: 1, type: 'group-member-added', group: 'team-members', user: 'alice' };
    const carol = { version: 2, type: 'group-member-added', group: 'customers', user: 'carol' };
    const kept = { version: 3, type: 'snapshot-kept', name: 'before', of: 2, at: AT };
    const both = { 'team-members': ['alice', 'demouser1'], customers: ['carol'] };
    expect(differenceIn(sandbox)).to.deep.equal({
      from: 0,
      to: 3,
      patch: { groups: both },
      changes: [alice, carol, kept],
    });
    expect(differenceIn(sandbox, 2, 1)).to.deep.equal({
      from: 2,
      to: 1,
      patch: { groups: { customers: [] } },
      changes: [carol],
    });
    expect(differenceIn(sandbox, 2)).to.deep.equal({ from: 2, to: 3, patch: {}, changes: [kept] });
    expect(differenceIn(sandbox, 1, 1)).to.deep.equal({ from: 1, to: 1, patch: {}, changes: [] });
  });

  it('can be forked one by one', async () => {
    const session = sessionWith();
    for (const user of ['admin', 'alice', 'carol']) await session.respond('a', adding(user));
    const sandbox = await opened(session, 'a');
    const fork = await session.fork(sandbox, 'b', sandbox.history.at(1));
    expect([fork?.version, members(fork)]).to.deep.equal([0, ['admin', 'demouser1']]);
    await session.respond('b', adding('demouser2'));
    expect(members(sandbox)).to.deep.equal(['admin', 'alice', 'carol', 'demouser1']);
    expect(fork?.history.from).to.equal(0);
  });

  it('restore ids: the same requests create the same pages', async () => {
    const session = sessionWith();
    const patch = { type: 'world-patched', patch: { nextPageId: 90_000 } } as const;
    await decided(session, 'a', () => ({ changes: [patch], result: undefined }));
    await decided(session, 'a', rewinding(0));
    expect(formOf((await opened(session, 'a')).state.world).nextPageId).to.equal(65_702);
  });
});

describe('the clock of a sandbox', () => {
  const now = async (session: Session) => timeIn((await opened(session, 'a')).state, machine);

  it('is set by a change, and none is made if nothing changes', async () => {
    const session = sessionWith();
    expect(await turn(session, { freeze: true })).to.equal(undefined);
    expect((await opened(session, 'a')).version).to.equal(0);
    await turn(session, { advance: 'P1D' });
    expect([await now(session), session.find('a')?.version]).to.deep.equal(['2026-01-06T09:00:00Z', 1]);
    expect(await turn(session, { advance: 'P9999Y' })).to.deep.equal({
      problem: 'The clock would leave the years 0000 to 9999.',
    });
    expect(session.find('a')?.version).to.equal(1);
  });

  it('goes back with the sandbox, and stamps what operations create', async () => {
    const session = sessionWith();
    await turn(session, { set: '2030-01-01T00:00:00Z' });
    await session.respond('a', adding('alice'));
    expect(session.find('a')?.journal.last?.at).to.equal('2030-01-01T00:00:00Z');
    await decided(session, 'a', rewinding(0));
    expect(await now(session)).to.equal(AT);
    await session.reset(await opened(session, 'a'));
    expect(await now(session)).to.equal(AT);
  });

  it('adds up concurrent advances', async () => {
    const session = sessionWith({ store: slow() });
    await opened(session, 'a');
    await Promise.all(Array.from({ length: 20 }, () => turn(session, { advance: 60 })));
    expect(await now(session)).to.equal('2026-01-05T09:20:00Z');
  });
});

describe('rewinding beside requests in flight', () => {
  for (const [kind, store] of Object.entries({
    'in memory': () => memoryStore<Checkpoint, SandboxRecord>(),
    shared: () => shared(),
    slow: () => slow(),
  })) {
    it(`leaves one order that the log and every version agree on (${kind})`, async () => {
      const one = store();
      const session = sessionWith({ store: one, journal: { entries: 1_000, bytes: 10_000_000 } });
      await opened(session, 'a');
      const flight = Array.from({ length: 100 }, (_, i) => {
        if (i % 20 === 3) return keep(session, `kept-${i}`);
        if (i % 20 === 9) return decided(session, 'a', rewinding(Math.max(0, (session.find('a')?.version ?? 0) - 2)));
        if (i % 20 === 15) return decided(session, 'a', restoring('kept-3'));
        return session.respond(
          'a',
          i % 3 === 0 ? toggling(i) : adding(['admin', 'alice', 'carol'][i % 3] ?? '', 'customers'),
        );
      });
      await Promise.all(flight);
      const sandbox = await opened(session, 'a');
      const changes = sandbox.history.between(0, sandbox.version);
      expect(new Set(changes.map(({ version }) => version)).size).to.equal(sandbox.version);
      expect(sandbox.journal.size).to.equal(85);
      const group = new Set<string>();
      const states: string[][] = [[]];
      const kept = new Map<string, string[]>();
      for (const change of changes) {
        if (change.type === 'group-member-added') group.add(change.user);
        if (change.type === 'group-member-removed') group.delete(change.user);
        if (change.type === 'snapshot-kept') kept.set(change.name, states[change.of] ?? ['unknown']);
        const back =
          change.type === 'rewound'
            ? states[change.to]
            : change.type === 'restored'
              ? kept.get(change.name)
              : undefined;
        if (back !== undefined) {
          group.clear();
          for (const user of back) group.add(user);
        }
        states[change.version] = [...group].sort();
      }
      for (const [version, users] of states.entries())
        expect(
          formOf(sandbox.history.at(version)?.world ?? origin.world).groups.customers,
          `version ${version}`,
        ).to.deep.equal(users);
      if (!one.isShared) return; // no other process has it
      const other = await opened(sessionWith({ store: one }), 'a');
      expect(other.head).to.deep.equal(sandbox.head);
      expect(formOf(other.state.world)).to.deep.equal(formOf(sandbox.state.world));
      expect(keptIn(other.state)).to.deep.equal(keptIn(sandbox.state));
    });
  }

  it('looks the same to two that share a store, one of which has not read for long', async () => {
    const store = shared();
    const [one, other] = [sessionWith({ store }), sessionWith({ store })];
    await opened(one, 'a');
    await opened(other, 'a');
    await one.respond('a', adding('alice'));
    await keep(one, 'before');
    await one.respond('a', adding('carol'));
    await decided(one, 'a', rewinding(0));
    await other.respond('a', adding('demouser2'));
    expect(members(other.find('a'))).to.deep.equal(['demouser1', 'demouser2']);
    for (let i = 0; i < 3_000; i += 1) await one.respond('a', toggling(i));
    await decided(other, 'a', restoring('before'));
    expect(members(other.find('a'))).to.deep.equal(['alice', 'demouser1']);
    expect(other.find('a')?.history.from).to.be.above(1_000);
    await one.respond('a', adding('carol'));
    expect(members(one.find('a'))).to.deep.equal(['alice', 'carol', 'demouser1']);
  });
});
