// A real Redis Cluster for tests: three masters on loopback ports, optionally with a replica each. Slots can move and masters fail over.
import { freePort } from '../wire/ports.js';
import { until } from '../worlds/until.js';
import { type Engine, RedisServer } from './redis-servers.js';

const SLOTS = 16_384;

export interface ClusterOptions {
  readonly engine?: Engine;
  /** One replica for each master. */
  readonly hasReplicas?: boolean;
  /** Milliseconds until a node that does not answer counts as failed. A replica takes over about as long after. */
  readonly nodeTimeout?: number;
}

export interface ClusterNode {
  readonly server: RedisServer;
  readonly id: string;
}

export class RedisCluster {
  #changedAt = Number.NEGATIVE_INFINITY;

  private constructor(
    private nodeTimeout: number,
    readonly masters: readonly ClusterNode[],
    /** In the order of the masters that they began with; none where there was to be none. */
    readonly replicas: readonly ClusterNode[],
  ) {}

  /** Starts one, and resolves when all nodes say that it is whole. */
  static async start({ engine, hasReplicas = false, nodeTimeout = 1000 }: ClusterOptions = {}): Promise<RedisCluster> {
    const count = hasReplicas ? 6 : 3;
    const starting = Array.from({ length: count }, () => startNode(engine, nodeTimeout));
    const started = await Promise.allSettled(starting);
    const nodes = started.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []));
    const cluster = new RedisCluster(nodeTimeout, nodes.slice(0, 3), nodes.slice(3));
    try {
      for (const one of started) if (one.status === 'rejected') throw one.reason;
      await cluster.#join();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  get nodes(): readonly ClusterNode[] {
    return [...this.masters, ...this.replicas];
  }

  /** All nodes, as the store takes them. */
  get url(): string {
    return `redis+cluster://${this.nodes.map(({ server }) => `127.0.0.1:${server.port}`).join(',')}`;
  }

  /** The slot in which a key lies. */
  async slotOf(key: string): Promise<number> {
    return Number(await this.#any.server.cli('cluster', 'keyslot', key));
  }

  /** Who serves a slot at present. */
  async masterOf(slot: number): Promise<ClusterNode> {
    const lines = (await this.#any.server.cli('cluster', 'nodes')).split('\n');
    const line = lines.find(one => rangesOf(one).some(([from, to]) => from <= slot && slot <= to));
    const node = this.nodes.find(({ id }) => line?.startsWith(id));
    if (node === undefined) throw new Error(`nobody serves slot ${slot}:\n${lines.join('\n')}`);
    return node;
  }

  /** Moves a slot with its keys while it is used, as `redis-cli --cluster reshard` does; `between` is done while some keys may be here and some there. */
  async moveSlot(slot: number, to: ClusterNode, between?: () => Promise<void>): Promise<void> {
    const from = await this.masterOf(slot);
    if (from.id === to.id) return;
    await to.server.cli('cluster', 'setslot', String(slot), 'importing', from.id);
    await from.server.cli('cluster', 'setslot', String(slot), 'migrating', to.id);
    await between?.();
    for (;;) {
      const keys = (await from.server.cli('cluster', 'getkeysinslot', String(slot), '10')).split('\n').filter(Boolean);
      if (keys.length === 0) break;
      await from.server.cli('migrate', '127.0.0.1', String(to.server.port), '', '0', '5000', 'keys', ...keys);
    }
    // first who gets it, so that there is no moment in which nobody has it
    for (const { server } of [to, from, ...this.masters])
      await server.cli('cluster', 'setslot', String(slot), 'node', to.id);
  }

  /** Has a replica and its master change places without a loss, and waits until all nodes that live know it. */
  async failover(replica: ClusterNode): Promise<void> {
    // who has voted for one of a shard votes for no other of it for a while, and a replica that is refused waits for long
    const voting = this.#changedAt + 2 * this.nodeTimeout + 100 - performance.now();
    if (voting > 0) await new Promise(resolve => setTimeout(resolve, voting));
    await this.untilReplica(replica); // a master that does not know it as such yet ignores it without a word
    await replica.server.cli('cluster', 'failover');
    await this.untilMaster(replica);
  }

  /** Changes the `nodeTimeout`. */
  async setNodeTimeout(milliseconds: number): Promise<void> {
    const time = String(milliseconds);
    await Promise.all(this.nodes.map(({ server }) => server.cli('config', 'set', 'cluster-node-timeout', time)));
    this.nodeTimeout = milliseconds;
  }

  /** Waits until all nodes that live know a node as a master with slots. */
  async untilMaster({ id }: ClusterNode): Promise<void> {
    await this.#until(async ({ server }) => {
      const line = lineOf(id, await server.cli('cluster', 'nodes'));
      return /\bmaster\b/.test(line) && rangesOf(line).length > 0;
    });
    this.#changedAt = performance.now();
  }

  /** Waits until all nodes that live know a node as a replica, and it has all that its master has. */
  async untilReplica({ id, server }: ClusterNode): Promise<void> {
    await this.#until(async node => /\bslave\b/.test(lineOf(id, await node.server.cli('cluster', 'nodes'))));
    await until(async () => (await server.cli('info', 'replication')).includes('master_link_status:up'));
  }

  /** Waits until all nodes that live say that it is whole. */
  async untilWhole(): Promise<void> {
    await this.#until(async ({ server }) => (await server.cli('cluster', 'info')).includes('cluster_state:ok'));
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(({ server }) => server.stop()));
  }

  get #any(): ClusterNode {
    const node = this.nodes.find(({ server }) => server.pid !== undefined);
    if (node === undefined) throw new Error('no node of the cluster runs');
    return node;
  }

  async #until(holds: (node: ClusterNode) => Promise<boolean>): Promise<void> {
    const living = this.nodes.filter(({ server }) => server.pid !== undefined);
    await until(async () => (await Promise.all(living.map(holds))).every(Boolean));
  }

  async #join(): Promise<void> {
    const share = Math.ceil(SLOTS / this.masters.length);
    await Promise.all(
      this.masters.map(async ({ server }, i) => {
        await server.cli('cluster', 'set-config-epoch', String(i + 1));
        const last = Math.min(SLOTS, (i + 1) * share) - 1;
        await server.cli('cluster', 'addslotsrange', String(i * share), String(last));
      }),
    );
    for (const one of this.nodes)
      for (const other of this.nodes)
        if (one !== other) await one.server.cli('cluster', 'meet', '127.0.0.1', ...(await addressOf(other)));
    await this.#until(
      async ({ server }) => (await server.cli('cluster', 'nodes')).split('\n').length === this.nodes.length,
    );
    await Promise.all(
      this.replicas.map(({ server }, i) => server.cli('cluster', 'replicate', this.masters[i]?.id ?? '')),
    );
    for (const replica of this.replicas) await this.untilReplica(replica);
    await this.untilWhole();
  }
}

