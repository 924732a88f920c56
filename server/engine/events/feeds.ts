// Everybody who listens to sandboxes in this process, bounded in number. Tells entries on to the readers of their sandbox. Sends nothing itself.

import { type JournalEntry, weighEntry } from '../journal/journal-entry.js';
import type { Sandbox } from '../sandbox/cached-sandbox.js';
import { isGoneLog, type Position } from './event.js';
import { type Beginning, Feed } from './feed.js';

export interface FeedLimits {
  /** Readers at once. */
  readonly feeds: number;
  /** Bytes of entries that may wait for one of them. */
  readonly backlog: number;
}

export const usualFeedLimits: FeedLimits = { feeds: 256, backlog: 1024 * 1024 };

/** Where the sandboxes are that somebody listens to. */
export interface Sandboxes {
  /** The one of a name as it is now, where there is one. */
  peek(name: string): Sandbox | undefined;
  /** Learns what others do in the one of a name, until what it returns is called. */
  follow(name: string): () => void;
}

export class Feeds {
  readonly #open = new Map<string, Set<Feed>>();
  #size = 0;
  #bytes = 0;
  #isEnded = false;

  constructor(
    private readonly sandboxes: Sandboxes,
    private readonly limits: FeedLimits = usualFeedLimits,
  ) {}

  /** How many listen. */
  get size(): number {
    return this.#size;
  }

  /** Of all entries that wait for a reader. */
  get bytes(): number {
    return this.#bytes;
  }

  /** From now on, or from a position on; `undefined` where as many listen as may, or nobody may any more. To be closed by who reads. */
  open(sandbox: Sandbox, after?: Position): Feed | undefined {
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
    const counted = (bytes: number) => {
      this.#bytes += bytes;
    };
    const parts = { live, backlog: this.limits.backlog, counted, closed };
    const feed = new Feed(parts, after === undefined ? present(sandbox) : beginningAfter(sandbox, after));
    const known = this.#open.get(name) ?? new Set();
    this.#open.set(name, known.add(feed));
    this.#size += 1;
    return feed;
  }

  /** Tells who listens to this sandbox of an entry. */
  tell(sandbox: Sandbox, entry: JournalEntry): void {
    if (this.#size === 0) return;
    const listening = this.#open.get(sandbox.name);
    if (listening === undefined) return;
    const waiting = { entry, log: sandbox.head.log, run: sandbox.journal.run.from, bytes: weighEntry(entry) };
    for (const feed of [...listening]) feed.take(waiting);
  }

  /** Tells who listens to a sandbox of this name that it has changed, has gone or is there again. */
  wake(name: string): void {
    if (this.#size === 0) return;
    for (const feed of this.#open.get(name) ?? []) feed.wake();
  }

  /** Whether somebody listens to a sandbox of this name. */
  isHeard(name: string): boolean {
    return this.#open.has(name);
  }

  /** Nobody is told any more, and nobody may begin. */
  end(): void {
    this.#isEnded = true;
    for (const feeds of [...this.#open.values()]) for (const feed of [...feeds]) feed.close();
  }
}

function present({ head, journal }: Sandbox): Beginning {
  return {
    at: { log: head.log, version: head.version, run: journal.run.from, entry: journal.run.lastId },
    waiting: [],
    lost: 0,
  };
}

/** What is kept of what came after a position. One of another sandbox of that name, which has gone, is told from the beginning. */
function beginningAfter({ head, journal }: Sandbox, after: Position): Beginning {
  const isSame = after.log === head.log;
  const { entries, lost } = isSame ? journal.after(after.run, after.entry) : { entries: journal.entries(), lost: null };
  const run = journal.run.from;
  return {
    at: {
      log: after.log,
      version: isSame ? Math.min(after.version, head.version) : 0,
      run,
      entry: (entries[0]?.id ?? journal.run.lastId + 1) - 1,
    },
    waiting: entries.map(entry => ({ entry, log: head.log, run, bytes: 0 })),
    lost: isGoneLog(after.log) ? 0 : lost,
  };
}
