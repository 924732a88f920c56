// Measures inside one process what the budget of memory takes of a plain request: the same changes in a session that keeps its accounts and in one that
// does not, in turns, and apart from them what estimating the size of a change takes. Prints its figures as JSON. Knows no HTTP.

import type { Request } from '../../server/engine/request/request.js';
import { type State, weigh } from '../../server/engine/sandbox/state.js';
import { MemoryBudget } from '../../server/engine/session/memory-budget.js';
import { Session } from '../../server/engine/session/session.js';
import { memoryStore } from '../../server/store/memory.js';
import { post, sessionSettings, userName, worldOf } from './asking.js';
import { type Figure, microseconds } from './clocked.js';

const MEMBERS = 1_000;
const TRIPLES = 2_000;
const TURNS = 40;
const BATCH = 2_000;
const LIMITS = { total: 512 * 2 ** 20, sandbox: 64 * 2 ** 20 };

/** A budget that counts nothing and allows everything. */
class NoBudget extends MemoryBudget {
  override get isExceeded(): boolean {
    return false;
  }
  override add(): void {}
  override update(): void {}
  override remove(): void {}
  override admit(_name: string, _before: State, after: State): State {
    return after;
  }
}

const world = worldOf({ users: MEMBERS + TRIPLES * 3, members: MEMBERS, pages: 1 });
const sessionWith = (memory: MemoryBudget) => new Session({ ...sessionSettings(world, memoryStore()), memory });
const kept = sessionWith(new MemoryBudget(LIMITS));
const none = sessionWith(new NoBudget(LIMITS));
const requests = Array.from({ length: TRIPLES }, (_, i) => {
  const users = [0, 1, 2].map(k => userName(MEMBERS + i * 3 + k));
  return (['add-users', 'remove-users'] as const).map(name => post(`/groups/${name}`, {}, { group: 'big', users }));
}).flat();

const withBudget: number[] = [];
const without: number[] = [];
for (let turn = 0; turn < TURNS; turn += 1) {
  if (turn % 2 === 0) withBudget.push(await batchOn(kept));
  without.push(await batchOn(none));
  if (turn % 2 === 1) withBudget.push(await batchOn(kept));
}
const warm = TURNS / 4;
const differences = withBudget.map((value, i) => value - (without[i] ?? Number.NaN));
const sandbox = kept.find('default');
if (sandbox === undefined) throw new Error('there is no default sandbox');
const account = () => {
  kept.memory.admit('default', sandbox.state, sandbox.state);
  kept.memory.update(sandbox);
  return kept.memory.isExceeded || kept.memory.isExceeded; // before a change, and after it
};
const facts = [0, 1, 2].map(k => ({ type: 'group-member-added', group: 'big', user: userName(k) }) as const);
const figures: readonly Figure[] = [
  { what: '3 changes with the budget of memory', unit: 'µs', values: withBudget.slice(warm) },
  { what: 'the same without its accounts', unit: 'µs', values: without.slice(warm) },
  { what: 'the difference, turn by turn', unit: 'µs', values: differences.slice(warm) },
  { what: 'the accounts of one request alone', unit: 'µs', values: await microseconds(40, 20_000, account) },
  {
    what: 'the size of 3 changes alone',
    unit: 'µs',
    values: await microseconds(40, 20_000, () => weigh(facts, sandbox.state)),
  },
];
console.log(JSON.stringify(figures));

/** Microseconds of a request. */
async function batchOn(session: Session): Promise<number> {
  const [each = Number.NaN] = await microseconds(
    1,
    BATCH,
    i => session.respond('default', requests[i % requests.length] as Request), // within the list
  );
  return each;
}
