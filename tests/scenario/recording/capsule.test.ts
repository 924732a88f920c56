// A capsule replays the requests of a sandbox to the same bytes, contains no secret, and reports what is wrong with it.
import { expect } from 'chai';
import { formOf } from '../../../server/domain/form/form.js';
import { createFake, type Fake, type Sandbox } from '../../../server/index.js';
import { runName } from '../../../server/scenario/play/runs.js';
import type { Capsule } from '../../../server/scenario/recording/capsule-format.js';
import { firstDifference } from '../../../server/scenario/recording/compare.js';
import { readCapsule } from '../../../server/scenario/recording/read-capsule.js';
import { type Replayed, replay, Unplayable, worldOf } from '../../../server/scenario/recording/replay.js';
import { seal } from '../../../server/scenario/recording/seal.js';
import type { Assembled } from '../../../server/server.js';
import { assembled, playedOut, shippedRuns } from '../../support/scenarios/shipped-runs.js';

/** Parsed again, as it would be from a file. */
function written(capsule: Capsule): Capsule {
  const read = readCapsule(JSON.stringify(capsule));
  return 'capsule' in read ? read.capsule : expect.fail(read.errors.join('\n'));
}

function replayed(capsule: Capsule): Replayed[] {
  return [...replay(capsule, worldOf(capsule) ?? expect.fail('there is no such world'))];
}

const mistakesIn = (value: unknown) => {
  const read = readCapsule(typeof value === 'string' ? value : JSON.stringify(value));
  return 'errors' in read ? read.errors : expect.fail('nothing is wrong with it');
};

describe('the capsule of each shipped scenario', function () {
  this.timeout(60_000);
  let on: Assembled;
  before(async () => {
    on = await assembled();
  });
  after(() => on.end());

  for (const run of shippedRuns()) {
    it(`${runName(run)} replays to the same bytes and the same world`, async () => {
      const sandbox = await playedOut(run, on);
      const capsule = written(await seal(sandbox, '0.0.0', new Date()));
      expect(capsule.entries).to.have.lengthOf(sandbox.journal.size);
      const all = replayed(capsule);
      expect(all.flatMap(one => firstDifference(one) ?? [])).to.deep.equal([]);
      expect(all.map(({ result }) => result.injected?.name)).to.deep.equal(capsule.entries.map(({ fault }) => fault));
      const last = all.at(-1);
      const { users: _, ...form } = formOf(
        sandbox.history.at(sandbox.journal.last?.version ?? 0)?.world ?? sandbox.state.world,
      );
      const { users: __, ...again } = formOf(last?.after.world ?? sandbox.state.world);
      expect(again).to.deep.equal(form);
    });
  }
});

