// The servers of one store: a single one, or the masters of a Cluster with their slots. The client's own Cluster mode cannot be told to look for the new
// master of slots whose master was away when it began: tests/proof/store/redis/faults-cluster-away.test.ts.
import { realTime } from '../../../engine/real-time.js';
import type { StoreLog } from '../../refused-changes.js';
import { meaningOf } from './failures.js';
import { SLOTS, slotOf } from './key-names.js';
import { nameOf, type Reply, ServerNode } from './node.js';
import type { MakeClient } from './redis-client.js';
import type { HostPort, RedisAddress } from './url.js';

/** Milliseconds between two requests for the slots: slots also move without an error here. */
const PAUSE_MS = 1000;
/** The same while something is unavailable. */
const TROUBLE_PAUSE_MS = 50;

export class Servers {
  /** The servers of the URL. */
  readonly seeds: readonly ServerNode[];
  /** Called when slots may have moved. */
  moved: () => void = () => {};
  isEnded = false;
  readonly #nodes = new Map<string, ServerNode>();
  /** The node of each slot; empty for a single server. */
  #owners: (ServerNode | undefined)[] = [];
  #looks = 0;
  #isReported = false;

  /** Connects in the background. */
  constructor(
    readonly address: RedisAddress,
    private readonly make: MakeClient,
    private readonly log: StoreLog,
  ) {
    this.seeds = address.hosts.map(host => this.at(host));
    if (address.isCluster) void this.#followSlots();
  }

  /** The node of a tag's keys, as far as known. */
  of(tag: string): ServerNode | undefined {
    return this.address.isCluster ? this.#owners[slotOf(tag)] : this.seeds[0];
  }

  /** The node at an address; connects it. */
  at(host: HostPort): ServerNode {
    const name = nameOf(host);
    const node = this.#nodes.get(name) ?? new ServerNode(host, this.make, () => this.#report());
    this.#nodes.set(name, node);
    return node;
  }

  /** The nodes that have keys, as far as known. */
  get masters(): readonly ServerNode[] {
    return this.address.isCluster ? [...new Set(this.#owners)].filter(node => node !== undefined) : this.seeds;
  }

  /** Why not everything is available at present, in words. */
  get trouble(): string | undefined {
    if (this.isEnded) return 'the store is closed';
    const { masters } = this;
    const troubled = (masters.length > 0 ? masters : this.seeds).find(({ trouble }) => trouble !== undefined);
    if (troubled !== undefined) return `Redis at ${troubled.name} ${troubled.trouble}`;
    if (masters.length === 0) return `${this.address.shown} has not reported its slots yet`;
    return this.#owners.includes(undefined) ? `${this.address.shown} has slots without a node` : undefined;
  }

  /** A node has reported that a slot moved. */
  redirected(slot: number, to: HostPort): void {
    this.#owners[slot] = this.at(to);
    this.moved();
  }

  end(): void {
    this.isEnded = true;
    for (const node of this.#nodes.values()) node.end();
  }

  async #followSlots(): Promise<void> {
    while (!this.isEnded) {
      await this.#look();
      const pause = this.trouble === undefined ? PAUSE_MS : TROUBLE_PAUSE_MS;
      await new Promise(resolve => realTime.setTimeout(resolve, pause).unref());
    }
  }

  async #look(): Promise<void> {
    const ready = [...this.#nodes.values()].filter(({ isReady }) => isReady);
    this.#looks += 1; // another one each time: an isolated node has outdated slots
    for (let i = 0; i < ready.length && !this.isEnded; i += 1) {
      const node = ready[(i + this.#looks) % ready.length];
      if (node !== undefined && (await this.#ask(node))) return;
    }
  }

  /** Whether a node reports its slots. */
  async #ask(node: ServerNode): Promise<boolean> {
    try {
      this.#setOwners(await slotsOf(node));
      node.trouble = undefined; // it had refused before
      return true;
    } catch (error) {
      const meaning = meaningOf(error);
      node.lastError = error;
      if (meaning.next === 'fail') node.trouble = meaning.words; // another node may work
      return false;
    }
  }

  #setOwners(ranges: readonly SlotRange[]): void {
    if (ranges.length === 0 || this.isEnded) return;
    const owners = new Array<ServerNode | undefined>(SLOTS).fill(undefined);
    for (const { from, to, host } of ranges) owners.fill(this.at(host), from, to + 1);
    if (owners.every((node, slot) => node === this.#owners[slot])) return;
    this.#owners = owners;
    const kept = new Set([...owners, ...this.seeds]);
    for (const [name, node] of this.#nodes) {
      if (kept.has(node)) continue;
      this.#nodes.delete(name);
      node.end();
    }
    this.moved();
    this.#report();
  }

  /** Logs when trouble begins and ends. */
  #report(): void {
    const { trouble } = this;
    if (this.isEnded || (trouble !== undefined) === this.#isReported) return;
    this.#isReported = trouble !== undefined;
    if (trouble === undefined) this.log.info(`the store ${this.address.shown} can be used again`);
    else this.log.warn(`the store ${this.address.shown} cannot be used: ${trouble}`);
  }
}

interface SlotRange {
  readonly from: number;
  readonly to: number;
  readonly host: HostPort;
}

/** The slots that a node reports: from, to, master, replicas. A node that does not know its own host omits it. */
export async function slotsOf(node: ServerNode): Promise<readonly SlotRange[]> {
  const reply: Reply = await node.send(['CLUSTER', 'SLOTS']);
  if (!Array.isArray(reply)) throw new TypeError('CLUSTER SLOTS returned no list');
  return reply.map(([from, to, [host, port]]: [number, number, [string | null, number]]) => ({
    from,
    to,
    host: { host: host === null || host === '' || host === '?' ? node.host.host : host, port },
  }));
}
