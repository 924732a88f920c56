// Random histories of several sandboxes against a model of them: a list of states by version, and names that point into it.
// A failing history shrinks to the shortest one that fails.
import { expect } from 'chai';
import fc from 'fast-check';
import { formOf } from '../../server/domain/form/form.js';
import type { WorldForm } from '../../server/domain/form/form-shapes.js';
import { mergePatch } from '../../server/domain/form/patch.js';
import { arm } from '../../server/engine/faults/fault.js';
import { isHistoryError } from '../../server/engine/sandbox/history.js';
import type { Present, SandboxDecision } from '../../server/engine/sandbox/present.js';
import { dropping, keeping, keptIn, restoring } from '../../server/engine/sandbox/snapshots.js';
import { type Change, type State, timeIn } from '../../server/engine/sandbox/state.js';
import { differenceIn, rewinding, turning } from '../../server/engine/sandbox/travel.js';
import type { CachedSandbox } from '../../server/engine/session/cached-sandbox.js';
import type { Session } from '../../server/engine/session/session.js';
import { adding, opened, origin, sessionWith, shared } from '../support/worlds/sessions.js';

/** What the steps below can change in a sandbox. */
interface Then {
  readonly members: readonly string[];
  readonly nextPageId: number;
  readonly unknownUser: string;
  /** Seconds after the clock of the scenario. */
  readonly clock: number;
  /** Requests matched by the fault that breaks every third; absent: none is armed. */
  readonly met?: number;
}

class Model {
  readonly states: Then[];
  readonly snapshots = new Map<string, { readonly version: number; readonly kept: Then }>();

  constructor(then: Then) {
    this.states = [then];
  }

  get now(): Then {
    return this.states.at(-1) ?? expect.fail('there is always a state');
  }

  get version(): number {
    return this.states.length - 1;
  }

  become(then: Then): void {
    this.states.push(then);
  }
}

const begun: Then = { members: [], nextPageId: 65_702, unknownUser: '404', clock: 0 };
const START = Date.parse('2026-01-05T09:00:00Z');
const machine = () => new Date('2026-11-20T00:00:00Z');

interface Place {
  readonly session: Session;
  /** By the names of their sandboxes. */
  readonly models: Map<string, Model>;
}
interface Given extends Place {
  readonly sandbox: CachedSandbox;
  readonly model: Model;
}
type Step = (given: Given) => Promise<void>;

async function decided<T>({ session, sandbox }: Given, decide: (present: Present) => SandboxDecision<T>): Promise<T> {
  const changed = await session.change(sandbox, decide);
  return changed === 'gone' ? expect.fail('it is gone') : changed.result;
}
const changing = (given: Given, change: Change) => decided(given, () => ({ changes: [change], result: undefined }));

const users = fc.constantFrom('admin', 'alice', 'carol');
const names = fc.constantFrom('a', 'b', '__proto__');

/** Printed as their calls, so that a shrunk history is readable. */
const steps: Readonly<Record<string, fc.Arbitrary<readonly [shown: string, step: Step]>>> = {
  add: users.map(user => [`add ${user}`, given => add(given, user)]),
  patch: fc
    .tuple(fc.subarray(['admin', 'alice', 'carol']), fc.integer({ min: 70_000, max: 70_009 }))
    .map(([list, id]) => [
      `patch ${list} ${id}`,
      async given => {
        await changing(given, { type: 'world-patched', patch: { groups: { customers: list }, nextPageId: id } });
        const nextPageId = Math.max(given.model.now.nextPageId, id);
        given.model.become({ ...given.model.now, members: [...list].sort(), nextPageId });
      },
    ]),
  read: fc.constantFrom('404', '400').map(reading => [
    `read ${reading}`,
    async given => {
      await changing(given, { type: 'readings-set', readings: { 'unknown-user': reading } });
      given.model.become({ ...given.model.now, unknownUser: reading });
    },
  ]),
  arm: fc.boolean().map(on => [`arm ${on}`, given => armed(given, on)]),
  turn: fc.integer({ min: 1, max: 1_000 }).map(seconds => [
    `turn ${seconds}`,
    async given => {
      await decided(given, turning({ advance: seconds }, machine));
      given.model.become({ ...given.model.now, clock: given.model.now.clock + seconds });
    },
  ]),
  keep: fc
    .tuple(names, fc.boolean())
    .map(([name, replace]) => [`keep ${name} ${replace}`, given => keep(given, name, replace)]),
  drop: names.map(name => [
    `drop ${name}`,
    async given => {
      const dropped = await decided(given, dropping(name));
      expect(isHistoryError(dropped)).to.equal(!given.model.snapshots.delete(name));
      if (!isHistoryError(dropped)) given.model.become(given.model.now);
    },
  ]),
  restore: names.map(name => [
    `restore ${name}`,
    async given => {
      const kept = given.model.snapshots.get(name);
      expect(isHistoryError(await decided(given, restoring(name)))).to.equal(kept === undefined);
      if (kept !== undefined) given.model.become(kept.kept);
    },
  ]),
  rewind: fc.nat(99).map(number => [
    `rewind ${number}`,
    async given => {
      const to = someVersion(number, given.model);
      const then = given.model.states[to];
      expect((await decided(given, rewinding(to)))?.code).to.equal(then === undefined ? 'unknown' : undefined);
      if (then !== undefined) given.model.become(then);
    },
  ]),
  reset: fc.constant([
    'reset',
    async ({ session, sandbox, model }) => {
      await session.reset(sandbox);
      model.become(begun);
    },
  ]),
  fork: fc.tuple(fc.constantFrom('s1', 's2', 's3'), fc.nat(99)).map(([name, number]) => [
    `fork ${name} ${number}`,
    async ({ session, sandbox, model, models }) => {
      const at = someVersion(number, model);
      const then = model.states[at];
      const forked = then && (await session.fork(sandbox, name, sandbox.history.at(at)));
      expect(forked !== undefined).to.equal(then !== undefined && !models.has(name));
      if (forked !== undefined && then !== undefined) models.set(name, new Model(then));
    },
  ]),
};

