// Sends scripts and commands to the node that has the keys, and retries until the deadline.
import { realTime } from '../../../engine/real-time.js';
import { StoreError, type StoreFailure } from '../../../engine/store.js';
import type { Refusals } from '../../refused-changes.js';
import type { EngineClock } from './engine-clock.js';
import { type Failure, IN_CLUSTER, meaningOf, refusalOfChanges, storeErrorOf } from './failures.js';
import type { Keys } from './key-names.js';
import type { Reply, ServerNode } from './node.js';
import type { Script } from './scripts.js';
import type { Servers } from './servers.js';

/** Arguments of a script, without the keys of the sandbox and the format. */
interface Given {
  readonly args: readonly string[];
  readonly furtherKeys?: readonly string[];
}

/** The outcome of a script, and the rest of its response. */
export type Outcome = readonly [how: string, ...rest: Reply[]];

/** The deadline of one verb by `performance.now()`, and its timeout in milliseconds. */
export interface Deadline {
  readonly at: number;
  readonly timeout: number;
}

/** `isAsking`: the keys are migrating to the node. */
type Ask<T> = (node: ServerNode, isAsking: boolean) => Promise<T>;

const LONGEST_PAUSE_MS = 100;
/** Redirections followed without a pause. */
const QUICK_TRIES = 5;
/** Milliseconds for a harmless change. */
const TRIAL_MS = 1_000;

export class Attempts {
  constructor(
    private readonly servers: Servers,
    private readonly clock: EngineClock,
    private readonly refusals: Refusals,
    private readonly keys: Keys,
    /** Version of the keys and of the texts in them. */
    private readonly format: string,
    private readonly timeout: number,
  ) {}

  /** The deadline of a verb that begins now. */
  deadline(timeout = this.timeout): Deadline {
    return { at: realTime.uptime() + timeout, timeout };
  }

  /**
   * Runs a script on the keys of a sandbox, and further ones. Rejects with a `StoreError`, also if its log is damaged or of another format; `away`: it may
   * have been done.
   */
  async run(
    sandbox: string,
    script: Script,
    { args, furtherKeys = [] }: Given,
    deadline = this.deadline(),
  ): Promise<Outcome> {
    const { tag, all } = this.keys.of(sandbox);
    const keys = [...all, ...furtherKeys];
    const given = [String(keys.length), ...keys, this.format, ...args];
    const outcome = await this.ask(tag, deadline, async (node, isAsking): Promise<Outcome> => {
      const askedAt = this.clock.asked();
      const reply = await runScript(node, script, given, isAsking);
      const [how, micros, ...rest] = reply as [string, number, ...Reply[]]; // the format of every script's response
      this.clock.heard(node.name, askedAt, micros);
      return [how, ...rest];
    });
    if (outcome[0] === 'lost')
      throw new StoreError(
        'lost',
        `sandbox ${sandbox} is damaged: Redis no longer has some of its keys (see maxmemory-policy)`,
      );
    if (outcome[0] === 'format')
      throw new StoreError(
        'format',
        `sandbox ${sandbox} was written by another version of cwx-fake: its format is ${String(outcome[1])}, but this version reads format ${this.format}`,
      );
    return outcome;
  }

  /** Sends a command on a key of one tag; strings in the response are bytes. */
  command(tag: string, args: readonly (string | Buffer)[], deadline = this.deadline()): Promise<Reply> {
    return this.ask(tag, deadline, (node, isAsking) => node.send(args, { isAsking, asBytes: true }));
  }

  /** Asks each node that has keys. */
  async everywhere<T>(ask: (node: ServerNode) => Promise<T>, deadline = this.deadline()): Promise<T[]> {
    await this.ask('', deadline, async () => {}); // any tag has a node when the slots are known
    return Promise.all(this.servers.masters.map(node => this.ask('', deadline, ask, () => node)));
  }

