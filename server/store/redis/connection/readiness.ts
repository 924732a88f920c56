// Whether the engine can be used as it is: it is there, new enough, and allows what is needed. Knows what is needed, and no sandbox.
import { StoreError } from '../../../engine/store.js';
import type { StoreLog } from '../../refused-changes.js';
import type { Keys } from '../key-names.js';
import { TRY_ALL } from '../scripts/other-scripts.js';
import type { Attempts } from './attempts.js';
import { IN_CLUSTER, isRefusal, storeErrorOf, told } from './failures.js';
import type { ServerNode } from './node.js';
import type { Nodes } from './nodes.js';
import { deadlineIn } from './retry-state.js';

const LOOK_MS = 20;
/** No sandbox has a colon in its name. */
const TRIAL = 'ready:trial';

export class Readiness {
  #isWarned = false;

  constructor(
    private readonly nodes: () => Nodes | Promise<Nodes>,
    private readonly attempts: Attempts,
    private readonly keys: Keys,
    private readonly timeout: number,
    private readonly log: StoreLog,
  ) {}

  /** Resolves when the engine can be used. Rejects with a `StoreError` `refused` where that needs somebody to change something, `away` where the store is closed. */
  async wait(): Promise<void> {
    const nodes = await this.nodes();
    for (;;) {
      await this.#connected(nodes);
      try {
        await this.#try(nodes);
        return;
      } catch (error) {
        const isPassing = error instanceof StoreError && (error.failure === 'away' || error.failure === 'full');
        if (!isPassing || nodes.isEnded) throw error;
      }
      await pause();
    }
  }

  async #connected(nodes: Nodes): Promise<void> {
    while (nodes.trouble !== undefined) {
      if (nodes.isEnded) throw new StoreError('away', 'the store is closed');
      for (const { trouble, lastError, name } of nodes.seeds) {
        if (trouble !== undefined && isRefusal(lastError))
          throw storeErrorOf('refused', name, told(lastError), lastError);
      }
      await pause();
    }
  }

  async #try(nodes: Nodes): Promise<void> {
    const { all, channel } = this.keys.of(TRIAL);
    const deadline = deadlineIn(this.timeout);
    const [first, second] = all;
    const work = { script: TRY_ALL, keys: [first, second], args: [channel] };
    const [how] = await this.attempts.run(TRIAL, work, deadline);
    if (how === 'old') throw storeErrorOf('refused', nodes.of(TRIAL)?.name ?? '', 'is older than Redis 7.0');
    await this.attempts.command(TRIAL, ['SET', second, '', 'PX', '1'], deadline);
    await this.attempts.command(TRIAL, ['GET', second], deadline);
    await this.attempts.ask(TRIAL, deadline, node => node.subscribe(channel));
    await this.attempts.ask(TRIAL, deadline, node => node.unsubscribe(channel));
    await this.attempts.everywhere(node => this.#tryNode(node, nodes.isCluster), deadline);
  }

  async #tryNode(node: ServerNode, isCluster: boolean): Promise<void> {
    await node.send(['SCAN', '0', 'COUNT', '1']);
    if (!isCluster && (await hasOthers(node))) throw storeErrorOf('refused', node.name, IN_CLUSTER);
    const policy = await evictionPolicy(node);
    if (policy === undefined || policy === 'noeviction' || this.#isWarned) return;
    this.#isWarned = true;
    this.log.warn(
      `Redis at ${node.name} has the maxmemory-policy ${policy}: when its memory is full it throws away parts of sandboxes, which are lost then; it should be noeviction`,
    );
  }
}

/** Whether it is one of several masters of a Cluster; where it may not be asked, the first sandbox of another one tells. */
async function hasOthers(node: ServerNode): Promise<boolean> {
  try {
    const ranges = (await node.send(['CLUSTER', 'SLOTS'])) as readonly (readonly [
      number,
      number,
      readonly [string, number],
    ])[];
    return new Set(ranges.map(([, , [host, port]]) => `${host}:${port}`)).size > 1;
  } catch {
    return false;
  }
}

/** `undefined` where it is not told: managed engines forbid to ask. */
async function evictionPolicy(node: ServerNode): Promise<string | undefined> {
  try {
    const reply = await node.send(['CONFIG', 'GET', 'maxmemory-policy']);
    return Object.values(reply as Record<string, string>)[0]; // a map of names and values in RESP 3
  } catch {
    return undefined;
  }
}

async function pause(): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, LOOK_MS));
}
