// What replicas decide at the same moment: each fault, name and id is used once. Every replica then tells the same.
import { expect } from 'chai';
import { hasRedis } from '../support/redis/redis-servers.js';
import { type Replica, Replicas } from '../support/redis/replicas.js';

(hasRedis() ? describe : describe.skip)('replicas that are used at the same moment', () => {
  let replicas: Replicas;
  before(async () => {
    replicas = await Replicas.begin(3);
  });
  after(() => replicas.end());
  /** Calls each replica so many times at once. */
  const together = <T>(count: number, call: (replica: Replica, i: number) => Promise<T>): Promise<T[]> =>
    Promise.all(replicas.all.flatMap(replica => Array.from({ length: count }, (_, i) => call(replica, i))));

  it('fire a fault no more often in total than it may', async () => {
    const [first, second] = replicas.all;
    await first.control('PUT', '/sandboxes/hot', {});
    const faults = [
      { operation: 'groups.add-users', times: 3, effect: { status: 503 } },
      { operation: 'groups.add-users', when: { nth: 17 }, effect: { status: 418 } },
    ];
    await second.control('PUT', '/sandboxes/hot/faults', { faults });
    const statuses = (await together(20, replica => replica.add('hot', 'alice'))).map(({ status }) => status);
    expect(statuses.filter(status => status === 503)).to.have.length(3);
    expect(statuses.filter(status => status === 418)).to.have.length(1);
    expect(statuses.filter(status => status === 200)).to.have.length(56);
    for (const replica of replicas.all) {
      const read = await replica.read<{ faults: Array<{ matched: number; fired: number }> }>('/sandboxes/hot/faults');
      const counts = read.faults.map(({ matched, fired }) => [matched, fired]);
      expect(counts).to.deep.equal([
        [60, 3],
        [60, 1],
      ]);
    }
  });

  it('give each page an id of its own', async () => {
    const pages = async (replica: Replica) => {
      const { pages } = await replica.read<{ pages: object }>('/sandboxes/pages/world');
      return Object.keys(pages);
    };
    const [first] = replicas.all;
    await first.control('PUT', '/sandboxes/pages', {});
    const before = (await pages(first)).length;
    const keys = new Set<string>();
    const copies = await together(10, async replica => {
      const key = `K${keys.add(`${keys.size}`).size}`;
      const query = `sourceSpaceKey=tmpl&targetSpaceKey=${key}&targetSpaceTitle=${key}&targetSpaceAdmin=alice&removeAdminPermissions=false&keepPagesMetadata=true`;
      return replica.call('pages', `/rest/cwxapiextension/latest/spaces/copySpace?${query}`);
    });
    expect(copies.map(({ status }) => status)).to.deep.equal(copies.map(() => 200));
    for (const replica of replicas.all) expect(await pages(replica)).to.have.length(before + 30);
  });

  it('give a name to one of the clients that create it, and each unnamed sandbox another', async () => {
    const named = await together(5, replica => replica.control('POST', '/sandboxes', { name: 'one' }));
    expect(named.map(({ status }) => status).sort()).to.deep.equal([201, ...Array(14).fill(409)]);
    const unnamed = await together(5, replica => replica.control('POST', '/sandboxes'));
    expect(new Set(unnamed.map(({ json }) => (json as { name: string }).name)).size).to.equal(15);
  });
});
