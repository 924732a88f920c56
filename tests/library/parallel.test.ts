// Isolation: many concurrent tests on one fake, each in a sandbox of its own, operations and control interleaved at random.
import { expect } from 'chai';
import { createFake, type Fake, type Sandbox, startFake } from '../../server/index.js';
import { sendJson } from '../support/wire/server.js';

const TESTS = 30;
const STEPS = 25;
const SEED = 20260105;
const users = ['admin', 'alice', 'carol', 'demouser1', 'demouser2'];
const SET = '/rest/cwxapiextension/latest/groups/set-users';

/** What one test expects of its sandbox. */
interface Expected {
  readonly members: readonly string[];
  readonly licence: 'valid' | 'expired';
  readonly unknownUser: '404' | '400';
  readonly requests: number;
}
const begun: Expected = { members: [], licence: 'valid', unknownUser: '404', requests: 0 };

/** A step acts, and returns what it has changed. */
type Step = (sandbox: Sandbox, random: (limit: number) => number, now: Expected) => Promise<Partial<Expected>>;
const some = (random: (limit: number) => number) => users.filter(() => random(2) === 0);
const steps: readonly Step[] = [
  async (sandbox, random, { requests }) => {
    const members = some(random);
    const { status } = await sandbox.client('admin').groups.setUsers({ body: { group: 'customers', users: members } });
    expect(status).to.equal(200);
    return { members, requests: requests + 1 };
  },
  async (sandbox, random, { requests }) => {
    const members = some(random);
    await sendOver(sandbox, members);
    return { members, requests: requests + 1 };
  },
  async (sandbox, _, { licence, requests }) => {
    const { status } = await sandbox.client('admin').ppf.push({ body: { users: ['alice'], filters: [10500] } });
    expect(status).to.equal(licence === 'valid' ? 200 : 403);
    return { requests: requests + 1 };
  },
  async (sandbox, _, { unknownUser, requests }) => {
    const { status } = await sandbox.client().groups.addUsers({ body: { group: 'customers', users: ['nobody'] } });
    expect(status).to.equal(Number(unknownUser));
    return { requests: requests + 1 };
  },
  async (sandbox, random) => {
    const [members, licence] = [some(random), random(2) === 0 ? 'valid' : 'expired'] as const;
    await sandbox.patch({ groups: { customers: members }, licence: { ppf: licence } });
    return { members, licence };
  },
  async (sandbox, random) => {
    const unknownUser = random(2) === 0 ? '404' : '400';
    await sandbox.readings.set({ 'unknown-user': unknownUser });
    return { unknownUser };
  },
  async sandbox => {
    await sandbox.snapshot('kept', { replace: true });
    await sandbox.patch({ groups: { customers: [] }, licence: { ppf: 'none' } });
    await sandbox.restore('kept');
    return {};
  },
  async sandbox => {
    const fork = await sandbox.fork();
    await fork.patch({ groups: { customers: [] }, licence: { ppf: 'none' } });
    await fork.drop();
    return {};
  },
  async sandbox => {
    await sandbox.reset();
    return begun;
  },
];

/** Sets the members by plain HTTP if there is a socket. */
async function sendOver(sandbox: Sandbox, members: readonly string[]): Promise<void> {
  const body = { group: 'customers', users: members };
  const headers = { 'Content-Type': 'application/json' };
  const { status } = sandbox.url.includes('127.0.0.1')
    ? await sendJson(sandbox.url + SET, 'POST', body)
    : await sandbox.fetch(SET, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(status).to.equal(200);
}

async function test(fake: Fake, number: number): Promise<readonly string[]> {
  const random = randomOf(SEED + number);
  const sandbox = fake.sandbox(`test-${number}`);
  let expected = begun;
  for (let i = 0; i < STEPS; i += 1)
    expected = { ...expected, ...(await steps[random(steps.length)]?.(sandbox, random, expected)) };
  const { groups, licence } = await sandbox.world();
  const { 'unknown-user': unknownUser } = await sandbox.readings.get();
  const entries = await sandbox.journal();
  expect({ members: groups.customers, licence: licence.ppf, unknownUser, requests: entries.length }).to.deep.equal({
    ...expected,
    members: [...expected.members].sort(),
  });
  expect(entries.map(({ id }) => id)).to.deep.equal(entries.map((_, i) => i + 1));
  return expected.members;
}

for (const [kind, make] of Object.entries({ createFake, startFake }))
  it(`${TESTS} tests in parallel on one fake of ${kind} are isolated`, async () => {
    const fake = await make();
    const before = await fake.sandbox('bystander').world();
    const ends = await Promise.all(Array.from({ length: TESTS }, (_, i) => test(fake, i)));
    expect(new Set(ends.map(String)).size, 'they end differently').to.be.above(10);
    expect(await fake.sandbox('bystander').world()).to.deep.equal(before);
    expect(await fake.sandbox('default').journal()).to.deep.equal([]);
    await fake.stop();
  });

/** A whole number below a limit, the same on every machine for the same seed. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed;
  return limit => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * limit);
  };
}
