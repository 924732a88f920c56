// What one server answers, every other one reports at once: each step runs on another server, and the next one reads all of it.
import { expect } from 'chai';
import type { JournalEntry } from '../../server/engine/journal/journal-entry.js';
import { grounds } from '../support/redis/replicas.js';
import { send, sendJson } from '../support/wire/server.js';

for (const ground of grounds()) {
  describe(`reads at ${ground.name}`, function () {
    this.timeout(30_000);
    before(() => ground.begin());
    after(() => ground.end());

    it('show the world after every change', async () => {
      for (const [i, user] of ['alice', 'carol', 'admin', 'demouser1'].entries()) {
        expect((await (await ground.next()).add('world', user)).status).to.equal(200);
        const reader = await ground.next();
        expect(await reader.customers('world'))
          .to.have.length(i + 1)
          .and.include(user);
        expect(await reader.read('/sandboxes/world')).to.include({ version: i + 1, scenario: 'small-team' });
      }
      await (await ground.next()).control('PATCH', '/sandboxes/world/world', { groups: { customers: ['carol'] } });
      expect(await (await ground.next()).customers('world')).to.deep.equal(['carol']);
    });

    it('show the journal: order, ids and the operation of each request', async () => {
      const users = ['alice', 'nobody-1', 'carol', 'nobody-2', 'admin', 'alice'];
      for (const [i, user] of users.entries()) {
        const named = i % 2 === 0 ? { 'X-Request-Id': `mine-${i}` } : undefined;
        const { headers } = await (await ground.next()).add('journal', user, named);
        expect(headers.get('x-request-id')).to.equal(i % 2 === 0 ? `mine-${i}` : `journal.${i + 1}`);
      }
      const reader = await ground.next();
      const { entries } = await reader.read<{ entries: JournalEntry[] }>('/sandboxes/journal/journal');
      expect(entries.map(({ id }) => id)).to.deep.equal([1, 2, 3, 4, 5, 6]);
      expect(entries.map(({ request }) => JSON.parse(request.body ?? '').users[0])).to.deep.equal(users);
      expect(entries.map(({ requestId }) => requestId)).to.deep.equal(
        users.map((_, i) => (i % 2 === 0 ? `mine-${i}` : undefined)),
      );
      expect(entries.map(({ before, version }) => [before, version])).to.deep.equal([
        [0, 1],
        [1, 1],
        [1, 2],
        [2, 2],
        [2, 3],
        [3, 3],
      ]);
      const later = await (await ground.next()).read<{ entries: JournalEntry[] }>('/sandboxes/journal/journal?since=4');
      expect(later.entries).to.deep.equal(entries.slice(4));
      await (await ground.next()).control('DELETE', '/sandboxes/journal/journal');
      const cleared = await (await ground.next()).read<{ entries: JournalEntry[] }>('/sandboxes/journal/journal');
      expect(cleared).to.deep.equal({ entries: [], evicted: 0 });
      expect((await (await ground.next()).add('journal', 'demouser2')).headers.get('x-request-id')).to.equal(
        'journal.7',
      );
    });

    it('accept the cookie of a log-in at another server', async () => {
      const session = (url: string) => `${url}/~cookie/rest/auth/1/session`;
      const { url } = await ground.next();
      const { headers } = await sendJson(session(url), 'POST', { username: 'carol', password: 'carol' });
      const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
      const other = session((await ground.next()).url);
      const { status, json } = await send(other, { headers: { cookie } });
      expect(status).to.equal(200);
      expect(json).to.include({ name: 'carol' });
      expect((await send(other, { headers: { cookie: `${cookie}x` } })).status).to.equal(401);
    });

    it('give the same verify, explain and recording for a request', async () => {
      await (await ground.next()).add('asked', 'alice');
      await (await ground.next()).add('asked', 'nobody');
      const wish = { operation: 'groups.add-users', times: { exactly: 2 } };
      const verified = await (await ground.next()).control('POST', '/sandboxes/asked/journal/verify', wish);
      expect(verified.status, verified.text).to.equal(200);
      const wrong = await (await ground.next()).control('POST', '/sandboxes/asked/journal/verify', {
        ...wish,
        times: { exactly: 1 },
      });
      expect(wrong.status).to.equal(417);
      const explained = await (await ground.next()).control('POST', '/sandboxes/asked/explain', {
        entry: 2,
        readings: { 'unknown-user': '400' },
      });
      expect(explained.status, explained.text).to.equal(200);
      expect(explained.text).to.include('"unknown-user":"400"').and.include('"status":400');
      const recordings = [
        (await (await ground.next()).control('GET', '/sandboxes/asked/recording')).text,
        (await (await ground.next()).control('GET', '/sandboxes/asked/recording')).text,
      ];
      expect(recordings[0]).to.equal(recordings[1]).and.include('nobody').and.include('alice');
    });

    it('show the chosen readings, and follow them', async () => {
      expect((await (await ground.next()).add('readings', 'nobody')).status).to.equal(404);
      await (await ground.next()).control('PUT', '/sandboxes/readings/readings', { 'unknown-user': '400' });
      expect(await (await ground.next()).read('/sandboxes/readings/readings')).to.include({ 'unknown-user': '400' });
      for (let i = 0; i < 3; i += 1)
        expect((await (await ground.next()).add('readings', 'nobody')).status).to.equal(400);
      await (await ground.next()).control('PUT', '/sandboxes/readings/readings', {});
      expect((await (await ground.next()).add('readings', 'nobody')).status).to.equal(404);
    });
  });
}
