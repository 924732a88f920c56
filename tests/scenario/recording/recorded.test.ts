// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so placeholders are written
// A journal written out as a scenario loads, and passes when it is played.
import { expect } from 'chai';
import type { Effect } from '../../../server/engine/faults/fault.js';
import { createFake, type Sandbox } from '../../../server/index.js';
import type { Assembled } from '../../../server/process/server.js';
import type { Step } from '../../../server/scenario/format/step-format.js';
import { scratch } from '../../support/files/scratch.js';
import { assembled, shippedRuns } from '../../support/scenarios/shipped-runs.js';
import { effects } from '../../support/worlds/effects.js';
import { useFake } from '../../support/worlds/use-fake.js';
import { heldIn, holdOnAny, holdOnShipped, recordingOf } from './recording.js';

describe('a recorded journal', () => {
  let on: Assembled;
  before(async () => {
    on = await assembled();
  });
  after(() => on.end());

  it('of a shipped scenario passes, and each of its requests gets the same response again', () =>
    holdOnShipped(
      on,
      shippedRuns().filter((_, i) => i % 7 === 0),
    )); // tests/proof has the others

  it('passes after any requests and any changes through the control API', () => holdOnAny(on, 15));

  describe('of', () => {
    const fake = useFake();
    let sandbox: Sandbox;
    beforeEach(() => {
      sandbox = fake.sandbox();
    });
    const join = (user: string, as = 'admin') =>
      sandbox.client(as).groups.addUsers({ body: { group: 'customers', users: [user] } });
    const steps = ({ scenario }: Awaited<ReturnType<typeof recordingOf>>): readonly Step[] => scenario.steps ?? [];

    it('a pull of pushed favourites contains the push, or leaves the pull out', async () => {
      await sandbox.readings.set({ 'ppf-effect': 'pushed-only' });
      const { ppf } = sandbox.client('admin');
      await ppf.push({ body: { users: ['alice'], filters: [10500] } });
      await ppf.pull({ body: { users: ['alice'], filters: [10500] } });
      const whole = await recordingOf(sandbox);
      expect(await heldIn(on, whole)).to.deep.equal([]);
      expect(whole.leftOut).to.deep.equal([]);
      const [left] = (await recordingOf(sandbox, { from: 2, to: 2 })).leftOut;
      expect(left?.[1]).to.match(/^It depends on which favourites were pushed before/);
    });

    it('some entries begins with the world before the first of them', async () => {
      for (const user of ['alice', 'carol', 'demouser1']) await join(user);
      const recording = await recordingOf(sandbox, { from: 2, to: 2 });
      expect(recording.scenario.world).to.deep.equal({ groups: { customers: ['alice'] } });
      expect(steps(recording).map(step => [step.body, step.then])).to.deep.equal([
        [{ group: 'customers', users: ['carol'] }, { groups: { customers: ['alice', 'carol'] } }],
      ]);
      expect(await heldIn(on, recording)).to.deep.equal([]);
      const none = await sandbox.record({ from: 4, to: 9 }).catch(error => error);
      expect(String(none)).to.contain(`contains only entries 1 to 3`);
    });

    it('a stub that compares headers and has placeholders repeats what it sent', async () => {
      const body = { of: '${request.path.2}', id: '${id}' };
      await sandbox.stubs.set([
        { path: '/rest/api/2/issue/*', method: 'PUT' },
        { path: '/echo/*', match: { headers: { 'X-Kind': 'a' } }, headers: { 'X-B': '${id}' }, body },
      ]);
      for (const name of ['a', 'b']) await sandbox.fetch(`/echo/${name}`, { headers: { 'X-Kind': 'a' } });
      await sandbox.fetch('/rest/api/2/issue/A-1');
      await sandbox.fetch('/echo/c');
      const recording = await recordingOf(sandbox);
      expect(recording.leftOut).to.deep.equal([]);
      expect(steps(recording).map(step => step.expect?.status)).to.deep.equal([200, 200, 501, 404]);
      expect(await heldIn(on, recording)).to.deep.equal([]);
    });

    it('a fault arms it for its step alone', async () => {
      await sandbox.faults.set([
        { operation: 'groups.add-users', when: { every: 2 }, effect: { status: 503, delay: 1 } },
      ]);
      await join('alice');
      await join('carol');
      const recording = await recordingOf(sandbox);
      const faults = [{ operation: 'groups.add-users', times: 1, effect: { status: 503 } }];
      expect(steps(recording).map(step => [step.faults, step.proves?.length])).to.deep.equal([
        [undefined, 2],
        [faults, undefined],
      ]);
      expect(await heldIn(on, recording)).to.deep.equal([]);
    });

    const several: readonly Effect[] = [
      ...effects.filter(effect => effect.hold === undefined), // nobody releases it
      { status: 503, headers: { 'X-Mine': '1' } },
      { rateLimit: { limit: 1, window: 60 }, status: 503, garble: true },
      { rateLimit: { limit: 1, window: 60 }, body: 'Later.', truncateAt: 2 },
    ];
    it('requests under any fault passes', async () => {
      const push = () =>
        sandbox.client('admin').ppf.push({ body: { users: ['alice'], filters: [10500], dashboards: [11000] } });
      for (const effect of several) {
        await sandbox.reset();
        await sandbox.faults.set([{ operation: 'ppf.push', effect }]);
        for (let i = 0; i < 2; i += 1) await push().catch(() => undefined);
        const recording = await recordingOf(sandbox);
        expect([await heldIn(on, recording), recording.leftOut], JSON.stringify(effect)).to.deep.equal([[], []]);
        expect(steps(recording)).to.have.lengthOf(2);
      }
    });

    it('changes through the control API applies them before the next step', async () => {
      await join('bob');
      await sandbox.patch({ users: { bob: { password: 'hunter2' } } });
      await sandbox.readings.set({ 'no-change': '409' });
      await join('bob', 'bob');
      await join('bob', 'bob');
      const recording = await recordingOf(sandbox);
      const [, second, third] = steps(recording);
      const password = 'password of bob';
      expect(second).to.deep.include({ as: { user: 'bob', password }, readings: { 'no-change': '409' } });
      expect(second?.world).to.deep.include({ users: { bob: { displayName: 'bob', admin: false, password } } });
      expect([third?.world, third?.expect?.status]).to.deep.equal([undefined, 409]);
      expect(await heldIn(on, recording)).to.deep.equal([]);
    });

    it('requests that no step can send leaves them out, says so, and passes for the rest', async () => {
      await sandbox.faults.set([{ operation: 'groups.add-users', when: { nth: 1 }, effect: { hangUp: true } }]);
      await join('alice').catch(() => undefined);
      await sandbox.client('admin').groups.addUsers({ body: { group: '${run}', users: [] } });
      await join('carol');
      const recording = await recordingOf(sandbox);
      expect(steps(recording).map(step => step.expect)).to.deep.equal([
        { connection: 'broken' },
        { status: 200, body: {} },
      ]);
      const why = 'It contains ${, which a scenario would treat as a captured value.';
      expect(recording.leftOut).to.deep.equal([[2, why]]);
      expect(await heldIn(on, recording)).to.deep.equal([]);
    });

    it('changes of the time sets the clock where it decides the response, and nowhere else', async () => {
      const replace = () =>
        sandbox.client('admin').spaces.replaceInPage({
          query: { spaceKey: 'ds', pageTitle: 'Welcome' },
          body: [{ oldText: '<p>', newText: '<p>!' }],
        });
      await sandbox.clock.set('2026-03-01T00:00:00Z');
      await replace();
      await sandbox.clock.advance('P1D');
      await join('alice');
      await replace();
      await replace();
      const recording = await recordingOf(sandbox);
      expect(recording.scenario.clock).to.equal('2026-03-01T00:00:00Z');
      const set = steps(recording).flatMap(({ clock }, i) => (clock === undefined ? [] : [[i, clock]]));
      expect(set).to.deep.equal([[2, '2026-03-02T00:00:00Z']]);
      expect(await heldIn(on, recording)).to.deep.equal([]);
    });

    it('a sandbox contains no secret and has placeholders', async () => {
      await sandbox.patch({ users: { eve: { password: 'hunter2-secret', token: 'hunter2-token' } } });
      await join('alice', 'eve');
      for (const header of ['Bearer hunter2-token', `Basic ${btoa('eve:hunter2-guess')}`])
        await sandbox.fetch('/rest/cwx-ppf/latest/push', { method: 'POST', headers: { Authorization: header } });
      await sandbox.patch({ users: { eve: { password: 'hunter2-changed' } } });
      await join('carol', 'eve');
      const recording = await recordingOf(sandbox);
      expect(recording.text).not.to.match(/hunter2|admin-token/);
      expect(recording.scenario.world).to.deep.include({
        users: { eve: { displayName: 'eve', admin: false, password: 'password of eve', token: 'token of eve' } },
      });
      expect(steps(recording).map(step => step.expect?.status)).to.deep.equal([200, 403, 401, 200]);
      expect(await heldIn(on, recording)).to.deep.equal([]);
    });

    it('a journal that has lost its oldest entries begins with the first one that is kept', async () => {
      const small = await createFake({ journal: 2 });
      sandbox = small.sandbox();
      for (const user of ['alice', 'carol', 'demouser1']) await join(user);
      const recording = await recordingOf(sandbox);
      expect(recording.scenario.world).to.deep.equal({ groups: { customers: ['alice'] } });
      expect(recording.scenario.about).to.match(/^Entries 2 to 3 /);
      expect(await heldIn(on, recording)).to.deep.equal([]);
      await small.stop();
    });

    it('a world too large for a scenario is refused with the limit', async () => {
      const files = scratch({ 'wide.yaml': 'generate: { users: 20001 }\n' });
      const wide = await createFake({ scenario: `${files.path}/wide.yaml` });
      files.drop();
      const large = wide.sandbox();
      await large.client('user1').groups.addUsers({ body: { group: 'a', users: [] } });
      const refused = await large.record().catch(error => error);
      expect(String(refused)).to.match(/The world has \d+ records, but a recorded scenario can have at most 20000/);
      await wide.stop();
    });

    it('wrong credentials has some that are wrong in the same way', async () => {
      const headers = [
        ...['', 'Bearer', 'Digest x', 'Basic', 'Basic *', 'Basic /zo=', 'Basic YQ==', 'Basic Ym9iOng='],
        ...['Basic Y2Fyb2w6eA==', 'Bearer x'],
      ];
      for (const header of headers)
        await sandbox.fetch('/rest/cwx-ppf/latest/push', { method: 'POST', headers: { Authorization: header } });
      const recording = await recordingOf(sandbox);
      expect(recording.leftOut).to.deep.equal([]);
      expect(steps(recording).map(step => step.expect?.status)).to.deep.equal(headers.map(() => 401));
      expect(await heldIn(on, recording)).to.deep.equal([]);
    });
  });
});
