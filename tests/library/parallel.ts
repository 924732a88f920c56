// Isolation: many concurrent tests on one fake, each in a sandbox of its own, operations and control interleaved at random.
// Each has a model of its world, written apart from the domain, and the final world must match the model.
import { expect } from 'chai';
import { createFake, type Fake, type Sandbox, startFake } from '../../server/index.js';
import { sendJson } from '../support/wire/server.js';

const STEPS = 25;
const SEED = 20260105;
const users = ['admin', 'alice', 'carol', 'demouser1', 'demouser2'];
const filters = [10500, 10600, 10700];
const wiki = '/rest/cwxapiextension/latest';

/** What one test expects of its world, as far as the steps below change it. */
interface Model {
  members: Set<string>;
  favourites: Set<number>;
  pageViewers: Set<string>;
  licence: 'valid' | 'expired';
  unknownUser: '404' | '400';
  asked: number;
}

interface Given {
  readonly sandbox: Sandbox;
  readonly model: Model;
  readonly random: (limit: number) => number;
}

function begun(): Model {
  const nothing = { members: new Set<string>(), favourites: new Set<number>(), pageViewers: new Set<string>() };
  return { ...nothing, licence: 'valid', unknownUser: '404', asked: 0 };
}

const some = <T>(list: readonly T[], random: Given['random']): T[] => list.filter(() => random(2) === 0);

/** The possible steps of a test. Each acts, checks the response, and updates the model. */
const steps: ReadonlyArray<(given: Given) => Promise<void>> = [
  async ({ sandbox, model, random }) => {
    const group = some(users, random);
    const response = await sandbox.client('admin').groups.addUsers({ body: { group: 'customers', users: group } });
    expect(response.status).to.equal(200);
    for (const user of group) model.members.add(user);
    model.asked += 1;
  },
  async ({ sandbox, model, random }) => {
    const group = some(users, random);
    await sandbox.client('admin').groups.setUsers({ body: { group: 'customers', users: group } });
    model.members = new Set(group);
    model.asked += 1;
  },
  async ({ sandbox, model, random }) => {
    const ids = [10500, 10700].slice(0, 1 + random(2));
    const response = await sandbox.client('admin').ppf.push({ body: { users: ['alice'], filters: ids } });
    expect(response.status).to.equal(model.licence === 'valid' ? 200 : 403);
    if (response.ok) for (const id of ids) model.favourites.add(id);
    model.asked += 1;
  },
  async ({ sandbox, model }) => {
    const response = await sandbox.client('admin').ppf.pull({ body: { users: ['alice'], filters: [10500] } });
    if (response.ok) model.favourites.delete(10500);
    model.asked += 1;
  },
  async ({ sandbox, model, random }) => {
    const names = some(users, random);
    const url = `${wiki}/permissions/view/65601`;
    const init = {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ users: names, groups: [] }),
    };
    expect((await sandbox.fetch(url, { method: 'PUT', ...init })).status).to.equal(200);
    for (const user of names) model.pageViewers.add(user);
    model.asked += 1;
  },
  async ({ sandbox, model }) => {
    const response = await sandbox.client().groups.addUsers({ body: { group: 'customers', users: ['nobody'] } });
    expect(response.status).to.equal(Number(model.unknownUser));
    model.asked += 1;
  },
  async ({ sandbox, model, random }) => {
    model.licence = random(2) === 0 ? 'valid' : 'expired';
    await sandbox.patch({ licence: { ppf: model.licence } });
  },
  async ({ sandbox, model, random }) => {
    model.members = new Set(some(users, random));
    await sandbox.patch({ groups: { customers: [...model.members] } });
  },
  async ({ sandbox, model, random }) => {
    model.unknownUser = random(2) === 0 ? '404' : '400';
    await sandbox.readings.set({ 'unknown-user': model.unknownUser });
  },
  async given => {
    if (given.random(4) > 0) return;
    await given.sandbox.reset();
    await prepared(given.sandbox);
    Object.assign(given.model, begun());
  },
  async ({ sandbox, model }) => {
    const fork = await sandbox.fork();
    await fork.patch({ groups: { customers: [] }, licence: { ppf: 'none' } });
    expect((await sandbox.world()).groups.customers).to.deep.equal([...model.members].sort());
    await fork.drop();
  },
  async ({ sandbox, model }) => {
    expect(await sandbox.journal()).to.have.lengthOf(model.asked);
  },
];

/** A filter that only this test's world has, so that ids cannot leak either. */
async function prepared(sandbox: Sandbox): Promise<void> {
  await sandbox.patch({ filters: { 10700: { owner: 'admin', name: sandbox.name, sharedWith: 'everyone' } } });
}

async function test(fake: Fake, number: number): Promise<void> {
  const random = randomOf(SEED + number);
  const sandbox = fake.sandbox(`test-${number}`);
  const model = begun();
  await prepared(sandbox);
  for (let i = 0; i < STEPS; i += 1) await steps[random(steps.length)]?.({ sandbox, model, random });
  const world = await sandbox.world();
  expect({
    members: world.groups.customers,
    favourites: world.favourites.alice,
    viewers: world.pages[65601]?.view.users,
    licence: world.licence.ppf,
    filters: Object.keys(world.filters).map(Number),
    named: world.filters[10700]?.name,
    readings: (await sandbox.readings.get())['unknown-user'],
    asked: (await sandbox.journal()).length,
    only: (await sandbox.journal()).every(({ id }, i) => id === i + 1),
  }).to.deep.equal({
    members: [...model.members].sort(),
    favourites: { filters: [...model.favourites].sort((a, b) => a - b), dashboards: [] },
    viewers: [...model.pageViewers].sort(),
    licence: model.licence,
    filters,
    named: sandbox.name,
    readings: model.unknownUser,
    asked: model.asked,
    only: true,
  });
}

/** This many tests at once, on each kind of fake and over HTTP. */
export function testParallel(tests: number): void {
  for (const [kind, make] of Object.entries({ createFake, startFake })) {
    it(`${tests} tests in parallel on one fake of ${kind} are isolated`, async () => {
      const fake = await make();
      const before = await fake.sandbox('bystander').world();
      await Promise.all(Array.from({ length: tests }, (_, i) => test(fake, i)));
      expect(await fake.sandbox('bystander').world()).to.deep.equal(before);
      expect(await fake.sandbox('default').journal()).to.deep.equal([]);
      await fake.stop();
    });
  }

  it(`${tests} clients over HTTP in parallel on one fake are isolated, each with a base URL of its own`, async () => {
    const fake = await startFake();
    const seen = await Promise.all(
      Array.from({ length: tests }, async (_, i) => {
        const random = randomOf(SEED + i);
        const sandbox = fake.sandbox();
        let expected: string[] = [];
        for (let step = 0; step < 5; step += 1) {
          expected = some(users, random);
          const body = { group: 'customers', users: expected };
          expect((await sendJson(`${sandbox.url}${wiki}/groups/set-users`, 'POST', body)).status).to.equal(200);
          if (random(3) === 0) await sandbox.reset().then(() => (expected = []));
        }
        return [(await sandbox.world()).groups.customers, expected.sort()];
      }),
    );
    expect(seen.map(([found]) => found)).to.deep.equal(seen.map(([, expected]) => expected));
    expect(new Set(seen.map(String)).size).to.be.above(10);
    await fake.stop();
  });
}

/** A whole number below a limit, the same on every machine for the same seed. */
function randomOf(seed: number): Given['random'] {
  let state = seed;
  return limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * limit);
  };
}