  /** Asks the node that has the keys of a tag, unless `find` returns another one. */
  async ask<T>(tag: string, deadline: Deadline, ask: Ask<T>, find = () => this.servers.of(tag)): Promise<T> {
    const { servers } = this;
    let [failure, words]: [StoreFailure, string] = ['away', 'has no node for the key'];
    let asking: ServerNode | undefined;
    let isAgain = false;
    let cause: unknown;
    for (let tries = 1; ; tries += 1) {
      if (servers.isEnded) throw new StoreError('away', 'the store is closed');
      const node = asking ?? find();
      let isRedirected = false;
      try {
        if (node !== undefined) return await within(deadline, ask(node, asking !== undefined), node);
      } catch (error) {
        if (node === undefined || error instanceof StoreError) throw error;
        cause = error;
        asking = undefined;
        this.#noticeRefusal(tag, node, error);
        const meaning = meaningOf(node.isRefusing ? node.lastError : error);
        if ('words' in meaning) {
          if (meaning.next === 'fail') throw finalError(node, meaning, isAgain, error);
          isAgain ||= meaning.isUnknown;
          const isRenewing = failure === 'refused' && meaning.failure === 'away' && !meaning.isUnknown;
          if (!isRenewing) {
            failure = meaning.failure;
            words =
              node.trouble ?? (meaning.isUnknown ? `may have made the change, but ${meaning.words}` : meaning.words);
          }
          if (meaning.failure === 'refused') node.renew(); // another server may be the master by now
        } else {
          if (!servers.address.isCluster) throw storeErrorOf('refused', node.name, IN_CLUSTER, error);
          const host = { host: meaning.host || node.host.host, port: meaning.port };
          if (meaning.next === 'moved') servers.redirected(meaning.slot, host);
          else asking = servers.at(host);
          [failure, words, isRedirected] = ['away', 'redirects from node to node', true];
        }
      }
      if (isRedirected && tries <= QUICK_TRIES) continue;
      const wait = Math.min(2 ** tries, LONGEST_PAUSE_MS);
      const next = asking ?? find();
      if (realTime.uptime() + wait >= end(deadline, next?.troubledSince ?? this.refusals.since)) {
        const why = isAgain ? 'away' : failure;
        if (next === undefined && servers.trouble !== undefined) throw new StoreError(why, servers.trouble, { cause });
        throw storeErrorOf(why, next?.name ?? servers.address.shown, words, cause);
      }
      await new Promise(resolve => realTime.setTimeout(resolve, wait));
    }
  }

  /** Tests with a harmless change whether a node accepts changes again. */
  #noticeRefusal(tag: string, node: ServerNode, error: unknown): void {
    const words = refusalOfChanges(error);
    if (words === undefined) return;
    this.refusals.refused(`Redis at ${node.name} ${words}`, async () => {
      await this.command(tag, ['SET', this.keys.trialOf(tag), '', 'PX', '1'], this.deadline(TRIAL_MS));
    });
  }
}

/** Not done, unless by an earlier try, which a script would have recognized. */
function finalError({ name }: ServerNode, { failure, words }: Failure, isAgain: boolean, cause: unknown): StoreError {
  return storeErrorOf(isAgain && failure !== 'full' ? 'away' : failure, name, words, cause);
}

/** Runs a script that Redis may or may not have loaded. */
async function runScript(node: ServerNode, { sha, text }: Script, args: string[], isAsking: boolean): Promise<Reply> {
  if (isAsking) return node.send(['EVAL', text, ...args], { isAsking });
  try {
    return await node.send(['EVALSHA', sha, ...args]);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return node.send(['EVAL', text, ...args]);
  }
}

/** What is running at the deadline may still be done. */
function within<T>({ at, timeout }: Deadline, promise: Promise<T>, { name }: ServerNode): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(storeErrorOf('away', name, `did not respond within ${timeout} ms`));
    const timer = realTime.setTimeout(late, Math.max(1, at - realTime.uptime()));
    promise.then(resolve, reject).finally(() => realTime.clearTimeout(timer));
  });
}

/** While an engine is away for longer than the timeout, everything is refused at once. */
function end({ at, timeout }: Deadline, awaySince = Number.POSITIVE_INFINITY): number {
  return Math.min(at, awaySince + timeout);
}
