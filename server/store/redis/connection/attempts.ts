// What is asked of Redis, at the node that has the keys, tried again until the deadline. Knows no verbs.
import type { Refusals } from '../../refused-changes.js';
import type { EngineClock } from '../engine-clock.js';
import type { Keys } from '../key-names.js';
import type { Script } from '../scripts/script.js';
import { refusalOfChanges, storeErrorOf } from './failures.js';
import type { Reply, ServerNode } from './node.js';
import type { Nodes } from './nodes.js';
import { type Deadline, deadlineIn, RetryState } from './retry-state.js';

export interface Work {
  readonly script: Script;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  /** What it is given where an earlier try may have been done. */
  readonly argsAgain?: readonly string[];
}

/** How a script went, and what else it answers. */
export type Outcome = readonly [how: string, ...rest: Reply[]];

type Ask<T> = (node: ServerNode, retry: RetryState) => Promise<T>;

/** For a change that matters to nobody. */
const TRIAL_MS = 1_000;

export class Attempts {
  constructor(
    private readonly nodes: () => Nodes | Promise<Nodes>,
    private readonly clock: EngineClock,
    private readonly refusals: Refusals,
    private readonly engine: { readonly shown: string; readonly keys: Keys },
  ) {}

  /** Runs a script on keys of one tag. Rejects with a `StoreError`: `away` where it may have been done. */
  run(tag: string, { script, keys, args, argsAgain = args }: Work, deadline: Deadline): Promise<Outcome> {
    return this.ask(tag, deadline, async (node, { isAsking, isAgain }) => {
      const all = [String(keys.length), ...keys, ...(isAgain ? argsAgain : args)];
      const askedAt = this.clock.asked();
      const reply = await (isAsking ? node.runAsking(script, all) : node.run(script, all));
      const [how, micros, ...rest] = reply as [string, number, ...Reply[]]; // as every script answers
      this.clock.heard(node.name, askedAt, micros);
      return [how, ...rest] as const;
    });
  }

  /** Sends a command on a key of one tag; texts in the answer are given as bytes. */
  command(tag: string, args: readonly (string | Buffer)[], deadline: Deadline): Promise<Reply> {
    return this.ask(tag, deadline, (node, { isAsking }) => node.sendForBytes(args, isAsking));
  }

  /** Asks each of the nodes that have keys. */
  async everywhere<T>(ask: (node: ServerNode) => Promise<T>, deadline: Deadline): Promise<T[]> {
    const nodes = await this.#nodes(deadline);
    const retry = new RetryState(nodes, '', this.engine.shown);
    while (nodes.masters.length === 0) await retry.pause(deadline);
    return Promise.all(nodes.masters.map(node => this.ask(node, deadline, ask)));
  }

  /** Asks the node that has the keys of a tag, or this one. */
  async ask<T>(to: string | ServerNode, deadline: Deadline, ask: Ask<T>): Promise<T> {
    const nodes = await this.#nodes(deadline);
    const retry = new RetryState(nodes, to, this.engine.shown);
    for (;;) {
      const { node } = retry;
      try {
        if (node !== undefined) return await this.#within(deadline, ask(node, retry), node);
      } catch (error) {
        if (node === undefined) throw error;
        this.#heed(to, node, error);
        retry.failed(node, error);
      }
      await retry.pause(earlier(deadline, retry.node?.troubledSince ?? this.refusals.since));
    }
  }

  /** Where a node takes no changes it is tried again with one that matters to nobody. */
  #heed(to: string | ServerNode, node: ServerNode, error: unknown): void {
    const words = typeof to === 'string' ? refusalOfChanges(error) : undefined;
    if (words === undefined || typeof to !== 'string') return;
    this.refusals.refused(`Redis at ${node.name} ${words}`, async () => {
      const trial = ['SET', this.engine.keys.trialOf(to), '', 'PX', '1'];
      await this.command(to, trial, deadlineIn(TRIAL_MS));
    });
  }

  #nodes(deadline: Deadline): Nodes | Promise<Nodes> {
    const nodes = this.nodes();
    return nodes instanceof Promise ? this.#within(deadline, nodes) : nodes;
  }

  /** What is under way when the time is up may still be done. */
  #within<T>({ at, timeout }: Deadline, promise: Promise<T>, node?: ServerNode): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = () =>
        reject(storeErrorOf('away', node?.name ?? this.engine.shown, `did not answer within ${timeout} ms`));
      const timer = setTimeout(late, Math.max(1, at - performance.now()));
      promise.then(
        value => {
          clearTimeout(timer);
          resolve(value);
        },
        error => {
          clearTimeout(timer);
          reject(error);
        },
      );
    });
  }
}

/** Nobody waits longer for an engine that is away than its time from when it went: after that it is refused at once. */
function earlier(deadline: Deadline, awaySince: number | undefined): Deadline {
  const { at, timeout } = deadline;
  return awaySince === undefined ? deadline : { at: Math.min(at, awaySince + timeout), timeout };
}
