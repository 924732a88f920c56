// Ids are never repeated: neither by replicas that assign them at the same moment nor by restarted servers.
import { expect } from 'chai';
import type { JournalEntry } from '../../server/engine/journal/journal-entry.js';
import { hasRedis } from '../support/redis/redis-servers.js';
import { FolderGround, type Ground, grounds, RedisGround, type Replica } from '../support/redis/replicas.js';
import { listen } from '../support/wire/event-reader.js';
import { sendJson } from '../support/wire/server.js';

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** Copies the template space, which creates one page. */
async function copy({ url }: Replica, sandbox: string, key: string): Promise<void> {
  const query = new URLSearchParams({
    sourceSpaceKey: 'tmpl',
    targetSpaceKey: key,
    targetSpaceTitle: key,
    targetSpaceAdmin: 'alice',
    removeAdminPermissions: 'false',
    keepPagesMetadata: 'true',
  });
  const path = `/~${sandbox}/rest/cwxapiextension/latest/spaces/copySpace?${query}`;
  const { status, text } = await sendJson(url + path, 'POST', undefined, 'admin');
  expect(status, text).to.equal(200);
}

async function pagesOf(ground: Ground, sandbox: string): Promise<readonly string[]> {
  const { pages } = await (await ground.next()).read<{ pages: object }>(`/sandboxes/${sandbox}/world`);
  return Object.keys(pages);
}

for (const ground of grounds()) {
  describe(`ids of ${ground.name}`, function () {
    this.timeout(30_000);
    before(() => ground.begin());
    after(() => ground.end());

    it('of pages continue from one server to the next, also in a fork', async () => {
      const before = (await pagesOf(ground, 'default')).length;
      for (const key of ['ONE', 'TWO', 'THREE']) await copy(await ground.next(), 'pages', key);
      expect(await pagesOf(ground, 'pages')).to.have.length(before + 3);
      await (await ground.next()).control('POST', '/sandboxes/pages/fork', { name: 'branch' });
      await copy(await ground.next(), 'pages', 'FOUR');
      await copy(await ground.next(), 'branch', 'FOUR');
      expect(await pagesOf(ground, 'branch')).to.deep.equal(await pagesOf(ground, 'pages'));
    });

    it('of entries continue when the journal is cleared', async () => {
      const ids: Array<string | null> = [];
      for (const i of upTo(6)) {
        ids.push((await (await ground.next()).add('entries', 'alice')).headers.get('x-request-id'));
        if (i % 2 === 0) await (await ground.next()).control('DELETE', '/sandboxes/entries/journal');
      }
      expect(ids).to.deep.equal(upTo(6).map(i => `entries.${i}`));
    });
  });
}

if (hasRedis())
  describe('ids that replicas assign at the same moment', function () {
    this.timeout(30_000);
    const ground = new RedisGround();
    before(() => ground.begin());
    after(() => ground.end());

    it('of pages are unique', async () => {
      const before = (await pagesOf(ground, 'default')).length;
      const copies = ground.replicas.flatMap((replica, r) => upTo(10).map(i => copy(replica, 'pages', `K${r}X${i}`)));
      await Promise.all(copies);
      for (const _ of ground.replicas) expect(await pagesOf(ground, 'pages')).to.have.length(before + 30);
    });

    it('of entries are unique, and equal the request id that the client got', async () => {
      const users = ['alice', 'carol', 'admin', 'demouser1', 'demouser2'];
      const asked = ground.replicas.flatMap(replica =>
        upTo(30).map(async i => {
          const user = users[i % users.length] ?? '';
          const { headers } = await replica.add('many', user);
          return [headers.get('x-request-id'), user] as const;
        }),
      );
      const usersById = new Map(await Promise.all(asked));
      const ids = upTo(90).map(i => `many.${i}`);
      expect([...usersById.keys()]).to.have.members(ids);
      const journals = await Promise.all(
        ground.replicas.map(replica => replica.read<{ entries: JournalEntry[] }>('/sandboxes/many/journal')),
      );
      for (const { entries } of journals) {
        expect(entries.map(({ id }) => `many.${id}`)).to.deep.equal(ids);
        for (const { id, request } of entries)
          expect(JSON.parse(request.body ?? '').users).to.deep.equal([usersById.get(`many.${id}`)]);
      }
      expect(await ground.replicas[0].read('/sandboxes/many')).to.include({ version: users.length });
    });

    it('of unnamed sandboxes are unique', async () => {
      const made = ground.replicas.flatMap(replica => upTo(5).map(() => replica.control('POST', '/sandboxes')));
      const names = (await Promise.all(made)).map(({ json }) => (json as { name: string }).name);
      expect(new Set(names).size).to.equal(15);
    });

    it('with one name go to exactly one of the clients that create it', async () => {
      const made = ground.replicas.flatMap(replica =>
        upTo(5).map(() => replica.control('POST', '/sandboxes', { name: 'one' })),
      );
      const statuses = (await Promise.all(made)).map(({ status }) => status);
      expect(statuses.filter(status => status === 201)).to.have.length(1);
      expect(statuses.filter(status => status === 409)).to.have.length(14);
    });
  });

describe('events of a server that is restarted on its folder', () => {
  it('continue after the last one before, with new ids', async () => {
    const ground = new FolderGround();
    await ground.begin();
    const ids: string[] = [];
    for (const user of ['alice', 'carol', 'admin']) {
      const replica = await ground.next();
      await replica.add('watched', user);
      const last = ids.at(-1);
      const headers = last === undefined ? undefined : { 'Last-Event-ID': last };
      const one = await listen(`${replica.url}/_fake/v1/sandboxes/watched/events`, headers);
      if (last === undefined) await replica.add('watched', 'demouser1'); // a new subscriber gets what follows
      const events = await one.count(2);
      expect(events.map(({ type }) => type)).to.deep.equal(['changed', 'entry']);
      ids.push(...events.map(({ id }) => id));
      one.leave();
    }
    expect(new Set(ids).size).to.equal(6);
    await ground.end();
  });
});
