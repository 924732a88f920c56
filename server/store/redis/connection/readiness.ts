// Checks whether the engine is usable: reachable, recent enough, with the needed permissions.
import { realTime } from '../../../engine/real-time.js';
import { StoreError } from '../../../engine/store.js';
import type { StoreLog } from '../../refused-changes.js';
import type { Attempts } from './attempts.js';
import { IN_CLUSTER, reasonText, storeErrorOf } from './failures.js';
import type { Keys } from './key-names.js';
import { nameOf, type ServerNode } from './node.js';
import { TRY_ALL } from './scripts.js';
import { type Servers, slotsOf } from './servers.js';
import type { Watching } from './watching.js';

const LOOK_MS = 20;
/** Sandbox names have no colon. */
const TRIAL = 'ready:trial';

export class Readiness {
  constructor(
    private readonly servers: Servers,
    private readonly attempts: Attempts,
    private readonly watching: Watching,
    private readonly keys: Keys,
    private readonly log: StoreLog,
  ) {}

  /**
   * Resolves when the engine is usable. Rejects with a `StoreError`: `refused` if an administrator must change something, `away` if the store is
   * closed.
   */
  async wait(): Promise<void> {
    for (;;) {
      try {
        if (this.servers.trouble === undefined) return await this.#try();
      } catch (error) {
        const isPassing = error instanceof StoreError && (error.failure === 'away' || error.failure === 'full');
        if (!isPassing) throw error;
      }
      if (this.servers.isEnded) throw new StoreError('away', 'the store is closed');
      const refusing = this.servers.seeds.find(({ isRefusing }) => isRefusing);
      if (refusing !== undefined)
        throw storeErrorOf('refused', refusing.name, reasonText(refusing.lastError), refusing.lastError);
      await new Promise(resolve => realTime.setTimeout(resolve, LOOK_MS));
    }
  }

  async #try(): Promise<void> {
    const { attempts } = this;
    const { all, channel } = this.keys.of(TRIAL);
    const deadline = attempts.deadline();
    const [, second] = all;
    const [how] = await attempts.run(TRIAL, TRY_ALL, { args: [channel] }, deadline);
    if (how === 'old') throw storeErrorOf('refused', this.servers.of(TRIAL)?.name ?? '', 'is older than Redis 7.0');
    await attempts.command(TRIAL, ['SET', second, '', 'PX', '1'], deadline);
    await attempts.command(TRIAL, ['GET', second], deadline);
    await attempts.ask(TRIAL, deadline, node => this.watching.try(channel, node));
    const warnings = await attempts.everywhere(node => this.#tryNode(node), deadline);
    const warning = warnings.find(words => words !== undefined); // one is enough
    if (warning !== undefined) this.log.warn(warning);
  }

  /** Returns a warning, if needed. */
  async #tryNode(node: ServerNode): Promise<string | undefined> {
    await node.send(['SCAN', '0', 'COUNT', '1']);
    if (!this.servers.address.isCluster && (await hasOthers(node)))
      throw storeErrorOf('refused', node.name, IN_CLUSTER);
    const policy = await evictionPolicy(node);
    if (policy === undefined || policy === 'noeviction') return undefined;
    return `Redis at ${node.name} has the maxmemory-policy ${policy}: when its memory is full, it evicts parts of sandboxes, which are then lost. Set maxmemory-policy to noeviction`;
  }
}

/** Whether it is one of several masters of a Cluster; if that is not permitted, the first sandbox on another node will show it. */
async function hasOthers(node: ServerNode): Promise<boolean> {
  try {
    return new Set((await slotsOf(node)).map(({ host }) => nameOf(host))).size > 1;
  } catch {
    return false;
  }
}

/** `undefined` if unknown: managed engines forbid the command. */
async function evictionPolicy(node: ServerNode): Promise<string | undefined> {
  try {
    const reply = await node.send(['CONFIG', 'GET', 'maxmemory-policy']);
    return Object.values(reply as Record<string, string>)[0]; // a map of names and values in RESP 3
  } catch {
    return undefined;
  }
}
