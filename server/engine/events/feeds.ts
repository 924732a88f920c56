// The event readers of this process, limited in number.

import { bytesOfEntry } from '../journal/journal.js';
import type { JournalEntry } from '../journal/journal-entry.js';
import type { CachedSandbox } from '../session/cached-sandbox.js';
import { isGoneLog, type Position } from './event.js';
import { Feed, type FeedStart } from './feed.js';

export interface FeedLimits {
  /** Maximum number of readers. */
  readonly feeds: number;
  /** Maximum backlog of a reader, in bytes of entries. */
  readonly backlog: number;
}

export const usualFeedLimits: FeedLimits = { feeds: 256, backlog: 1024 * 1024 };

/** Access to the sandboxes with readers. */
export interface Sandboxes {
  /** The current sandbox of a name, if there is one. */
  peek(name: string): CachedSandbox | undefined;
  /** Follows what other processes do to a sandbox, until the returned function is called. */
  follow(name: string): () => void;
}

export class Feeds {
  readonly #open = new Map<string, Set<Feed>>();
  #size = 0;
  #isEnded = false;

  constructor(
    private readonly sandboxes: Sandboxes,
    private readonly limits: FeedLimits = usualFeedLimits,
  ) {}

  /** Number of readers. */
  get size(): number {
    return this.#size;
  }

  /** A feed from now, or from a position; `undefined` if there are too many, or all are closed. The reader must close it. */
  open(sandbox: CachedSandbox, after?: Position): Feed | undefined {
    if (this.#isEnded || this.#size >= this.limits.feeds) return undefined;
    const { name } = sandbox;
    const unfollow = this.sandboxes.follow(name);
    const closed = () => {
      unfollow();
      this.#size -= 1;
      const others = this.#open.get(name);
      others?.delete(feed);
      if (others?.size === 0) this.#open.delete(name);
    };
    const live = () => this.sandboxes.peek(name);
    const parts = { live, backlog: this.limits.backlog, closed };
    const feed = new Feed(parts, after === undefined ? present(sandbox) : beginningAfter(sandbox, after));
    const known = this.#open.get(name) ?? new Set();
    this.#open.set(name, known.add(feed));
    this.#size += 1;
    return feed;
  }

  /** Passes an entry on to the readers of its sandbox. */
  publish(sandbox: CachedSandbox, entry: JournalEntry): void {
    if (this.#size === 0) return;
    const listening = this.#open.get(sandbox.name);
    if (listening === undefined) return;
    const waiting = { entry, log: sandbox.head.log, run: sandbox.journal.counts.run, bytes: bytesOfEntry(entry) };
    for (const feed of [...listening]) feed.deliver(waiting);
  }

  /** Notifies the readers of a name that its sandbox has changed, was dropped or was created. */
  wake(name: string): void {
    if (this.#size === 0) return;
    for (const feed of this.#open.get(name) ?? []) feed.wake();
  }

  /** Whether a sandbox of this name has readers. */
  isHeard(name: string): boolean {
    return this.#open.has(name);
  }

  /** Ends all feeds and refuses new ones. */
  end(): void {
    this.#isEnded = true;
    for (const feeds of [...this.#open.values()]) for (const feed of [...feeds]) feed.close();
  }
}

function present({ head, version, journal }: CachedSandbox): FeedStart {
  return {
    at: { log: head.log, version, run: journal.counts.run, entry: journal.lastId },
    waiting: [],
    lost: 0,
  };
}

/** The start for a position. If the position belongs to an earlier sandbox of the name, everything is new. */
function beginningAfter({ head, version, journal }: CachedSandbox, after: Position): FeedStart {
  const isSame = after.log === head.log;
  const { entries, lost } = isSame ? journal.after(after.run, after.entry) : { entries: journal.entries(), lost: null };
  const { run, lastId } = journal.counts;
  return {
    at: {
      log: after.log,
      version: isSame ? Math.min(after.version, version) : 0,
      run,
      entry: (entries[0]?.id ?? lastId + 1) - 1,
    },
    waiting: entries.map(entry => ({ entry, log: head.log, run, bytes: 0 })),
    lost: isGoneLog(after.log) ? 0 : lost,
  };
}
