// The servers of one store: a single one, or the masters of a Cluster with their slots. The client's own cluster mode never looks for the new master of
// slots whose master was away when it began: tests/proof/store/redis/faults-cluster-away.test.ts.

import type { HostPort, RedisAddress } from '../url.js';
import { meaningOf } from './failures.js';
import { nameOf, type Reply, ServerNode } from './node.js';
import type { MakeClient } from './redis-client.js';
import { SLOTS, slotOf } from './slot.js';
import type { Hearing } from './subscriber.js';

/** Subscribers are not notified when slots move. */
const LOOK_AGAIN_MS = 5_000;
/** Minimum pause between two requests for the slots. */
const MIN_PAUSE_MS = 50;

interface NodeListener {
  /** A node has become unavailable or available. */
  readonly changed: () => void;
  /** Slots may have moved. */
  readonly moved: () => void;
  readonly hearing: Hearing;
}

export class Nodes {
  readonly #nodes = new Map<string, ServerNode>();
  /** The servers of the URL. */
  readonly seeds: readonly ServerNode[];
  /** The node of each slot; empty for a single server. */
  #owners: string[] = [];
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  isEnded = false;

  constructor(
    private readonly address: RedisAddress,
    private readonly make: MakeClient,
    private readonly listener: NodeListener,
  ) {
    this.seeds = address.hosts.map(host => this.at(host));
    if (!address.isCluster) return;
    this.#timer = setInterval(() => void this.look(), LOOK_AGAIN_MS);
    this.#timer.unref();
  }

  get isCluster(): boolean {
    return this.address.isCluster;
  }

  /** The node of a tag's keys, as far as known. */
  of(tag: string): ServerNode | undefined {
    if (!this.isCluster) return this.seeds[0];
    return this.#nodes.get(this.#owners[slotOf(tag)] ?? '');
  }

  /** The node at an address; connects it. */
  at(host: HostPort): ServerNode {
    const name = nameOf(host);
    const known = this.#nodes.get(name);
    if (known !== undefined) return known;
    const node = new ServerNode(host, this.make, changed => this.#changed(changed), this.listener.hearing);
    this.#nodes.set(name, node);
    return node;
  }

  /** The nodes that have keys, as far as known. */
  get masters(): readonly ServerNode[] {
    if (!this.isCluster) return this.seeds;
    return [...new Set(this.#owners)].flatMap(name => this.#nodes.get(name) ?? []);
  }

  /** Why not everything is available at present, in words. */
  get trouble(): string | undefined {
    const { masters } = this;
    const troubled = masters.find(({ trouble }) => trouble !== undefined)?.trouble;
    if (masters.length > 0)
      return troubled ?? (this.#owners.includes('') ? `${this.address.shown} has slots without a node` : undefined);
    return (
      this.seeds.find(({ trouble }) => trouble !== undefined)?.trouble ??
      `${this.address.shown} has not reported its slots yet`
    );
  }

  /** A node has reported that a slot moved. */
  moved(slot: number, to: HostPort): void {
    this.#owners[slot] = nameOf(this.at(to).host);
    void this.look();
  }

  /** Requests the slots again as soon as possible; never rejects. */
  look(): Promise<void> {
    if (!this.isCluster || this.isEnded) return Promise.resolve();
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  end(): void {
    this.isEnded = true;
    clearInterval(this.#timer);
    for (const node of this.#nodes.values()) node.end();
  }

  async #look(): Promise<void> {
    const soon = this.#lookedAt + MIN_PAUSE_MS - performance.now();
    if (soon > 0) await new Promise(resolve => setTimeout(resolve, soon));
    this.#lookedAt = performance.now();
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
      this.#take(readSlots(await node.send(['CLUSTER', 'SLOTS']), node.host));
      node.trouble = undefined; // it had refused before
      return true;
    } catch (error) {
      const meaning = meaningOf(error);
      if (meaning.next === 'fail') node.trouble = `Redis at ${node.name} ${meaning.words}`; // another node may work
      node.lastError = error;
      return false;
    }
  }

  #take(ranges: readonly SlotRange[]): void {
    if (ranges.length === 0 || this.isEnded) return;
    const owners: string[] = new Array(SLOTS).fill('');
    for (const { from, to, host } of ranges) owners.fill(nameOf(this.at(host).host), from, to + 1);
    this.#owners = owners;
    const kept = new Set([...owners, ...this.address.hosts.map(nameOf)]);
    for (const [name, node] of this.#nodes) {
      if (kept.has(name)) continue;
      this.#nodes.delete(name);
      node.end();
    }
    this.listener.moved();
    this.listener.changed();
  }

  #changed(node: ServerNode): void {
    if (this.isEnded) return;
    this.listener.changed();
    if (node.trouble !== undefined || this.#owners.length === 0) void this.look();
  }
}

interface SlotRange {
  readonly from: number;
  readonly to: number;
  readonly host: HostPort;
}

/** The answer of CLUSTER SLOTS: from, to, master, replicas. A node that does not know its own host omits it. */
function readSlots(reply: Reply, asked: HostPort): readonly SlotRange[] {
  if (!Array.isArray(reply)) throw new TypeError('CLUSTER SLOTS answers no list');
  return reply.map(([from, to, [host, port]]: [number, number, [string | null, number]]) => ({
    from,
    to,
    host: { host: host === null || host === '' || host === '?' ? asked.host : host, port },
  }));
}
