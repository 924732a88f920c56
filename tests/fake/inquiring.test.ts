// What a program asks of what was asked: verify, explain, leaks. What they say is tried elsewhere; here, that it arrives.
import { expect } from 'chai';
import { createFake, type Fake, FakeError, startFake, type Wish } from '../../server/index.js';
import { failure } from '../support/failure.js';

const pushing = { users: ['alice'], filters: [10500] };

for (const [kind, make] of Object.entries({ createFake, startFake })) {
  describe(`what a sandbox of ${kind} was asked`, () => {
    let fake: Fake;
    beforeEach(async () => {
      fake = await make();
    });
    afterEach(() => fake.stop());

    it('is verified', async () => {
      const sandbox = fake.sandbox();
      await sandbox.client('admin').ppf.push({ body: pushing });
      expect(await sandbox.verify({ operation: 'ppf.push', caller: 'admin', body: pushing })).to.deep.equal({
        count: 1,
        entries: [1],
      });
      expect(await sandbox.verify({ inOrder: [{ operation: 'ppf.push' }] })).to.include({ count: 1 });
      expect(await sandbox.verify({ operation: 'ppf.pull', times: { exactly: 0 } })).to.include({ count: 0 });
      expect(await fake.sandbox().verify({ times: { exactly: 0 } })).to.include({ count: 0 });
    });

    it('is told where it is not so, with the nearest entry', async () => {
      const sandbox = fake.sandbox();
      await sandbox.client('admin').ppf.push({ body: pushing });
      const wish: Wish = { operation: 'ppf.push', body: { ...pushing, users: ['carol'] } };
      const error = await failure(sandbox.verify(wish), FakeError);
      expect(error.message).to.equal(
        'ppf.push with the body {"users":["carol"],"filters":[10500]} was asked never, and should have been asked at least once:\n' +
          '  Entry 1, POST /rest/cwx-ppf/latest/push: /body/users/0 is "alice", not "carol".',
      );
      expect(error.cause).to.deep.include({ count: 0, entries: [], wanted: wish });
      expect(error.cause).to.have.nested.property('nearest[0].differences[0].at', '/body/users/0');
      expect((await failure(fake.sandbox().verify({}), FakeError)).problems).to.deep.equal([
        { message: 'The journal has nothing like it.' },
      ]);
    });

    it('cannot be verified where nothing could be so', async () => {
      const wish = { operation: 'ppf.psh', times: { exactly: 1, atMost: 1 } } as never;
      const { problems } = await failure(fake.sandbox().verify(wish), FakeError);
      expect(problems).to.deep.equal([
        { pointer: '/times', message: 'takes exactly alone, or atLeast and atMost' },
        { pointer: '/operation', message: 'There is no operation "ppf.psh" (did you mean "ppf.push"?).' },
      ]);
    });

    it('is explained, as it was and as it would be', async () => {
      const sandbox = fake.sandbox();
      await sandbox.client('admin').ppf.push({ body: { ...pushing, users: ['bob'] } });
      expect((await sandbox.explain(1)).rules.map(({ rule }) => rule)).to.include('ppf.failure-message');
      const { under } = await sandbox.explain(1, {
        'ppf-partial': 'all-or-nothing',
        'ppf-error-body': undefined as never,
      });
      expect(under?.readings).to.deep.equal({ 'ppf-partial': 'all-or-nothing' });
      expect((await failure(sandbox.explain(2), FakeError)).message).to.equal(
        'The entry cannot be explained:\n  There is no entry 2: only 1 is kept.',
      );
      expect((await failure(sandbox.explain(1, { 'ppf-efect': 'x' } as never), FakeError)).message).to.contain(
        'did you mean "ppf-effect"?',
      );
    });

    it('is filtered by what there is', async () => {
      const sandbox = fake.sandbox();
      await sandbox.client('admin').ppf.push({ body: pushing });
      await sandbox.client('carol').ppf.push({ body: pushing });
      const ids = async (filter: Parameters<typeof sandbox.journal>[0]) =>
        (await sandbox.journal(filter)).map(({ id }) => id);
      expect(await ids({ caller: 'carol' })).to.deep.equal([2]);
      expect(await ids({ limit: 1 })).to.deep.equal([2]);
      expect(await ids({ fault: true })).to.deep.equal([]);
      expect(await ids({ unmatched: false })).to.deep.equal([1, 2]);
      const { problems } = await failure(sandbox.journal({ limit: 0, fault: 'yes' } as never), FakeError);
      expect(problems).to.deep.equal([
        { pointer: '/fault', message: 'it takes true or false, and it is the text "yes"' },
        { pointer: '/limit', message: 'it takes a whole number from 1, and it is the number 0' },
      ]);
    });

    it('goes into a capsule, the same as over HTTP', async () => {
      const sandbox = fake.sandbox('sealed');
      await sandbox.client('admin').ppf.push({ body: pushing });
      const capsule = await sandbox.capsule();
      expect(capsule).to.deep.include({
        capsule: 1,
        sandbox: 'sealed',
        scenario: 'small-team',
        earlier: 0,
        faults: [],
      });
      expect(capsule.entries.map(({ id, operation, caller }) => [id, operation, caller])).to.deep.equal([
        [1, 'ppf.push', 'admin'],
      ]);
      const overHttp = await fake.fetch('/_fake/v1/sandboxes/sealed/capsule');
      expect(await overHttp.json()).to.deep.equal(JSON.parse(JSON.stringify(capsule)));
      expect((await fake.fetch('/_fake/v1/sandboxes/nowhere/capsule')).status).to.equal(404);
    });

    it('leaks where a request forgets its sandbox', async () => {
      expect(await fake.leaks()).to.deep.equal({ count: 0, entries: [] });
      await fake.sandbox('job').client('admin').ppf.push({ body: pushing });
      await fake.sandbox('default').client('admin').ppf.push({ body: pushing });
      expect(await fake.leaks()).to.deep.equal({ count: 0, entries: [] });
      await fake.fetch('/rest/cwx-ppf/latest/push', { method: 'POST' });
      const { count, entries } = await fake.leaks();
      expect([count, entries.map(({ id, url }) => [id, url])]).to.deep.equal([1, [[2, '/rest/cwx-ppf/latest/push']]]);
      await fake.sandbox('default').drop();
      expect(await fake.leaks()).to.deep.equal({ count: 0, entries: [] });
      await fake.stop();
      await failure(fake.leaks(), FakeError);
    });
  });
}
