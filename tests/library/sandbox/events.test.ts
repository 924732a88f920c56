// The events of a sandbox for a program: typed, in order, until the program stops reading. On a fake with a socket and on one
// without.
import { expect } from 'chai';
import { createFake, type Fake, FakeError, type SandboxEvent, startFake } from '../../../server/index.js';
import { listen } from '../../support/wire/event-reader.js';
import { failure } from '../../support/worlds/failure.js';

const joining = (user: string) => ({ body: { group: 'customers', users: [user] } });

for (const [kind, make] of Object.entries({ createFake, startFake })) {
  describe(`the events of a sandbox of ${kind}`, () => {
    let fake: Fake;
    beforeEach(async () => {
      fake = await make();
    });
    afterEach(() => fake.stop());

    const taken = async (events: AsyncIterable<SandboxEvent>, count: number): Promise<SandboxEvent[]> => {
      const all: SandboxEvent[] = [];
      for await (const event of events) {
        all.push(event);
        if (all.length === count) break;
      }
      return all;
    };

    it('start at the call, whenever they are read', async () => {
      const sandbox = fake.sandbox();
      await sandbox.client().groups.addUsers(joining('alice'));
      const events = sandbox.events();
      await sandbox.client().groups.addUsers(joining('carol'));
      await sandbox.patch({ licence: { ppf: 'expired' } });
      await sandbox.reset();
      const all = await taken(events, 4);
      expect(all.map(({ type }) => type)).to.deep.equal(['changed', 'entry', 'changed', 'reset']);
      const entry = all[1];
      expect(entry?.type === 'entry' && entry.data.operation).to.equal('groups.add-users');
    });

    it('are the same for each reader, and over HTTP', async () => {
      const sandbox = fake.sandbox('job');
      await sandbox.world();
      const readers = [sandbox.events(), sandbox.events()];
      const path = '/_fake/v1/sandboxes/job/events';
      const overHttp = kind === 'startFake' ? await listen(fake.url + path) : undefined;
      await sandbox.client().groups.addUsers(joining('alice'));
      const [first, second] = await Promise.all(readers.map(reader => taken(reader, 2)));
      expect(first?.map(({ type }) => type)).to.deep.equal(['changed', 'entry']);
      expect(second).to.deep.equal(first);
      if (overHttp === undefined) return;
      expect(await overHttp.count(2)).to.deep.equal(JSON.parse(JSON.stringify(first)));
      overHttp.leave();
    });

    it('end with the loop, the signal, and the fake', async () => {
      const sandbox = fake.sandbox();
      const controller = new AbortController();
      const [byLoop, bySignal, byFake] = [sandbox.events(), sandbox.events(controller.signal), sandbox.events()];
      const ended = [taken(bySignal, 99), taken(byFake, 99)];
      await sandbox.client().groups.addUsers(joining('alice'));
      expect(await taken(byLoop, 1)).to.have.lengthOf(1);
      expect(await byLoop.next()).to.deep.equal({ value: undefined, done: true });
      controller.abort();
      expect(await ended[0]).to.have.lengthOf(2);
      await sandbox.client().groups.addUsers(joining('carol'));
      await fake.stop();
      expect(await ended[1]).to.have.lengthOf(4);
    });

    it('are empty if the signal is already aborted', async () => {
      expect(await taken(fake.sandbox().events(AbortSignal.abort()), 1)).to.deep.equal([]);
    });

    it('are cut off for a reader who lets too many wait', async () => {
      const sandbox = fake.sandbox();
      const events = sandbox.events();
      const large = { body: { group: 'x'.repeat(300_000), users: [] } };
      for (let i = 0; i < 6; i += 1)
        await sandbox
          .client()
          .call('groups.add-users', large)
          .catch(() => {});
      expect((await taken(events, 99)).map(({ type }) => type)).to.deep.equal(['cut-off']);
    });

    it('are limited to 256 readers at once', async () => {
      const sandbox = fake.sandbox();
      const many = Array.from({ length: 256 }, () => sandbox.events());
      const error = await failure(sandbox.events().next(), FakeError);
      expect(error.message).to.equal(
        'Too many streams:\n  This server has 256 event streams open, which is the limit; try again in 5 seconds.',
      );
      const [first] = many;
      const reading = first?.next();
      await sandbox.client().groups.addUsers(joining('alice'));
      await reading;
      await first?.return?.();
      const next = sandbox.events();
      await sandbox.client().groups.addUsers(joining('carol'));
      expect((await next.next()).value).to.have.property('type', 'changed');
    });

    it('fail with an error on a connection that does not exist', async () => {
      const response = await fake.sandbox().fetch(`${fake.url}/_fake/v1/sandboxes/default/events`);
      expect(response.status).to.equal(501);
      expect(((await response.json()) as { detail: string }).detail).to.contain('sandbox.events()');
    });

    it('fail on a stopped fake', async () => {
      const sandbox = fake.sandbox();
      await fake.stop();
      const events = sandbox.events(); // no unhandled rejection if nobody reads
      expect((await failure(events.next(), FakeError)).message).to.contain('It has been stopped.');
    });
  });
}