describe('a capsule', () => {
  let fake: Fake;
  let sandbox: Sandbox;
  const join = (user: string, as = 'admin') =>
    sandbox.client(as).groups.addUsers({ body: { group: 'customers', users: [user] } });
  before(async () => {
    fake = await createFake();
  });
  beforeEach(() => {
    sandbox = fake.sandbox();
  });
  after(() => fake.stop());

  it('names a shipped, unchanged fixture and writes out any other world', async () => {
    await join('alice');
    expect((await sandbox.capsule()).world).to.deep.equal({ shipped: 'small-team' });
    const changed = fake.sandbox();
    await changed.patch({ groups: { customers: ['carol'] } });
    await changed.client('admin').ppf.push({ body: { users: ['alice'], filters: [10500] } });
    const { world } = await changed.capsule();
    expect(world)
      .to.have.nested.property('form.groups')
      .that.deep.includes({ customers: ['carol'] });
  });

  it('contains no secret', async () => {
    await sandbox.patch({ users: { eve: { password: 'hunter2-secret', token: 'hunter2-token' } } });
    await join('alice', 'eve');
    await sandbox.fetch('/rest/cwx-ppf/latest/push', {
      method: 'POST',
      headers: { Authorization: 'Bearer hunter2-token' },
    });
    await sandbox.fetch('/rest/cwx-ppf/latest/push', {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa('eve:hunter2-guess')}` },
    });
    await sandbox.patch({ users: { eve: { password: 'hunter2-changed' } } });
    await join('carol', 'eve');
    const capsule = await sandbox.capsule();
    expect(JSON.stringify(capsule)).not.to.match(/hunter2|admin-token/);
    expect(capsule.world).to.have.nested.property('form.users.admin').that.deep.includes({
      password: 'password of admin',
      token: 'token of admin',
    });
    expect(replayed(written(capsule)).flatMap(one => firstDifference(one) ?? [])).to.deep.equal([]);
    expect(capsule.entries.map(({ answer }) => answer.status)).to.deep.equal([200, 403, 401, 200]);
  });

  it('keeps worlds that a fixture must not contain: blank names and pages with one title', async () => {
    const admin = sandbox.client('admin');
    await sandbox.readings.set({
      'unknown-group': 'create',
      'replace-title-clash': 'allow',
      'space-key-format': 'any',
    });
    await sandbox.patch({ pages: { '65702': { space: 'tmpl', title: 'Template Guide', body: '', author: 'carol' } } });
    await admin.groups.addUsers({ body: { group: ' ', users: ['alice'] } });
    const rename = [{ oldText: 'Template Guide', newText: 'Template Home' }];
    await admin.spaces.replaceInPage({ query: { spaceKey: 'tmpl', pageTitle: 'Template Guide' }, body: rename });
    const query = { sourceSpaceKey: 'tmpl', targetSpaceKey: ' ', targetSpaceTitle: 'Blank', targetSpaceAdmin: 'admin' };
    await admin.spaces.copy({ query: { ...query, removeAdminPermissions: false, keepPagesMetadata: true } });
    await sandbox.patch({ users: { bob: {} } }); // changed through the control API, so that the whole world is written out
    const fork = await sandbox.fork();
    for (const one of [sandbox, fork])
      await one.client('admin').groups.addUsers({ body: { group: ' ', users: ['bob'] } });
    const { groups, spaces, pages } = await fork.world();
    expect(groups[' ']).to.deep.equal(['alice', 'bob']);
    expect(spaces).to.have.property(' ');
    expect([pages['65701']?.title, pages['65702']?.title]).to.deep.equal(['Template Home', 'Template Home']);
    for (const one of [sandbox, fork]) {
      const capsule = written(await one.capsule());
      expect(capsule.entries.map(({ answer }) => answer.status)).to.deep.equal(
        one === fork ? [200] : [200, 200, 200, 200],
      );
      expect(replayed(capsule).flatMap(again => firstDifference(again) ?? [])).to.deep.equal([]);
    }
    const broken = await fork.capsule();
    if ('form' in broken.world) Object.assign(broken.world.form.groups ?? {}, { ' ': ['nobody'] });
    expect(mistakesIn(broken)).to.have.lengthOf(1);
    expect(mistakesIn(broken)[0]).to.match(/^\/world\/form\/groups\/ \/0 There is no user "nobody"/);
  });

  it('keeps changes made through the control API: world, readings, faults and snapshots', async () => {
    await join('bob');
    await sandbox.patch({ users: { bob: {} } });
    await join('bob');
    await sandbox.readings.set({ 'no-change': '409' });
    await join('bob');
    await sandbox.faults.set([{ operation: 'groups.add-users', when: { nth: 2 }, effect: { status: 503 } }]);
    await join('alice');
    await join('carol');
    await sandbox.snapshot('here');
    await join('carol');
    await sandbox.rewind(0);
    await join('bob');
    await sandbox.restore('here');
    await join('carol');
    const capsule = written(await sandbox.capsule());
    expect(capsule.entries.map(({ answer }) => answer.status)).to.deep.equal([404, 200, 409, 200, 503, 200, 404, 200]);
    expect(capsule.entries.map(({ between }) => Object.keys(between ?? {}))).to.deep.equal([
      [],
      ['world'],
      ['readings'],
      ['faults'],
      [],
      [],
      ['world', 'readings', 'faults'],
      ['world', 'readings', 'faults'],
    ]);
    expect(replayed(capsule).flatMap(one => firstDifference(one) ?? [])).to.deep.equal([]);
  });

  it('begins with the first entry whose version is kept, and counts the earlier ones', async () => {
    const small = await createFake({ journal: 2 });
    const held = small.sandbox();
    for (const user of ['alice', 'carol', 'demouser1'])
      await held.client('admin').groups.addUsers({ body: { group: 'customers', users: [user] } });
    const capsule = written(await held.capsule());
    expect([capsule.earlier, capsule.entries.map(({ id }) => id)]).to.deep.equal([1, [2, 3]]);
    expect(capsule.world).to.have.nested.property('form.groups.customers').that.deep.equals(['alice']);
    expect(replayed(capsule).flatMap(one => firstDifference(one) ?? [])).to.deep.equal([]);
    await small.stop();
  });

  it('shows the first difference when a response differs', async () => {
    await join('bob');
    const capsule = await sandbox.capsule();
    const [entry] = capsule.entries;
    if (entry === undefined) expect.fail('there is an entry');
    const body = entry.answer.body?.replace('bob', 'rob');
    const other = (answer: object) => {
      const [one] = replayed(written({ ...capsule, entries: [{ ...entry, answer: { ...entry.answer, ...answer } }] }));
      return one && firstDifference(one);
    };
    expect(other({})).to.equal(undefined);
    expect(other({ status: 400 })).to.deep.equal(['the status is 404, and was 400']);
    expect(other({ body })).to.deep.equal([
      'the body differs from byte 54 on: it is "ge\\":\\"There is no user named \\\\\\"bob\\\\\\".\\",\\"reason\\":\\"Not Found\\"}"',
      'and was "ge\\":\\"There is no user named \\\\\\"rob\\\\\\".\\",\\"reason\\":\\"Not Found\\"}"',
    ]);
    expect(other({ body: undefined })?.[0]).to.match(/^there is a body, and was none: /);
  });

  for (const [says, change, mistake] of [
    ['of another format', { capsule: 2 }, /^\/capsule /],
    ['without entries', { entries: undefined }, /lacks the field "entries"/],
    ['of a world that is shipped no more', { world: { shipped: 'small-teem' } }, /did you mean "small-team"/],
    ['of a world that is none', { world: { form: { groups: { a: ['nobody'] } } } }, /^\/world\/form\/groups\/a/],
    ['of a reading that there is not', { readings: { 'unknown-user': '405' } }, /unknown-user has no reading "405"/],
  ] as const) {
    it(`reports one that is wrong: ${says}`, async () => {
      const [first, ...others] = mistakesIn({ ...(await sandbox.capsule()), ...change });
      expect(first).to.match(mistake);
      expect(others).to.deep.equal([]);
    });
  }

  it('reports that it is cut short, wherever it ends too early', async () => {
    await join('alice');
    const text = JSON.stringify(await sandbox.capsule(), null, 1);
    for (let round = 0; round < 30; round++) {
      const end = Math.floor(Math.random() * text.length);
      expect(mistakesIn(text.slice(0, end)), `after ${end} characters`).to.deep.equal([
        'Invalid JSON: the file is cut off.',
      ]);
    }
  });

  it('reports entries that are not requests', async () => {
    await join('alice');
    const capsule = await sandbox.capsule();
    const [entry] = capsule.entries;
    expect(mistakesIn('{,')[0]).to.match(/^Invalid JSON: Expected/);
    const broken = { ...capsule, entries: [{ ...entry, request: { contentType: '', body: '{' } }] };
    expect(mistakesIn(broken)[0]).to.match(/^\/entries\/0\/request\/body is not JSON/);
    const nowhere = {
      ...capsule,
      entries: [{ ...entry, between: { world: { groups: { a: ['nobody'] } } } }],
    } as Capsule;
    expect(() => replayed(written(nowhere))).to.throw(Unplayable, 'the world before entry 1 is invalid: /groups/a/0');
  });
});
