// How many of a sandbox's states are kept: by count, by bytes, and always enough to rebuild it from the log.
import { expect } from 'chai';
import fc from 'fast-check';
import { formOf } from '../../../server/domain/form/form.js';
import { History } from '../../../server/engine/sandbox/history.js';
import { advanceAll, begin, type Change, type State } from '../../../server/engine/sandbox/state.js';
import { emptyStore, opened, origin, sessionWith, toggling } from '../../support/worlds/sessions.js';

const joins = (user: string): Change => ({ type: 'group-member-added', group: 'customers', user });
const members = (state: State | undefined) => state && formOf(state.world).groups.customers;

/** A history and its states, which are kept here without bounds. */
function historyOf(versions: number, bytes = 1_000_000_000, records = 1_000_000_000) {
  const states: State[] = [begin(origin)];
  const log: Array<readonly Change[]> = [];
  const history = new History({ version: 0, state: begin(origin) }, { versions, bytes, records });
  let base = { version: 0, state: begin(origin) };
  const add = (...changes: Change[]) => {
    const before = states.at(-1) ?? begin(origin);
    const state = advanceAll(before, changes, history);
    states.push(state);
    log.push(changes);
    history.add(changes, state);
    const excess = history.excess(history.to);
    if (excess === undefined) return;
    base = excess;
    history.begin(excess.record);
  };
  /** The states rebuilt from the start of the log, as a new process does it. */
  const rebuilt = () => {
    const other = new History(base);
    let { state } = base;
    for (const changes of log.slice(base.version)) {
      state = advanceAll(state, changes, other);
      other.add(changes, state);
    }
    return other;
  };
  return { history, states, add, rebuilt, base: () => base };
}

describe('the history of a sandbox', () => {
  it('discards the oldest if they are too large, but never the state before the latest change', () => {
    const { history, add } = historyOf(1_000, 100_000);
    const heavy = (text: string): Change => ({
      type: 'world-patched',
      patch: { pages: { '65601': { body: text.repeat(80_000) } } },
    });
    for (const text of ['a', 'b', 'c']) add(heavy(text));
    expect(history).to.include({ from: 2, to: 3 });
    add(heavy('dddd'));
    add(heavy('eeee'));
    expect(history).to.include({ from: 4, to: 5 });
    expect(history.at(4)?.world.pages.get('65601')?.body.slice(0, 1)).to.equal('d');
  });

  it('can always be rebuilt from its start, whatever happens', () => {
    const user = fc.constantFrom('admin', 'alice', 'carol', 'demouser1', 'demouser2');
    const step = fc.oneof(
      { weight: 6, arbitrary: user.map(name => ({ add: name })) },
      { weight: 2, arbitrary: fc.nat(12).map(back => ({ back })) },
      { weight: 1, arbitrary: fc.constant({ reset: true }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 30 }), (steps, versions) => {
        const { history, states, add, rebuilt } = historyOf(versions);
        for (const one of steps) {
          if ('add' in one) add(joins(one.add));
          else if ('reset' in one) add({ type: 'sandbox-reset' });
          else add({ type: 'rewound', to: Math.max(history.from, history.to - one.back) });
          expect(history.to - history.from, 'versions kept').to.be.at.most('back' in one ? 2 * versions : versions);
          if (!('back' in one)) expect(history.at(history.to - 1), 'the state before').not.to.equal(undefined);
        }
        const other = rebuilt();
        expect({ from: other.from, to: other.to }).to.deep.equal({ from: history.from, to: history.to });
        for (let version = history.from; version <= history.to; version += 1) {
          expect(members(history.at(version)), `version ${version}`).to.deep.equal(members(states[version]));
          expect(members(other.at(version)), `version ${version}, rebuilt`).to.deep.equal(members(states[version]));
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('the memory of a sandbox', () => {
  it('is bounded by the number of kept versions, with its log', async () => {
    const store = emptyStore();
    const session = sessionWith({ store });
    for (let i = 0; i < 1_500; i += 1) await session.respond('a', toggling(i));
    const { history } = await opened(session, 'a');
    const tail = await store.since('a');
    expect(history.to).to.equal(1_500);
    expect(history.to - history.from).to.be.within(700, 1_024);
    expect(tail?.head.base).to.equal(history.from);
    expect(tail?.base).to.deep.include({ version: history.from, state: history.at(history.from) });
  });
});
