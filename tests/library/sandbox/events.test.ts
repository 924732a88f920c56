// The events of a sandbox for a program: typed, in order, until the program stops reading. On a fake with a socket and on one
// without.
import { expect } from 'chai';
import { createFake, type Fake, FakeError, type SandboxEvent, startFake } from '../../../server/index.js';
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
