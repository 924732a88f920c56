// The servers of one store: one alone, or the masters of a Cluster and which of them has which slots. Knows no keys, and no scripts.

import type { HostPort, RedisAddress } from '../url.js';
import { meaningOf } from './failures.js';
import { nameOf, type Reply, ServerNode } from './node.js';
import type { MakeClient } from './redis-client.js';
import { SLOTS, slotOf } from './slot.js';
import type { Hearing } from './subscriber.js';

/** Slots move without a word to who only listens. */
const LOOK_AGAIN_MS = 5_000;
/** It is asked no oftener than this where the slots are. */
const LEAST_PAUSE_MS = 50;

export interface Told {
  /** The trouble of a node has come or gone. */
  readonly changed: () => void;
  /** Slots may have moved. */
  readonly moved: () => void;
  readonly hearing: Hearing;
}

export class Nodes {
  readonly #nodes = new Map<string, ServerNode>();
  /** Those of the URL. */
  readonly seeds: readonly ServerNode[];
  /** By slot, the name of the node that has it; of a server alone there are none. */
  #owners: string[] = [];
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #looks = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  isEnded = false;

  constructor(
    private readonly address: RedisAddress,
    private readonly make: MakeClient,
    private readonly told: Told,
  ) {
    this.seeds = address.hosts.map(host => this.at(host));
    if (!address.isCluster) return;
    this.#timer = setInterval(() => void this.look(), LOOK_AGAIN_MS);
    this.#timer.unref();
  }

  get isCluster(): boolean {
    return this.address.isCluster;
  }

  /** The node that has the keys of a tag, as far as is known. */
  of(tag: string): ServerNode | undefined {
    if (!this.isCluster) return this.seeds[0];
    return this.#nodes.get(this.#owners[slotOf(tag)] ?? '');
  }

  /** The node at an address, which is connected from now on. */
  at(host: HostPort): ServerNode {
    const name = nameOf(host);
    const known = this.#nodes.get(name);
    if (known !== undefined) return known;
    const node = new ServerNode(host, this.make, changed => this.#changed(changed), this.told.hearing);
    this.#nodes.set(name, node);
    return node;
  }

  /** Those that have keys, as far as is known. */
  get masters(): readonly ServerNode[] {
    if (!this.isCluster) return this.seeds;
    return [...new Set(this.#owners)].flatMap(name => this.#nodes.get(name) ?? []);
  }

  /** Why not everything can be used at present, in words. */
  get trouble(): string | undefined {
    const { masters } = this;
    const troubled = masters.find(({ trouble }) => trouble !== undefined)?.trouble;
    if (masters.length > 0)
      return troubled ?? (this.#owners.includes('') ? `${this.address.shown} has slots without a node` : undefined);
    return (
      this.seeds.find(({ trouble }) => trouble !== undefined)?.trouble ??
      `${this.address.shown} has not told its slots yet`
    );
  }

  /** A node said that a slot has moved. */
  moved(slot: number, to: HostPort): void {
    this.#owners[slot] = nameOf(this.at(to).host);
    void this.look();
  }

  /** Asks again where the slots are, as soon as may be; rejects never. */
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
    const soon = this.#lookedAt + LEAST_PAUSE_MS - performance.now();
    if (soon > 0) await new Promise(resolve => setTimeout(resolve, soon));
    this.#lookedAt = performance.now();
    const ready = [...this.#nodes.values()].filter(({ isReady }) => isReady);
    this.#looks += 1; // another one each time: one that is cut off from the others tells what once was
    for (let i = 0; i < ready.length && !this.isEnded; i += 1) {
      const node = ready[(i + this.#looks) % ready.length];
      if (node !== undefined && (await this.#ask(node))) return;
    }
  }

  /** Whether a node told its slots. */
  async #ask(node: ServerNode): Promise<boolean> {
    try {
      this.#take(readSlots(await node.send(['CLUSTER', 'SLOTS']), node.host));
      node.trouble = undefined; // where it had refused to tell
      return true;
    } catch (error) {
      const meaning = meaningOf(error);
      if (meaning.next === 'fail') node.trouble = `Redis at ${node.name} ${meaning.words}`; // another node may be better
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
    this.told.moved();
    this.told.changed();
  }

  #changed(node: ServerNode): void {
    if (this.isEnded) return;
    this.told.changed();
    if (node.trouble !== undefined || this.#owners.length === 0) void this.look();
  }
}

interface SlotRange {
  readonly from: number;
  readonly to: number;
  readonly host: HostPort;
}

/** What CLUSTER SLOTS answers: from, to, master, replicas. A node that does not know its own host says none: it is the one that was asked. */
function readSlots(reply: Reply, asked: HostPort): readonly SlotRange[] {
  if (!Array.isArray(reply)) throw new TypeError('CLUSTER SLOTS answers no list');
  return reply.map(([from, to, [host, port]]: [number, number, [string | null, number]]) => ({
    from,
    to,
    host: { host: host === null || host === '' || host === '?' ? asked.host : host, port },
  }));
}
