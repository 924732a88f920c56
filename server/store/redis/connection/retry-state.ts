// The state of one operation between tries: next node, next pause, or the end.
import { StoreError, type StoreFailure } from '../../../engine/store.js';
import { IN_CLUSTER, isRefusal, type Meaning, meaningOf, storeErrorOf } from './failures.js';
import type { ServerNode } from './node.js';
import type { Nodes } from './nodes.js';

const LONGEST_PAUSE_MS = 100;
/** Redirections followed without a pause. */
const QUICK_TRIES = 5;

/** The deadline of one verb by `performance.now()`, and its timeout in milliseconds. */
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
  /** Whether the next node is asked for keys that are migrating to it. */
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

  /** The next node, if known. */
  get node(): ServerNode | undefined {
    return this.#asking ?? (typeof this.to === 'string' ? this.nodes.of(this.to) : this.to);
  }

  /** Handles an error of a node. Throws a `StoreError` if there is no next try. */
  failed(node: ServerNode, error: unknown): void {
    if (error instanceof StoreError) throw error;
    const { name, host: own, trouble, lastError } = node;
    const isRefused = trouble !== undefined && isRefusal(lastError); // the node cannot be reached for this
    const meaning = meaningOf(isRefused ? lastError : error);
    this.#asking = undefined;
    this.isAsking = false;
    this.#cause = error;
    if (meaning.next === 'again') {
      this.isAgain ||= meaning.isUnknown;
      this.#failure = meaning.failure;
      this.#words = meaning.isUnknown ? `may have done it, and ${meaning.words}` : meaning.words;
      if (meaning.failure === 'refused') node.renew(); // another node has become the master
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

  /** Waits before the next try. Rejects with a `StoreError` if there is no time for one. */
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

  /** The error at the deadline. */
  late(): StoreError {
    const { node } = this;
    const failure = this.isAgain ? 'away' : this.#failure;
    if (node === undefined && this.nodes.trouble !== undefined)
      return new StoreError(failure, this.nodes.trouble, { cause: this.#cause });
    return storeErrorOf(failure, node?.name ?? this.shown, this.#words, this.#cause);
  }

  /** Not done, unless by an earlier try, which a script would have recognized. */
  #lasting(name: string, { failure, words }: Meaning & { next: 'fail' }): StoreError {
    const isReported = !this.isAgain || failure === 'full';
    return storeErrorOf(isReported ? failure : 'away', name, words, this.#cause);
  }
}