async function startNode(engine: Engine | undefined, nodeTimeout: number): Promise<ClusterNode> {
  const lines = [
    'cluster-enabled yes',
    `cluster-port ${await freePort()}`,
    `cluster-node-timeout ${nodeTimeout}`,
    'cluster-allow-replica-migration no',
    'cluster-replica-validity-factor 0',
  ];
  const server = await RedisServer.start({ ...(engine && { engine }), lines });
  return { server, id: await server.cli('cluster', 'myid') };
}

/** The port and the port of the bus, as CLUSTER MEET takes them. */
async function addressOf({ server }: ClusterNode): Promise<[string, string]> {
  const [, bus = ''] = (await server.cli('config', 'get', 'cluster-port')).split('\n');
  return [String(server.port), bus];
}

/** The line of a node in CLUSTER NODES. */
function lineOf(id: string, nodes: string): string {
  return nodes.split('\n').find(line => line.startsWith(id)) ?? '';
}

/** The slots of a line of CLUSTER NODES, without those on their way. */
function rangesOf(line: string): ReadonlyArray<readonly [number, number]> {
  return line
    .split(' ')
    .slice(8)
    .filter(range => /^\d/.test(range))
    .map(range => range.split('-').map(Number))
    .map(([from = 0, to = from]) => [from, to] as const);
}