/** An existing version or, for the greatest numbers, one that never existed. */
function someVersion(number: number, { version }: Model): number {
  return number < 90 ? number % (version + 1) : version + number - 89;
}

async function add({ session, sandbox, model }: Given, user: string): Promise<void> {
  const { now } = model;
  const turn = now.met === undefined ? 0 : now.met + 1;
  const isBroken = turn > 0 && turn % 3 === 0;
  const performed = await session.respond(sandbox.name, adding(user, 'customers'));
  expect(performed?.answer.status).to.equal(isBroken ? 503 : 200);
  const isNew = !isBroken && !now.members.includes(user);
  if (!isNew && turn === 0) return;
  const members = isNew ? [...now.members, user].sort() : now.members;
  model.become({ ...now, members, ...(turn > 0 && { met: turn }) });
}

async function armed(given: Given, on: boolean): Promise<void> {
  const fault = { operation: 'groups.add-users', when: { every: 3 }, effect: { status: 503 } } as const;
  await changing(given, { type: 'faults-set', faults: on ? arm([fault]) : [] });
  const { met: _, ...rest } = given.model.now;
  given.model.become(on ? { ...rest, met: 0 } : rest);
}

async function keep(given: Given, name: string, replace: boolean): Promise<void> {
  const { model } = given;
  const kept = await decided(given, keeping(name, replace, machine));
  if (model.snapshots.has(name) && !replace) return void expect(kept).to.include({ code: 'taken' });
  expect(kept).to.include({ name, version: model.version });
  model.snapshots.delete(name);
  model.snapshots.set(name, { version: model.version, kept: model.now });
  model.become(model.now);
}

function seen(state: State): Then {
  const form = formOf(state.world);
  const [fault] = state.faults;
  return {
    members: form.groups.customers ?? [],
    nextPageId: form.nextPageId,
    unknownUser: state.readings['unknown-user'] ?? '404',
    clock: (Date.parse(timeIn(state, machine())) - START) / 1000,
    ...(fault !== undefined && { met: fault.met }),
  };
}

/** Every version, every snapshot, and the differences between some of them. */
function checkAll(sandbox: CachedSandbox, model: Model): void {
  expect(sandbox.version).to.equal(model.version);
  const states = model.states.map((_, version) => sandbox.history.at(version) ?? expect.fail(`no version ${version}`));
  expect(states.map(seen)).to.deep.equal(model.states);
  expect(seen(sandbox.state)).to.deep.equal(model.now);
  const snapshots = [...model.snapshots].map(([name, { version }]) => ({ name, version }));
  expect(keptIn(sandbox.state).map(({ name, version }) => ({ name, version }))).to.deep.equal(snapshots);
  const forms = states.map(({ world }) => formOf(world));
  for (const [from, form] of forms.entries()) {
    const to = (from * 7 + 3) % forms.length;
    const difference = differenceIn(sandbox, from, to);
    if (isHistoryError(difference)) expect.fail(difference.message);
    expect(mergePatch(form, difference.patch) as WorldForm).to.deep.equal(forms[to]);
  }
}

describe('histories of several sandboxes', function () {
  this.timeout(120_000);

  it('match a list of states by version, in memory and rebuilt from the log', async () => {
    const step = fc.tuple(fc.constantFrom('s0', 's0', 's1', 's2'), fc.oneof(...Object.values(steps)));
    const shown = fc.array(
      step.map(([name, [said, act]]) =>
        Object.assign([name, act] as const, { [fc.toStringMethod]: () => `${name}: ${said}` }),
      ),
      { maxLength: 40, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(shown, async course => {
        const store = shared();
        const session = sessionWith({ store });
        const models = new Map([['s0', new Model(begun)]]);
        await opened(session, 's0');
        for (const [name, act] of course) {
          const model = models.get(name);
          if (model === undefined) continue; // it has not been forked yet
          const sandbox = await opened(session, name);
          await act({ session, sandbox, model, models });
          expect([sandbox.version, seen(sandbox.state)]).to.deep.equal([model.version, model.now]);
          expect(sandbox.readings['unknown-user']).to.equal(model.now.unknownUser);
        }
        const other = sessionWith({ store });
        for (const [name, model] of models) {
          checkAll(await opened(session, name), model);
          checkAll(await opened(other, name), model);
        }
        expect(origin.world).to.equal((await opened(session, 's0')).state.origin.world);
      }),
      { numRuns: 400 },
    );
  });
});
