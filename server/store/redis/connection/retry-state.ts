// How one thing that is asked of Redis goes on after a failure: at which node next, after which pause, or not at all. Knows not what is asked.
import { StoreError, type StoreFailure } from '../../../engine/store.js';
import { IN_CLUSTER, isRefusal, type Meaning, meaningOf, storeErrorOf } from './failures.js';
import type { ServerNode } from './node.js';
import type { Nodes } from './nodes.js';

const LONGEST_PAUSE_MS = 100;
/** Redirections that are followed without a pause. */
const QUICK_TRIES = 5;

/** By when one verb has to be done, by `performance.now()`; and how many milliseconds that were. */
export interface Deadline {
  readonly at: number;
  readonly timeout: number;
}

export function deadlineIn(timeout: number): Deadline {
  return { at: performance.now() + timeout, timeout };
}

export class RetryState {
  /** Whether an earlier try may have been done. */
  isAgain = false;
  /** Whether the next node is to be asked for keys that are just coming to it. */
  isAsking = false;
  #asking: ServerNode | undefined;
  #tries = 0;
  #failure: StoreFailure = 'away';
  #words = 'has no node for it';
  #cause: unknown;

  constructor(
    private readonly nodes: Nodes,
    /** The tag of keys, or a node. */
    private readonly to: string | ServerNode,
    private readonly shown: string,
  ) {}

  /** The node to ask next, where one is known. */
  get node(): ServerNode | undefined {
    return this.#asking ?? (typeof this.to === 'string' ? this.nodes.of(this.to) : this.to);
  }

  /** What an error of a node means for the next try. Throws a `StoreError` where there is none. */
  failed(node: ServerNode, error: unknown): void {
    if (error instanceof StoreError) throw error;
    const { name, host: own, trouble, lastError } = node;
    const isRefused = trouble !== undefined && isRefusal(lastError); // it cannot be connected to for this
    const meaning = meaningOf(isRefused ? lastError : error);
    this.#asking = undefined;
    this.isAsking = false;
    this.#cause = error;
    if (meaning.next === 'again') {
      this.isAgain ||= meaning.isUnknown;
      this.#failure = meaning.failure;
      this.#words = meaning.isUnknown ? `may have done it, and ${meaning.words}` : meaning.words;
      if (meaning.failure === 'refused') node.renew(); // another has become the master
      if (trouble !== undefined) this.#words = trouble.replace(/^Redis at \S+ /, '');
      return;
    }
    if (meaning.next === 'fail') throw this.#lasting(name, meaning);
    if (!this.nodes.isCluster || typeof this.to !== 'string') throw storeErrorOf('refused', name, IN_CLUSTER, error);
    const host = { host: meaning.host === '' ? own.host : meaning.host, port: meaning.port };
    this.#failure = 'away';
    this.#words = 'sends from node to node';
    if (meaning.next === 'moved') this.nodes.moved(meaning.slot, host);
    else {
      this.#asking = this.nodes.at(host);
      this.isAsking = true;
    }
  }

  /** Before the next try. Rejects with a `StoreError` where there is no time for one. */
  async pause(deadline: Deadline): Promise<void> {
    if (this.nodes.isEnded) throw new StoreError('away', 'the store is closed');
    this.#tries += 1;
    const isRedirected = this.#words === 'sends from node to node';
    if (isRedirected && this.#tries <= QUICK_TRIES) return;
    if (!isRedirected) void this.nodes.look();
    const wait = Math.min(2 ** Math.min(this.#tries, 10), LONGEST_PAUSE_MS);
    if (performance.now() + wait >= deadline.at) throw this.late();
    await new Promise(resolve => setTimeout(resolve, wait));
  }

  /** What is said where the time is up. */
  late(): StoreError {
    const { node } = this;
    const failure = this.isAgain ? 'away' : this.#failure;
    if (node === undefined && this.nodes.trouble !== undefined)
      return new StoreError(failure, this.nodes.trouble, { cause: this.#cause });
    return storeErrorOf(failure, node?.name ?? this.shown, this.#words, this.#cause);
  }

  /** Nothing was done, unless an earlier try did it, of which a script would have known. */
  #lasting(name: string, { failure, words }: Meaning & { next: 'fail' }): StoreError {
    const isTold = !this.isAgain || failure === 'full';
    return storeErrorOf(isTold ? failure : 'away', name, words, this.#cause);
  }
}
