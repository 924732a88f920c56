// Invalid or failing queries of a program about past requests: messages and causes of the errors. The table of tests/control
// covers the rest.
import { expect } from 'chai';
import { createFake, type Fake, FakeError, type RequestPattern, startFake } from '../../../server/index.js';
import { failure } from '../../support/worlds/failure.js';

const pushing = { users: ['alice'], filters: [10500] };

for (const [kind, make] of Object.entries({ createFake, startFake })) {
  describe(`the journal of a sandbox of ${kind}`, () => {
    let fake: Fake;
    before(async () => {
      fake = await make();
    });
    after(() => fake.stop());

    it('fails verification with the nearest entry', async () => {
      const sandbox = fake.sandbox();
      await sandbox.client('admin').ppf.push({ body: pushing });
      const wish: RequestPattern = { operation: 'ppf.push', body: { ...pushing, users: ['carol'] } };
      const error = await failure(sandbox.verify(wish), FakeError);
      expect(error.message).to.equal(
        'Not verified:\n' +
          '  Expected at least 1 request to ppf.push with the body {"users":["carol"],"filters":[10500]}; found 0.\n' +
          '  Entry 1, POST /rest/cwx-ppf/latest/push: /body/users/0 is "alice", not "carol".',
      );
      expect(error.cause).to.deep.include({ count: 0, entries: [], wanted: wish });
      expect(error.cause).to.have.nested.property('nearest[0].differences[0].at', '/body/users/0');
      const { problems } = await failure(fake.sandbox().verify({}), FakeError);
      expect(problems).to.deep.equal([{ message: 'Expected at least 1 request; found 0.' }]);
    });

    it('refuses an invalid pattern', async () => {
      const wish = { operation: 'ppf.psh', times: { exactly: 1, atMost: 1 } } as never;
      const { problems } = await failure(fake.sandbox().verify(wish), FakeError);
      expect(problems).to.deep.equal([
        { pointer: '/times', message: 'must have either exactly, or atLeast and atMost' },
        { pointer: '/operation', message: 'There is no operation "ppf.psh" (did you mean "ppf.push"?).' },
      ]);
    });

    it('is explained under given readings, and while it is kept', async () => {
      const sandbox = fake.sandbox();
      await sandbox.client('admin').ppf.push({ body: { ...pushing, users: ['bob'] } });
      const { under } = await sandbox.explain(1, {
        'ppf-partial': 'all-or-nothing',
        'ppf-error-body': undefined as never,
      });
      expect(under?.readings).to.deep.equal({ 'ppf-partial': 'all-or-nothing' });
      expect((await failure(sandbox.explain(2), FakeError)).message).to.equal(
        'Not found:\n  There is no entry 2: only 1 is kept.',
      );
      expect((await failure(sandbox.explain(1, { 'ppf-efect': 'x' } as never), FakeError)).message).to.contain(
        'did you mean "ppf-effect"?',
      );
    });

    it('has no other filters', async () => {
      const sandbox = fake.sandbox();
      const { problems } = await failure(sandbox.journal({ limit: 0, fault: 'yes' } as never), FakeError);
      expect(problems).to.deep.equal([
        { pointer: 'limit', message: 'limit must be at least 1, not the number 0.' },
        { pointer: 'fault', message: 'fault must be one of true, false, not the text "yes".' },
      ]);
    });
  });
}
