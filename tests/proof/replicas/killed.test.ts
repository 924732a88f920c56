// Replicas in processes of their own: one is killed under load, another is asked to stop. Everything acknowledged is kept.
import { expect } from 'chai';
import type { JournalEntry } from '../../../server/engine/journal/journal-entry.js';
import { built } from '../../support/processes/built.js';
import { endAll, type Launched, launch } from '../../support/processes/command-line.js';
import { hasRedis, RedisServer } from '../../support/redis/redis-servers.js';
import { until } from '../../support/worlds/until.js';

const PATH = '/~hot/rest/cwxapiextension/latest/groups/add-users';

if (hasRedis())
  describe('replicas that stop under load', function () {
    this.timeout(60_000);
    let engine: RedisServer;
    let replicas: readonly Launched[];
    before(async () => {
      await built();
      engine = await RedisServer.start({ persistence: 'aof-everysec' });
      const flags = [
        '--store',
        engine.url,
        '--reading',
        'unknown-group=create',
        '--journal',
        '100000',
        '--log',
        'silent',
      ];
      replicas = await Promise.all([1, 2, 3].map(() => launch(flags)));
    });
    after(async () => {
      endAll();
      await engine.stop();
    });

    /** Created groups, with the entry ids that their responses named. */
    const acknowledged = new Map<string, number>();
    let count = 0;

    /** Creates groups until the server is gone or asked to stop; returns the statuses. */
    const load = async (url: string, isOver: () => boolean): Promise<readonly number[]> => {
      const statuses: number[] = [];
      while (!isOver()) {
        count += 1;
        const group = `g${count}`;
        const init = {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ group, users: ['alice'] }),
        };
        const response = await fetch(url + PATH, init).catch(() => undefined);
        if (response === undefined) break; // it is gone
        await response.arrayBuffer();
        statuses.push(response.status);
        if (response.status === 200)
          acknowledged.set(group, Number(response.headers.get('x-request-id')?.split('.')[1]));
      }
      return statuses;
    };
    const at = ({ url }: Launched, path: string) => fetch(`${url}/_fake/v1/sandboxes/hot${path}`).then(r => r.json());
    const check = async (replica: Launched) => {
      const { groups } = (await at(replica, '/world')) as { groups: Record<string, string[]> };
      const { entries } = (await at(replica, '/journal')) as { entries: JournalEntry[] };
      const { version } = (await at(replica, '')) as { version: number };
      const made = entries.map(({ request }) => JSON.parse(request.body ?? '').group as string);
      expect(entries.map(({ id }) => id)).to.deep.equal(entries.map((_, i) => i + 1));
      expect(new Set(made).size, 'each is written down once').to.equal(made.length);
      expect(version, 'and done once').to.equal(made.length);
      for (const [group, id] of acknowledged) {
        expect(groups[group], group).to.deep.equal(['alice']);
        expect(made[id - 1]).to.equal(group);
      }
      expect(Object.keys(groups)).to.include.members(made);
    };

    it('lose nothing acknowledged when one is killed, and do nothing twice', async () => {
      const [first, second, third] = replicas as readonly [Launched, Launched, Launched];
      let isOver = false;
      const loads = [first, second, third].flatMap(({ url }) => [0, 1, 2, 3].map(() => load(url, () => isOver)));
      await until(() => acknowledged.size > 200);
      const { code } = await first.signal('SIGKILL');
      expect(code).to.equal(null);
      const soFar = acknowledged.size;
      await until(() => acknowledged.size > soFar + 100);
      isOver = true;
      const statuses = (await Promise.all(loads)).flat();
      expect(new Set(statuses)).to.deep.equal(new Set([200]));
      for (const replica of [second, third]) await check(replica);
    });

    it('answer the requests in flight when one is asked to stop, and exit with 0', async () => {
      const [, second, third] = replicas as readonly [Launched, Launched, Launched];
      let isOver = false;
      const ending = [0, 1, 2, 3].map(() => load(second.url, () => false));
      const staying = [0, 1].map(() => load(third.url, () => isOver));
      const soFar = acknowledged.size;
      await until(() => acknowledged.size > soFar + 100);
      const { code, stderr } = await second.signal('SIGTERM');
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      isOver = true;
      expect(new Set((await Promise.all([...ending, ...staying])).flat())).to.deep.equal(new Set([200]));
      await check(third);
    });
  });
